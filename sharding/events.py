"""One thing that happened during a step, and the bounded log that keeps such things.

Engines call `record` at transitions only, and not at all while `open_logs.logs` is empty. A log keeps plain
values; `Event` objects are made when it is read. `record_events()` is what users and runs open around a step.
Nothing here knows an engine.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

EventKind = Literal["unshard", "reshard", "all_gather", "reduce_scatter", "all_reduce", "broadcast"]
Phase = Literal["forward", "backward", "other"]

DEFAULT_LIMIT = 100_000


@dataclass(frozen=True)
class Event:
    """One unshard, reshard or collective of one unit on one rank.

    Attributes:
        kind: what happened. "unshard" and "reshard" are the calls; the collectives are what really travelled.
        fqn: the unit's (or replicate group's) FQN, relative to the module the annotations were applied to.
        rank: global rank.
        start_ns: monotonic nanoseconds at the start, on this rank's clock.
        end_ns: monotonic nanoseconds when the call returned to Python.
        nbytes: bytes of the unsharded buffer for collectives; 0 for calls that moved nothing.
        phase: "forward", "backward" or "other" (looking, checkpoints, initial broadcasts).
        freed: for "reshard": whether the unsharded storage was really freed.
    """

    kind: EventKind
    fqn: str
    rank: int
    start_ns: int
    end_ns: int
    nbytes: int = 0
    phase: Phase = "other"
    freed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON-ready data."""
        return asdict(self)


Row = tuple[EventKind, str, int, int, int, int, Phase, bool]
"""An `Event` as its values, in order."""

Writer = Callable[[Row], object]


class EventLog:
    """The last `limit` events, oldest first, kept as plain rows."""

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self._rows: deque[Row] = deque(maxlen=limit)
        self._num_before = 0
        self._num_at_end: int | None = 0

    def writer(self) -> Writer:
        """What keeps one more event; the oldest goes where there is no room. No code of Python's runs in it."""
        return self._rows.append

    def opened(self, num_written: int) -> None:
        """Events are written into it from now on; so many were written in this process before."""
        self._num_before, self._num_at_end = num_written - self._num_seen, None

    def closed(self) -> None:
        """No event is written into it any more."""
        self._num_at_end = open_logs.num_written

    @property
    def _num_seen(self) -> int:
        at_end = open_logs.num_written if self._num_at_end is None else self._num_at_end
        return at_end - self._num_before

    @property
    def dropped(self) -> int:
        """How many events no longer fit."""
        return self._num_seen - len(self)

    def __iter__(self) -> Iterator[Event]:
        return iter([Event(*row) for row in tuple(self._rows)])

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Event:
        return list(self)[index]

    def of(self, *kinds: EventKind) -> list[Event]:
        """The events of these kinds, in order."""
        return [event for event in self if event.kind in kinds]

    def __repr__(self) -> str:
        return f"EventLog({len(self)} events, {self.dropped} dropped)"


class OpenLogs:
    """Logs that are open now. Autograd runs hooks on its own threads, so this is per process, changed under one lock.

    Attributes:
        logs: the logs; engines look whether there are any before they take a time stamp.
        writers: what writes into each of them.
        num_written: how many events were written in this process; who writes counts.
    """

    __slots__ = ("_lock", "logs", "num_written", "writers")

    def __init__(self) -> None:
        self.logs: tuple[EventLog, ...] = ()
        self.writers: tuple[Writer, ...] = ()
        self.num_written = 0
        self._lock = threading.Lock()

    def add(self, log: EventLog) -> None:
        with self._lock:
            log.opened(self.num_written)
            self._keep((*self.logs, log))

    def drop(self, log: EventLog) -> None:
        with self._lock:
            self._keep(tuple(other for other in self.logs if other is not log))
            log.closed()

    def _keep(self, logs: tuple[EventLog, ...]) -> None:
        self.logs = logs
        self.writers = tuple(log.writer() for log in logs)


open_logs = OpenLogs()


def record(row: Row) -> None:
    """Write an event, given as its values, into every open log."""
    open_logs.num_written += 1
    for write in open_logs.writers:
        write(row)


@contextlib.contextmanager
def record_events(limit: int = DEFAULT_LIMIT) -> Iterator[EventLog]:
    """Record what the engine does inside the block on this rank.

    Args:
        limit: how many events are kept; older ones are dropped and counted in `EventLog.dropped`.

    Yields:
        An `EventLog` that fills while the block runs and can be read afterwards. Does not block, no collective.
    """
    log = EventLog(limit)
    open_logs.add(log)
    try:
        yield log
    finally:
        open_logs.drop(log)
