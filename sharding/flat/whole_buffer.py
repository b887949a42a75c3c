"""The memory a unit's parameters are whole in: one tensor for life, whose storage is emptied and filled again.

What autograd saves from a forward are views of that storage, so they are valid exactly while it is filled, and raise
when used at any other time."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from sharding.partition import FlatPartition


class WholeBuffer:
    """All parameters of one flat buffer end to end, padding included, and each of them as a view.

    Attributes:
        tensor: the whole buffer, 1-D.
        views: each parameter in it, with its own shape.
    """

    def __init__(
        self, partition: FlatPartition, shapes: Sequence[torch.Size], dtype: torch.dtype, device: torch.device
    ) -> None:
        self.tensor = torch.empty(partition.padded_numel, dtype=dtype, device=device)
        self.views = [
            self.tensor.narrow(0, offset, shape.numel()).view(shape)
            for offset, shape in zip(partition.offsets, shapes, strict=True)
        ]
        self.free()

    @property
    def nbytes(self) -> int:
        return self.tensor.numel() * self.tensor.dtype.itemsize

    @property
    def is_filled(self) -> bool:
        """Whether it has memory."""
        return self.tensor.untyped_storage().size() > 0

    def allocate(self) -> None:
        """Give it memory, if it has none; the values are undefined."""
        if not self.is_filled:
            self.tensor.untyped_storage().resize_(self.nbytes)

    def free(self) -> bool:
        """Give the memory up; whether there was any."""
        storage = self.tensor.untyped_storage()
        if storage.size() == 0:
            return False
        storage.resize_(0)
        return True
