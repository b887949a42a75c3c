"""Gradient accumulation on torch's engine: `no_sync`, which is torch's `set_requires_gradient_sync` as a block."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from torch import nn

from sharding.native.torch_private import reduces, set_reduces
from sharding.native.walking import running_in
from sharding.traversal import tree_of


@contextlib.contextmanager
def no_sync(module: nn.Module) -> Iterator[None]:
    """Backwards inside the block keep whole gradients on the rank; the next backward outside averages the sum.

    No collective of its own. The forward must lie inside the block too: DDP decides then.
    """
    running = running_in(tree_of(module))
    owners = [owner for each in running for owner in (*each.groups, each.ddp) if owner is not None]
    before = [reduces(owner) for owner in owners]
    for owner in owners:
        set_reduces(owner, (False, False))
    try:
        yield
    finally:
        for owner, wanted in zip(owners, before, strict=True):
            set_reduces(owner, wanted)
