"""How many elements a parameter and a module hold, every tensor counted by identity.

A tied parameter counts as its own at its first name only; a subtree that holds it under any name counts it once. So the
sizes of siblings may overlap, and the root's is what `sum(p.numel() for p in model.parameters())` gives.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn

from sharding.traversal import Held, Node, Tree, indices_above

UNSHARDED_SHAPE = "_unsharded_shape"
"""Attribute an engine sets on a parameter whose data is only this rank's piece: the shape of the whole."""


def shape_of(param: nn.Parameter) -> torch.Size | None:
    """Shape of a whole parameter, also while its data is only a piece; None for a lazy one."""
    if type(param) is not nn.Parameter and nn.parameter.is_lazy(param):
        return None
    return param.__dict__.get(UNSHARDED_SHAPE, param.shape)


def numel_of(param: nn.Parameter) -> int:
    """Elements of a whole parameter; 0 for a lazy one."""
    shape = shape_of(param)
    return 0 if shape is None else shape.numel()


def sizes_of(tree: Tree) -> tuple[list[int], list[int]]:
    """Own and total elements of every node, by pre-order index."""
    own = [0] * len(tree.nodes)
    late: list[tuple[Held, int]] = []
    beside = _reached_twice(tree)
    for held in tree.held.values():
        size = numel_of(held.param)
        first = held.nodes[0].index
        own[first] += size
        if len(held.nodes) > 1 or first in beside:
            late.append((held, size))
    total = list(own)
    for held, size in late:
        total[held.nodes[0].index] -= size
    for node in reversed(tree.nodes):
        if node.parent is not None:
            total[node.parent.index] += total[node.index]
    for nodes, size in _by_holders(late):
        for index in indices_above(nodes):
            total[index] += size
    return own, total


def _reached_twice(tree: Tree) -> set[int]:
    """Indices of the nodes that are shared or below a shared one."""
    found: set[int] = set()
    if tree.has_shared:
        for node in tree.nodes:
            if node.aliases or (node.parent is not None and node.parent.index in found):
                found.add(node.index)
    return found


def _by_holders(late: list[tuple[Held, int]]) -> Iterable[tuple[tuple[Node, ...], int]]:
    """The parameters that need care, those with the same holders together."""
    grouped: dict[tuple[int, ...], tuple[tuple[Node, ...], int]] = {}
    for held, size in late:
        indices = tuple(node.index for node in held.nodes)
        _, before = grouped.get(indices, (held.nodes, 0))
        grouped[indices] = (held.nodes, before + size)
    return grouped.values()
