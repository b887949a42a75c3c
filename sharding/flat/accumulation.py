"""Gradient accumulation: backwards that gather as always but average nothing.

The gradients of a sharded unit wait whole in its flat gradient buffer, those of a replicate group in `param.grad`; the
first backward outside the block averages the sum.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from torch import nn

from sharding.flat.walking import all_replicas, all_states
from sharding.traversal import tree_of


@contextlib.contextmanager
def no_sync(module: nn.Module) -> Iterator[None]:
    """Backwards inside the block keep their gradients on the rank; the next backward outside averages the sum.

    Args:
        module: sharded and replicated units at and below it are meant.

    No collective of its own. All ranks must use it in the same steps.
    """
    tree = tree_of(module)
    handles = [state.handle for _, state in all_states(tree) if state.handle is not None]
    places = [gradients for handle in handles for gradients in handle.gradients]
    places += [replica for _, replica in all_replicas(tree)]
    before = [place.sync for place in places]
    for place in places:
        place.sync = False
    try:
        yield
    finally:
        for place, sync in zip(places, before, strict=True):
            place.sync = sync
