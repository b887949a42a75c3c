"""How a rank comes into being on Linux: forked from the single-threaded zygote. The platform seam is this one
function.

The other back end, `spawning.py`, offers the same: given the three descriptors of a rank, it returns the pid of a
child of the zygote that leads its own session, dies with the zygote, and serves `rank.main`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import traceback
from typing import NoReturn

from sharding.workers import lifeline, rank

EXIT_BROKEN = 70


def new_rank(control: int, stdout: int, stderr: int) -> int:
    """Fork a rank that talks on `control` and prints to `stdout` and `stderr`; returns its pid."""
    zygote = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become_rank(zygote, control, stdout, stderr)
    return pid


def _become_rank(zygote: int, control: int, stdout: int, stderr: int) -> NoReturn:
    status = EXIT_BROKEN
    try:
        os.setsid()
        lifeline.die_with(zygote)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        own_only(control, stdout, stderr)
        status = rank.main(3)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def own_only(control: int, stdout: int, stderr: int) -> None:
    """Descriptors 0-3 become /dev/null, the two pipes and the control socket; every other one is closed."""
    safe = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (os.open(os.devnull, os.O_RDONLY), stdout, stderr, control)]
    for target, fd in enumerate(safe):
        os.dup2(fd, target, inheritable=target < 3)
    for fd in map(int, os.listdir("/dev/fd")):
        if fd > 3:
            with contextlib.suppress(OSError):
                os.close(fd)
