"""The zygote: one process per kernel that has imported torch once and makes ranks in a few milliseconds.

It is exec'd, single-threaded, leads its own session and never touches CUDA. Each group of ranks has its own
socket to it, opened through the control socket; the end of that socket ends the group, the end of the control
socket (or of the kernel) ends everything. It knows nothing of calls, results or process groups: those travel
between kernel and rank directly.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import linecache
import os
import selectors
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sharding.workers import lifeline, scratch
from sharding.workers.making import MakeRank, import_all, maker
from sharding.workers.wire import Channel, Message

# Optimizers and DTensor import these in the first step: 1-2 s per rank unless the zygote has them. One at a
# time: a request that arrives meanwhile waits for one piece, at most 0.6 s. Not at once: the ranks of a first call are
# being made, perhaps for that call only, and the end of that should not have to wait either.
PRELOAD_WHEN_IDLE = (
    "sympy",
    "torch.distributed.tensor",
    "torch.distributed.fsdp",
    "torch._inductor.cpp_builder",
    "torch._dynamo",
    "torch._functorch.aot_autograd",
)
IDLE_S = 1.0


@dataclass
class _Group:
    """One group's socket, its living ranks (pid -> number), and what was below them when the group was ended."""

    channel: Channel
    pids: dict[int, int] = field(default_factory=dict)
    below: set[int] = field(default_factory=set)
    ending: bool = False


class Zygote:
    """Serves the control socket until it ends."""

    def __init__(self, control: Channel, new_rank: MakeRank, preload: Sequence[str], folder: str) -> None:
        self._control, self._new_rank, self._folder = control, new_rank, folder
        self._groups: list[_Group] = []
        self._selector = selectors.DefaultSelector()
        self._to_preload = list(preload)
        self._is_importing = False
        self._put_off: list[Callable[[], object]] = []

    def serve(self) -> NoReturn:
        self._watch_children()
        self._watch(self._control, self._open_group)
        kernel = os.pidfd_open(os.getppid())
        self._selector.register(kernel, selectors.EVENT_READ, self._leave)
        self._control.send("hello", pid=os.getpid(), num_threads=num_threads(), cuda=_cuda_initialised())
        while True:
            if not self._hear(IDLE_S if self._to_preload else None) and self._to_preload:
                self._preload_one()

    def _hear(self, patience_s: float | None) -> bool:
        """Do what is asked for; whether anything was."""
        ready = self._selector.select(patience_s)
        for key, _events in ready:
            key.data()
        return bool(ready)

    def _preload_one(self) -> None:
        """Import one piece. Meanwhile deaths are reported and groups ended; only new ranks wait, which must not be
        forked in the middle of an import.
        """
        self._is_importing = True
        with lifeline.looking_up(lambda: self._hear(0)):
            _try_import(self._to_preload.pop(0))
            if not self._to_preload:
                settle()
        self._is_importing = False
        while self._put_off:
            self._put_off.pop(0)()

    def _watch(self, channel: Channel, handle: Callable[[Message], None]) -> None:
        def receive() -> None:
            try:
                message = channel.receive()
            except ConnectionError:
                message = None
            if message is not None:
                handle(message)
            elif channel is self._control:
                self._leave()
            else:
                self._end_group(channel)

        self._selector.register(channel, selectors.EVENT_READ, receive)

    def _open_group(self, message: Message) -> None:
        group = _Group(Channel.of_fd(message.fds[0]))
        self._groups.append(group)
        self._watch(group.channel, lambda request: self._take_request(group, request))

    def _take_request(self, group: _Group, request: Message) -> None:
        if self._is_importing:
            self._put_off.append(lambda: self._make_rank(group, request))
        else:
            self._make_rank(group, request)

    def _make_rank(self, group: _Group, request: Message) -> None:
        number = request["number"]
        try:
            if group.ending:  # while the request was put off
                return
            pid = self._new_rank(*request.fds)
            group.pids[pid] = number
            pidfd = os.pidfd_open(pid)
        except OSError as error:
            _send(group, "refused", number=number, reason=str(error))
        else:
            _send(group, "made", fds=(pidfd,), number=number, pid=pid)
            os.close(pidfd)
        finally:
            for fd in request.fds:
                os.close(fd)

    def _end_group(self, channel: Channel) -> None:
        """Kill the group's ranks and all below them; its socket closes when the last one is reaped, which tells the
        kernel that all are gone.
        """
        group = next(group for group in self._groups if group.channel is channel)
        self._selector.unregister(channel)
        group.ending = True
        for pid in group.pids:
            below = lifeline.descendants(pid)
            group.below.update(below)
            for descendant in [*below, pid]:
                lifeline.kill_session(descendant)
        self._forget_if_over(group)

    def _forget_if_over(self, group: _Group) -> None:
        """Whoever was below a rank is this process's child once the rank is dead, until it is reaped."""
        if group.ending and not group.pids and not any(map(_is_child, group.below)):
            group.channel.close()
            self._groups.remove(group)

    def _watch_children(self) -> None:
        read, write = os.pipe()
        os.set_blocking(read, False)
        os.set_blocking(write, False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)

        def woken() -> None:
            with contextlib.suppress(BlockingIOError):
                os.read(read, 4096)
            self._reap()

        self._selector.register(read, selectors.EVENT_READ, woken)

    def _reap(self) -> None:
        """Report dead ranks, after ending what they left in their session while their pid is still theirs."""
        while (pid := _dead_child()) is not None:
            group = next((group for group in self._groups if pid in group.pids), None)
            if group is not None:
                lifeline.kill_session(pid)
            _, status = os.waitpid(pid, 0)
            scratch.remove(self._folder, pid)
            if group is not None:
                number = group.pids.pop(pid)
                _send(group, "exit", number=number, pid=pid, code=os.waitstatus_to_exitcode(status))
            for each in [*self._groups]:
                self._forget_if_over(each)

    def _leave(self) -> NoReturn:
        for pid in lifeline.descendants(os.getpid()):
            lifeline.kill_session(pid)
        scratch.remove(self._folder)
        os._exit(0)


def _send(group: _Group, kind: str, *, fds: tuple[int, ...] = (), **fields: Any) -> None:
    if not group.ending:
        with contextlib.suppress(OSError):
            group.channel.send(kind, fds=fds, **fields)


def _dead_child() -> int | None:
    with contextlib.suppress(ChildProcessError):
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return None if found is None else found.si_pid
    return None


def _is_child(pid: int) -> bool:
    """Whether it is a child of this process, alive or not reaped yet."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _try_import(name: str) -> None:
    """A preload is only a head start: where a module is missing, the ranks do without."""
    with contextlib.suppress(Exception):
        import_all([name])


def settle() -> None:
    """Make what was imported cheap to share: what only imports needed is given back, the rest no rank writes to."""
    linecache.clearcache()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    with contextlib.suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def num_threads() -> int:
    return len(os.listdir("/proc/self/task"))


def _cuda_initialised() -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and torch.cuda.is_initialized()


def _leave_early(folder: str) -> NoReturn:
    scratch.remove(folder)
    os._exit(0)


def main(control_fd: int, folder: str) -> NoReturn:
    """Entry point of the zygote process, called by the launcher's one-line bootstrap."""
    lifeline.adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited by every rank, which decides for itself
    new_rank, needed = maker()
    with lifeline.looking_up(lambda: lifeline.has_hung_up(control_fd) and _leave_early(folder)):
        import_all(needed)
    Zygote(Channel.of_fd(control_fd), new_rank, PRELOAD_WHEN_IDLE if needed else (), folder).serve()
