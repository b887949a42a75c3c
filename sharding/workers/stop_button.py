"""While a call waits in the main thread, an interrupt goes to the ranks first and is raised once, at the end.

The handler of SIGINT is exchanged for that time only, in the main thread only, and put back as it was; see
[Note: interrupts and locks] in `bell.py` for what would break otherwise. Used by `Run.follow`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any


class StopButton:
    """A context in which every interrupt calls `on_press` instead of raising; `num_presses` counts them."""

    def __init__(self, on_press: Callable[[], object]) -> None:
        self._on_press = on_press
        self._before: Any = None
        self.num_presses = 0

    def __enter__(self) -> StopButton:
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self._before = signal.signal(signal.SIGINT, self._pressed)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _pressed(self, _signum: int, _frame: Any) -> None:
        self.num_presses += 1
        self._on_press()
