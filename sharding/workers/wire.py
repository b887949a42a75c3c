"""Messages between the kernel, the zygote and the ranks: one datagram each, over inherited socket pairs.

A message is a kind, JSON fields and a binary payload, and may carry open file descriptors. Datagrams
(SOCK_SEQPACKET) are whole or absent, so a rank that is stopped, killed or interrupted half-way never leaves
half a message behind, and several threads may send without a lock. What does not fit into a datagram travels
as the descriptor of an anonymous memory file, written once for all ranks; it is not bound by the size of
/dev/shm and leaves nothing to clean up.

Only sockets made by `pair` are ever read, so nobody else can speak on them. Used by every other file of this
package.
"""

from __future__ import annotations

import array
import json
import mmap
import os
import select
import socket
import struct
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sharding.errors import WorkerError

INLINE_NBYTES = 32 * 1024
MAX_FDS = 8
SEND_LIMIT_S = 10.0

ALIGN = 64
Payload = bytes | memoryview | list[bytes | memoryview]

_NOTHING = memoryview(b"")
_HEAD = struct.Struct("<BI")
_INLINE, _IN_FILE = 0, 1
_FLAGS, _AT_ONCE = int(socket.MSG_CMSG_CLOEXEC), int(socket.MSG_DONTWAIT)
_FDS_NBYTES = socket.CMSG_LEN(MAX_FDS * array.array("i").itemsize)


@dataclass(frozen=True)
class Message:
    """One thing said: `kind`, JSON `fields`, a binary `payload` and the descriptors that came with it."""

    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    payload: memoryview = _NOTHING
    fds: tuple[int, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


class Packet:
    """A message made ready to be sent any number of times; `close`, or its end, frees its memory file."""

    def __init__(self, kind: str, fields: Mapping[str, Any], payload: Payload = b"") -> None:
        text = json.dumps({"kind": kind, **fields}).encode()
        text += b" " * (-len(text) % ALIGN)  # so that an aligned part of the payload is aligned in memory, too
        parts = [text, *(payload if isinstance(payload, list) else [payload])]
        self.file: int | None = None
        if sum(memoryview(part).nbytes for part in parts) <= INLINE_NBYTES:
            self.data = b"".join([_HEAD.pack(_INLINE, len(text)), *parts])
        else:
            self.file = _memory_file(parts)
            self._free = weakref.finalize(self, os.close, self.file)
            self.data = _HEAD.pack(_IN_FILE, len(text))

    def close(self) -> None:
        if self.file is not None:
            self._free()
            self.file = None

    def __enter__(self) -> Packet:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _memory_file(parts: Iterable[bytes | memoryview]) -> int:
    fd = os.memfd_create("sharding-message")
    for part in parts:
        view = memoryview(part).cast("B")
        while view:
            view = view[os.write(fd, view) :]
    return fd


class Channel:
    """One end of a socket pair. `receive` gives `None` at the end; a non-blocking end raises BlockingIOError
    when idle.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    @classmethod
    def of_fd(cls, fd: int) -> Channel:
        return cls(socket.socket(fileno=fd))

    def fileno(self) -> int:
        return self._sock.fileno()

    def set_blocking(self, blocking: bool) -> None:
        self._sock.setblocking(blocking)

    def send(self, kind: str, *, payload: Payload = b"", fds: tuple[int, ...] = (), **fields: Any) -> None:
        """Send one message. Raises OSError when the other end is gone, WorkerError when it does not read."""
        with Packet(kind, fields, payload) as packet:
            self.send_packet(packet, fds=fds)

    def send_packet(self, packet: Packet, *, fds: tuple[int, ...] = ()) -> None:
        carried = [*fds, *([] if packet.file is None else [packet.file])]
        while True:
            try:
                socket.send_fds(self._sock, [packet.data], carried, socket.MSG_NOSIGNAL)
                return
            except BlockingIOError:
                self._wait_writable()

    def send_bytes(self, data: bytes) -> None:
        """One bare datagram, for a process that has not imported this package yet."""
        self._sock.sendall(data)

    def _wait_writable(self) -> None:
        poll = select.poll()
        poll.register(self._sock, select.POLLOUT)
        if not poll.poll(SEND_LIMIT_S * 1000):
            raise WorkerError(f"the other end has read nothing for {SEND_LIMIT_S:g} s; is the process stopped?")

    def receive(self, *, mapped: bool = False, wait: bool = True) -> Message | None:
        """The next message. `mapped`: a big payload is private pages of the sender's file instead of a copy. Without
        `wait` a blocking end raises BlockingIOError when idle, too.
        """
        data, fds = _receive_with_fds(self._sock, _FLAGS if wait else _FLAGS | _AT_ONCE)
        if not data:
            return None
        where, size = _HEAD.unpack_from(data)
        if where == _IN_FILE:
            body = _map_file(fds.pop()) if mapped else _read_file(fds.pop())
        else:
            body = memoryview(bytearray(data[_HEAD.size :]))
        fields = json.loads(bytes(body[:size]))
        return Message(fields.pop("kind"), fields, body[size:], tuple(fds))

    def end_and_wait(self, limit_s: float) -> bool:
        """Say that nothing more will come, and wait until the other end has closed too; False if it has not
        in time.
        """
        self._sock.settimeout(limit_s)
        try:
            self._sock.shutdown(socket.SHUT_WR)
            while (message := self.receive()) is not None:
                for fd in message.fds:
                    os.close(fd)
        except TimeoutError:
            return False
        except OSError:
            pass
        return True

    def close(self) -> None:
        self._sock.close()


def _receive_with_fds(sock: socket.socket, flags: int) -> tuple[bytes, list[int]]:
    """One datagram and its descriptors. As `socket.recv_fds`, which ignores the flags it is given."""
    fds = array.array("i")
    data, ancillary, _flags, _address = sock.recvmsg(INLINE_NBYTES + 1024, _FDS_NBYTES, flags)
    for level, kind, carried in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(carried[: len(carried) - len(carried) % fds.itemsize])
    return data, fds.tolist()


def _read_file(fd: int) -> memoryview:
    """The whole file. Read, not mapped: a mapping would hold its descriptor for as long as the payload lives."""
    try:
        body = memoryview(bytearray(os.fstat(fd).st_size))
        done = 0
        while done < len(body):
            done += os.preadv(fd, [body[done:]], done)
        return body
    finally:
        os.close(fd)


def _map_file(fd: int) -> memoryview:
    """The whole file as pages that are copied when written to; they hold a descriptor for as long as they are
    used.
    """
    try:
        return memoryview(mmap.mmap(fd, 0, access=mmap.ACCESS_COPY))
    finally:
        os.close(fd)


def pair() -> tuple[Channel, socket.socket]:
    """A channel for this process and the raw end to hand to another one."""
    mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return Channel(mine), theirs
