"""A rank's second thread: while a call runs, tells the kernel now and then where the rank is.

It counts the collectives entered; only when that number has stood still since the last look does it read torch's
flight recorder and the main thread's stack, so a rank that makes progress pays next to nothing. What the states of all
ranks mean together is decided in the kernel (`hangs.py`). Made by `rank.py`.
"""

from __future__ import annotations

import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from sharding.unit_notes import unit_notes
from sharding.workers import flight, report

LOOKS_BEFORE_HANG = 4
MAX_PERIOD_S = 1.0

Tell = Callable[[dict[str, Any]], object]


def period_s(hang_after_s: float) -> float:
    """Seconds between two looks."""
    return min(MAX_PERIOD_S, hang_after_s / LOOKS_BEFORE_HANG)


class Watch:
    """Looks at the main thread every period between `begin` and `end`.

    Args:
        hang_after_s: how long a rank may wait in a collective before somebody should know.
        tell: sends a state; called on the watching thread.
        labels: names of cells by file name, as `report.py` uses them.
    """

    def __init__(self, hang_after_s: float, tell: Tell, labels: Mapping[str, str]) -> None:
        self._period_s = period_s(hang_after_s)
        self._tell, self._labels = tell, labels
        self._working = threading.Event()
        self._resting = threading.Event()
        self._before: dict[str, dict[str, Any]] | None = None
        unit_notes.keep()
        threading.Thread(target=self._main, name="sharding-watch", daemon=True).start()

    def begin(self) -> None:
        self._before = None
        self._resting.clear()
        self._working.set()

    def end(self) -> None:
        self._working.clear()
        self._resting.set()

    def _main(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while self._working.wait():
            if not self._resting.wait(self._period_s):
                try:
                    self._tell(self._state())
                except OSError:
                    return  # the kernel is gone

    def _state(self) -> dict[str, Any]:
        groups = flight.num_entered()
        still, self._before = groups == self._before, groups
        state: dict[str, Any] = {"groups": groups, "recent": {}, "line": ""}
        if still:
            state["recent"] = flight.recent_collectives()
            state["line"] = self._line()
        return state

    def _line(self) -> str:
        """The innermost line of the user's own code in the main thread, or of whatever it runs."""
        frame = sys._current_frames().get(threading.main_thread().ident or 0)
        stack = list(traceback.extract_stack(frame)) if frame is not None else []
        users = [summary for summary in stack if not report.is_library(summary.filename)]
        return report.one_line((users or stack)[-1], self._labels) if stack else ""
