"""When an interrupt reaches the user's code in a rank: while a call runs, at most once a call, never in an import.

An interrupt is a message that says which call is meant, then SIGINT. The signal gets a call out of what it does; the
message waits for a call that has not begun. Code that is interrupted in the middle of an import leaves half a package
behind, and every later call would trip over it, so there the interrupt waits until the import is over; one that takes
longer than the grace costs the rank its life instead. Used by `rank.py`.
"""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType
from typing import Any

LOOK_AGAIN_S = 0.02
_IMPORT = ("<frozen importlib._bootstrap>", "_find_and_load")


class Interruption:
    """The one of a rank.

    Attributes:
        call: the call that may be interrupted, None between calls and once it was.
        taken: whether the call that runs, or ran last, was interrupted.
    """

    def __init__(self) -> None:
        self.call: int | None = None
        self.taken = False

    def allow(self, call: int) -> None:
        """From here on `call` may be interrupted. User code may have set a handler of its own in the call before."""
        signal.signal(signal.SIGINT, self._on_signal)
        self.taken = False
        self.call = call

    def forbid(self) -> None:
        self.call = None

    def take(self, frame: FrameType | None = None) -> None:
        """Raise KeyboardInterrupt in the call, if it can be interrupted; `frame` is where it is."""
        if self.call is None:
            return
        if _is_in_import(frame):
            threading.Timer(LOOK_AGAIN_S, self._again, [self.call]).start()
            return
        self.call = None
        self.taken = True
        raise KeyboardInterrupt

    def _again(self, call: int) -> None:
        if self.call == call:
            os.kill(os.getpid(), signal.SIGINT)

    def _on_signal(self, _signum: int, frame: Any) -> None:
        self.take(frame)

    def listen(self) -> None:
        """Before the first call an interrupt does nothing."""
        signal.signal(signal.SIGINT, self._on_signal)


def _is_in_import(frame: FrameType | None) -> bool:
    while frame is not None:
        if (frame.f_code.co_filename, frame.f_code.co_name) == _IMPORT:
            return True
        frame = frame.f_back
    return False
