"""Jobs that take turns: from whatever thread they come, they run one at a time, in order, on one thread.

The thread lives while there are jobs and ends with the last one, so a session that does nothing holds no
thread and needs no closing. Commands of the page arrive on the kernel's main thread or on any other, and
calls of a cell on the main one: with `ask` or `post` it does not matter. A job that itself asks runs at
once.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

_log = logging.getLogger("explorer")


class Turns:
    """A queue of jobs and the thread that works it off."""

    def __init__(self, name: str = "explorer-session") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._jobs: deque[Callable[[], object]] = deque()
        self._worker: threading.Thread | None = None

    def ask(self, job: Callable[[], T]) -> T:
        """Run `job` when it is its turn, wait for it, and return or raise what it does."""
        if threading.current_thread() is self._worker:
            return job()
        future: Future[T] = Future()

        def answer() -> None:
            try:
                future.set_result(job())
            except BaseException as error:
                future.set_exception(error)

        self.post(answer)
        return future.result()

    def post(self, job: Callable[[], object]) -> None:
        """Run `job` when it is its turn; does not wait. What it raises is logged."""
        with self._lock:
            self._jobs.append(job)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._worker.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._worker = None
                    return
                job = self._jobs.popleft()
            try:
                job()
            except Exception:
                _log.exception("a job of the explorer's session failed")
