"""What each rank keeps between steps: parameters, gradients, optimizer states, buffers.

After a step, gradients not yet dropped. Every trainable parameter is taken to have had a gradient.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from sharding.costs.groups import GroupCost
from sharding.costs.optimizers import STEP_COUNTER_NBYTES, OptimizerParts
from sharding.costs.setting import Setting
from sharding.costs.units import UnitCost
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


def whole_of(layout: Layout, setting: Setting) -> Whole:
    """What lies whole on every rank."""
    parameters = gradients = lone = num_trainable = 0
    for row in layout.params.values():
        if row.owner_kind == "unit":
            continue
        param = row.param
        nbytes = row.numel * param.dtype.itemsize
        parameters += nbytes
        if param.requires_grad:
            gradients += nbytes
            num_trainable += 1
            lone += nbytes if row.owner_kind != "replicate" else 0
    return Whole(parameters, gradients, lone, num_trainable, sum(_buffer_nbytes(layout, setting).values()))


def _buffer_nbytes(layout: Layout, setting: Setting) -> dict[int, int]:
    """Bytes of every registered buffer once, by its id; cast as its unit or group keeps it."""
    kept = {
        fqn: precision.buffer_dtype
        for owner in (*layout.units, *layout.replicate_groups)
        if (precision := setting.precision_of(owner.annotation)) is not None and precision.buffer_dtype is not None
        for fqn in (owner.fqn,)
    }
    found: dict[int, int] = {}
    for index, node in enumerate(layout.tree.nodes):
        for module in node.modules:
            for buffer in module._buffers.values():
                if buffer is None or id(buffer) in found:
                    continue
                row = layout.modules[index] if kept else None
                managed = row is not None and row.unit is not None and row.status not in ("ignored", "in_ignored")
                dtype = kept.get(row.unit or "") if row is not None and managed else None
                dtype = dtype if dtype is not None and is_castable(buffer.dtype) else buffer.dtype
                found[id(buffer)] = buffer.numel() * dtype.itemsize
    return found


def per_rank(
    units: Sequence[UnitCost], groups: Sequence[GroupCost], whole: Whole, setting: Setting
) -> tuple[RankCost, ...]:
    """What every rank keeps."""
    world_size, optimizer = setting.world_size, setting.optimizer
    held, trainable = held_nbytes(units, world_size)
    parameters = sum(unit.shard_nbytes for unit in units) + whole.parameters
    gradients = sum(gradient_nbytes(unit) for unit in units) + whole.gradients
    counters = whole.num_trainable + sum(
        len(buffer.partition.numels) for unit in units for buffer in unit.buffers if buffer.requires_grad
    )
    buckets = sum(group.extra_bucket_nbytes for group in groups)
    offloaded = _offloaded(units, setting)
    return tuple(
        RankCost(
            rank,
            parameters,
            parameters - whole.parameters - held[rank],
            gradients,
            state_nbytes(optimizer, trainable[rank] + whole.gradients, counters),
            whole.buffers,
            buckets,
            offloaded[rank],
        )
        for rank in range(world_size)
    )


def gradient_nbytes(unit: UnitCost) -> int:
    """Bytes of the averaged gradients of a unit on every rank, padding included."""
    return sum(buffer.shard_nbytes for buffer in unit.buffers if buffer.requires_grad)


def state_nbytes(optimizer: OptimizerParts, trainable_nbytes: int, num_params: int) -> dict[str, int]:
    """Bytes of an optimizer's states, by part."""
    parts = dict.fromkeys(optimizer.like_param, trainable_nbytes)
    if optimizer.has_step:
        parts["step"] = STEP_COUNTER_NBYTES * num_params
    return parts


def held_nbytes(units: Sequence[UnitCost], world_size: int) -> tuple[list[int], list[int]]:
    """Bytes every rank holds of all units without padding: of all parameters, and of the trainable ones.

    Ranks of one buffer hold a full piece, then one holds the rest, then none: three steps a buffer, summed at the end.
    """
    tables: dict[int, tuple[list[int], list[int]]] = {}
    for unit in units:
        steps, trainable = tables.setdefault(
            unit.num_shards, ([0] * (unit.num_shards + 2), [0] * (unit.num_shards + 2))
        )
        for buffer in unit.buffers:
            for table in (steps, trainable) if buffer.requires_grad else (steps,):
                _add_steps(table, buffer.partition.numel, buffer.partition.shard_numel, buffer.dtype.itemsize)
    held, held_trainable = [0] * world_size, [0] * world_size
    for num_shards, (steps, trainable) in tables.items():
        sums, trainable_sums = list(accumulate(steps)), list(accumulate(trainable))
        for rank in range(world_size):
            held[rank] += sums[rank % num_shards]
            held_trainable[rank] += trainable_sums[rank % num_shards]
    return held, held_trainable


def _add_steps(table: list[int], numel: int, shard_numel: int, itemsize: int) -> None:
    if not shard_numel:
        return
    num_full, rest = divmod(numel, shard_numel)
    table[0] += shard_numel * itemsize
    table[num_full] += (rest - shard_numel) * itemsize
    table[num_full + 1] -= rest * itemsize


def _offloaded(units: Sequence[UnitCost], setting: Setting) -> list[int]:
    away = [unit for unit in units if unit.offloads]
    if not away:
        return [0] * setting.world_size
    _, trainable = held_nbytes(away, setting.world_size)
    fixed = sum(unit.shard_nbytes + gradient_nbytes(unit) for unit in away)
    likes = len(setting.optimizer.like_param)
    counters = sum(len(b.partition.numels) for unit in away for b in unit.buffers if b.requires_grad)
    step = STEP_COUNTER_NBYTES * counters if setting.optimizer.has_step else 0
    return [fixed + likes * each + step for each in trainable]
