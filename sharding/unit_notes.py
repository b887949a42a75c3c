"""Which unit spoke when: a short memory that lets a collective found waiting be given its unit's name.

Engines say who is about to start collectives and when that is over. Kept only where somebody may ask (a worker that
looks for hangs); elsewhere a note costs one attribute read. Nothing here knows an engine or a process group.
"""

from __future__ import annotations

import time
from collections import deque

MAX_NOTES = 512


class UnitNotes:
    """What was noted last.

    Attributes:
        kept: the notes, oldest first: (wall-clock nanoseconds, FQN of who begins, or None where somebody ended);
            None where nobody may ask. Engines look before they note.
    """

    def __init__(self) -> None:
        self.kept: deque[tuple[int, str | None]] | None = None

    def keep(self) -> None:
        """Keep notes from now on, in this process."""
        self.kept = deque(maxlen=MAX_NOTES)

    def note(self, fqn: str | None) -> None:
        """`fqn` starts collectives from now on; None: nobody does."""
        if self.kept is not None:
            self.kept.append((time.time_ns(), fqn))

    def unit_at(self, time_ns: int) -> str | None:
        """Who was starting collectives at `time_ns` (wall clock); None when nobody, or too long ago."""
        speaker = None
        for noted_ns, fqn in list(self.kept or ()):
            if noted_ns > time_ns:
                break
            speaker = fqn
        return speaker


unit_notes = UnitNotes()
