"""What one replicate group costs: parameters whole on every rank, gradients averaged together.

The flat engine and DDP pack gradients into buckets (`sharding/buckets.py`) that are made once and stay for good; in the
flat engine, where gradients are reduced in their own dtype, they are the memory of the gradients themselves. Torch's
`replicate` on the FSDP2 engine makes one buffer a step, and copies the parameters for forward and backward.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from sharding.buckets import ddp_packed, packed
from sharding.costs.setting import Setting
from sharding.precision import Precision, computes_in, reduces_in
from sharding.units import ParamRow, ReplicateGroup


@dataclass(frozen=True)
class BucketCost:
    """Gradients that travel together.

    Attributes:
        numel: their elements.
        dtype: what the parameters are in.
        reduce_dtype: what gradients are reduced in.
        holds_gradients: whether `param.grad` is a view of it.
        stays: whether it is kept between steps.
    """

    numel: int
    dtype: torch.dtype
    reduce_dtype: torch.dtype
    holds_gradients: bool
    stays: bool = True

    @property
    def nbytes(self) -> int:
        return self.numel * self.reduce_dtype.itemsize


@dataclass(frozen=True)
class GroupCost:
    """One replicate group.

    Attributes:
        fqn: its name.
        numel: elements of its parameters.
        trainable_numel: elements of those with gradients.
        dtypes: of its parameters, in order of first appearance.
        nbytes: of its parameters on every rank.
        gradient_nbytes: of their gradients on every rank.
        buckets: in the order in which they are averaged; on one rank none, but for torch's engine.
        cast_nbytes: of the copies its modules compute with from forward to backward; 0 where they use the parameters.
    """

    fqn: str
    numel: int
    trainable_numel: int
    dtypes: tuple[torch.dtype, ...]
    nbytes: int
    gradient_nbytes: int
    buckets: tuple[BucketCost, ...]
    cast_nbytes: int

    @property
    def extra_bucket_nbytes(self) -> int:
        """Bytes of the buckets that stay and are not the gradients themselves."""
        return sum(bucket.nbytes for bucket in self.buckets if bucket.stays and not bucket.holds_gradients)


def group_cost(group: ReplicateGroup, setting: Setting) -> GroupCost:
    """What a replicate group costs."""
    precision = setting.precision_of(group.annotation)
    trainable = [row for row in group.params if row.requires_grad and row.numel]
    on_torch = setting.engine == "torch"  # which averages over one rank too
    on_fsdp2 = on_torch and not setting.is_ddp(group.annotation)
    copied = [row for row in group.params if on_fsdp2 or computes_in(precision, row.dtype) != row.dtype]
    return GroupCost(
        group.fqn,
        group.numel,
        sum(row.numel for row in trainable),
        tuple(dict.fromkeys(row.dtype for row in group.params)),
        sum(row.numel * row.dtype.itemsize for row in group.params),
        sum(row.numel * row.dtype.itemsize for row in trainable),
        _buckets(group, trainable, setting, precision, on_fsdp2) if setting.world_size > 1 or on_torch else (),
        sum(row.numel * computes_in(precision, row.dtype).itemsize for row in copied),
    )


def _buckets(
    group: ReplicateGroup,
    trainable: Sequence[ParamRow],
    setting: Setting,
    precision: Precision | None,
    on_fsdp2: bool,
) -> tuple[BucketCost, ...]:
    sizes = [(row.dtype, row.numel * row.dtype.itemsize) for row in trainable]
    if on_fsdp2:
        if not trainable:
            return ()
        dtype = trainable[0].dtype
        reduces = reduces_in(precision, dtype)
        numel = sum(row.numel for row in trainable)
        return (BucketCost(numel, dtype, reduces, holds_gradients=reduces == dtype, stays=False),)
    is_ddp, (first_cap, cap) = setting.is_ddp(group.annotation), setting.bucket_caps(group.annotation)
    places = ddp_packed(sizes, first_cap, cap) if is_ddp else packed(sizes, cap)
    return tuple(_bucket([trainable[place] for place in each], precision, is_ddp) for each in places)


def _bucket(rows: Sequence[ParamRow], precision: Precision | None, is_ddp: bool) -> BucketCost:
    dtype = rows[0].dtype
    reduces = dtype if is_ddp else reduces_in(precision, dtype)
    return BucketCost(sum(row.numel for row in rows), dtype, reduces, not is_ddp and reduces == dtype)
