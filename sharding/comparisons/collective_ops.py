"""Which of torch's operations are collectives, and how many bytes their whole buffer has.

Bytes are counted as in this project's events: what an all-gather fills, what a reduce-scatter reads, what an
all-reduce averages. The names are those of torch's own operators (checked with 2.11 to 2.14).
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._pytree import tree_leaves

_KINDS = {
    "_allgather_base_": ("all_gather", 0),
    "allgather_": ("all_gather", 0),
    "allgather_into_tensor_coalesced_": ("all_gather", 0),
    "_reduce_scatter_base_": ("reduce_scatter", 1),
    "reduce_scatter_": ("reduce_scatter", 1),
    "reduce_scatter_tensor_coalesced_": ("reduce_scatter", 1),
    "allreduce_": ("all_reduce", 0),
    "allreduce_coalesced_": ("all_reduce", 0),
    "broadcast_": ("broadcast", 0),
    "reduce_": ("reduce", 0),
    "gather_": ("gather", 0),
    "scatter_": ("scatter", 0),
    "alltoall_": ("all_to_all", 0),
    "alltoall_base_": ("all_to_all", 0),
}
"""Operators of the `c10d` namespace: kind, and which argument is the whole buffer."""
_FUNCTIONAL = ("all_gather_into_tensor", "reduce_scatter_tensor", "all_reduce", "broadcast")
"""Operators of `_c10d_functional`, which DTensor uses; all but the first read the whole buffer."""


def collective_of(func: Any, args: Any) -> tuple[str, int] | None:
    """`(kind, bytes of the whole buffer)` of an operator, None if it is no collective. A barrier is none: it moves
    nothing.
    """
    namespace, _, name = func._schema.name.partition("::")
    if namespace == "c10d" and name in _KINDS:
        kind, place = _KINDS[name]
        return kind, _nbytes(args[place])
    if namespace == "_c10d_functional" and name.removesuffix("_") in _FUNCTIONAL:
        kind = name.removesuffix("_").removesuffix("_tensor").removesuffix("_into")
        times = args[1] if kind == "all_gather" else 1
        return kind, _nbytes(args[0]) * times
    return None


def _nbytes(tensors: Any) -> int:
    return sum(leaf.nbytes for leaf in tree_leaves(tensors) if isinstance(leaf, torch.Tensor))
