"""What one unit costs: its buffers, and what it does with them around forward and backward.

Units that look the same to the arithmetic are worked out once: a model of a hundred equal layers costs as much to
describe as one layer. `kinds_of` sorts them, `UnitCost.named` gives each its name.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch

from sharding.collector import collector_paused
from sharding.costs.buffers import BufferCost
from sharding.costs.flat_buffers import FlatBufferCost
from sharding.costs.row_buffers import RowBufferCost, RowParam
from sharding.costs.setting import Setting
from sharding.layout import Layout
from sharding.partition import FlatPartition
from sharding.precision import Precision, computes_in, reduces_in
from sharding.strategies import KEEPS_AFTER_FORWARD
from sharding.units import ParamRow, Unit


@dataclass(frozen=True)
class UnitCost:
    """One sharded unit.

    Attributes:
        fqn: its name.
        strategy: as it runs here.
        num_shards: ranks it is cut over.
        num_copies: ranks that hold the same piece.
        buffers: its buffers, in order.
        frees_after_forward: whether parameters are given up between forward and backward.
        reason: why.
        offloads: whether pieces, gradients and optimizer states rest on the CPU.
        kept_shards: ranks the parameters are cut over between forward and backward, where that is fewer than at rest
            (`reshard_after_forward` of torch's engine as a number); else None.
        is_root: whether a local tree starts at it.
    """

    fqn: str
    strategy: str
    num_shards: int
    num_copies: int
    buffers: tuple[BufferCost, ...]
    frees_after_forward: bool
    reason: str
    offloads: bool
    kept_shards: int | None = None
    is_root: bool = False

    def named(self, fqn: str) -> UnitCost:
        """The same costs under another name; what was worked out comes along."""
        twin = copy.copy(self)
        twin.__dict__["fqn"] = fqn
        return twin

    @cached_property
    def numel(self) -> int:
        """Elements of all its parameters, without padding."""
        return sum(buffer.numel for buffer in self.buffers)

    @cached_property
    def trainable_numel(self) -> int:
        return sum(buffer.trainable_numel for buffer in self.buffers)

    @cached_property
    def num_trainable(self) -> int:
        """How many of its parameters have gradients."""
        return sum(buffer.num_trainable for buffer in self.buffers)

    @cached_property
    def dtypes(self) -> tuple[torch.dtype, ...]:
        """Dtypes its parameters rest in, in order of first appearance."""
        return tuple(dict.fromkeys(dtype for buffer in self.buffers for dtype in buffer.dtypes))

    @cached_property
    def nbytes(self) -> int:
        """Bytes of its parameters at rest over all shards, without padding."""
        return sum(buffer.nbytes for buffer in self.buffers)

    @cached_property
    def padded_nbytes(self) -> int:
        """The same with padding."""
        return sum(buffer.padded_nbytes for buffer in self.buffers)

    @cached_property
    def shard_nbytes(self) -> int:
        """Bytes every rank rests on, padding included."""
        return sum(buffer.shard_nbytes for buffer in self.buffers)

    @cached_property
    def min_shard_nbytes(self) -> int:
        """Bytes of parameters on the rank that holds least, without padding: the last one."""
        return sum(change for buffer in self.buffers for rank, change in buffer.held.items() if rank < self.num_shards)

    @cached_property
    def max_shard_nbytes(self) -> int:
        """Bytes of parameters on the rank that holds most, without padding: the first one."""
        return sum(buffer.held.get(0, 0) for buffer in self.buffers)

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

    @cached_property
    def unsharded_nbytes(self) -> int:
        """Bytes of its whole buffers while it computes, in the dtype it computes in; 0 where nothing is laid out."""
        return sum(buffer.whole_nbytes for buffer in self.buffers)

    @cached_property
    def gradient_nbytes(self) -> int:
        """Bytes of its averaged gradients on every rank, padding included."""
        return sum(buffer.gradient_nbytes for buffer in self.buffers)

    @cached_property
    def largest_buffer_nbytes(self) -> int:
        """Bytes of the largest contiguous buffer it makes in a step."""
        whole = [buffer.gathered_nbytes for buffer in self.buffers]
        return max(whole + [buffer.reduced_nbytes for buffer in self.buffers], default=0)

    @cached_property
    def all_gather_nbytes(self) -> int:
        """Bytes one gathering of the unit fills, over its buffers."""
        return sum(buffer.gathered_nbytes for buffer in self.buffers)

    @cached_property
    def reduce_scatter_nbytes(self) -> int:
        """Bytes one reduction of the unit reads, over its buffers."""
        return sum(buffer.scattered_nbytes for buffer in self.buffers)

    @cached_property
    def all_reduce_nbytes(self) -> int:
        """Bytes averaged over the copies, over its buffers."""
        return sum(buffer.all_reduced_nbytes for buffer in self.buffers)

    @property
    def in_effect(self) -> str:
        """What it comes to: "sharded", "hybrid", "replicated" or "whole" (one rank)."""
        if self.num_shards > 1:
            return "sharded" if self.num_copies == 1 else "hybrid"
        return "replicated" if self.num_copies > 1 else "whole"


@dataclass(frozen=True, eq=False)
class Kind:
    """Units that cost the same.

    Attributes:
        cost: of the first of them.
        numbers: which they are, by their place in `layout.units`.
    """

    cost: UnitCost
    numbers: list[int]

    @property
    def times(self) -> int:
        return len(self.numbers)


@dataclass
class Known:
    """What was read of a tree's parameters and buffers, kept for the next layout of the same tree.

    Attributes:
        alike: a number for what the arithmetic reads of a unit's parameters; units alike share it.
        numbers: that number, by who the parameters are.
        rows: the same of the last layout, by the unit's rows themselves: a unit taken over has the same.
        buffers: bytes of all registered buffers as they are; None before they were counted.
    """

    alike: dict[Any, int] = field(default_factory=dict)
    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    rows: dict[tuple[int, bool], tuple[tuple[ParamRow, ...], int]] = field(default_factory=dict)
    buffers: int | None = None

    def numbers_of(self, units: Sequence[Unit], *, with_shapes: bool) -> list[int]:
        """For each unit the number it shares with those whose parameters are alike."""
        before, self.rows = self.rows, {}
        numbers: list[int] = []
        for unit in units:
            rows = unit.params
            key = id(rows), with_shapes
            found = before.get(key)
            if found is None or found[0] is not rows:
                found = rows, self._number_of(unit, with_shapes)
            self.rows[key] = found
            numbers.append(found[1])
        return numbers

    def _number_of(self, unit: Unit, with_shapes: bool) -> int:
        who = (with_shapes, *unit.same_as())
        number = self.numbers.get(who)
        if number is None:
            shapes = [row.shape for row in unit.params] if with_shapes else ()
            number = self.numbers[who] = self.alike.setdefault((unit.sizes(), *shapes), len(self.alike))
        return number


@collector_paused
def kinds_of(layout: Layout, setting: Setting, known: Known) -> list[Kind]:
    """The units of a layout, equal ones together, in the order of the first of each."""
    kinds: dict[tuple[Any, ...], Kind] = {}
    options: dict[int, int] = {}  # options that are equal share a number, found once an object
    seen: dict[Any, int] = {}
    sizes = known.numbers_of(layout.units, with_shapes=setting.engine == "torch")
    for number, unit in enumerate(layout.units):
        each = unit.annotation.options
        place = options.get(id(each))
        if place is None:
            place = options[id(each)] = seen.setdefault(_hashable(each), len(seen))
        key = (place, unit.is_root, sizes[number])
        kind = kinds.get(key)
        if kind is None:
            kinds[key] = Kind(unit_cost(unit, setting), [number])
        else:
            kind.numbers.append(number)
    return list(kinds.values())


def _hashable(options: Any) -> Any:
    try:
        hash(options)
    except TypeError:
        return id(options)
    return options


def unit_cost(unit: Unit, setting: Setting) -> UnitCost:
    """What a unit costs."""
    annotation = unit.annotation
    num_shards, num_copies = setting.shards_and_copies(annotation)
    precision = setting.precision_of(annotation)
    strategy = setting.strategy_of(annotation)
    frees, reason, kept = _after_forward(unit, strategy, setting, num_shards)
    offloads = annotation.options.cpu_offload
    if setting.engine == "torch":
        buffers = _row_buffers(unit, num_shards, num_copies, precision, len(setting.mesh_shape) == 2)
    else:
        buffers = _flat_buffers(unit, num_shards, num_copies, precision, offloads)
    return UnitCost(unit.fqn, strategy, num_shards, num_copies, buffers, frees, reason, offloads, kept, unit.is_root)


def _after_forward(unit: Unit, strategy: str, setting: Setting, num_shards: int) -> tuple[bool, str, int | None]:
    """Whether parameters are given up between forward and backward, why, and what of them stays."""
    forced = unit.annotation.options.reshard_after_forward
    if forced is not None:
        reason = f"reshard_after_forward={forced}"
        if isinstance(forced, bool):
            return forced, reason, None
        return forced > 1, reason, forced if 1 < forced < num_shards else None
    if setting.engine == "torch" and strategy == "no_shard":
        return False, "no_shard keeps parameters for backward", None
    if unit.is_root:
        return False, "local root: kept until its backward is over", None
    if strategy in KEEPS_AFTER_FORWARD:
        return False, f"{strategy} keeps parameters for backward", None
    return True, f"{strategy}, not a local root", None


def _flat_buffers(
    unit: Unit, num_shards: int, num_copies: int, precision: Precision | None, offloads: bool
) -> tuple[BufferCost, ...]:
    numels: dict[tuple[torch.dtype, bool], list[int]] = {}
    for row in unit.params:
        param = row.param
        numels.setdefault((param.dtype, param.requires_grad), []).append(row.numel)
    return tuple(
        FlatBufferCost(
            dtype,
            computes := computes_in(precision, dtype),
            reduces_in(precision, dtype),
            requires_grad,
            FlatPartition(tuple(each), num_shards),
            num_copies,
            num_shards > 1 or offloads or computes != dtype,
        )
        for (dtype, requires_grad), each in numels.items()
    )


def _row_buffers(
    unit: Unit, num_shards: int, num_copies: int, precision: Precision | None, is_hybrid: bool
) -> tuple[BufferCost, ...]:
    if not unit.params:
        return ()
    params = tuple(_row_param(row.shape or (), row.dtype, precision, row.requires_grad) for row in unit.params)
    return (RowBufferCost(params, num_shards, num_copies, is_hybrid),)


def _row_param(shape: Sequence[int], dtype: torch.dtype, precision: Precision | None, requires_grad: bool) -> RowParam:
    """Torch's engine casts every floating-point parameter, float8 included."""
    computes = dtype
    if precision is not None and precision.param_dtype is not None and dtype.is_floating_point:
        computes = precision.param_dtype
    reduces = computes if precision is None or precision.reduce_dtype is None else precision.reduce_dtype
    return RowParam(tuple(shape), dtype, computes, reduces, requires_grad)
