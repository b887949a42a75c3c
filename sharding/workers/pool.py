"""`Workers`: live ranks to call again and again. What a user holds; it checks, describes, and hands over to
the supervisor. Frames between the user's line and an error are marked `__tracebackhide__`: IPython and pytest leave
them out.
"""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

from sharding.errors import WorkerError
from sharding.workers import devices, limits, namespace, shipping, torchrun_script
from sharding.workers.call import Look, Run
from sharding.workers.conductor import Job
from sharding.workers.devices import Placement
from sharding.workers.group import Settings
from sharding.workers.launcher import launcher
from sharding.workers.supervisor import Supervisor
from sharding.workers.wire import Packet

DEFAULT_TIMEOUT_S = 300.0
DEFAULT_GRACE_S = 0.5
DEFAULT_HANG_AFTER_S = 10.0
DEFAULT_MAX_RESULT_MB = 256.0


class Workers:
    """Live ranks, one process each, with the process group ready.

    No rank starts before `with` or the first call. Every method may be called from any thread. Calls on the
    same ranks follow one another in the order they were made.

    Args:
        nprocs: number of ranks.
        backend: "auto" (NCCL when there is a GPU for every rank, else gloo on the CPU), "gloo" or "nccl".
        timeout: seconds that ranks wait for one another in a collective, and that a call may go on without
            any rank printing, emitting or answering anything.
        grace: seconds that interrupted ranks have to answer before they are killed.
        hang_after: seconds that a rank may wait in a collective until the call says which rank has not arrived
        there; nothing is stopped for it.
        max_result_mb: a rank's result above so many megabytes is refused with advice instead of sent.
        seed: each rank seeds `torch`, `random` and `numpy` with `seed + rank` when it is made, so launches
        repeat.
        view: how a call shows the ranks' output while it runs: "text", or "tabs" (one for all ranks and one for each,
        folding, search) where a notebook shows them; elsewhere they are text, too.

    Raises:
        WorkerError: the ranks, back end and devices of this machine do not fit; the message says what would.
    """

    def __init__(
        self,
        nprocs: int = 2,
        *,
        backend: str = "auto",
        timeout: float = DEFAULT_TIMEOUT_S,
        grace: float = DEFAULT_GRACE_S,
        hang_after: float = DEFAULT_HANG_AFTER_S,
        max_result_mb: float = DEFAULT_MAX_RESULT_MB,
        seed: int = 0,
        view: Look = "text",
    ) -> None:
        for name, value in {"timeout": timeout, "grace": grace, "hang_after": hang_after}.items():
            _check_positive(name, value, "of seconds")
        _check_positive("max_result_mb", max_result_mb, "of megabytes")
        self.view = view
        num_cores = devices.machine_cores()
        devices.check_wish(nprocs, backend)
        limits.check(nprocs, limits.machine_limits(), num_cores=num_cores)
        launcher.warm()
        placement = devices.place(nprocs, backend, gpus=devices.machine_gpus(), num_cores=num_cores)
        if remark := devices.remark(placement, backend, devices.machine_held()):
            warnings.warn(remark, stacklevel=2)
        self._supervisor = Supervisor(Settings(placement, timeout, grace, seed, hang_after, max_result_mb))
        self._numbers = itertools.count(1)
        self._last: Run | None = None
        weakref.finalize(self, self._supervisor.close)

    def __repr__(self) -> str:
        placement = self.describe()
        state = "closed" if self._supervisor.closed else f"generation {self._supervisor.group.generation}"
        return f"<Workers: {placement.nprocs} ranks over {placement.backend}, {state}>"

    def __len__(self) -> int:
        return self.describe().nprocs

    def __getitem__(self, rank: int) -> OneRank:
        if not isinstance(rank, int) or not -len(self) <= rank < len(self):
            raise WorkerError(f"there is no rank {rank!r}: these workers have ranks 0 to {len(self) - 1}.")
        return OneRank(self, rank % len(self))

    def describe(self) -> Placement:
        """Ranks, devices, back end and threads, before anything starts; prints as a small table."""
        return self._supervisor.group.settings.placement

    @property
    def view(self) -> Look:
        """How calls show the ranks' output, "text" or "tabs"; may be set, for the calls from then on."""
        return self._view

    @view.setter
    def view(self, view: Look) -> None:
        if view not in get_args(Look):
            raise WorkerError(f"view={view!r}: give 'text' or 'tabs'.")
        self._view: Look = view

    @property
    def last(self) -> Run | None:
        """The call made last, whatever became of it."""
        return self._last

    @property
    def pids(self) -> list[int | None]:
        """Pid of each rank; None for one that is not made yet, or is dead."""
        members = self._supervisor.group.members
        return [None if member.dead else member.pid for member in members] or [None] * len(self)

    def run(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> list[Any]:
        """Run `fn(*args, **kwargs)` on every rank and wait; returns the results in rank order.

        Output of the ranks appears here, line by line, as it comes. An interrupt of this cell interrupts the
        ranks.

        Raises:
            ShippingError: something cannot travel, or `fn` was called instead of passed; nothing was started.
            WorkerError: a rank died or nobody answered in time.
            Exception: what a rank raised, as its own class, with the rank and the user's lines in its
            message.
        """
        __tracebackhide__ = True
        return _follow(*self._call(fn, args, kwargs))

    def start(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Run:
        """As `run`, but returns at once, with a `Run` to watch, wait for and interrupt. Its output is
        `Run.output`.
        """
        return _start(*self._call(fn, args, kwargs))

    def export(self, folder: str | Path, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
        """Write the call `fn(*args, **kwargs)` into `folder` as a script for torchrun; returns the command that runs it
        with as many ranks, the same back end, threads and seeds. Starts nothing.

        Raises:
            ShippingError: something cannot travel.
        """
        shipment = shipping.ship(fn, args, kwargs)
        return torchrun_script.write(Path(folder), shipment, self.describe(), self._supervisor.group.settings.seed)

    def push(self, **values: Any) -> None:
        """Put named values into every rank; functions shipped from here find them as globals. They win over
        the notebook's.
        """
        __tracebackhide__ = True
        _follow(*self._call(namespace.remember, (values,), {}))

    def pull(self, name: str) -> list[Any]:
        """The value called `name` in every rank, in rank order: pushed there, or assigned by a function as a
        global.
        """
        __tracebackhide__ = True
        return _follow(*self._call(namespace.recall, (name,), {}))

    def interrupt(self) -> None:
        """Interrupt every call that runs or waits; a second time, kill their ranks. Does not wait."""
        self._supervisor.interrupt_all()

    def restart(self) -> None:
        """End all ranks and make new ones; what the old ones held is lost."""
        old = self._supervisor
        old.close()
        self._supervisor = Supervisor(old.group.settings)
        weakref.finalize(self, self._supervisor.close)
        self._supervisor.prepare()

    def close(self) -> None:
        """End all ranks and whatever they run. Waits until they are gone; a second time it does nothing."""
        self._supervisor.close()

    def __enter__(self) -> Workers:
        self._supervisor.prepare()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _call(
        self, fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], rank: int | None = None
    ) -> tuple[Run, Callable[[], None]]:
        """A call on all ranks, or on one, checked and ready, and the function that begins it."""
        __tracebackhide__ = True
        shipment = shipping.ship(fn, args, kwargs)
        ranks = range(len(self)) if rank is None else [rank]
        supervisor, call = self._supervisor, next(self._numbers)
        # Written now: what happens to the arguments after the call was made must not reach the ranks.
        packet = Packet("call", {"call": call, "sources": dict(shipment.sources)}, shipment.payload)
        run = Run(shipment.name, call, ranks, single=rank is not None, control=supervisor, owner=self, look=self._view)
        self._last = run
        return run, lambda: supervisor.submit(Job(run, packet))


def _start(run: Run, begin: Callable[[], None]) -> Run:
    begin()
    return run


def _follow(run: Run, begin: Callable[[], None]) -> Any:
    __tracebackhide__ = True
    return run.follow(begin)


class OneRank:
    """One rank of live workers, `w[1]`: the same verbs, and values instead of lists."""

    def __init__(self, workers: Workers, rank: int) -> None:
        self._workers, self.rank = workers, rank

    def __repr__(self) -> str:
        return f"<rank {self.rank} of {self._workers!r}>"

    def run(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Run `fn` on this rank only and wait; returns its value.

        A collective in it would wait for the other ranks.
        """
        __tracebackhide__ = True
        return _follow(*self._workers._call(fn, args, kwargs, self.rank))

    def start(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Run:
        """As `run`, but returns at once with a `Run`."""
        return _start(*self._workers._call(fn, args, kwargs, self.rank))

    def push(self, **values: Any) -> None:
        """Put named values into this rank."""
        __tracebackhide__ = True
        self.run(namespace.remember, values)

    def pull(self, name: str) -> Any:
        """The value called `name` in this rank."""
        __tracebackhide__ = True
        return self.run(namespace.recall, name)


def _check_positive(name: str, value: float, of: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise WorkerError(f"{name}={value!r}: give a number {of} above 0.")
