"""One rank as the kernel sees it: its descriptors, its state, and the few things that can be done to it.

Owned by the supervisor thread. A member that died is never revived; `group.py` puts a new one in its place.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
from collections import deque
from typing import TYPE_CHECKING

from sharding.workers.output import LineAssembler
from sharding.workers.wire import Channel, Packet, pair

if TYPE_CHECKING:
    from sharding.workers.call import Run

READ_NBYTES = 1 << 20
PIPE_NBYTES = 1 << 18
STDERR_LINES = 20
_OWN_CODE = os.path.dirname(os.path.abspath(__file__))


def _wide_pipe() -> tuple[int, int]:
    """A pipe that takes a burst of output without making the rank wait, where the system allows it."""
    ends = os.pipe()
    with contextlib.suppress(OSError):
        fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, PIPE_NBYTES)
    return ends


class Pipe:
    """The reading end of one of a rank's pipes. `bar`: the redrawn line that was last seen there, empty for none."""

    def __init__(self, fd: int, stream: str, rank: int) -> None:
        self.fd, self.stream = fd, stream
        self.bar = ""
        self._lines = LineAssembler(rank)
        os.set_blocking(fd, False)

    def read(self) -> list[str] | None:
        """The whole lines that are there now; None when nothing is, or nothing will ever be."""
        if self.fd < 0:
            return None
        try:
            data = os.read(self.fd, READ_NBYTES)
        except BlockingIOError:
            return None
        if data:
            return self._lines.feed(data)
        self.close()
        return None

    def finish(self) -> list[str]:
        return self._lines.finish()

    def look_at_bar(self) -> bool:
        """Take note of a line that is being redrawn; whether it changed."""
        before, self.bar = self.bar, self._lines.bar
        return self.bar != before

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


class Member:
    """One rank.

    Attributes:
        number: its rank.
        token: tells it from the members that had the same rank before.
        pid, pidfd: None until the zygote has made it.
        ready: whether it has joined the group's generation.
        killed: why we killed it, empty when we did not.
        run: the call it works on; `last_run` is where output between calls goes.
    """

    def __init__(self, number: int, token: int, device: str) -> None:
        self.number, self.token, self.device = number, token, device
        self.pid: int | None = None
        self.pidfd: int | None = None
        self.ready = False
        self.dead = False
        self.killed = ""
        self.death_by: float | None = None
        self.run: Run | None = None
        self.last_run: Run | None = None
        self.stderr: deque[str] = deque(maxlen=5 * STDERR_LINES)
        self.channel, self._theirs = pair()
        self.channel.set_blocking(False)
        (out, self._out), (err, self._err) = _wide_pipe(), _wide_pipe()
        self.pipes = (Pipe(out, "stdout", number), Pipe(err, "stderr", number))

    @property
    def is_well(self) -> bool:
        """Not dead, and not known to be dying."""
        return not self.dead and self.death_by is None

    def place(self, world_size: int) -> str:
        """ "rank 1 of 2 (pid 4711, cpu)", as every message about it begins."""
        pid = "not started" if self.pid is None else f"pid {self.pid}"
        return f"rank {self.number} of {world_size} ({pid}, {self.device})"

    def request(self, link: Channel) -> None:
        """Ask the zygote to make it; its ends of the descriptors belong to the rank from here on."""
        try:
            link.send("make", fds=(self._theirs.fileno(), self._out, self._err), number=self.token)
        finally:
            self._theirs.close()
            os.close(self._out)
            os.close(self._err)

    def made(self, pid: int, pidfd: int) -> None:
        self.pid, self.pidfd = pid, pidfd

    def tell(self, packet: Packet, fds: tuple[int, ...] = ()) -> None:
        """Send; a rank that is gone is noticed elsewhere."""
        with contextlib.suppress(OSError):
            self.channel.send_packet(packet, fds=fds)

    def interrupt(self, call: int) -> None:
        """Interrupt this call and no other, whether it has begun there or not."""
        with Packet("interrupt", {"call": call}) as packet:
            self.tell(packet)
        self.signal(signal.SIGINT)

    def signal(self, signum: int) -> None:
        """Signal exactly this process, never another one that got its pid."""
        if self.pidfd is not None and not self.dead:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, signum)

    def last_words(self) -> list[str]:
        """The last lines it wrote to stderr in this call; of a crash report only what concerns the user."""
        lines = [line.removeprefix(f"[rank {self.number}] ") for line in self.stderr]
        ours = (_OWN_CODE, "Extension modules:", 'File "<string>", line 5 in <module>')
        return [line for line in lines if line and not any(word in line for word in ours)][-STDERR_LINES:]

    def close(self) -> None:
        """Let go of every descriptor. A rank that still lives sees the end of its socket."""
        self.channel.close()
        for pipe in self.pipes:
            pipe.close()
        if self.pidfd is not None:
            os.close(self.pidfd)
            self.pidfd = None
