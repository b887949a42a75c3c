"""Writes what the engine does into the open event logs; costs two attribute reads when none is open.

Knows who speaks (the unit's FQN, the rank) and in which phase; `sharding/events.py` knows what an event is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sharding.events import Event, EventKind, Phase, listening, record
from sharding.unit_notes import unit_notes


@dataclass
class Stage:
    """What a local tree is doing now; shared by the recorders of all its units."""

    phase: Phase = "other"


@dataclass
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
        """This unit is about to start something. The time now, if anybody listens."""
        unit_notes.note(self.fqn)
        return time.monotonic_ns() if listening() else 0

    def write(self, kind: EventKind, start_ns: int, nbytes: int = 0, *, freed: bool = False) -> None:
        """Note that `kind` began at `start_ns` and ends now."""
        unit_notes.note(None)
        if listening():
            end_ns = time.monotonic_ns()
            phase = self.stage.phase
            record(Event(kind, self.fqn, self.rank, start_ns or end_ns, end_ns, nbytes, phase, freed))
