"""Sharding strategies by name: over how many ranks each cuts, over how many it copies, and what it keeps after forward.

Facts that the engine runs by and the costs predict by, so the two cannot disagree. No process group, no tensors.
"""

from __future__ import annotations

HYBRID = ("hybrid_shard", "hybrid_shard_zero2")
STRATEGIES = ("full_shard", "shard_grad_op", "no_shard", *HYBRID)
KEEPS_AFTER_FORWARD = ("shard_grad_op", "hybrid_shard_zero2")


def shards_and_copies(strategy: str, mesh_shape: tuple[int, ...]) -> tuple[int, int]:
    """Over how many ranks a unit is cut, and how many ranks hold the same piece.

    Args:
        strategy: one of `STRATEGIES`.
        mesh_shape: `(ranks,)`, or `(replicate, shard)`, which makes any strategy but "no_shard" hybrid.
    """
    world_size = mesh_shape[0] * (mesh_shape[1] if len(mesh_shape) == 2 else 1)
    if strategy == "no_shard":
        return 1, world_size
    return (mesh_shape[1], mesh_shape[0]) if len(mesh_shape) == 2 else (world_size, 1)
