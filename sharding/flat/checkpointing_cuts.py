"""Between whole tensors and `DTensor`s cut on dim 0, as torch's FSDP2 and `torch.distributed.checkpoint` know them.

A unit's parameters travel flat; checkpoints must not, or they could only be read by as many ranks as wrote them. Here a
whole tensor becomes this rank's rows (`Shard(0)` on the axis the unit is cut over, `Replicate` on the other; chunks of
`ceil(rows / ranks)`, so late ranks may have none) and rows become whole again.

Loaded when a sharded state dict is first asked for: importing `DTensor` takes a second.
"""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Replicate, Shard

from sharding.flat.axes import Axes
from sharding.flat.collectives import ProcessGroupRanks
from sharding.partition import ceil_div, rows_of_rank


def cut(whole: torch.Tensor, axes: Axes, mesh: DeviceMesh) -> DTensor:
    """This rank's rows of a whole tensor, in memory of their own. No collective.

    Args:
        whole: at least one dim; the same on all ranks.
        axes: what it is cut and copied over.
        mesh: the same as a mesh.
    """
    ranks = axes.shard
    rows = len(whole)
    start = min(rows, ranks.rank * ceil_div(rows, ranks.world_size))
    local = whole.narrow(0, start, rows_of_rank(rows, ranks.world_size, ranks.rank)).clone()
    placements = [Shard(0)] if axes.replicate.world_size == 1 else [Replicate(), Shard(0)]
    return DTensor.from_local(
        local, mesh, placements, run_check=False, shape=whole.shape, stride=whole.contiguous().stride()
    )


def mesh_of(axes: Axes, mesh: DeviceMesh | None, device: torch.device) -> DeviceMesh:
    """The mesh a unit is cut over (and copied over); `mesh` is the one its verb was given."""
    if axes.replicate.world_size > 1:
        assert mesh is not None, "a unit that is cut and copied was given a mesh"
        return mesh
    assert isinstance(axes.shard, ProcessGroupRanks)
    return DeviceMesh.from_group(axes.shard.group, device.type)


def whole_of(value: torch.Tensor, axes: Axes | None = None) -> torch.Tensor:
    """A whole tensor as it is, or the whole of a `DTensor`. Collective over its mesh for one that is cut.

    Args:
        value: what a state dict holds.
        axes: those of the unit it is for: rows cut over them travel as bytes, so every dtype does.
    """
    if not isinstance(value, DTensor):
        return value
    if axes is None or not _is_cut_over(value, axes):
        return value.full_tensor()
    ranks = axes.shard
    local = value.to_local()
    rows, rest = value.shape[0], value.shape[1:]
    chunk = ceil_div(rows, ranks.world_size)
    padded = local.new_zeros((chunk, *rest))
    padded.narrow(0, 0, len(local)).copy_(local)
    full = local.new_empty((chunk * ranks.world_size, *rest))
    if full.numel():
        ranks.all_gather(full.view(-1), padded.view(-1)).wait()
    return full.narrow(0, 0, rows)


def _is_cut_over(value: DTensor, axes: Axes) -> bool:
    """Whether each rank's rows of `value` are those `cut` would give it."""
    mesh, ranks = value.device_mesh, axes.shard
    if not isinstance(ranks, ProcessGroupRanks):
        return False
    *outer, inner = value.placements
    if not (inner == Shard(0) and all(each.is_replicate() for each in outer)):
        return False
    group = mesh.get_group(mesh.ndim - 1)
    return dist.get_process_group_ranks(group) == dist.get_process_group_ranks(ranks.group)
