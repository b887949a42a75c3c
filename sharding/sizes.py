"""How many elements a module holds, itself and with all below it, every tensor counted by identity.

A tied parameter counts as its own at its first name only; a subtree that holds it under any name counts it once. So the
sizes of siblings may overlap, and the root's is what `sum(p.numel() for p in model.parameters())` gives.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn

from sharding.traversal import Node, Tree, indices_above

UNSHARDED_SHAPE = "_unsharded_shape"
"""Attribute an engine sets on a parameter whose data is only this rank's piece: the shape of the whole."""


def numel_of(param: nn.Parameter) -> int:
    """Elements of a whole parameter: a lazy one has none, a sharded one what it had before."""
    if type(param) is not nn.Parameter and nn.parameter.is_lazy(param):
        return 0
    kept = param.__dict__.get(UNSHARDED_SHAPE)
    return param.numel() if kept is None else kept.numel()


def shape_of(param: nn.Parameter) -> torch.Size | None:
    """Shape of a whole parameter; None for a lazy one."""
    if type(param) is not nn.Parameter and nn.parameter.is_lazy(param):
        return None
    return param.__dict__.get(UNSHARDED_SHAPE) or param.shape


def sizes_of(tree: Tree) -> tuple[list[int], list[int]]:
    """Own and total elements of every node, by pre-order index."""
    own = [0] * len(tree.nodes)
    total = [0] * len(tree.nodes)
    users: dict[int, list[Node]] = {}
    numels: dict[int, int] = {}
    for node in tree.nodes:
        for _, param, _ in node.params:
            known = users.get(id(param))
            if known is None:
                users[id(param)] = [node]
                numels[id(param)] = size = numel_of(param)
                own[node.index] += size
            else:
                known.append(node)
    beside = _reached_twice(tree)
    several = {key: nodes for key, nodes in users.items() if len(nodes) > 1 or nodes[0].index in beside}
    total = list(own)
    for key, nodes in several.items():
        total[nodes[0].index] -= numels[key]
    for node in reversed(tree.nodes):
        if node.parent is not None:
            total[node.parent.index] += total[node.index]
    for nodes, size in _by_holders(several, numels):
        for index in indices_above(nodes):
            total[index] += size
    return own, total


def _reached_twice(tree: Tree) -> set[int]:
    """Indices of the nodes that are shared or below a shared one."""
    if not tree.has_shared:
        return set()
    found: set[int] = set()
    for node in tree.nodes:
        if node.aliases or (node.parent is not None and node.parent.index in found):
            found.add(node.index)
    return found


def _by_holders(
    several: dict[int, list[Node]], numels: dict[int, int]
) -> Iterable[tuple[list[Node], int]]:
    """The parameters that need care, those with the same holders together."""
    grouped: dict[tuple[int, ...], tuple[list[Node], int]] = {}
    for key, nodes in several.items():
        indices = tuple(node.index for node in nodes)
        _, size = grouped.get(indices, (nodes, 0))
        grouped[indices] = (nodes, size + numels[key])
    return grouped.values()
