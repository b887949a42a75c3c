"""How threads wait for a run without ever holding a lock that its supervisor needs.

[Note: interrupts and locks] An interrupt may raise KeyboardInterrupt in the main thread between any two steps
of Python code, also just after `Condition.__enter__` took its lock, which then stays taken for ever. So
nothing that the supervisor thread does to a run takes a lock: it changes plain attributes and lists, then
rings; each waiter sleeps on a lock of its own.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable

# A signal that arrives just before a thread falls asleep does not wake it; its handler runs when it looks again.
LOOK_AGAIN_S = 0.2


class Bell:
    """One thread rings, any number wait."""

    def __init__(self) -> None:
        self._waiters: deque[threading.Lock] = deque()

    def ring(self) -> None:
        """Wake every waiter, to look again. Never blocks; call it after the change, not before."""
        while self._waiters:
            with contextlib.suppress(IndexError):
                self._waiters.popleft().release()

    def wait_for(self, is_so: Callable[[], bool], timeout_s: float | None = None) -> bool:
        """Sleep until `is_so()`, at most `timeout_s`; returns what it is then."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while not is_so():
            left = -1.0 if until is None else until - time.monotonic()
            if until is not None and left <= 0:
                return False
            self._sleep(is_so, left)
        return True

    def _sleep(self, is_so: Callable[[], bool], left_s: float) -> None:
        waiter = threading.Lock()
        waiter.acquire()
        self._waiters.append(waiter)
        try:
            if not is_so():
                waiter.acquire(timeout=LOOK_AGAIN_S if left_s < 0 else min(left_s, LOOK_AGAIN_S))
        finally:
            with contextlib.suppress(ValueError):
                self._waiters.remove(waiter)
