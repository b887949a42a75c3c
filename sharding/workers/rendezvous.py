"""How the ranks of one generation find each other and form the default process group.

The store is torch's FileStore on an anonymous memory file that only these ranks hold: no port, nothing in
/tmp, nothing to clean up, no race between two launches. Gloo and NCCL connect over the loopback interface. A
new generation (after a rank was re-created or the ranks ran out of step) gets a new file and a new prefix, so
nothing of the old one can be mistaken for it.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from datetime import timedelta

_stores: list[object] = []
"""Every store this rank has used, kept for good: what still holds an old group may let go of it at any time, and a
FileStore that goes when its file is closed already ends the process. Checked with torch 2.13."""


@dataclass(frozen=True)
class Membership:
    """What a rank needs to join: its place, the back end, and how long ranks wait for each other."""

    rank: int
    world_size: int
    backend: str
    device: str
    generation: int
    timeout_s: float


def new_store_file() -> int:
    """A descriptor of an empty store, made in the kernel and handed to every rank of a generation."""
    return os.memfd_create("sharding-store")


def join(membership: Membership, store_fd: int) -> None:
    """Form the default process group. Every rank of the generation must call it; blocks until all have, or
    times out.
    """
    import torch
    import torch.distributed as dist

    file_store = dist.FileStore(f"/proc/self/fd/{store_fd}", membership.world_size)
    _stores.append(file_store)
    store = dist.PrefixStore(f"generation-{membership.generation}", file_store)
    device_id = None
    if membership.backend == "nccl":
        device_id = torch.device(membership.device)
        torch.cuda.set_device(device_id)
    dist.init_process_group(
        membership.backend,
        store=store,
        rank=membership.rank,
        world_size=membership.world_size,
        timeout=timedelta(seconds=membership.timeout_s),
        device_id=device_id,
    )


def leave() -> None:
    """Drop whatever process group this rank has; another generation may follow."""
    import torch.distributed as dist

    if dist.is_initialized():
        with contextlib.suppress(RuntimeError):
            dist.destroy_process_group()
    # torch numbers groups and puts the number into the store's keys. After a join that failed nothing resets the
    # count, and this rank would look for the others under another name for ever. Checked with torch 2.11-2.13.
    dist.distributed_c10d._world.group_count = 0


def num_collectives() -> int:
    """How many collectives this rank has entered in the default group, or -1 when there is none.

    Ranks that disagree are out of step: their group cannot be used again.
    """
    import torch.distributed as dist

    if not dist.is_initialized() or dist.group.WORLD is None:
        return -1
    try:
        return dist.group.WORLD._get_sequence_number_for_group()  # pyright: ignore[reportAttributeAccessIssue]
    except RuntimeError:
        return -1
