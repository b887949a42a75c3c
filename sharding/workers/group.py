"""The ranks of one `Workers`: made, joined into a process group, replaced when they died, ended.

Owned by the supervisor thread. `prepare` is the only place that makes ranks or forms a generation; it does
the least that is needed, so ranks that live keep what they hold. What the ranks are told to run is
`conductor.py`'s business.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Protocol

from sharding.workers.devices import Placement
from sharding.workers.environment import rank_environment
from sharding.workers.launcher import launcher
from sharding.workers.member import Member, Pipe
from sharding.workers.rendezvous import Membership, new_store_file
from sharding.workers.wire import Channel, Message, Packet

DEATH_REPORT_S = 10.0  # the zygote may be in the middle of an import, on a busy machine
END_LIMIT_S = 3.0
MAX_DRAIN_READS = 256  # a grandchild that prints for ever must not hold up the answer


@dataclass(frozen=True)
class Settings:
    """What a `Workers` was made with."""

    placement: Placement
    timeout_s: float
    grace_s: float
    seed: int
    hang_after_s: float = 10.0
    max_result_mb: float = 256.0


class Watcher(Protocol):
    """Who tells the group that a descriptor can be read."""

    def watch(self, fd: int, callback: Callable[[], object]) -> None: ...
    def unwatch(self, fd: int) -> None: ...


class Listener(Protocol):
    """Who wants to know what the ranks say and how they end."""

    def on_message(self, member: Member, message: Message) -> None: ...
    def on_lines(self, member: Member, stream: str, lines: list[str]) -> None: ...
    def on_bar(self, member: Member, text: str) -> None: ...
    def on_death(self, member: Member, code: int | None, reason: str) -> None: ...


class Group:
    """The members of one `Workers` and their link to the zygote."""

    def __init__(self, settings: Settings, watcher: Watcher, listener: Listener) -> None:
        self.settings = settings
        self.members: list[Member] = []
        self.generation = 0
        self.broken = False
        self._watcher, self._listener = watcher, listener
        self._link: Channel | None = None
        self._zygote_pid = 0
        self._by_token: dict[int, Member] = {}
        self._next_token = 0

    @property
    def is_whole(self) -> bool:
        """Whether the ranks can be told to run as they are."""
        return bool(self.members) and not self.broken and all(member.is_well for member in self.members)

    def prepare(self) -> list[int]:
        """Make missing ranks and form a generation if needed; returns the ranks that were replaced. Does not
        wait.

        Raises:
            WorkerError: the ranks cannot be made on this machine.
        """
        for member in [member for member in self.members if member.death_by is not None]:
            self.bury(member, None)
        if self.is_whole:
            return []
        replaced = [member.number for member in self.members if member.dead]
        if self._link is None:
            self._link, self._zygote_pid = launcher.open_group()
            self._watcher.watch(self._link.fileno(), self._read_link)
        if not self.members:
            self.members = [self._new_member(rank) for rank in range(self.settings.placement.nprocs)]
        for rank in replaced:
            self.members[rank] = self._new_member(rank)
        self._form_generation()
        return replaced

    def _new_member(self, rank: int) -> Member:
        assert self._link is not None
        placement = self.settings.placement
        self._next_token += 1
        member = Member(rank, self._next_token, placement.devices[rank])
        self._by_token[member.token] = member
        member.request(self._link)
        self._watcher.watch(member.channel.fileno(), lambda: self._read_channel(member))
        for pipe in member.pipes:
            self._watcher.watch(pipe.fd, lambda pipe=pipe: self._read_pipe(member, pipe))
        with Packet("setup", self._setup(rank)) as packet:
            member.tell(packet)
        return member

    def _setup(self, rank: int) -> dict[str, object]:
        placement = self.settings.placement
        ranks = {
            "RANK": rank,
            "LOCAL_RANK": rank,
            "WORLD_SIZE": placement.nprocs,
            "LOCAL_WORLD_SIZE": placement.nprocs,
        }
        return {
            "rank": rank,
            "env": {**rank_environment(os.environ), **{name: str(value) for name, value in ranks.items()}},
            "path": [entry or os.getcwd() for entry in sys.path],
            "cwd": os.getcwd(),
            "folder": launcher.folder,
            "seed": self.settings.seed + rank,
            "num_threads": placement.num_threads,
            "hang_after_s": self.settings.hang_after_s,
            "max_result_mb": self.settings.max_result_mb,
        }

    def _form_generation(self) -> None:
        self.generation += 1
        self.broken = False
        store_fd = new_store_file()
        for member in self.members:
            member.ready = False
            membership = Membership(
                rank=member.number,
                world_size=len(self.members),
                backend=self.settings.placement.backend,
                device=member.device,
                generation=self.generation,
                timeout_s=self.settings.timeout_s,
            )
            with Packet("join", {"membership": asdict(membership)}) as packet:
                member.tell(packet, fds=(store_fd,))
        os.close(store_fd)

    def _read_link(self) -> None:
        assert self._link is not None
        try:
            message = self._link.receive()
        except BlockingIOError:
            return
        except ConnectionError:
            message = None
        if message is None:
            self._lose_link()
        elif message.kind == "made":
            self._made(message)
        else:
            code = message["code"] if message.kind == "exit" else None
            reason = "" if message.kind == "exit" else f"could not be started: {message['reason']}"
            member = self._by_token.get(message["number"])
            if member is not None:
                self.bury(member, code, reason)

    def _made(self, message: Message) -> None:
        (pidfd,) = message.fds
        member = self._by_token.get(message["number"])
        if member is None:  # given up before it was made
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            os.close(pidfd)
            return
        member.made(message["pid"], pidfd)
        self._watcher.watch(pidfd, lambda: self._pidfd_fired(member))

    def _pidfd_fired(self, member: Member) -> None:
        """The process is over; how, the zygote says in a moment."""
        assert member.pidfd is not None
        self._watcher.unwatch(member.pidfd)
        member.death_by = time.monotonic() + DEATH_REPORT_S

    def _lose_link(self) -> None:
        """The zygote is gone and its ranks with it."""
        assert self._link is not None
        self._watcher.unwatch(self._link.fileno())
        self._link.close()
        self._link = None
        words = launcher.mourn(self._zygote_pid)
        reason = "the launcher process ended" + (f":\n{words}" if words else "")
        for member in list(self._by_token.values()):
            self.bury(member, None, reason)

    def _read_channel(self, member: Member) -> None:
        """Hear everything the rank has said; at the end of its socket wait for how it died."""
        try:
            while not member.dead:
                message = member.channel.receive()
                if message is None:
                    self._watcher.unwatch(member.channel.fileno())
                    return
                self._hear(member, message)
        except BlockingIOError:
            return
        except ConnectionError:
            self._watcher.unwatch(member.channel.fileno())

    def _hear(self, member: Member, message: Message) -> None:
        if message.kind == "ready":
            member.ready = message["generation"] == self.generation
        elif message.kind not in ("event", "state", "memory", "collectives"):
            self.drain(member)
        self._listener.on_message(member, message)

    def _read_pipe(self, member: Member, pipe: Pipe) -> bool:
        fd = pipe.fd
        lines = pipe.read()
        if pipe.fd < 0 <= fd:
            self._watcher.unwatch(fd)
        if lines:
            self._listener.on_lines(member, pipe.stream, lines)
        if pipe.look_at_bar():
            self._listener.on_bar(member, pipe.bar)
        return lines is not None

    def drain(self, member: Member) -> None:
        """Read what the rank has printed up to now, unfinished lines included."""
        for pipe in member.pipes:
            for _ in range(MAX_DRAIN_READS):
                if not self._read_pipe(member, pipe):
                    break
            if rest := pipe.finish():
                self._listener.on_lines(member, pipe.stream, rest)
            if pipe.look_at_bar():
                self._listener.on_bar(member, pipe.bar)

    def bury(self, member: Member, code: int | None, reason: str = "") -> None:
        """A rank is gone: hear its last words, tell the listener, let go of it."""
        if member.dead:
            return
        self._read_channel(member)
        self.drain(member)
        member.dead = True
        self.broken = True
        self._by_token.pop(member.token, None)
        for fd in (member.channel.fileno(), *(pipe.fd for pipe in member.pipes), member.pidfd):
            if fd is not None and fd >= 0:
                self._watcher.unwatch(fd)
        member.close()
        self._listener.on_death(member, code, reason)

    def bury_the_silent(self, now: float) -> None:
        """Ranks that are over, but whose end the zygote has not explained in time."""
        for member in list(self._by_token.values()):
            if member.death_by is not None and now >= member.death_by:
                reason = "could not be killed; it was left behind" if member.pidfd is not None and member.killed else ""
                self.bury(member, None, reason)

    def next_deadline(self) -> float | None:
        return min((m.death_by for m in self._by_token.values() if m.death_by is not None), default=None)

    def end(self) -> None:
        """Kill every rank by ending the link, and wait (bounded) until the zygote says that all are gone.

        The ranks' own sockets close afterwards: a rank that left by itself would leave its children to nobody.
        """
        if self._link is not None:
            self._watcher.unwatch(self._link.fileno())
            self._link.end_and_wait(END_LIMIT_S)
            self._link.close()
            self._link = None
        for member in list(self._by_token.values()):
            self.bury(member, None, "the workers were closed")
        self.members = []
