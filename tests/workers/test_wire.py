"""Messages over a socket pair: whole, in order, with descriptors, of any size."""

from __future__ import annotations

import os

import pytest

from sharding.workers.wire import INLINE_NBYTES, Channel, Packet, pair


@pytest.fixture
def ends() -> object:
    left, raw = pair()
    right = Channel(raw)
    yield left, right
    left.close()
    right.close()


@pytest.mark.parametrize("size", [0, 1, INLINE_NBYTES, 20 * INLINE_NBYTES])
def test_a_payload_of_any_size_arrives(ends: tuple[Channel, Channel], size: int) -> None:
    """Small ones in the datagram, big ones as a memory file."""
    left, right = ends
    payload = os.urandom(size)
    left.send("call", payload=payload, call=3, names=["a"])
    message = right.receive()
    assert message is not None
    assert (message.kind, message["call"], message["names"]) == ("call", 3, ["a"])
    assert bytes(message.payload) == payload
    assert message.fds == ()


def test_descriptors_travel_beside_a_big_payload(ends: tuple[Channel, Channel]) -> None:
    """The memory file is not mistaken for one of the user's descriptors."""
    left, right = ends
    read, write = os.pipe()
    left.send("join", payload=bytes(10 * INLINE_NBYTES), fds=(write,))
    os.close(write)
    message = right.receive()
    assert message is not None
    (arrived,) = message.fds
    os.write(arrived, b"hello")
    os.close(arrived)
    assert os.read(read, 10) == b"hello"
    os.close(read)


def test_one_packet_serves_many_and_leaves_no_descriptor(ends: tuple[Channel, Channel]) -> None:
    """The memory file is written once and closed with the packet."""
    left, right = ends
    before = len(os.listdir("/proc/self/fd"))
    with Packet("call", {}, bytes(10 * INLINE_NBYTES)) as packet:
        left.send_packet(packet)
        left.send_packet(packet)
    for _ in range(2):
        message = right.receive()
        assert message is not None
        assert len(message.payload) == 10 * INLINE_NBYTES
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_end_is_told_from_silence(ends: tuple[Channel, Channel]) -> None:
    """None at the end, BlockingIOError while nothing is there."""
    left, right = ends
    right.set_blocking(False)
    with pytest.raises(BlockingIOError):
        right.receive()
    left.close()
    assert right.receive() is None
