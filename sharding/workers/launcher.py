"""The kernel's side of the zygote: start it once, open groups on it, stop it.

There is one zygote per kernel process, started by the first `Workers` (or earlier, by `warm`) and kept warm between
groups, because importing torch is nearly the whole price of a launch. It is idle, holds no rank once its groups are
closed, and leaves when the kernel does, however that ends. `shutdown()` stops it earlier. Called by `pool.py`, which
warms it before this process imports torch itself, and by `group.py`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading

from sharding.errors import WorkerError
from sharding.workers import scratch
from sharding.workers.environment import zygote_environment
from sharding.workers.wire import Channel, Message, pair

_BOOT = (
    "import json, socket, sys\n"
    "control = socket.socket(fileno=int(sys.argv[1]))\n"
    "sys.path[:] = json.loads(control.recv(1 << 20))\n"
    "from sharding.workers.zygote import main\n"
    "main(control.detach(), sys.argv[2])\n"
)
STOP_LIMIT_S = 2.0


class Launcher:
    """The zygote of this process, if it runs. Safe to use from any thread; a forked child starts its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: Channel | None = None
        self._stderr_fd: int | None = None
        self._folder = ""
        self._owner = 0
        self._used = False

    def warm(self) -> None:
        """Start the zygote if none runs, so that its imports are done when the first ranks are wanted.

        Takes about a millisecond and waits for nothing. Where it cannot start, the first group says why.
        """
        with contextlib.suppress(OSError, WorkerError), self._lock:
            self._ensure()

    @property
    def pid(self) -> int | None:
        """Pid of the zygote, or None when there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    @property
    def folder(self) -> str:
        """Where ranks of the zygote may put files that go with them, see `scratch.py`."""
        return self._folder

    def open_group(self) -> tuple[Channel, int]:
        """A new group's socket to the zygote, and its pid. Starts one if none runs; its imports are not waited for."""
        mine, theirs = pair()
        mine.set_blocking(False)
        with self._lock, theirs:
            try:
                self._ensure()
                assert self._control is not None
                self._control.send("open", fds=(theirs.fileno(),))
            except OSError:
                self._stop()
                self._ensure()
                self._control.send("open", fds=(theirs.fileno(),))  # type: ignore[union-attr]
            self._used = True
            assert self._process is not None
            return mine, self._process.pid

    def hello(self) -> Message:
        """What the zygote said when its imports were done; waits for it. For tests and benchmarks; once per
        zygote.
        """
        assert self._control is not None, "no zygote runs"
        message = self._control.receive()
        if message is None:
            raise WorkerError(f"the launcher process could not start.\n{self.last_words()}")
        return message

    def last_words(self) -> str:
        """What the zygote wrote to stderr; empty when all is well."""
        if self._stderr_fd is None:
            return ""
        size = os.fstat(self._stderr_fd).st_size
        return os.pread(self._stderr_fd, 8192, max(0, size - 8192)).decode(errors="replace").strip()

    def mourn(self, pid: int) -> str:
        """Bury the zygote `pid`, which has ended by itself; returns its last words, for the first that asks."""
        with self._lock:
            if self._process is None or self._process.pid != pid:
                return ""
            words = self.last_words()
            self._stop()
        return words

    def shutdown(self) -> None:
        """Stop the zygote and with it every rank of every group. The next group starts a new one."""
        with self._lock:
            self._stop()

    def _ensure(self) -> None:
        if self._owner != os.getpid():
            self._process = self._control = self._stderr_fd = None
        if self._process is None or self._process.poll() is not None:
            self._stop()
            self._start()

    def _start(self) -> None:
        if not hasattr(os, "pidfd_open") or not sys.platform.startswith("linux"):
            raise WorkerError(
                f"workers need Linux (kernel 5.3 or later) for now; this is {sys.platform}. "
                "Plans, costs and drawings work here."
            )
        control, theirs = pair()
        self._stderr_fd = os.memfd_create("sharding-zygote-stderr")
        self._folder = scratch.make()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, str(theirs.fileno()), self._folder],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._stderr_fd,
                stderr=self._stderr_fd,
                start_new_session=True,
                env=zygote_environment(os.environ),
            )
            control.send_bytes(json.dumps([entry or os.getcwd() for entry in sys.path]).encode())
        self._control = control
        self._owner, self._used = os.getpid(), False
        atexit.register(self.shutdown)

    def _stop(self) -> None:
        if self._owner != os.getpid():
            return
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            if not self._used:  # it has no rank to end, and may be in the middle of its imports
                self._process.kill()
            try:
                self._process.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(STOP_LIMIT_S)
        if self._stderr_fd is not None:
            os.close(self._stderr_fd)
            scratch.remove(self._folder)
        self._process = self._control = self._stderr_fd = None
        atexit.unregister(self.shutdown)


launcher = Launcher()
