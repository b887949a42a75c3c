"""`Run`: one training run as data, and the thread that follows it.

The workers' events come in as fast as the ranks train; one thread gathers them and tells the session at most
`MAX_RATE` times a second. Everything a run has to say is kept here; the page gets the last state and the
news.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from torch import nn

from explorer.messages import Phase, RunState, error_of_run
from explorer.running import Job, train
from sharding.errors import ShippingError, WorkerError
from sharding.workers import RunEvent, Workers

MAX_RATE = 20
MAX_LOG = 500
MAX_POINTS = 2000
STOP_LIMIT_S = 5.0

Tell = Callable[["Run", dict[str, Any], bool], None]


class Run:
    """A run of a plan on workers. Made by `ex.run(...)`, which returns at once.

    Attributes:
        id: "r1", "r2", ...
        plan: the plan that was applied.
        nprocs, steps: how many workers, and steps on each.
        losses: `[step, loss of rank 0, loss of rank 1, ...]` of every step all ranks have done; losses are
            their own.
        reference: losses of the unsharded model, the mean over all ranks' inputs; None if not asked for.
        metrics: what each rank's steps returned, by rank.
        events: the engine's events of the first and last step by rank, `[step, phase, kind, unit, bytes]`.
        error: the exception that ended it, or None.
    """

    def __init__(self, number: int, job: Job, *, nprocs: int, backend: str, timeout: float, tell: Tell) -> None:
        self.id = f"r{number}"
        self.plan = job.plan
        self.nprocs, self.steps = nprocs, job.steps
        self.losses: list[list[Any]] = []
        self.reference: list[float] | None = [] if job.reference else None
        self.metrics: list[list[dict[str, Any]]] = [[] for _ in range(nprocs)]
        self.events: list[list[list[Any]]] = [[] for _ in range(nprocs)]
        self.log: list[list[Any]] = []
        self.error: BaseException | None = None
        self._results: list[dict[str, Any]] = []
        self._phase: Phase = "starting"
        self._tell = tell
        self._seq = 0
        self._over = threading.Event()
        self._began = time.monotonic()
        self._seconds: float | None = None
        self._workers = Workers(nprocs, backend=backend, timeout=timeout, seed=job.training.seed)
        self._place = self._workers.describe()
        self._call = _ship(self._workers, job)
        self._thread = threading.Thread(target=self._follow, name=f"explorer-run-{self.id}", daemon=True)

    def __repr__(self) -> str:
        last = f", loss {self.losses[-1][1:]}" if self.losses else ""
        return f"<Run {self.id} on {self.nprocs} workers: {self.phase}, step {len(self.losses)} of {self.steps}{last}>"

    @property
    def phase(self) -> Phase:
        """ "starting", "running", "done", "failed" or "stopped"."""
        return self._phase

    @property
    def done(self) -> bool:
        """Whether it is over, however it ended, and no worker is left. Never blocks."""
        return self._over.is_set()

    @property
    def seconds(self) -> float:
        """Seconds since it was started, until it ended."""
        return time.monotonic() - self._began if self._seconds is None else self._seconds

    @property
    def output(self) -> str:
        """What the ranks printed, each line with its rank."""
        return self._call.output

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, at most `timeout` seconds; returns `done`. Raises nothing of the run's."""
        return self._over.wait(timeout)

    def result(self, timeout: float | None = None) -> list[dict[str, Any]]:
        """Wait, and return each rank's `losses`, `metrics` and `seconds`, in rank order.

        Raises:
            WorkerError: a rank died, the run was stopped, or is not over after `timeout` seconds.
            Exception: what a rank raised, with the rank and the user's lines in its message.
        """
        if not self.wait(timeout):
            raise WorkerError(f"run {self.id} is not over after {timeout:g} s; it goes on. ex.stop() ends it")
        if self.error is not None:
            raise self.error
        return self._results

    def stop(self) -> None:
        """End it: ranks are interrupted, and killed if they do not answer; a second call kills at once.
        Waits briefly.
        """
        self._call.interrupt()
        if threading.current_thread() is not self._thread:
            self.wait(STOP_LIMIT_S)

    def interrupt(self) -> None:
        """As `stop`, without waiting."""
        self._call.interrupt()

    def start(self) -> None:
        """Begin to follow the ranks. Called once, by the session."""
        self._thread.start()

    def state(self) -> RunState:
        """What a page shows of it; long runs are thinned out to `MAX_POINTS` losses."""
        stride = -(-len(self.losses) // MAX_POINTS) or 1
        return RunState(
            id=self.id,
            phase=self._phase,
            nprocs=self.nprocs,
            backend=self._place.backend,
            devices=_devices(self._place.devices),
            step=len(self.losses),
            steps=self.steps,
            losses=self.losses[::stride],
            reference=None if self.reference is None else self.reference[::stride],
            events=[event[1:] for event in self.events[0]],
            error=error_of_run(self.error, self._phase),
            log=self.log[-MAX_LOG:],
            seconds=round(self.seconds, 2),
            result={"seconds": [round(each["seconds"], 3) for each in self._results]},
            seq=self._seq,
        )

    def _follow(self) -> None:
        """The thread: gather and tell until it is over, and leave no worker behind."""
        phase: Phase = "failed"
        try:
            self._gather()
            self._results = self._call.result()
            phase = "done"
        except BaseException as error:
            self.error = error
            phase = "stopped" if self._call.status == "interrupted" else "failed"
        finally:
            self._workers.close()
            self._seconds = self.seconds
            self._phase = phase
            try:
                self._tell(self, {}, True)
            finally:
                self._over.set()

    def _gather(self) -> None:
        heard = 0
        while not self._call.done:
            events = self._call.events_since(heard, timeout=1.0)
            heard += len(events)
            if events:
                self._take(events)
            self._call.wait(1 / MAX_RATE)
        self._take(self._call.events_since(heard))

    def _take(self, events: list[RunEvent]) -> None:
        """Keep what is new and tell it as one batch."""
        num_losses, num_log = len(self.losses), len(self.log)
        for event in events:
            self._keep(event)
        if len(self.metrics[0]) and self._phase == "starting":
            self._phase = "running"
        self._seq += 1
        news = {
            "id": self.id,
            "seq": self._seq,
            "phase": self._phase,
            "step": len(self.losses),
            "steps": self.steps,
            "seconds": round(self.seconds, 2),
            "losses": self.losses[num_losses:],
            "log": self.log[num_log:][-MAX_LOG:],
            "reference": self.reference,
        }
        self._tell(self, news, False)

    def _keep(self, event: RunEvent) -> None:
        rank, values = event.rank, event.values
        if event.kind == "step" and rank is not None:
            self.metrics[rank].append({name: value for name, value in values.items() if name != "step"})
            step = len(self.losses)
            if all(len(each) > step for each in self.metrics):
                self.losses.append([step + 1, *(each[step].get("loss") for each in self.metrics)])
        elif event.kind == "events" and rank is not None:
            self.events[rank] += ([values["step"], *each] for each in values["events"])
        elif event.kind == "reference" and self.reference is not None:
            self.reference.append(values["loss"])
        elif event.kind == "log" and rank is not None:
            self.log += ([rank, _bare(line, rank)] for line in values["text"].splitlines())


def _ship(workers: Workers, job: Job) -> Any:
    try:
        return workers.start(train, job)
    except ShippingError as error:
        if isinstance(job.training.given, nn.Module) and ".given" in str(error):
            raise ShippingError(
                f"{error}\nThe model travels to the workers by value. Give explore a function that builds it, and "
                "each worker makes its own: explore(build)"
            ) from error
        raise


def _bare(line: str, rank: int) -> str:
    """A line of output without the rank that the launcher puts before it; the page has a place for that."""
    return line.removeprefix(f"[rank {rank}] ")


def _devices(devices: tuple[str, ...]) -> str:
    return devices[0] if len(set(devices)) == 1 else ", ".join(devices)
