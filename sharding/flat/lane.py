"""The lanes beside the computation: where parameters are gathered and gradients reduced, and when memory is given up.

`Lane` is what the engine asks of a device. On the CPU the program is its own order, so the plain lane does
nothing but free. `CudaLane` keeps two streams of its own; nothing here ever makes the host wait.

[Note: memory of gathered units] Whole buffers are allocated and freed on the gather stream, but used by the
computation. A unit that is done is therefore *retired* with an event of the computation, and its memory given
up when the next gather has been told to wait for that event. A gather on demand leaves the last retired unit
alone, so it runs beside that unit's computation; a gather ahead of need waits for it, since another unit
computes meanwhile. Either way at most two units besides those that enclose them have memory, however far the
host runs ahead. Without the limit memory is freed at once and the allocator keeps it back until the
computation is over."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence

import torch

from sharding.flat.collectives import DONE, Work
from sharding.flat.heap import keep_freed_memory
from sharding.flat.whole_buffer import WholeBuffer


class Lane:
    """A device whose work is done in the order of the program."""

    def catch_up(self) -> None:
        """Gathers from now on see all that was computed so far (an optimizer's update)."""

    @contextlib.contextmanager
    def gathering(self, unit: object, *, ahead: bool = False) -> Iterator[None]:
        """Inside, memory is allocated for `unit` and its gathers are started.

        Args:
            unit: who it is for.
            ahead: another unit computes meanwhile.
        """
        yield

    def arrival(self) -> Work:
        """What the computation must wait for before it reads what has just been gathered, beside the collectives."""
        return DONE

    def retire(self, unit: object, wholes: Sequence[WholeBuffer]) -> bool:
        """The computation is done with these buffers of `unit`; whether memory is given up."""
        return any([whole.free() for whole in wholes])

    @contextlib.contextmanager
    def reducing(self) -> Iterator[None]:
        """Inside, reductions of what was computed so far are started."""
        yield

    def flush(self) -> None:
        """Give up the memory of everything retired."""


class CudaLane(Lane):
    """A CUDA device: a stream for gathers, one for reductions.

    Args:
        device: the device.
        is_limited: whether the number of gathered units alive is bounded.
    """

    def __init__(self, device: torch.device, *, is_limited: bool) -> None:
        self._gathers = torch.cuda.Stream(device)
        self._reductions = torch.cuda.Stream(device)
        self._device = device
        self._is_limited = is_limited
        self._retired: deque[tuple[object, Sequence[WholeBuffer], torch.cuda.Event]] = deque()

    def catch_up(self) -> None:
        self._gathers.wait_stream(self._computing())

    @contextlib.contextmanager
    def gathering(self, unit: object, *, ahead: bool = False) -> Iterator[None]:
        self._take_back(unit)
        self._release(0 if ahead else 1)
        with torch.cuda.stream(self._gathers):
            yield

    def arrival(self) -> Work:
        event = torch.cuda.Event()
        event.record(self._gathers)
        return _Arrival(event, self._device)

    def retire(self, unit: object, wholes: Sequence[WholeBuffer]) -> bool:
        if not any(whole.is_filled for whole in wholes):
            return False
        if not self._is_limited:
            for whole in wholes:
                whole.tensor.record_stream(self._computing())
                whole.free()
            return True
        event = torch.cuda.Event()
        event.record(self._computing())
        self._retired.append((unit, wholes, event))
        return True

    @contextlib.contextmanager
    def reducing(self) -> Iterator[None]:
        self._reductions.wait_stream(self._computing())
        with torch.cuda.stream(self._reductions):
            yield

    def flush(self) -> None:
        self._release(0)

    def _computing(self) -> torch.cuda.Stream:
        return torch.cuda.current_stream(self._device)

    def _take_back(self, unit: object) -> None:
        """A unit that is wanted again keeps its memory; filling it waits for those who still read it."""
        for entry in [entry for entry in self._retired if entry[0] is unit]:
            self._gathers.wait_event(entry[2])
            self._retired.remove(entry)

    def _release(self, num_left: int) -> None:
        while len(self._retired) > num_left:
            _, wholes, event = self._retired.popleft()
            self._gathers.wait_event(event)
            for whole in wholes:
                whole.free()


class _Arrival:
    """What was gathered so far."""

    def __init__(self, event: torch.cuda.Event, device: torch.device) -> None:
        self._event = event
        self._device = device

    def wait(self) -> None:
        """Make the computation, not the host, wait."""
        torch.cuda.current_stream(self._device).wait_event(self._event)


def lane_on(device: torch.device, *, is_limited: bool) -> Lane:
    """The lane of a device."""
    if device.type == "cuda":
        return CudaLane(device, is_limited=is_limited)
    keep_freed_memory()
    return Lane()
