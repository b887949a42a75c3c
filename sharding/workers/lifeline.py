"""The few Linux calls that tie the life of one process to another. Used by the zygote and the ranks, never by
the kernel.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import threading
from collections.abc import Callable, Iterator

LOOK_UP_S = 0.03
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        errno = ctypes.get_errno()
        raise OSError(errno, os.strerror(errno))


def die_with(parent_pid: int) -> None:
    """SIGKILL for this process as soon as the thread that forked it ends; at once if it already has."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def adopt_orphans() -> None:
    """Grandchildren whose parent died become children of this process, so it can end and reap them."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def has_hung_up(fd: int) -> bool:
    """Whether the other end of a socket is closed. Reads nothing."""
    poll = select.poll()
    poll.register(fd, 0)
    return bool(poll.poll(0))


@contextlib.contextmanager
def looking_up(check: Callable[[], object]) -> Iterator[None]:
    """Inside the block, call `check` every `LOOK_UP_S` between two steps of Python code, whatever is being done."""
    signal.signal(signal.SIGALRM, lambda *_: check())
    signal.setitimer(signal.ITIMER_REAL, LOOK_UP_S, LOOK_UP_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def tie_forks_to_this_process() -> None:
    """From now on, what this process forks on its main thread (data loaders) dies with it, even when both are
    killed.

    Only the main thread: the signal fires when the forking *thread* ends, and other threads may be
    short-lived.
    """
    forked_on_main: list[int] = []

    def before() -> None:
        on_main = threading.current_thread() is threading.main_thread()
        forked_on_main[:] = [os.getpid()] if on_main else []

    def in_child() -> None:
        if forked_on_main:
            die_with(forked_on_main[0])

    os.register_at_fork(before=before, after_in_child=in_child)


def descendants(pid: int) -> list[int]:
    """Children of `pid`, their children and so on, as they are now; processes that left its session included."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as listing:
                children = [int(child) for child in listing.read().split()]
            found += [other for child in children for other in (child, *descendants(child))]
    return found


def kill_session(pid: int) -> None:
    """SIGKILL for the child `pid`, which leads its own session, and for everything in it. Not yet reaped, so
    it is ours.
    """
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
