"""One thing that happened during a step, and the bounded log that keeps such things.

Engines call `record` at transitions only, and not at all while `open_logs.logs` is empty. A log keeps plain
values; `Event` objects are made when it is read. `record_events()` is what users and runs open around a step.
Nothing here knows an engine.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Iterator
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

NUM_FIELDS = 8


class EventLog:
    """The last `limit` events, oldest first.

    Kept as one run of plain values: objects kept by the thousand would make Python's garbage collector search the heap
    while a step runs, which costs far more than writing them down.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self._values: deque[Any] = deque(maxlen=limit * NUM_FIELDS)
        self._num_seen = 0

    def append(self, row: Row) -> None:
        """Keep one more event; the oldest goes where there is no room."""
        self._num_seen += 1
        self._values.extend(row)

    @property
    def dropped(self) -> int:
        """How many events no longer fit."""
        return self._num_seen - len(self)

    def __iter__(self) -> Iterator[Event]:
        values = tuple(self._values)
        return iter([Event(*values[at : at + NUM_FIELDS]) for at in range(0, len(values), NUM_FIELDS)])

    def __len__(self) -> int:
        return len(self._values) // NUM_FIELDS

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
    """

    def __init__(self) -> None:
        self.logs: tuple[EventLog, ...] = ()
        self._lock = threading.Lock()

    def add(self, log: EventLog) -> None:
        with self._lock:
            self.logs = (*self.logs, log)

    def drop(self, log: EventLog) -> None:
        with self._lock:
            self.logs = tuple(other for other in self.logs if other is not log)


open_logs = OpenLogs()


def record(row: Row) -> None:
    """Write an event, given as its values, into every open log."""
    for log in open_logs.logs:
        log.append(row)


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
