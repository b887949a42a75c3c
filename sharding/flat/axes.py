"""Which ranks share what: the axis a unit is cut over and the axis it is copied over.

Every strategy is a choice of two axes and of what happens after forward. `full_shard` cuts over all ranks;
`no_shard` copies over all; hybrid does both on a 2-D mesh. An axis of size one makes no collective, so one
rank without any process group, a mesh of `(n, 1)` and `no_shard` need no code of their own."""

from __future__ import annotations

from dataclasses import dataclass

import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh

from sharding.errors import PlanError
from sharding.flat.collectives import Collectives, OneRank, ProcessGroupRanks
from sharding.strategies import HYBRID, KEEPS_AFTER_FORWARD, STRATEGIES

__all__ = ["HYBRID", "KEEPS_AFTER_FORWARD", "STRATEGIES", "Axes", "axes_for"]


@dataclass(frozen=True)
class Axes:
    """Where one unit lives.

    Attributes:
        shard: the ranks its parameters are cut over.
        replicate: the ranks that hold the same piece.
        world: all of them, for what concerns every rank (agreement, initial broadcast).
        rank: global rank, for events and messages.
    """

    shard: Collectives
    replicate: Collectives
    world: Collectives
    rank: int

    @property
    def num_gradients(self) -> int:
        """How many ranks' gradients are averaged."""
        return self.shard.world_size * self.replicate.world_size


def axes_for(strategy: str, mesh: DeviceMesh | None) -> Axes:
    """The two axes of a strategy on a mesh (None: the whole default process group, or this one rank).

    Raises:
        PlanError: hybrid without a 2-D mesh, or a mesh of more than two axes.
    """
    if mesh is not None and mesh.ndim > 2:
        raise PlanError(f"a mesh of {mesh.ndim} axes; fully_shard takes one axis, or two (replicate, shard)")
    if strategy in HYBRID and (mesh is None or mesh.ndim != 2):
        found = "no mesh" if mesh is None else f"a mesh of {mesh.ndim} axis"
        raise PlanError(f"strategy={strategy!r} with {found}; pass mesh= with two axes: (replicate, shard)")
    world = _world(mesh)
    rank = dist.get_rank() if dist.is_initialized() else 0
    if mesh is not None and mesh.ndim == 2:
        if mesh.size() != dist.get_world_size():
            raise PlanError(
                f"a 2-D mesh of {mesh.size()} ranks in a job of {dist.get_world_size()}; it must hold every rank"
            )
        outer, inner = (_ranks(mesh.get_group(axis)) for axis in (0, 1))
        if strategy == "no_shard":
            return Axes(OneRank(), world, world, rank)
        return Axes(inner, outer, world, rank)
    if strategy == "no_shard":
        return Axes(OneRank(), world, world, rank)
    return Axes(world, OneRank(), world, rank)


def _world(mesh: DeviceMesh | None) -> Collectives:
    if mesh is not None and mesh.ndim == 1:
        return _ranks(mesh.get_group())
    if not dist.is_initialized():
        return OneRank()
    group = dist.group.WORLD
    return OneRank() if group is None else _ranks(group)


def _ranks(group: dist.ProcessGroup) -> Collectives:
    return OneRank() if dist.get_world_size(group) == 1 else ProcessGroupRanks(group)
