"""`Run`: one call on the ranks, as the user holds it.

The supervisor thread writes into it, any number of other threads read, wait and ask for the result;
everything is under one lock. Results and exceptions are unpickled in the thread that asks for them. `follow`
is what a blocking call does: it shows the ranks' output in the calling cell and turns an interrupt of that
cell into an interrupt of the ranks.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from sharding.errors import WorkerError
from sharding.workers import failure, output, parcel, saving, shards
from sharding.workers.bell import Bell
from sharding.workers.failure import Outcome
from sharding.workers.live_tabs import LiveTabs
from sharding.workers.record import Record, RunEvent
from sharding.workers.screen import ROUND_S, Screen, publisher
from sharding.workers.stop_button import StopButton
from sharding.workers.view import View, view_of

Status = Literal["waiting", "running", "done", "failed", "interrupted"]
Look = Literal["text", "tabs"]
_log = logging.getLogger("sharding.workers")


class Run:
    """A call that was started with `Workers.start`.

    Attributes:
        name: name of the function.
        call: number of the call in its `Workers`.
        ranks: the ranks it runs on.
    """

    def __init__(
        self,
        name: str,
        call: int,
        ranks: Sequence[int],
        *,
        single: bool,
        control: RunControl,
        owner: object,
        look: Look = "text",
    ) -> None:
        self.name, self.call, self.ranks = name, call, tuple(ranks)
        self._single = single
        self._look: Look = look
        self._control = control
        self._owner: object = owner  # workers that nobody else holds must not be closed under a run
        self._bell = Bell()  # for every event
        self._page_bell = Bell()  # for what a caller that waits shows, and the end: events alone must not wake it
        self._record = Record()
        self._transcript = output.Transcript()
        self._bars: dict[int, str] = {}
        self._subscribers: list[_Subscriber] = []
        self._status: Status = "waiting"
        self._outcomes: tuple[Outcome, ...] = ()
        self._error: BaseException | None = None
        self._text = ""
        self._results: list[Any] | None = None
        self._began = time.monotonic()
        self._ended: float | None = None

    def __repr__(self) -> str:
        where = "ranks " + ", ".join(map(str, self.ranks))
        return f"<Run {self.call} {self.name!r} on {where}: {self._status}, {self.seconds:.2f} s>"

    @property
    def status(self) -> Status:
        """ "waiting" (for ranks to be free), "running", "done", "failed" or "interrupted"."""
        return self._status

    @property
    def done(self) -> bool:
        """Whether it is over, however it ended. Never blocks."""
        return self._ended is not None

    @property
    def seconds(self) -> float:
        """Seconds since it was started, until it ended."""
        return (self._ended or time.monotonic()) - self._began

    @property
    def events(self) -> list[RunEvent]:
        """What happened so far, oldest first. The list only grows; an index into it stays valid."""
        return self._record.events

    @property
    def output(self) -> str:
        """Everything the ranks printed so far, each line with its rank."""
        return self._transcript.text()

    def view(self) -> View:
        """What the ranks printed and displayed so far: prints as text, shows in a notebook with a tab for each rank;
        `.rank(1)`, `.search("loss")` and `.folded()` narrow it.
        """
        return view_of(self.events, repr(self), self.ranks)

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def save(self, folder: str | Path) -> list[Path]:
        """Write the events, each rank's output, and the error if there is one (as torch elastic writes it) into
        `folder`; returns the files. `read_events(folder)` reads the events back.
        """
        return saving.save(Path(folder), self.events, self.output, self.ranks, self._text)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, at most `timeout` seconds; returns `done`. Raises nothing of the run's."""
        return self._page_bell.wait_for(lambda: self.done, timeout)

    def events_since(self, index: int, timeout: float | None = None) -> list[RunEvent]:
        """The events from `index` on; waits until there is one, the run is over, or `timeout` seconds have
        passed.
        """
        self._bell.wait_for(lambda: len(self.events) > index or self.done, timeout)
        return self.events[index:]

    def on_event(self, callback: Callable[[RunEvent], object]) -> Callable[[], None]:
        """Call `callback(event)` for every event from the first on, in order; returns a function that ends
        it.

        It is called on the launcher's thread and must be quick; one that raises is logged and not called
        again.
        """
        subscriber = _Subscriber(callback)
        self._subscribers.append(subscriber)
        if not self._control.soon(self._deliver):
            self._deliver()
        return subscriber.stop

    def interrupt(self) -> None:
        """Stop it: ranks get an interrupt, and those that do not answer within the grace are killed. Does not
        wait.

        A second call kills at once. Does nothing when the run is over.
        """
        if not self.done:
            self._control.interrupt(self)

    def result(self, timeout: float | None = None) -> Any:
        """The ranks' return values in rank order (the value itself for a call on one rank of `Workers`).
        Waits.

        Raises:
            WorkerError: a rank died, the run was interrupted or timed out, or is not over after `timeout`
            seconds.
            Exception: what a rank raised, as its own class; the message says which rank and shows the user's
            lines.
        """
        __tracebackhide__ = True
        if not self.wait(timeout):
            raise WorkerError(f"call {self.call} ({self.name}) is not over after {timeout:g} s; it goes on.")
        if self._error is None and self._results is None:
            self._settle()
        if self._error is not None:
            raise self._error
        assert self._results is not None
        return self._results[0] if self._single else list(self._results)

    def _settle(self) -> None:
        if self._status == "done":
            gathering = shards.Gathering()
            self._results = [_unpickled(outcome, gathering) for outcome in self._outcomes]
            self._outcomes = ()
            return
        first = None if self._status == "interrupted" else failure.first_failure(self._outcomes)
        self._error = (
            WorkerError(self._text) if first is None else failure.exception_of_all(first, self._outcomes, self._text)
        )

    def follow(self, begin: Callable[[], object] | None = None) -> Any:
        """Wait, showing output as it comes, and return the result. What a blocking call does.

        An interrupt of this thread (Stop in a notebook) interrupts the ranks, a second one kills them; when
        they are through, one KeyboardInterrupt is raised. `begin` is called first, so that no interrupt falls
        in between.
        """
        __tracebackhide__ = True
        screen = self._screen()
        with StopButton(lambda: self._control.press(self)) as button:
            if begin is not None:
                begin()
            while not self.done:
                self._page_bell.wait_for(lambda: self.done or self._transcript.has_page or screen.is_behind(self._bars))
                self._show_on(screen)
                self._page_bell.wait_for(lambda: self.done, ROUND_S)
            self._show_on(screen)
        if button.num_presses:
            raise KeyboardInterrupt(self._text)
        return self.result()

    def _screen(self) -> Screen | LiveTabs:
        publish = publisher() if self._look == "tabs" else None
        return Screen() if publish is None else LiveTabs(publish, lambda: self.events, self.__repr__, self.ranks)

    def _show_on(self, screen: Screen | LiveTabs) -> None:
        screen.show(self._transcript.take_page())
        screen.bars(self._bars, over=self.done)

    # What follows is called by the supervisor thread only.

    def _add_event(self, event: RunEvent) -> None:
        self._record.add(event)
        if event.kind == "display":
            self._transcript.display({"rank": event.rank, **event.values})
            self._page_bell.ring()
        self._bell.ring()

    def _add_output(self, event: RunEvent) -> None:
        self._transcript.add(event.values["stream"], event.values["text"])
        self._add_event(event)
        self._page_bell.ring()

    def _show(self, text: str) -> None:
        """Something the launcher itself has to say."""
        self._transcript.notice(text)
        self._page_bell.ring()

    def _draw_bar(self, rank: int, text: str) -> None:
        """The line that a rank redraws; the empty one when it is finished."""
        others = {number: bar for number, bar in self._bars.items() if number != rank}
        self._bars = {**others, rank: text} if text else others
        self._page_bell.ring()

    def _begin(self) -> None:
        self._status = "running"

    def _finish(self, status: Status, outcomes: Sequence[Outcome], text: str) -> None:
        if self.done:
            return
        self._outcomes, self._text, self._status = tuple(outcomes), text, status
        self._ended = time.monotonic()
        self._owner = None
        self._bell.ring()
        self._page_bell.ring()

    def _deliver(self) -> None:
        """Tell subscribers what they have not heard yet."""
        for subscriber in list(self._subscribers):
            subscriber.catch_up(self.events)


class RunControl(ABC):
    """What a run may ask of whoever conducts it."""

    @abstractmethod
    def interrupt(self, run: Run) -> None:
        """Stop `run`; nothing when it is over or everything is closed."""

    @abstractmethod
    def press(self, run: Run) -> None:
        """As `interrupt`, from a signal handler: takes no lock and never raises."""

    @abstractmethod
    def soon(self, action: Callable[[], object]) -> bool:
        """Do `action` on the launcher's thread; False when there is none any more."""


class _Subscriber:
    def __init__(self, callback: Callable[[RunEvent], object]) -> None:
        self._callback: Callable[[RunEvent], object] | None = callback
        self._heard = 0
        self._lock = threading.RLock()

    def stop(self) -> None:
        self._callback = None

    def catch_up(self, events: Sequence[RunEvent]) -> None:
        with self._lock:
            while self._callback is not None and self._heard < len(events):
                self._heard += 1
                try:
                    self._callback(events[self._heard - 1])
                except Exception:
                    _log.exception("a callback given to Run.on_event raised and will not be called again")
                    self.stop()


def _unpickled(outcome: Outcome, gathering: shards.Gathering) -> Any:
    try:
        return parcel.unpack(outcome.payload, gathering.of_a_rank())
    except Exception as error:
        raise WorkerError(
            f"the result of {outcome.place} cannot be read here: {type(error).__name__}: {error}"
        ) from error
