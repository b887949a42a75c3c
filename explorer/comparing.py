"""A comparison of engines as the session holds it: the thread that waits for it, and its state as the page gets it.

What is compared, and how, is decided in `sharding/comparisons`. Like a run it is data once it is over, and can be
stopped from any thread; unlike a run it has little to say meanwhile, so its whole state is sent each time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from explorer.messages import VERSION, Phase, error_of_run
from explorer.source import Source
from sharding.comparisons.comparing import Contest, Progress
from sharding.comparisons.comparison import Comparison
from sharding.comparisons.trial import Trial
from sharding.engines import ENGINES
from sharding.errors import WorkerError
from sharding.plan import Plan

MIN_INTERVAL_S = 0.25
STOP_LIMIT_S = 5.0

Tell = Callable[["Comparing", bool], None]


@dataclass(frozen=True)
class ComparisonState:
    """What the `comparison` trait holds: the last comparison, whole.

    Attributes:
        id: "c1", "c2", ...; "" before the first.
        phase: as of a run.
        nprocs, backend, devices: where it runs.
        engines: those that take part, the unsharded model ("none") last.
        steps: steps whose losses are compared.
        done, total, doing: parts done of all, and what it does now, such as "flat alone" or "in turns".
        base: the engine whose step time is 1; None before there are times.
        rows: one an engine that is through: {"engine", "outcome" ("ran", "cannot", "failed"), "why", "remarks",
            "losses" ([[loss of rank 0, ...], ...]), "loss_difference", "ratio" ([median, low, high] or null),
            "seconds" ([...] a round), "peak_nbytes" ([bytes of rank 0, ...]), "collectives" ([[kind, count, bytes]])}.
        text: the same as a table, once it is over.
        error: {"title", "detail"} if it failed.
    """

    id: str = ""
    phase: Phase = "idle"
    nprocs: int = 0
    backend: str = ""
    devices: str = ""
    engines: list[str] = field(default_factory=list)
    steps: int = 0
    done: int = 0
    total: int = 0
    doing: str = ""
    base: str | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    error: dict[str, str] | None = None
    seconds: float = 0.0

    def to_data(self) -> dict[str, Any]:
        return {"v": VERSION, **vars(self)}


class Comparing:
    """One comparison in the background. Made by `ex.compare(...)` and the page's command."""

    def __init__(
        self,
        number: int,
        source: Source,
        plan: Plan,
        *,
        tell: Tell,
        engines: Iterable[str] = ENGINES,
        steps: int = 5,
        rounds: int = 7,
        lr: float = 1e-3,
        seed: int = 0,
        **place: Any,
    ) -> None:
        """Raises what `Contest` does; `place` are its `nprocs`, `backend` and `timeout`."""
        self.id = f"c{number}"
        trial = Trial(source.training(lr=lr, seed=seed), plan, steps, rounds)
        self.contest = Contest(trial, engines, tell=self._hear, verb="explore", **place)
        self._tell = tell
        self._phase: Phase = "starting"
        self._progress = Progress(0, self.contest.total, "starting", ())
        self._comparison: Comparison | None = None
        self.error: BaseException | None = None
        self._over = threading.Event()
        self._began = time.monotonic()
        self._seconds: float | None = None
        self._told = 0.0
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name=f"explorer-compare-{self.id}", daemon=True)

    def __repr__(self) -> str:
        return f"<Comparing {self.id}: {self.phase}, {self._progress.done} of {self._progress.total}>"

    @property
    def phase(self) -> Phase:
        """ "starting", "running", "done", "failed" or "stopped"."""
        return self._phase

    def start(self) -> None:
        """Begin. Called once, by the session."""
        self._thread.start()

    def result(self) -> Comparison:
        """Wait for it.

        Raises:
            WorkerError: it was stopped.
            Exception: what a rank raised, if no engine got through.
        """
        self._over.wait()
        if self.error is not None:
            raise self.error
        assert self._comparison is not None
        return self._comparison

    def interrupt(self) -> None:
        """End it; does not wait."""
        self._is_stopped = True
        self.contest.interrupt()

    def stop(self) -> None:
        """End it, and wait briefly until no worker is left."""
        self.interrupt()
        if threading.current_thread() is not self._thread:
            self._over.wait(STOP_LIMIT_S)

    def state(self) -> ComparisonState:
        """What a page shows of it."""
        seen, place = self._progress, self.contest.place
        so_far = self._comparison or self.contest.comparison()
        data = so_far.to_data()
        return ComparisonState(
            id=self.id,
            phase=self._phase,
            nprocs=place.nprocs,
            backend=place.backend,
            devices=", ".join(dict.fromkeys(place.devices)),
            engines=list(self.contest.engines),
            steps=so_far.steps,
            done=seen.done,
            total=seen.total,
            doing=seen.doing,
            base=data["base"],
            rows=data["rows"],
            text="" if self._comparison is None else self._comparison.text(),
            error=error_of_run(self.error, self._phase),
            seconds=round(time.monotonic() - self._began if self._seconds is None else self._seconds, 2),
        )

    def _hear(self, progress: Progress) -> None:
        """The contest has got further: tell it, but not too often."""
        is_news = len(progress.rows) > len(self._progress.rows) or progress.doing != self._progress.doing
        self._progress, self._phase = progress, "running"
        now = time.monotonic()
        if is_news or now - self._told > MIN_INTERVAL_S:
            self._told = now
            self._tell(self, False)

    def _run(self) -> None:
        """The thread: do it, and tell how it ended before anybody who waits goes on."""
        phase: Phase = "failed"
        try:
            self._comparison = self.contest.run()
            phase = "done"
        except BaseException as error:
            self.error = error
            phase = "stopped" if self._is_stopped and isinstance(error, WorkerError) else "failed"
        finally:
            self._seconds = time.monotonic() - self._began
            self._phase = phase
            try:
                self._tell(self, True)
            finally:
                self._over.set()
