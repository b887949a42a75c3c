"""`cost`: everything a layout costs, put together.

Reads a layout and a setting, asks each file of this package for its part. Called by users and by the explorer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sharding.costs.groups import GroupCost, group_cost
from sharding.costs.peak import Peak, peak_of
from sharding.costs.resting import RankCost, Whole, per_rank, whole_of
from sharding.costs.setting import Setting, read_setting
from sharding.costs.text import as_text
from sharding.costs.timeline import places_of
from sharding.costs.traffic import Collective, collectives_of
from sharding.costs.units import UnitCost, unit_cost
from sharding.layout import Layout


@dataclass(frozen=True, eq=False, repr=False)
class Cost:
    """What a layout costs under one setting.

    Attributes:
        layout: what was asked about.
        setting: ranks, mesh, strategy, precision and optimizer it is meant to run with.
        units: one a sharded unit, in pre-order.
        groups: one a replicate group.
    """

    layout: Layout
    setting: Setting
    units: tuple[UnitCost, ...]
    groups: tuple[GroupCost, ...]

    @property
    def world_size(self) -> int:
        return self.setting.world_size

    @cached_property
    def collectives(self) -> tuple[Collective, ...]:
        """What travels in one training step: the rows the engine's events add up to on every rank."""
        return collectives_of(self.units, self.groups, self.world_size)

    @cached_property
    def per_rank(self) -> tuple[RankCost, ...]:
        """What each rank keeps between steps, in bytes."""
        return per_rank(self.units, self.groups, self._whole, self.setting)

    @cached_property
    def peak(self) -> Peak:
        """The largest moment of a training step on the rank that holds most; an estimate."""
        return peak_of(places_of(self.layout, self.units), self.groups, self._whole, self.per_rank)

    @cached_property
    def _whole(self) -> Whole:
        return whole_of(self.layout, self.setting)

    def to_text(self) -> str:
        """All of it as tables of plain text."""
        return as_text(self.setting, self.units, self.groups, self.collectives, self.per_rank, self.peak)

    def __repr__(self) -> str:
        return (
            f"Cost({self.world_size} ranks, {len(self.units)} units, {len(self.groups)} replicate groups, "
            f"{sum(row.count for row in self.collectives)} collectives a step)"
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
) -> Cost:
    """What a layout costs: bytes of every unit and rank, collectives of a training step, the parameter-side peak.

    Needs no process group, no device and no weights, does not block.

    Args:
        layout: from `Plan.resolve`.
        world_size: number of ranks; by default those of `mesh_shape`, of the mesh of a live model, or 2 as for `run`.
        mesh_shape: `(ranks,)`, or `(replicate, shard)`, which makes full_shard hybrid.
        strategy: for all units instead of each one's own.
        engine: "flat", this project's own; by default the layout's.
        mixed_precision: for all units and groups instead of each one's own; as for `fully_shard`.
        optimizer: "adamw", "adam", "adagrad", "rmsprop", "sgd", "sgd_momentum" or "none".

    Raises:
        ConflictError: the layout has conflicts.
        PlanError: no such engine, strategy or optimizer; a mesh that does not multiply out; hybrid without a mesh.
    """
    setting = read_setting(
        layout,
        world_size=world_size,
        mesh_shape=mesh_shape,
        strategy=strategy,
        engine=engine,
        mixed_precision=mixed_precision,
        optimizer=optimizer,
    )
    units = tuple(unit_cost(unit, setting) for unit in layout.units)
    groups = tuple(group_cost(group, setting) for group in layout.replicate_groups)
    return Cost(layout, setting, units, groups)
