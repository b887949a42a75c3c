"""How a rank comes into being where a process must not be forked: an idle one, spawned beforehand, is handed its
descriptors.

The zygote keeps `NUM_IDLE` fresh processes that have imported torch and wait on a socket; a rank is one of them, and
another is spawned in its place. Same promise as `forking.py`: a child of the zygote that leads its own session, dies
with the zygote and serves `rank.main`. Chosen by `SHARDING_RANKS_BY=spawn` (see `making.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from typing import NoReturn

from sharding.workers import lifeline, making, rank
from sharding.workers.forking import own_only

NUM_IDLE = 2
_BOOT = (
    "import json, socket, sys\n"
    "zygote = socket.socket(fileno=int(sys.argv[1]))\n"
    "sys.path[:] = json.loads(zygote.recv(1 << 20))\n"
    "from sharding.workers.spawning import serve\n"
    "serve(zygote, int(sys.argv[2]))\n"
)


class IdleRanks:
    """Processes that wait to become ranks: pid and the socket to each."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, socket.socket]] = []
        self._refill()

    def new_rank(self, control: int, stdout: int, stderr: int) -> int:
        """Make an idle process a rank that talks on `control` and prints to `stdout` and `stderr`; returns its pid."""
        while True:
            if not self._waiting:
                self._refill()
            pid, idle = self._waiting.pop(0)
            with idle, contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it died while it waited
                socket.send_fds(idle, [b"rank"], [control, stdout, stderr])
                self._refill()
                return pid

    def _refill(self) -> None:
        while len(self._waiting) < NUM_IDLE:
            self._waiting.append(_spawn())


def _spawn() -> tuple[int, socket.socket]:
    mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        os.set_inheritable(theirs.fileno(), True)
        command = [sys.executable, "-c", _BOOT, str(theirs.fileno()), str(os.getpid())]
        closed = [(os.POSIX_SPAWN_CLOSE, fd) for fd in _open_fds() if fd > 2 and fd != theirs.fileno()]
        pid = os.posix_spawn(sys.executable, command, os.environ, setsid=True, file_actions=closed)
    mine.sendall(json.dumps(sys.path).encode())
    return pid, mine


def _open_fds() -> list[int]:
    """Every descriptor of this process. None may live on in an idle one: the end of a socket would never be seen."""
    found = []
    for fd in map(int, os.listdir("/dev/fd")):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            found.append(fd)
    return found


def serve(zygote: socket.socket, zygote_pid: int) -> NoReturn:
    """The life of a spawned process: import, wait, be a rank. Called by its bootstrap."""
    lifeline.die_with(zygote_pid)
    making.import_all(making.NEEDED)
    _said, fds, _flags, _address = socket.recv_fds(zygote, 16, 3)
    if len(fds) != 3:
        os._exit(0)
    control, stdout, stderr = fds
    own_only(control, stdout, stderr)
    zygote.detach()
    os._exit(rank.main(3))
