"""What one replicate group costs: parameters whole on every rank, gradients averaged in buckets.

Buckets are made once, packed by `sharding/buckets.py`, and stay for good; where the gradients are reduced in their own
dtype they are the memory of the gradients themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sharding.buckets import packed
from sharding.costs.setting import Setting, bucket_cap
from sharding.layout import ReplicateGroup
from sharding.precision import Precision, computes_in, reduces_in


@dataclass(frozen=True)
class BucketCost:
    """Gradients that travel together.

    Attributes:
        numel: their elements.
        dtype: what the parameters are in.
        reduce_dtype: what gradients are reduced in.
    """

    numel: int
    dtype: torch.dtype
    reduce_dtype: torch.dtype

    @property
    def nbytes(self) -> int:
        return self.numel * self.reduce_dtype.itemsize

    @property
    def holds_gradients(self) -> bool:
        """Whether `param.grad` is a view of it."""
        return self.dtype == self.reduce_dtype


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
        buckets: in the order in which they are averaged; none on one rank.
        cast_nbytes: of the casts its modules are lent from forward to backward; 0 without mixed precision.
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
        """Bytes of the buckets that are not the gradients themselves."""
        return sum(bucket.nbytes for bucket in self.buckets if not bucket.holds_gradients)


def group_cost(group: ReplicateGroup, setting: Setting) -> GroupCost:
    """What a replicate group costs."""
    precision = setting.precision_of(group.annotation)
    params = [(row.numel, row.param.dtype, row.param.requires_grad) for row in group.params]
    trainable = [(numel, dtype) for numel, dtype, requires_grad in params if requires_grad and numel]
    return GroupCost(
        group.fqn,
        group.numel,
        sum(numel for numel, _ in trainable),
        tuple(dict.fromkeys(dtype for _, dtype, _ in params)),
        sum(numel * dtype.itemsize for numel, dtype, _ in params),
        sum(numel * dtype.itemsize for numel, dtype in trainable),
        _buckets(trainable, bucket_cap(group.annotation), precision) if setting.world_size > 1 else (),
        sum(
            numel * computes_in(precision, dtype).itemsize
            for numel, dtype, _ in params
            if computes_in(precision, dtype) != dtype
        ),
    )


def _buckets(trainable: list[tuple[int, torch.dtype]], cap: int, precision: Precision | None) -> tuple[BucketCost, ...]:
    sizes = [(dtype, numel * dtype.itemsize) for numel, dtype in trainable]
    made = []
    for places in packed(sizes, cap):
        dtype = trainable[places[0]][1]
        numel = sum(trainable[place][0] for place in places)
        made.append(BucketCost(numel, dtype, reduces_in(precision, dtype)))
    return tuple(made)
