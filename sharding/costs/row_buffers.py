"""Buffers of torch's engine: one a unit, in which every parameter is cut by itself into rows.

A rank gets `ceil(rows / ranks)` rows of each, padded to that on every rank; late ranks may get none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import torch

from sharding.costs.buffers import BufferCost, Steps, add_pieces
from sharding.partition import ceil_div


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
            add_pieces(steps, rows, self._rows(param), row_nbytes)
        return steps

    @cached_property
    def num_holding(self) -> int:
        return max((ceil_div(p.shape[0], self._rows(p)) for p in self.params if p.numel and p.shape), default=0)
