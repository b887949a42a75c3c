"""What travels as one: a unit's parameters as an engine lays them out, cuts them, and pads them.

The flat engine makes one buffer per (dtype, requires_grad) and cuts it into equal pieces with padding at its right end
(`sharding/partition.py`). Torch's engine makes one buffer of a whole unit, in which every parameter is cut by itself
into `ceil(rows / ranks)` rows a rank and padded to that on every rank. Over one rank nothing is cut.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import torch

from sharding.partition import FlatPartition, ceil_div

Steps = Mapping[int, int]
"""Bytes a rank holds, as changes from one shard rank to the next: `{0: 8, 3: -8}` is 8 bytes on ranks 0, 1 and 2."""


class BufferCost(ABC):
    """Parameters that travel as one.

    Attributes:
        num_shards: ranks it is cut over.
        num_copies: ranks that hold the same piece.
    """

    num_shards: int
    num_copies: int

    @property
    def is_cut(self) -> bool:
        return self.num_shards > 1

    @property
    @abstractmethod
    def dtypes(self) -> tuple[torch.dtype, ...]:
        """Dtypes its parameters rest in."""

    @property
    @abstractmethod
    def num_trainable(self) -> int:
        """How many of its parameters have gradients: those an optimizer keeps a step counter for."""

    @property
    @abstractmethod
    def numel(self) -> int:
        """Elements without padding."""

    @property
    @abstractmethod
    def trainable_numel(self) -> int: ...

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes at rest over all shards, without padding."""

    @property
    @abstractmethod
    def shard_nbytes(self) -> int:
        """Bytes every rank rests on, padding included."""

    @property
    def padded_nbytes(self) -> int:
        """Bytes at rest over all shards, padding included."""
        return self.shard_nbytes * self.num_shards

    @property
    @abstractmethod
    def whole_nbytes(self) -> int:
        """Bytes of the whole parameters while they compute; 0 where nothing is laid out for that."""

    @property
    @abstractmethod
    def gathered_nbytes(self) -> int:
        """Bytes an all-gather fills; 0 where nothing travels."""

    @property
    @abstractmethod
    def reduced_nbytes(self) -> int:
        """Bytes of all whole gradients laid out for their reduction, padding included; 0 when frozen."""

    @property
    def reduced_piece_nbytes(self) -> int:
        """Bytes of one rank's piece of them, in the dtype they are reduced in."""
        return self.reduced_nbytes // self.num_shards

    @property
    @abstractmethod
    def gradient_nbytes(self) -> int:
        """Bytes of one rank's averaged gradients as the optimizer sees them, padding included."""

    @property
    @abstractmethod
    def autograd_nbytes(self) -> int:
        """Bytes of the whole gradients as autograd makes them."""

    @property
    @abstractmethod
    def largest_gradient_nbytes(self) -> int:
        """Bytes of the largest of those."""

    @property
    def scattered_nbytes(self) -> int:
        """Bytes of the buffer a reduce-scatter reads; 0 where there is none."""
        return self.reduced_nbytes if self.is_cut else 0

    @property
    def all_reduced_nbytes(self) -> int:
        """Bytes of the piece averaged over the copies; 0 where there is one copy."""
        return self.reduced_piece_nbytes if self.num_copies > 1 else 0

    @property
    @abstractmethod
    def held(self) -> Steps:
        """Bytes of parameters every shard rank holds, without padding."""

    @property
    @abstractmethod
    def held_trainable(self) -> Steps:
        """The same of those with gradients."""

    @property
    @abstractmethod
    def num_holding(self) -> int:
        """How many shard ranks hold at least one element: the first ones."""


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
        _add_pieces(steps, self.partition.numel, self.partition.shard_numel, self.dtype.itemsize)
        return steps

    @property
    def held_trainable(self) -> Steps:
        return self.held if self.requires_grad else {}

    @property
    def num_holding(self) -> int:
        shard = self.partition.shard_numel
        return ceil_div(self.partition.numel, shard) if shard else 0


class RowParam(NamedTuple):
    """One parameter of torch's engine.

    Attributes:
        shape: of the whole parameter.
        dtype, compute_dtype, reduce_dtype: what it rests, computes, and has its gradients reduced in.
        requires_grad: whether it has gradients.
    """

    shape: tuple[int, ...]
    dtype: torch.dtype
    compute_dtype: torch.dtype
    reduce_dtype: torch.dtype
    requires_grad: bool

    @property
    def numel(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class RowBufferCost(BufferCost):
    """All parameters of one unit of torch's engine, each cut into rows.

    Attributes:
        params: in order.
        num_shards: ranks rows are dealt to.
        num_copies: how many ranks hold the same rows.
        is_hybrid: whether the mesh has an axis of copies, over which torch averages even where it is one rank.
    """

    params: tuple[RowParam, ...]
    num_shards: int
    num_copies: int
    is_hybrid: bool = False

    @property
    def all_reduced_nbytes(self) -> int:
        return self.reduced_piece_nbytes if self.is_hybrid else 0

    @cached_property
    def dtypes(self) -> tuple[torch.dtype, ...]:
        return tuple(dict.fromkeys(param.dtype for param in self.params))

    @cached_property
    def num_trainable(self) -> int:
        return sum(param.requires_grad for param in self.params)

    @cached_property
    def numel(self) -> int:
        return sum(param.numel for param in self.params)

    @cached_property
    def trainable_numel(self) -> int:
        return sum(param.numel for param in self.params if param.requires_grad)

    @cached_property
    def nbytes(self) -> int:
        return sum(param.numel * param.dtype.itemsize for param in self.params)

    @cached_property
    def _padded(self) -> tuple[tuple[RowParam, int], ...]:
        """Every parameter with the elements each rank rests on."""
        return tuple((param, self._rows(param) * prod(param.shape[1:])) for param in self.params)

    def _rows(self, param: RowParam) -> int:
        return ceil_div(param.shape[0], self.num_shards) if param.shape else 1

    @cached_property
    def shard_nbytes(self) -> int:
        return sum(numel * param.dtype.itemsize for param, numel in self._padded)

    @cached_property
    def whole_nbytes(self) -> int:
        return self.num_shards * sum(numel * param.compute_dtype.itemsize for param, numel in self._padded)

    @property
    def gathered_nbytes(self) -> int:
        return self.whole_nbytes if self.is_cut else 0

    @cached_property
    def cast_nbytes(self) -> int:
        """Bytes of the copy in another dtype that is made of the pieces to be gathered, and given up at once."""
        return sum(numel * p.compute_dtype.itemsize for p, numel in self._padded if p.compute_dtype != p.dtype)

    @cached_property
    def reduced_nbytes(self) -> int:
        return self.num_shards * sum(n * p.reduce_dtype.itemsize for p, n in self._padded if p.requires_grad)

    @cached_property
    def gradient_nbytes(self) -> int:
        return sum(numel * param.dtype.itemsize for param, numel in self._padded if param.requires_grad)

    @cached_property
    def autograd_nbytes(self) -> int:
        return sum(param.numel * param.compute_dtype.itemsize for param in self.params if param.requires_grad)

    @cached_property
    def largest_gradient_nbytes(self) -> int:
        return max((p.numel * p.compute_dtype.itemsize for p in self.params if p.requires_grad), default=0)

    @property
    def casts_gradients(self) -> bool:
        """Whether averaged gradients are cast before they are kept."""
        return any(param.reduce_dtype != param.dtype for param in self.params if param.requires_grad)

    @property
    def held(self) -> Steps:
        return self._held(self.params)

    @property
    def held_trainable(self) -> Steps:
        return self._held(param for param in self.params if param.requires_grad)

    def _held(self, params: Iterable[RowParam]) -> Steps:
        steps: dict[int, int] = {}
        for param in params:
            rows = param.shape[0] if param.shape else 1
            row_nbytes = prod(param.shape[1:]) * param.dtype.itemsize
            _add_pieces(steps, rows, self._rows(param), row_nbytes)
        return steps

    @cached_property
    def num_holding(self) -> int:
        return max((ceil_div(p.shape[0], self._rows(p)) for p in self.params if p.numel and p.shape), default=0)


def _add_pieces(steps: dict[int, int], size: int, piece: int, itemsize: int) -> None:
    """Add what ranks hold of something cut into equal pieces: full ones, then the rest, then nothing."""
    if not piece:
        return
    num_full, rest = divmod(size, piece)
    for rank, change in ((0, piece), (num_full, rest - piece), (num_full + 1, -rest)):
        if change:
            steps[rank] = steps.get(rank, 0) + change * itemsize
