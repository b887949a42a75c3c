"""The first rank's values for everybody, along one axis of a mesh."""

from __future__ import annotations

import time
from collections.abc import Iterable

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh

from sharding.events import open_logs, record
from sharding.starting_values import alike, joined, take_apart


@torch.no_grad()
def broadcast_from_first(tensors: Iterable[torch.Tensor], mesh: DeviceMesh, fqn: str) -> None:
    """Overwrite `tensors` with those of the mesh's first rank: one broadcast a dtype. Every rank must call it.

    Args:
        tensors: what to overwrite.
        mesh: who takes part, along one axis.
        fqn: whose they are, for the events.
    """
    if mesh.size() == 1:
        return
    for batch in alike(tensors):
        start_ns = time.monotonic_ns()
        flat = joined(batch).to(mesh.device_type)
        dist.broadcast(flat, group_src=0, group=mesh.get_group())
        take_apart(flat, batch)
        if open_logs.logs:
            now = time.monotonic_ns()
            record(("broadcast", fqn, dist.get_rank(), start_ns, now, flat.nbytes, "other", False))
