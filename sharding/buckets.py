"""Buckets of a replicate group: which gradients travel in one all-reduce.

Pure arithmetic: the engine packs by it and the costs predict by it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

MIB = 1024 * 1024
DEFAULT_BUCKET_CAP_MB = 25


def packed(sizes: Sequence[tuple[Hashable, int]], cap: int) -> list[list[int]]:
    """Pack gradients, last one first, one dtype a bucket, into buckets of at most `cap` bytes.

    Args:
        sizes: `(dtype, bytes)` of each gradient.
        cap: bytes a bucket holds at most; a single larger gradient has a bucket of its own.

    Returns:
        Places in `sizes`, a list a bucket, in the order in which the buckets are reduced.
    """
    closed: list[list[int]] = []
    open_by_dtype: dict[Hashable, list[int]] = {}
    filled: dict[Hashable, int] = {}
    for index in reversed(range(len(sizes))):
        dtype, nbytes = sizes[index]
        group = open_by_dtype.get(dtype)
        if group is not None and filled[dtype] + nbytes > cap:
            closed.append(group)
            group = None
        if group is None:
            group = open_by_dtype[dtype] = []
            filled[dtype] = 0
        group.append(index)
        filled[dtype] += nbytes
    return [*closed, *open_by_dtype.values()]
