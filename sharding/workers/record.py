"""What happened during a run, as plain data: `RunEvent`, and the growing list of them.

Kinds that start with "call." or "rank." and the kinds "log", "hang", "collective" and "memory" are written by the
launcher, "display" by what a rank displays, every other kind by `emit` in a rank. The list only grows, so an index into
it stays valid; when too much arrives, logs stop being listed first (they stay in `Run.output`), then other events; how
ranks and calls begin and end, and hangs, are never dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

VERSION = 1
MAX_LOG_NCHARS = 1024 * 1024
MAX_DISPLAY_NCHARS = 16 * 1024 * 1024
MAX_COLLECTIVES = 100_000
MAX_USER_EVENTS = 200_000


@dataclass(frozen=True)
class RunEvent:
    """One thing that happened during a run.

    Attributes:
        kind: "call.begin", "rank.ready", "log", "rank.answered", "rank.failed", "rank.interrupted",
            "rank.died", "call.interrupt", "call.end", "hang" (ranks wait where others
            have not arrived), "collective" (a rank entered one), "memory" (bytes a rank holds, every second and at its
            end), "display", or a kind given to `emit`.
        rank: the rank it happened in, None for the whole call.
        time_ns: monotonic nanoseconds, taken in the rank where there is one; one clock for all processes of a
        machine.
        call: number of the call in its `Workers`.
        generation: number of the process group it ran in.
        values: JSON-ready values.
    """

    kind: str
    rank: int | None
    time_ns: int
    call: int
    generation: int
    values: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON-ready data."""
        return {"v": VERSION, **vars(self), "values": dict(self.values)}


class Record:
    """The events of one run, oldest first."""

    def __init__(self) -> None:
        self.events: list[RunEvent] = []
        self.num_dropped = 0
        self._log_nchars = 0
        self._display_nchars = 0
        self._num_collectives = 0
        self._num_user = 0

    def add(self, event: RunEvent) -> None:
        if self._has_room(event):
            self.events.append(event)
        else:
            self.num_dropped += 1

    def _has_room(self, event: RunEvent) -> bool:
        if event.kind == "log":
            self._log_nchars += len(event.values["text"])
            return self._log_nchars <= MAX_LOG_NCHARS
        if event.kind == "display":
            self._display_nchars += sum(len(str(form)) for form in event.values["data"].values())
            return self._display_nchars <= MAX_DISPLAY_NCHARS
        if event.kind.startswith(("call.", "rank.", "hang")):
            return True
        if event.kind in ("collective", "memory"):
            self._num_collectives += 1
            return self._num_collectives <= MAX_COLLECTIVES
        self._num_user += 1
        return self._num_user <= MAX_USER_EVENTS
