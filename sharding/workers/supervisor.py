"""The one thread of a `Workers`: it alone touches the ranks, so nothing of a group is locked.

Other threads post requests and are never made to wait; an interrupt that hits the user's thread can therefore
not leave a group half-changed. The thread starts with the first request and ends with `close`.
"""

from __future__ import annotations

import contextlib
import logging
import os
import selectors
import threading
import time
from collections import deque
from collections.abc import Callable

from sharding.errors import WorkerError
from sharding.workers.call import Run, RunControl
from sharding.workers.conductor import Conductor, Job
from sharding.workers.group import Group, Settings

CLOSE_LIMIT_S = 10.0
_log = logging.getLogger("sharding.workers")


class Supervisor(RunControl):
    """Runs the group and its conductor on one thread."""

    def __init__(self, settings: Settings) -> None:
        self._conductor = Conductor()
        self.group = self._conductor.group = Group(settings, self, self._conductor)
        self._requests: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._owner = os.getpid()
        self._closed = False
        self._wake_fd = -1
        self._selector: selectors.BaseSelector
        self._runs: list[Run] = []

    # Any thread

    @property
    def closed(self) -> bool:
        return self._closed

    def submit(self, job: Job) -> None:
        """Hand over a run to be begun when its ranks are free."""

        def begin() -> None:
            self._runs.append(job.run)
            self._conductor.submit(job)

        self._post(begin)

    def prepare(self) -> None:
        """Make the ranks now, before the first call needs them."""
        self._post(self._prepare)

    def interrupt(self, run: Run) -> None:
        if not self.soon(lambda: self._conductor.interrupt(run)):
            run._finish("interrupted", (), f"call {run.call} ({run.name}) never began: the workers are closed.")

    def press(self, run: Run) -> None:
        self._requests.append(lambda: self._conductor.interrupt(run))
        with contextlib.suppress(OSError):  # the thread is just ending
            self._poke()

    def interrupt_all(self) -> None:
        """Stop every run; nothing when there is none."""
        self.soon(lambda: [self._conductor.interrupt(job.run) for job in self._conductor.jobs])

    def soon(self, action: Callable[[], object]) -> bool:
        with contextlib.suppress(WorkerError):
            self._post(action)
            return True
        return False

    def close(self) -> None:
        """End every rank and the thread; waits, bounded. Again, or in a forked child, it does nothing."""
        with self._lock:
            if self._closed or self._owner != os.getpid():
                return
            self._closed = True
            thread = self._thread
            if thread is not None:
                self._poke()
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSE_LIMIT_S)

    def _post(self, request: Callable[[], object]) -> None:
        with self._lock:
            if self._closed or self._owner != os.getpid():
                raise WorkerError("these workers are closed; make new ones with Workers(...).")
            self._requests.append(request)
            if self._thread is None:
                self._wake_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
                self._selector = selectors.DefaultSelector()
                self._thread = threading.Thread(target=self._main, name="sharding-workers", daemon=True)
                self._thread.start()
            self._poke()

    def _poke(self) -> None:
        if self._wake_fd >= 0:
            os.eventfd_write(self._wake_fd, 1)

    # The supervisor thread

    def watch(self, fd: int, callback: Callable[[], object]) -> None:
        self._selector.register(fd, selectors.EVENT_READ, callback)

    def unwatch(self, fd: int) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(fd)

    def _prepare(self) -> None:
        try:
            self.group.prepare()
        except (WorkerError, OSError):
            _log.debug("the ranks could not be made ahead of the first call; that call says why", exc_info=True)

    def _main(self) -> None:
        self.watch(self._wake_fd, lambda: os.eventfd_read(self._wake_fd))
        try:
            while not self._closed:
                self._turn()
        finally:
            self._end()

    def _turn(self) -> None:
        """Requests, what is due, subscribers; then sleep until a descriptor can be read, the next deadline or
        a poke.
        """
        self._read(0)  # who has died meanwhile is not given anything to do
        while self._requests:
            self._guarded(self._requests.popleft())
        now = time.monotonic()
        self._guarded(lambda: self._conductor.tick(now))
        self._guarded(lambda: self.group.bury_the_silent(now))
        self._deliver()
        if not self._closed:  # the poke of `close` may have been read above
            self._read(self._patience())

    def _read(self, patience_s: float | None) -> None:
        for key, _events in self._selector.select(patience_s):
            if key.fd in self._selector.get_map():
                self._guarded(key.data)

    def _guarded(self, action: Callable[[], object]) -> None:
        """A mistake of ours in one callback must not leave the ranks without a supervisor."""
        try:
            action()
        except Exception:
            _log.exception("the supervisor of some workers met an error of its own")

    def _patience(self) -> float | None:
        times = [t for t in (self._conductor.next_deadline(), self.group.next_deadline()) if t is not None]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _deliver(self) -> None:
        for run in self._runs:
            run._deliver()
        self._runs = [run for run in self._runs if not run.done or run._subscribers]

    def _end(self) -> None:
        while self._requests:
            self._guarded(self._requests.popleft())
        self._guarded(self._conductor.end)
        self._guarded(self.group.end)
        self._deliver()
        self._selector.close()
        with self._lock:  # `close` may be about to poke
            wake_fd, self._wake_fd = self._wake_fd, -1
            os.close(wake_fd)
