"""Writes what the engine does into the open event logs; costs an attribute read when none is open.

Knows who speaks (the unit's FQN, the rank) and in which phase; `sharding/events.py` knows what an event is. A call that
travels (`start` ... `end`) is noted for whoever looks for hangs too; one that does not (`now` ... `write`) is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic_ns

from sharding.events import EventKind, Phase, open_logs
from sharding.unit_notes import unit_notes


@dataclass(slots=True)
class Stage:
    """What a local tree is doing now; shared by the recorders of all its units."""

    phase: Phase = "other"


@dataclass(slots=True)
class Recorder:
    """The voice of one unit or replicate group.

    Attributes:
        fqn: its name, relative to the outermost module a verb was applied to.
        rank: global rank.
        stage: what its local tree is doing.
    """

    fqn: str
    rank: int
    stage: Stage = field(default_factory=Stage)

    def start(self) -> int:
        """This unit is about to start a collective. The time now, if anybody listens."""
        if unit_notes.kept is not None:
            unit_notes.note(self.fqn)
        return monotonic_ns() if open_logs.writers else 0

    def end(self, kind: EventKind, start_ns: int, nbytes: int) -> None:
        """The collective that began at `start_ns` has been started."""
        if unit_notes.kept is not None:
            unit_notes.note(None)
        self.write(kind, start_ns, nbytes)

    def now(self) -> int:
        """The time, if anybody listens."""
        return monotonic_ns() if open_logs.writers else 0

    def write(self, kind: EventKind, start_ns: int, nbytes: int = 0, freed: bool = False) -> None:
        """A call of `kind` began at `start_ns` (0: it had nothing to do, and took no time) and ends now."""
        writers = open_logs.writers
        if writers:
            now = monotonic_ns()
            open_logs.num_written += 1
            row = (kind, self.fqn, self.rank, start_ns or now, now, nbytes, self.stage.phase, freed)
            for write in writers:
                write(row)
