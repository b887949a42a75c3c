"""Buffers of the flat engine: one per (dtype, requires_grad), cut into equal pieces with padding at the right end.

The cut itself is `sharding/partition.py`, which the engine runs by.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sharding.costs.buffers import BufferCost, Steps, add_pieces
from sharding.partition import FlatPartition, ceil_div


@dataclass(frozen=True)
class FlatBufferCost(BufferCost):
    """One flat buffer of the flat engine.

    Attributes:
        dtype: what pieces rest in and the optimizer steps on.
        compute_dtype: what it is gathered in.
        reduce_dtype: what its gradients are reduced in.
        requires_grad: whether it has gradients.
        partition: where its parameters lie and how they are cut.
        num_copies: how many ranks hold the same piece.
        is_laid_out: whether there is a whole buffer apart from the pieces; else parameters are used where they rest.
    """

    dtype: torch.dtype
    compute_dtype: torch.dtype
    reduce_dtype: torch.dtype
    requires_grad: bool
    partition: FlatPartition
    num_copies: int
    is_laid_out: bool

    @property
    def num_shards(self) -> int:  # type: ignore[override]
        return self.partition.world_size

    @property
    def dtypes(self) -> tuple[torch.dtype, ...]:
        return (self.dtype,)

    @property
    def num_trainable(self) -> int:
        return len(self.partition.numels) if self.requires_grad else 0

    @property
    def numel(self) -> int:
        return self.partition.numel

    @property
    def trainable_numel(self) -> int:
        return self.partition.numel if self.requires_grad else 0

    @property
    def nbytes(self) -> int:
        return self.partition.numel * self.dtype.itemsize

    @property
    def shard_nbytes(self) -> int:
        return self.partition.shard_numel * self.dtype.itemsize

    @property
    def whole_nbytes(self) -> int:
        return self.partition.padded_numel * self.compute_dtype.itemsize if self.is_laid_out else 0

    @property
    def gathered_nbytes(self) -> int:
        return self.partition.padded_numel * self.compute_dtype.itemsize if self.is_cut else 0

    @property
    def reduced_nbytes(self) -> int:
        return self.partition.padded_numel * self.reduce_dtype.itemsize if self.requires_grad else 0

    @property
    def gradient_nbytes(self) -> int:
        return self.shard_nbytes if self.requires_grad else 0

    @property
    def autograd_nbytes(self) -> int:
        return self.trainable_numel * self.compute_dtype.itemsize

    @property
    def largest_gradient_nbytes(self) -> int:
        return max(self.partition.numels, default=0) * self.compute_dtype.itemsize if self.requires_grad else 0

    @property
    def held(self) -> Steps:
        steps: dict[int, int] = {}
        add_pieces(steps, self.partition.numel, self.partition.shard_numel, self.dtype.itemsize)
        return steps

    @property
    def held_trainable(self) -> Steps:
        return self.held if self.requires_grad else {}

    @property
    def num_holding(self) -> int:
        shard = self.partition.shard_numel
        return ceil_div(self.partition.numel, shard) if shard else 0
