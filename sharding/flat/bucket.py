"""Gradients of a replicate group that are averaged together: one flat tensor, filled as they come.

Once a gradient is in, `param.grad` is a view of the bucket where dtypes allow, so that accumulating in place needs no
copy at all. When a bucket is averaged is decided by `replica.py`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import torch

from sharding.buckets import packed
from sharding.flat.awaiting import wait_for
from sharding.flat.casting import divided_before, reduces_in
from sharding.flat.collectives import Collectives, Work
from sharding.flat.recording import Recorder
from sharding.flat.slot import Slot
from sharding.precision import Precision


class Bucket:
    """Some gradients that travel together.

    Attributes:
        slots: their parameters.
        dtype: what they are reduced in.
        arrived: indices of those whose gradient of this backward is in place.
        placed: indices of those whose gradient was written by `put`, and may still grow.
        work: the all-reduce on its way.
    """

    def __init__(self, slots: Sequence[Slot], precision: Precision | None, num_ranks: int) -> None:
        self.slots = tuple(slots)
        self.dtype = reduces_in(precision, slots[0].param.dtype)
        self._divisor = divided_before(self.dtype, num_ranks)
        numels = [slot.numel for slot in slots]
        self.offsets = tuple(accumulate(numels[:-1], initial=0))
        self.numel = sum(numels)
        self.flat: torch.Tensor | None = None
        self.arrived: set[int] = set()
        self.placed: set[int] = set()
        self.work: Work | None = None

    @property
    def nbytes(self) -> int:
        return self.numel * self.dtype.itemsize

    @property
    def is_full(self) -> bool:
        return len(self.arrived) == len(self.slots)

    def place(self, index: int) -> torch.Tensor:
        """Where the gradient of parameter `index` lies."""
        if self.flat is None:
            param = self.slots[index].param
            self.flat = torch.empty(self.numel, dtype=self.dtype, device=param.device)
        slot = self.slots[index]
        return self.flat.narrow(0, self.offsets[index], slot.numel).view(slot.shape)

    def put(self, index: int, grad: torch.Tensor) -> None:
        """Write a gradient in, cast and divided in one pass, or add it to what this backward wrote before."""
        place = self.place(index)
        if grad.layout is not torch.strided:
            grad = grad.to_dense()
        if index in self.placed:
            place.add_(grad, alpha=1 / self._divisor)
        elif self._divisor != 1:
            torch.mul(grad, 1 / self._divisor, out=place)
        else:
            place.copy_(grad)
        self.placed.add(index)

    def take(self, index: int) -> None:
        """Move a gradient in; nothing moves where it lies here already."""
        param = self.slots[index].param
        if index in self.placed:
            self.arrived.add(index)
            param.grad = self.place(index) if param.dtype == self.dtype else None
            return
        grad = param.grad
        if grad is None:
            return
        grad = grad.detach()
        place = self.place(index)
        if grad.layout is not torch.strided:
            grad = grad.to_dense()
        self.arrived.add(index)
        if self._divisor != 1:
            torch.mul(grad, 1 / self._divisor, out=place)
        elif grad.data_ptr() != place.data_ptr() or grad.stride() != place.stride():
            place.copy_(grad)
        if grad.dtype == self.dtype:
            param.grad = place

    def launch(self, ranks: Collectives) -> None:
        """Start the all-reduce; what has no gradient in this backward counts with what it had, or with zero."""
        for index, slot in enumerate(self.slots):
            if index not in self.arrived:
                if slot.param.grad is None and index not in self.placed:
                    self.place(index).zero_()
                else:
                    self.take(index)
        assert self.flat is not None
        self.work = ranks.all_reduce(self.flat)

    def finish(self, world_size: int, recorder: Recorder) -> None:
        """Wait, average, and show what other ranks had where this one had nothing."""
        if self.work is None or self.flat is None:
            return
        wait_for(self.work, "an all-reduce", recorder)
        self.flat.mul_(self._divisor / world_size)
        for index, slot in enumerate(self.slots):
            grad, place = slot.param.grad, self.place(index)
            if grad is not None:
                if index in self.arrived and grad.dtype != self.dtype:
                    grad.copy_(place)
            elif index in self.arrived or bool(place.count_nonzero()):
                slot.param.grad = place.to(slot.param.dtype)
        self.clear()

    def clear(self) -> None:
        """Forget this backward."""
        self.work = None
        self.arrived.clear()
        self.placed.clear()


def pack(slots: Sequence[Slot], cap: int) -> list[list[Slot]]:
    """Slots in reverse order, packed by dtype into groups of at most `cap` bytes."""
    sizes = [(slot.param.dtype, slot.numel * slot.param.dtype.itemsize) for slot in slots]
    return [[slots[index] for index in bucket] for bucket in packed(sizes, cap)]
