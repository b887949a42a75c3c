"""The verb `remove`: the annotations of a live model taken off again, whole parameters back."""

from __future__ import annotations

from torch import nn

from sharding.annotations import annotations_in, unregister
from sharding.flat.forward_methods import restore_methods
from sharding.flat.misuse import check_order, unmark_inside
from sharding.flat.state import detach
from sharding.flat.walking import all_replicas, all_states
from sharding.flat.wrapper import unwrap
from sharding.traversal import tree_of


def remove(module: nn.Module) -> nn.Module:
    """Take every annotation at and below `module` off; its parameters are whole again, the same objects as ever.

    Args:
        module: the module; nothing above it may be annotated.

    Returns:
        The same module; for a wrapper, the module it held. Buffers have the dtype they came in. Optimizers must be made
        anew.

    Collective: every rank must call it. Gradients of sharded parameters are dropped.

    Raises:
        AnnotationError: something above `module` is annotated.
    """
    check_order("remove", (module,))
    tree = tree_of(module)
    states = [state for _, state in all_states(tree)]
    for state in states:
        state.tree.require_rest("remove")
    for annotation in annotations_in(tree):
        unregister(annotation)
    for state in states:
        if state.handle is not None:
            state.handle.dissolve()
        state.buffers.dissolve()
        detach(state)
        state.tree.dismiss()
    for _, replica in all_replicas(tree):
        replica.buffers.dissolve()
        replica.detach()
    modules = [each for node in tree.nodes for each in node.modules]
    unmark_inside(modules)
    for each in modules:
        restore_methods(each)
    return unwrap(module)
