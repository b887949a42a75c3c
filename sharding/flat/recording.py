"""Writes what the engine does into the open event logs; costs a few attribute reads when none is open.

Knows who speaks (the unit's FQN, the rank) and in which phase; `sharding/events.py` knows what an event is.
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
        """This unit is about to start something. The time now, if anybody listens."""
        if unit_notes.kept is not None:
            unit_notes.note(self.fqn)
        return monotonic_ns() if open_logs.logs else 0

    def write(self, kind: EventKind, start_ns: int, nbytes: int = 0, freed: bool = False) -> None:
        """Note that `kind` began at `start_ns` and ends now."""
        if unit_notes.kept is not None:
            unit_notes.note(None)
        logs = open_logs.logs
        if logs:
            now = monotonic_ns()
            row = (kind, self.fqn, self.rank, start_ns or now, now, nbytes, self.stage.phase, freed)
            for log in logs:
                log.append(row)
