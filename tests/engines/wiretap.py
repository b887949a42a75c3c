"""What really goes out to other ranks, heard below every engine: the process group's own operators."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

KINDS = {
    "_allgather_base_": "all_gather",
    "_reduce_scatter_base_": "reduce_scatter",
    "allreduce_": "all_reduce",
    "broadcast_": "broadcast",
}
"""Operators of `torch.ops.c10d` by the kind of event they are. Each has the buffer that is filled first."""


class Wiretap(TorchDispatchMode):
    """Counts collectives by kind and bytes of the larger buffer while it is open, on this thread and its backward.

    Attributes:
        heard: how often each `(kind, nbytes)` went out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.heard: Counter[tuple[str, int]] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        if func.namespace == "c10d":
            name = func._schema.name.partition("::")[2]
            self.heard[KINDS.get(name, name), max(_nbytes(args[0]), _nbytes(args[1]))] += 1
        return func(*args, **(kwargs or {}))


def _nbytes(value: Any) -> int:
    if isinstance(value, torch.Tensor):
        return value.nbytes
    return sum(map(_nbytes, value)) if isinstance(value, (list, tuple)) else 0
