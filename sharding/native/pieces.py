"""This rank's piece of a whole tensor, cut as a DTensor is: on its first dimension, `ceil(rows / ranks)` rows each."""

from __future__ import annotations

from typing import Any

import torch
from torch.distributed.tensor import DTensor, Shard

from sharding.partition import ceil_div


def piece_of(whole: torch.Tensor, like: DTensor) -> torch.Tensor:
    """The rows of `whole` that `like` holds on this rank; a view."""
    for axis, placement in enumerate(like.placements):
        if isinstance(placement, Shard):
            rows = whole.shape[placement.dim]
            each = ceil_div(rows, like.device_mesh.size(axis))
            start = min(rows, like.device_mesh.get_local_rank(axis) * each)
            whole = whole.narrow(placement.dim, start, min(each, rows - start))
    return whole


def cut_like(whole: torch.Tensor, like: DTensor) -> DTensor:
    """A whole tensor, the same on every rank, as a DTensor cut as `like` is. No collective."""
    local = piece_of(whole, like).to(like.to_local().device).clone()
    shape, stride = torch.Size(whole.shape), torch.empty(whole.shape, device="meta").stride()
    return DTensor.from_local(local, like.device_mesh, like.placements, run_check=False, shape=shape, stride=stride)


def whole_of(value: torch.Tensor) -> torch.Tensor:
    """The whole of a tensor in memory of its own; collective for a DTensor that is cut."""
    if not isinstance(value, DTensor):
        return value.detach().clone()
    mine = local_of(value)
    if all(not isinstance(placement, Shard) for placement in value.placements):
        return mine.clone()
    device_type = value.device_mesh.device_type
    resting: Any = value.detach()
    if mine.device.type == device_type:
        return resting.full_tensor()
    return resting.to(device_type).full_tensor().to(mine.device)


def local_of(tensor: torch.Tensor) -> torch.Tensor:
    """What this rank holds of a tensor, without its history."""
    resting: Any = tensor.detach()
    return resting.to_local() if isinstance(tensor, DTensor) else resting
