"""Whole parameters of a model on torch's engine for a moment: `unshard` as a block, with changes written back.

Torch gathers in the dtype a unit computes in and forgets changes. Here a changed element goes back into this rank's
piece and an unchanged one keeps the value it rests in, so nothing is lost to a lower precision.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.distributed.tensor import DTensor

from sharding.native.pieces import piece_of
from sharding.native.torch_private import ParamGroup, keep_whole, pairs_of_forms
from sharding.native.walking import running_at_rest
from sharding.traversal import tree_of


@contextlib.contextmanager
def unshard(
    module: nn.Module, *, recurse: bool = True, writeback: bool = True, rank0_only: bool = False
) -> Iterator[None]:
    """See `sharding.unshard`. A unit with mixed precision shows its parameters in the dtype it computes in."""
    if rank0_only and writeback:
        raise ValueError("unshard(rank0_only=True) leaves the other ranks nothing to write back; pass writeback=False")
    running = running_at_rest(tree_of(module), "unshard")
    chosen = [each for each in running if each.groups and (recurse or each.module is module)]
    groups = [group for each in chosen for group in each.groups]
    modules: list[Any] = [each.module for each in chosen]
    with contextlib.ExitStack() as stack:
        for group in groups:
            stack.enter_context(keep_whole(group))
        stack.callback(lambda: [each.reshard() for each in reversed(modules)])
        for each in modules:
            each.unshard()
            if rank0_only and torch.distributed.get_rank() != 0:
                each.reshard()
        yield
        if writeback:
            for group in groups:
                _write_back(group)


@torch.no_grad()
def _write_back(group: ParamGroup) -> None:
    for resting, whole in pairs_of_forms(group):
        if whole is None or not isinstance(resting, DTensor):
            continue
        mine = resting.to_local()
        shown = piece_of(whole.detach(), resting).to(mine.device)
        mine.copy_(torch.where(shown == mine.to(shown.dtype), mine, shown.to(mine.dtype)))
