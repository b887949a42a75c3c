"""The verb `remove` on torch's engine: torch has no way back, so each trace of its calls is taken off by itself.

What is private about that is in `torch_private.py`. Parameters are new objects, since torch had replaced them.
"""

from __future__ import annotations

import torch
from torch import nn

from sharding.annotations import annotations_in, unregister
from sharding.errors import AnnotationError
from sharding.native.membership import applied_to, forget_model
from sharding.native.pieces import whole_of
from sharding.native.torch_private import forget_calls, holders_of
from sharding.native.walking import running_at_rest
from sharding.traversal import Tree, tree_of


@torch.no_grad()
def remove(module: nn.Module) -> nn.Module:
    """See `sharding.remove`. On torch's engine sharded parameters become new objects: make optimizers anew."""
    tree = tree_of(module)
    running = running_at_rest(tree, "remove")
    _refuse_part(tree, is_running=bool(running))
    for each in running:
        for group in each.groups:
            each.module.reshard()  # type: ignore[operator]
            for resting, holders in holders_of(group):
                whole = nn.Parameter(whole_of(resting), requires_grad=resting.requires_grad)
                for holder, name in holders:
                    holder._parameters[name] = whole
    for annotation in annotations_in(tree):
        unregister(annotation)
    for node in tree.nodes:
        for each in node.modules:
            forget_calls(each)
            forget_model(each)
    return module


def _refuse_part(tree: Tree, *, is_running: bool) -> None:
    """Refuse a module below the one a plan was applied to: what is above would go on without it.

    Raises:
        AnnotationError: naming the class of the module to give instead.
    """
    modules = [module for node in tree.nodes for module in node.modules]
    whole = next((found for module in modules if (found := applied_to(module)) is not None), tree.root.module)
    cut = any(hasattr(param, "device_mesh") for param in tree.root.module.parameters())
    if whole is not tree.root.module or (cut and not is_running):
        above = type(whole).__name__ if whole is not tree.root.module else "module it was sharded with"
        raise AnnotationError(
            f"remove on a {tree.root.cls_name} that is part of something sharded: give the {above}, so that nothing "
            "above goes on without it"
        )
