"""Between whole tensors and `DTensor`s cut on dim 0, as torch's FSDP2 and `torch.distributed.checkpoint` know them.

A unit's parameters travel flat; checkpoints must not, or they could only be read by as many ranks as wrote them. Here a
whole tensor becomes this rank's rows (`Shard(0)` on the axis the unit is cut over, `Replicate` on the other; chunks of
`ceil(rows / ranks)`, so late ranks may have none) and rows become whole again.

Loaded when a sharded state dict is first asked for: importing `DTensor` takes a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Replicate, Shard

from sharding.flat.axes import Axes
from sharding.flat.collectives import Collectives, ProcessGroupRanks
from sharding.flat.flat_buffer import FlatBuffer
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


def whole_of(value: torch.Tensor) -> torch.Tensor:
    """A whole tensor as it is, or the whole of a `DTensor`. Collective over its mesh for one that is cut."""
    return value.full_tensor() if isinstance(value, DTensor) else value


def pieces_of(buffer: FlatBuffer, rows: Mapping[int, torch.Tensor]) -> dict[int, torch.Tensor]:
    """This rank's pieces of parameters of one buffer, or of tensors shaped like them, that are given as `DTensor`s.

    Rows that are cut as the buffer is travel together, as bytes: one all-gather a dtype, and the memory of that much of
    the buffer. Any other `DTensor` is made whole by itself. Collective; every rank must give the same, in the same
    order.
    """
    pieces: dict[int, torch.Tensor] = {}
    packs: dict[torch.dtype, dict[int, DTensor]] = {}
    for index, value in rows.items():
        assert isinstance(value, DTensor)
        if _is_cut_over(value, buffer.axes):
            packs.setdefault(value.dtype, {})[index] = value
        else:
            pieces[index] = buffer.piece_of(index, value.full_tensor())
    for pack in packs.values():
        wholes = _gather_rows(list(pack.values()), buffer.axes.shard, buffer.device)
        for index, whole in zip(pack, wholes, strict=True):
            pieces[index] = buffer.piece_of(index, whole).clone()
    return pieces


def _gather_rows(values: Sequence[DTensor], ranks: Collectives, device: torch.device) -> Iterator[torch.Tensor]:
    """Whole tensors from every rank's rows, by one all-gather; each is made when it is asked for."""
    heights = [ceil_div(len(value), ranks.world_size) for value in values]
    sizes = [height * value.shape[1:].numel() for height, value in zip(heights, values, strict=True)]
    own = torch.zeros(sum(sizes), dtype=values[0].dtype, device=device)
    for value, part in zip(values, own.split(sizes), strict=True):
        local = value.to_local().reshape(-1)
        part.narrow(0, 0, local.numel()).copy_(local)
    full = own.new_empty(ranks.world_size * own.numel())
    if full.numel():
        ranks.all_gather(full, own).wait()
    parts = full.view(ranks.world_size, -1).split(sizes, dim=1)
    for value, height, part in zip(values, heights, parts, strict=True):
        yield part.reshape(ranks.world_size * height, *value.shape[1:]).narrow(0, 0, len(value))


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
