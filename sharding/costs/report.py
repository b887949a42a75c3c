"""`cost`: everything a layout costs, put together.

Reads a layout and a setting, asks each file of this package for its part. Called by users and by the explorer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sharding.costs.assumed import assumed
from sharding.costs.duration import Rates, StepTime, step_time
from sharding.costs.groups import GroupCost, group_cost
from sharding.costs.peak import Peak, peak_of
from sharding.costs.resting import PerRank, Whole, per_rank, whole_of
from sharding.costs.schedule import Places
from sharding.costs.setting import Setting, read_setting
from sharding.costs.text import as_text
from sharding.costs.traced import calls_in, reached_in, traced
from sharding.costs.traffic import Collective, Traffic, of_group, of_unit, summed
from sharding.costs.units import Kind, Known, UnitCost, kinds_of
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.tracing.record import Trace


@dataclass(frozen=True, eq=False, repr=False)
class Cost:
    """What a layout costs under one setting. Everything is worked out when first asked for.

    Attributes:
        layout: what was asked about.
        setting: ranks, mesh, strategy, precision, optimizer and steps it is meant to run with.
        kinds: its sharded units, equal ones together.
        groups: one a replicate group.
        trace: what runs when, if that is known.
        rates: what arithmetic and links are taken to do; None where nobody said.
        known: what was read of the model, for `after`.
    """

    layout: Layout
    setting: Setting
    kinds: tuple[Kind, ...]
    groups: tuple[GroupCost, ...]
    trace: Trace | None = None
    rates: Rates | None = None
    known: Known = field(default_factory=Known)

    @property
    def world_size(self) -> int:
        return self.setting.world_size

    @cached_property
    def units(self) -> tuple[UnitCost, ...]:
        """One a sharded unit, in pre-order."""
        names = [unit.fqn for unit in self.layout.units]
        placed = [(number, kind.cost.named(names[number])) for kind in self.kinds for number in kind.numbers]
        return tuple(unit for _, unit in sorted(placed, key=lambda pair: pair[0]))

    @cached_property
    def collectives(self) -> tuple[Collective, ...]:
        """What travels in one training step: the rows the engine's events add up to on every rank."""
        rows = [row for unit in self.units for row in of_unit(unit, self.setting, self._calls(unit.fqn))]
        return (*rows, *(row for group in self.groups for row in of_group(group, self.setting)))

    @cached_property
    def traffic(self) -> tuple[Traffic, ...]:
        """The collectives of a step added up by kind and phase."""
        rows = [(row, times) for kind in self.kinds for row, times in self.rows_of(kind)]
        return summed([*rows, *((row, 1) for group in self.groups for row in of_group(group, self.setting))])

    @cached_property
    def per_rank(self) -> PerRank:
        """What each rank keeps between steps, in bytes."""
        return per_rank(self.kinds, self.groups, self._whole, self.setting)

    @cached_property
    def peak(self) -> Peak:
        """The largest moment of a training step on the rank that holds most; an estimate before a trace."""
        places = Places(self.layout, self.kinds)
        if self.trace is None:
            schedule = assumed(self.layout, places, self.setting)
        else:
            schedule = traced(self.layout, places, self.trace, self.setting)
        return peak_of(schedule, self.kinds, self.groups, self._whole, self.per_rank.runs[0], self.setting)

    @cached_property
    def time(self) -> StepTime | None:
        """How long arithmetic and communication of a step take by themselves; None without `rates`."""
        return None if self.rates is None else step_time(self.traffic, self.trace, self.setting, self.rates)

    @cached_property
    def _whole(self) -> Whole:
        return whole_of(self.layout, self.setting, self.known)

    def _calls(self, fqn: str) -> int:
        return self.setting.calls.get(fqn, 1)

    def rows_of(self, kind: Kind) -> list[tuple[Collective, int]]:
        """The collectives of units of one kind, each with how many of them make it."""
        if not self.setting.calls and self.setting.reached is None:
            return [(row, kind.times) for row in of_unit(kind.cost, self.setting, 1)]
        names = [self.layout.units[number].fqn for number in kind.numbers]
        rows = Counter(
            row._replace(unit=kind.cost.fqn)
            for name in names
            for row in of_unit(kind.cost.named(name), self.setting, self._calls(name))
        )
        return list(rows.items())

    def to_text(self) -> str:
        """All of it as tables of plain text, equal units as one line."""
        return as_text(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return (
            f"Cost({self.world_size} ranks, {len(self.layout.units)} units, {len(self.groups)} replicate groups, "
            f"{sum(row.count for row in self.traffic)} collectives a step)"
        )


def cost(
    layout: Layout,
    *,
    world_size: int | None = None,
    mesh_shape: Iterable[int] | None = None,
    strategy: str | None = None,
    engine: str | None = None,
    mixed_precision: Any = None,
    optimizer: str = "adamw",
    accumulation_steps: int = 1,
    calls: Mapping[str, int] | None = None,
    bucket_cap_mb: float | None = None,
    replicate_with: str | None = None,
    trace: Trace | None = None,
    rates: Rates | None = None,
    after: Cost | None = None,
) -> Cost:
    """What a layout costs: bytes of every unit and rank, collectives of a training step, the parameter-side peak.

    Needs no process group, no device and no weights, does not block.

    Args:
        layout: from `Plan.resolve`.
        world_size: number of ranks; by default those of `mesh_shape`, of the mesh of a live model, or 2 as for `run`.
        mesh_shape: `(ranks,)`, or `(replicate, shard)`, which makes full_shard hybrid; by default the plan's own where
            it holds as many ranks.
        strategy: for all units instead of each one's own.
        engine: "flat" or "torch"; the one the layout was resolved for, which is also the default.
        mixed_precision: for all units and groups instead of each one's own; as for `fully_shard`.
        optimizer: "adamw", "adam", "adagrad", "rmsprop", "sgd", "sgd_momentum" or "none".
        accumulation_steps: forwards and backwards in one training step; only the last averages gradients (`no_sync`).
        calls: how often one forward calls the module of a unit, by FQN; 1 where nothing is said, 0 for never.
        bucket_cap_mb: of replicate groups; by default what their call said, else the engine's own.
        replicate_with: "fsdp" or "ddp", what replicate groups run on in torch's engine; by default as their call said,
            else "fsdp".
        trace: from `sharding.trace` of the same model: order, calls and activations are then known, and the peak is of
            everything.
        rates: what arithmetic and links are taken to do, for `Cost.time`; by hand or from `Comparison.rates`.
        after: costs of another layout of the same tree, of which what is still the same is not read again; the model's
            parameters and buffers must not have changed in between.

    Raises:
        ConflictError: the layout has conflicts.
        PlanError: no such engine, strategy or optimizer, or not on this engine; a mesh that does not multiply out;
            hybrid without a mesh.
    """
    for name, value, cls in (("trace", trace, Trace), ("rates", rates, Rates), ("after", after, Cost)):
        if value is not None and not isinstance(value, cls):
            raise PlanError(f"{name} is a {cls.__name__}, got {type(value).__name__}")
    setting = read_setting(
        layout,
        world_size=world_size,
        mesh_shape=mesh_shape,
        strategy=strategy,
        engine=engine,
        mixed_precision=mixed_precision,
        optimizer=optimizer,
        accumulation_steps=accumulation_steps,
        calls=calls_in(trace, layout) if trace is not None and calls is None else calls,
        bucket_cap_mb=bucket_cap_mb,
        replicate_with=replicate_with,
    )
    if trace is not None:
        setting = replace(setting, reached=reached_in(trace, layout))
    groups = tuple(group_cost(group, setting) for group in layout.replicate_groups)
    known = after.known if after is not None and after.layout.tree is layout.tree else Known()
    return Cost(layout, setting, tuple(kinds_of(layout, setting, known)), groups, trace, rates, known)
