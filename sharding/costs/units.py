"""What one unit costs: its flat buffers, cut as the engine cuts them.

One buffer per (dtype, requires_grad), in order of first appearance, cut into equal pieces with padding at the right end
(`sharding/partition.py`). Over a shard axis of one rank nothing is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from sharding.costs.setting import Setting
from sharding.layout import ParamRow, Unit
from sharding.partition import FlatPartition, ceil_div
from sharding.precision import Precision, computes_in, reduces_in
from sharding.strategies import KEEPS_AFTER_FORWARD


@dataclass(frozen=True)
class BufferCost:
    """One flat buffer.

    Attributes:
        dtype: what pieces rest in and the optimizer steps on.
        compute_dtype: what it is gathered in.
        reduce_dtype: what its gradients are reduced in.
        requires_grad: whether it has gradients.
        partition: where its parameters lie and how they are cut.
        num_copies: how many ranks hold the same piece.
    """

    dtype: torch.dtype
    compute_dtype: torch.dtype
    reduce_dtype: torch.dtype
    requires_grad: bool
    partition: FlatPartition
    num_copies: int

    @property
    def is_cut(self) -> bool:
        return self.partition.world_size > 1

    @property
    def shard_nbytes(self) -> int:
        """Bytes every rank rests on, padding included."""
        return self.partition.shard_numel * self.dtype.itemsize

    @property
    def gathered_nbytes(self) -> int:
        """Bytes an all-gather fills; 0 where nothing travels."""
        return self.partition.padded_numel * self.compute_dtype.itemsize if self.is_cut else 0

    @property
    def reduced_nbytes(self) -> int:
        """Bytes of the whole flat gradients, padding included; 0 when frozen."""
        return self.partition.padded_numel * self.reduce_dtype.itemsize if self.requires_grad else 0

    @property
    def reduced_piece_nbytes(self) -> int:
        """Bytes of this rank's piece of them, in the dtype they are reduced in."""
        return self.partition.shard_numel * self.reduce_dtype.itemsize if self.requires_grad else 0

    @property
    def scattered_nbytes(self) -> int:
        """Bytes of the buffer a reduce-scatter reads; 0 where there is none."""
        return self.reduced_nbytes if self.is_cut else 0

    @property
    def all_reduced_nbytes(self) -> int:
        """Bytes of the piece averaged over the copies; 0 where there is one copy."""
        return self.reduced_piece_nbytes if self.num_copies > 1 else 0

    @property
    def num_holding(self) -> int:
        """How many shard ranks hold at least one element."""
        shard = self.partition.shard_numel
        return ceil_div(self.partition.numel, shard) if shard else 0

    def held(self, shard_rank: int) -> int:
        """Elements a rank holds, without padding."""
        shard = self.partition.shard_numel
        return min(max(self.partition.numel - shard_rank * shard, 0), shard)


@dataclass(frozen=True)
class UnitCost:
    """One sharded unit.

    Attributes:
        fqn: its name.
        strategy: as it runs here.
        num_shards: ranks it is cut over.
        num_copies: ranks that hold the same piece.
        buffers: its flat buffers, in order.
        frees_after_forward: whether parameters are given up between forward and backward.
        reason: why.
        offloads: whether pieces, gradients and optimizer states rest on the CPU.
    """

    fqn: str
    strategy: str
    num_shards: int
    num_copies: int
    buffers: tuple[BufferCost, ...]
    frees_after_forward: bool
    reason: str
    offloads: bool

    @property
    def numel(self) -> int:
        """Elements of all its parameters, without padding."""
        return sum(buffer.partition.numel for buffer in self.buffers)

    @property
    def trainable_numel(self) -> int:
        return sum(buffer.partition.numel for buffer in self.buffers if buffer.requires_grad)

    @property
    def dtypes(self) -> tuple[torch.dtype, ...]:
        """Dtypes its parameters rest in, in order of first appearance."""
        return tuple(dict.fromkeys(buffer.dtype for buffer in self.buffers))

    @property
    def nbytes(self) -> int:
        """Bytes of its parameters at rest over all shards, without padding."""
        return sum(buffer.partition.numel * buffer.dtype.itemsize for buffer in self.buffers)

    @property
    def padded_nbytes(self) -> int:
        """The same with padding."""
        return sum(buffer.partition.padded_numel * buffer.dtype.itemsize for buffer in self.buffers)

    @property
    def shard_nbytes(self) -> int:
        """Bytes every rank rests on, padding included."""
        return sum(buffer.shard_nbytes for buffer in self.buffers)

    @property
    def min_shard_nbytes(self) -> int:
        """Bytes of parameters on the rank that holds least, without padding: the last one."""
        return sum(buffer.held(self.num_shards - 1) * buffer.dtype.itemsize for buffer in self.buffers)

    @property
    def max_shard_nbytes(self) -> int:
        """Bytes of parameters on the rank that holds most, without padding: the first one."""
        return sum(buffer.held(0) * buffer.dtype.itemsize for buffer in self.buffers)

    @property
    def waste(self) -> float:
        """Padding as a share of the parameters' bytes."""
        return (self.padded_nbytes - self.nbytes) / self.nbytes if self.nbytes else 0.0

    @property
    def num_empty_ranks(self) -> int:
        """Ranks that hold nothing but padding of it, counted over all copies."""
        if not self.numel:
            return 0
        holding = max(buffer.num_holding for buffer in self.buffers)
        return (self.num_shards - holding) * self.num_copies

    @property
    def unsharded_nbytes(self) -> int:
        """Bytes of its whole buffers while it computes, in the dtype it computes in; 0 where nothing is laid out."""
        return sum(
            buffer.partition.padded_numel * buffer.compute_dtype.itemsize
            for buffer in self.buffers
            if buffer.is_cut or self.offloads or buffer.compute_dtype != buffer.dtype
        )

    @property
    def largest_buffer_nbytes(self) -> int:
        """Bytes of the largest contiguous buffer it makes in a step."""
        whole = [buffer.gathered_nbytes for buffer in self.buffers]
        return max(whole + [buffer.reduced_nbytes for buffer in self.buffers], default=0)

    @property
    def all_gather_nbytes(self) -> int:
        """Bytes one gathering of the unit fills, over its buffers."""
        return sum(buffer.gathered_nbytes for buffer in self.buffers)

    @property
    def reduce_scatter_nbytes(self) -> int:
        """Bytes one reduction of the unit reads, over its buffers."""
        return sum(buffer.scattered_nbytes for buffer in self.buffers)

    @property
    def all_reduce_nbytes(self) -> int:
        """Bytes averaged over the copies, over its buffers."""
        return sum(buffer.all_reduced_nbytes for buffer in self.buffers)

    @property
    def in_effect(self) -> str:
        """What it comes to: "sharded", "hybrid", "replicated" or "whole" (one rank)."""
        if self.num_shards > 1:
            return "sharded" if self.num_copies == 1 else "hybrid"
        return "replicated" if self.num_copies > 1 else "whole"


def unit_cost(unit: Unit, setting: Setting) -> UnitCost:
    """What a unit costs."""
    annotation = unit.annotation
    num_shards, num_copies = setting.shards_and_copies(annotation)
    precision = setting.precision_of(annotation)
    strategy = setting.strategy_of(annotation)
    frees, reason = _frees_after_forward(unit, strategy)
    return UnitCost(
        unit.fqn,
        strategy,
        num_shards,
        num_copies,
        _buffers(unit.params, num_shards, num_copies, precision),
        frees,
        reason,
        annotation.options.cpu_offload,
    )


def _frees_after_forward(unit: Unit, strategy: str) -> tuple[bool, str]:
    """Whether parameters are given up between forward and backward, and why."""
    forced = unit.annotation.options.reshard_after_forward
    if forced is not None:
        return forced, f"reshard_after_forward={forced}"
    if unit.is_root:
        return False, "local root: kept until its backward is over"
    if strategy in KEEPS_AFTER_FORWARD:
        return False, f"{strategy} keeps parameters for backward"
    return True, f"{strategy}, not a local root"


def _buffers(
    rows: Sequence[ParamRow], num_shards: int, num_copies: int, precision: Precision | None
) -> tuple[BufferCost, ...]:
    numels: dict[tuple[torch.dtype, bool], list[int]] = {}
    for row in rows:
        param = row.param
        numels.setdefault((param.dtype, param.requires_grad), []).append(row.numel)
    return tuple(
        BufferCost(
            dtype,
            computes_in(precision, dtype),
            reduces_in(precision, dtype),
            requires_grad,
            FlatPartition(tuple(each), num_shards),
            num_copies,
        )
        for (dtype, requires_grad), each in numels.items()
    )
