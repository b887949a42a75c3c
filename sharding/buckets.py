"""Buckets of a replicate group: which gradients travel in one all-reduce.

Pure arithmetic: the flat engine packs by it and the costs predict by it; DDP's own rule stands beside it.
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


def ddp_packed(sizes: Sequence[tuple[Hashable, int]], first_cap: int, cap: int) -> list[list[int]]:
    """The buckets of torch's DDP after its first backward: last gradient first, one dtype a bucket, closed once full.

    Gradients are taken to be ready in reverse order of registration, which is what DDP rebuilds its buckets by. (Before
    that there is a single bucket of everything, and with `find_unused_parameters=True` they are never rebuilt.)

    Args:
        sizes: `(dtype, bytes)` of each gradient.
        first_cap: bytes at which the first bucket of a dtype is closed.
        cap: the same for all others.

    Returns:
        Places in `sizes`, a list a bucket, in the order in which the buckets are reduced.
    """
    closed: list[list[int]] = []
    open_by_dtype: dict[Hashable, list[int]] = {}
    caps: dict[Hashable, int] = {}
    filled: dict[Hashable, int] = {}
    for index in reversed(range(len(sizes))):
        dtype, nbytes = sizes[index]
        open_by_dtype.setdefault(dtype, []).append(index)
        filled[dtype] = filled.get(dtype, 0) + nbytes
        if filled[dtype] >= caps.get(dtype, first_cap):
            closed.append(open_by_dtype.pop(dtype))
            caps[dtype] = cap
            filled[dtype] = 0
    return [*closed, *open_by_dtype.values()]
