"""A rank's second thread: while a call runs, tells the kernel now and then where the rank is and what it did.

It counts the collectives entered; only when that number has stood still since the last look does it read torch's
flight recorder and the main thread's stack, so a rank that makes progress pays next to nothing. What the states of all
ranks mean together is decided in the kernel (`hangs.py`). Made by `rank.py`.
"""

from __future__ import annotations

import itertools
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from sharding.unit_notes import unit_notes
from sharding.workers import flight, report

LOOKS_BEFORE_HANG = 4
MAX_PERIOD_S = 0.25
LOOKS_A_MEMORY = 4

Tell = Callable[[str, dict[str, Any]], object]


def period_s(hang_after_s: float) -> float:
    """Seconds between two looks."""
    return min(MAX_PERIOD_S, hang_after_s / LOOKS_BEFORE_HANG)


class Watch:
    """Looks at the main thread every period between `begin` and `end`.

    Args:
        hang_after_s: how long a rank may wait in a collective before somebody should know.
        tell: sends a message of a kind; called on the watching thread, and by `end` on the main one.
        labels: names of cells by file name, as `report.py` uses them.
    """

    def __init__(self, hang_after_s: float, tell: Tell, labels: Mapping[str, str]) -> None:
        self._period_s = period_s(hang_after_s)
        self._tell, self._labels = tell, labels
        self._working = threading.Event()
        self._resting = threading.Event()
        self._before: dict[str, dict[str, Any]] | None = None
        self._at_begin: dict[str, dict[str, Any]] = {}
        self._told_record = -1
        self._telling = threading.Lock()
        self._looks = itertools.count(1)
        unit_notes.keep()
        threading.Thread(target=self._main, name="sharding-watch", daemon=True).start()

    def begin(self) -> None:
        self._before = None
        self._at_begin = flight.num_entered()
        if self._told_record < 0 and self._at_begin:
            self._told_record, _, _ = flight.collectives_after(-1)
        self._resting.clear()
        self._working.set()

    def end(self) -> None:
        """The call is over: tell the rest of what it did."""
        self._working.clear()
        self._resting.set()
        if flight.num_entered() != self._at_begin:
            self._tell_collectives()
        self._tell("memory", memory())

    def _main(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while self._working.wait():
            if not self._resting.wait(self._period_s):
                try:
                    self._look(next(self._looks))
                except OSError:
                    return  # the kernel is gone

    def _look(self, number: int) -> None:
        self._tell("state", self._state())
        self._tell_collectives()
        if number % LOOKS_A_MEMORY == 0:
            self._tell("memory", memory())

    def _state(self) -> dict[str, Any]:
        groups = flight.num_entered()
        still, self._before = groups == self._before, groups
        state: dict[str, Any] = {"groups": groups, "recent": {}, "line": ""}
        if still:
            state["recent"] = flight.recent_collectives()
            state["line"] = self._line()
        return state

    def _tell_collectives(self) -> None:
        with self._telling:
            self._told_record, num_missed, found = flight.collectives_after(self._told_record)
            if found:
                self._tell("collectives", {"collectives": found, "num_missed": num_missed})

    def _line(self) -> str:
        """The innermost line of the user's own code in the main thread, or of whatever it runs."""
        frame = sys._current_frames().get(threading.main_thread().ident or 0)
        stack = list(traceback.extract_stack(frame)) if frame is not None else []
        users = [summary for summary in stack if not report.is_library(summary.filename)]
        return report.one_line((users or stack)[-1], self._labels) if stack else ""


def memory() -> dict[str, int]:
    """Bytes this rank holds: of the machine's memory, and of its GPU where it uses one."""
    with open("/proc/self/statm") as statm:
        held = {"resident_nbytes": int(statm.read().split()[1]) * resource.getpagesize()}
    torch = sys.modules["torch"]
    if torch.cuda.is_initialized():
        held |= {"gpu_nbytes": torch.cuda.memory_allocated(), "gpu_reserved_nbytes": torch.cuda.memory_reserved()}
    return held
