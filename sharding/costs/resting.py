"""What each rank keeps between steps: parameters, gradients, optimizer states, buffers.

After a step, gradients not yet dropped. Every trainable parameter is taken to have had a gradient. Ranks that keep the
same are worked out once: shares change at a few ranks only, however many there are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import torch

from sharding.costs.groups import GroupCost
from sharding.costs.optimizers import STEP_COUNTER_NBYTES, OptimizerParts
from sharding.costs.setting import Setting
from sharding.costs.units import Kind, Known
from sharding.layout import Layout
from sharding.precision import is_castable


@dataclass(frozen=True)
class RankCost:
    """What one rank keeps, in bytes.

    Attributes:
        rank: global rank, counted along the mesh row by row.
        parameters: pieces with their padding, and what is whole.
        padding: what of that is padding.
        gradients: of the same pieces (padding included) and of what is whole.
        optimizer: bytes of each part of the optimizer's states, by the part's name.
        buffers: registered buffers, whole on every rank.
        buckets: gradients in the dtype replicate groups reduce in, where that is not the parameters' own.
        offloaded: what of parameters, gradients and optimizer states rests on the CPU because of `cpu_offload`.
    """

    rank: int
    parameters: int
    padding: int
    gradients: int
    optimizer: Mapping[str, int]
    buffers: int
    buckets: int
    offloaded: int

    @property
    def states(self) -> int:
        """Bytes of all optimizer states."""
        return sum(self.optimizer.values())

    @property
    def total(self) -> int:
        return self.parameters + self.gradients + self.states + self.buffers + self.buckets


class PerRank(Sequence[RankCost]):
    """One `RankCost` a rank, kept as the few that differ.

    Attributes:
        runs: the cost of the first of each run of equal shard ranks.
        num_shards: ranks along the shard axis; the ranks of every copy keep the same.
        num_copies: along the other axis.
    """

    def __init__(self, runs: Sequence[RankCost], num_shards: int, num_copies: int) -> None:
        self.runs = tuple(runs)
        self.num_shards = num_shards
        self.num_copies = num_copies
        self._starts = [run.rank for run in runs]

    def ranges(self) -> Iterator[tuple[int, int, RankCost]]:
        """First and last shard rank of each run, and what they keep."""
        for run, end in zip(self.runs, [*self._starts[1:], self.num_shards], strict=True):
            yield run.rank, end - 1, run

    def __len__(self) -> int:
        return self.num_shards * self.num_copies

    @overload
    def __getitem__(self, index: int) -> RankCost: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RankCost, ...]: ...
    def __getitem__(self, index: int | slice) -> RankCost | tuple[RankCost, ...]:
        if isinstance(index, slice):
            return tuple(self[rank] for rank in range(*index.indices(len(self))))
        rank = range(len(self))[index]
        return replace(self.runs[bisect_right(self._starts, rank % self.num_shards) - 1], rank=rank)


@dataclass(frozen=True)
class Whole:
    """What lies whole on every rank: groups, ignored and unmanaged parameters, buffers; in bytes.

    Attributes:
        parameters: of replicate groups, ignored and unmanaged ones.
        gradients: of the same.
        lone_gradients: of the ignored and unmanaged ones, which nobody averages.
        num_trainable: how many parameters that are, for step counters.
        buffers: registered buffers.
    """

    parameters: int
    gradients: int
    lone_gradients: int
    num_trainable: int
    buffers: int


def whole_of(layout: Layout, setting: Setting, known: Known) -> Whole:
    """What lies whole on every rank."""
    parameters = gradients = lone = num_trainable = 0
    for row in layout.owners.outside_units():
        param = row.param
        nbytes = row.numel * param.dtype.itemsize
        parameters += nbytes
        if param.requires_grad:
            gradients += nbytes
            num_trainable += 1
            lone += nbytes if row.owner_kind != "replicate" else 0
    return Whole(parameters, gradients, lone, num_trainable, _buffer_nbytes(layout, setting, known))


def _buffer_nbytes(layout: Layout, setting: Setting, known: Known) -> int:
    """Bytes of every registered buffer once, cast as its unit or group keeps it."""
    kept = _buffer_dtypes(layout, setting)
    if kept:
        return _count_buffers(layout, kept)
    if known.buffers is None:
        known.buffers = _count_buffers(layout, {})
    return known.buffers


def _count_buffers(layout: Layout, kept: Mapping[str, torch.dtype]) -> int:
    holders = [(node.index, module) for node in layout.tree.nodes for module in node.modules if module._buffers]
    found: dict[int, int] = {}
    for index, module in holders:
        for buffer in module._buffers.values():
            if buffer is None or id(buffer) in found:
                continue
            dtype = _kept_dtype(layout, index, kept) if kept and is_castable(buffer.dtype) else None
            found[id(buffer)] = buffer.numel() * (dtype or buffer.dtype).itemsize
    return sum(found.values())


def _kept_dtype(layout: Layout, index: int, kept: Mapping[str, torch.dtype]) -> torch.dtype | None:
    row = layout.modules[index]
    return None if row.unit is None or row.status in ("ignored", "in_ignored") else kept.get(row.unit)


def _buffer_dtypes(layout: Layout, setting: Setting) -> dict[str, torch.dtype]:
    """What units and groups keep their buffers in, where they say so; torch's engine never casts them."""
    kept: dict[str, torch.dtype] = {}
    if setting.engine != "flat":
        return kept
    for owner in (*layout.units, *layout.replicate_groups):
        if owner.annotation.options.mixed_precision is None and setting.precision is None:
            continue
        precision = setting.precision_of(owner.annotation)
        if precision is not None and precision.buffer_dtype is not None:
            kept[owner.fqn] = precision.buffer_dtype
    return kept


def per_rank(kinds: Sequence[Kind], groups: Sequence[GroupCost], whole: Whole, setting: Setting) -> PerRank:
    """What every rank keeps."""
    num_shards = setting.mesh_shape[-1]
    num_copies = setting.world_size // num_shards
    if all(kind.cost.num_shards == 1 for kind in kinds):
        num_shards, num_copies = setting.world_size, 1
    parameters = sum(kind.times * kind.cost.shard_nbytes for kind in kinds) + whole.parameters
    gradients = sum(kind.times * kind.cost.gradient_nbytes for kind in kinds) + whole.gradients
    counters = whole.num_trainable + sum(kind.times * kind.cost.num_trainable for kind in kinds)
    buckets = sum(group.extra_bucket_nbytes for group in groups)
    away = [kind for kind in kinds if kind.cost.offloads]
    return PerRank(
        [
            RankCost(
                rank,
                parameters,
                parameters - whole.parameters - held,
                gradients,
                state_nbytes(setting.optimizer, trainable + whole.gradients, counters),
                whole.buffers,
                buckets,
                _offloaded(away, setting.optimizer, rank),
            )
            for rank, held, trainable in _shares(kinds, num_shards)
        ],
        num_shards,
        num_copies,
    )


def _shares(kinds: Sequence[Kind], num_shards: int) -> Iterator[tuple[int, int, int]]:
    """`(shard rank, bytes held, bytes of trainable ones held)` wherever that changes."""
    held: dict[int, int] = {0: 0}
    trainable: dict[int, int] = {}
    for kind in kinds:
        for buffer in kind.cost.buffers:
            for table, steps in ((held, buffer.held), (trainable, buffer.held_trainable)):
                for rank, change in steps.items():
                    if rank < buffer.num_shards:
                        table[rank] = table.get(rank, 0) + change * kind.times
    now = now_trainable = 0
    for rank in sorted(held):
        if rank < num_shards and (rank == 0 or held[rank] or trainable.get(rank)):
            now, now_trainable = now + held[rank], now_trainable + trainable.get(rank, 0)
            yield rank, now, now_trainable


def state_nbytes(optimizer: OptimizerParts, trainable_nbytes: int, num_params: int) -> dict[str, int]:
    """Bytes of an optimizer's states, by part."""
    parts = dict.fromkeys(optimizer.like_param, trainable_nbytes)
    if optimizer.has_step:
        parts["step"] = STEP_COUNTER_NBYTES * num_params
    return parts


def _offloaded(away: Sequence[Kind], optimizer: OptimizerParts, shard_rank: int) -> int:
    if not away:
        return 0
    fixed = sum(kind.times * (kind.cost.shard_nbytes + kind.cost.gradient_nbytes) for kind in away)
    trainable = sum(
        change * kind.times
        for kind in away
        for buffer in kind.cost.buffers
        for rank, change in buffer.held_trainable.items()
        if rank <= min(shard_rank, buffer.num_shards - 1)
    )
    counters = sum(kind.times * kind.cost.num_trainable for kind in away)
    return fixed + sum(state_nbytes(optimizer, trainable, counters).values())
