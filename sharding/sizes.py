"""How many elements a module holds, itself and with all below it, every tensor counted by identity.

A tied parameter counts as its own at its first name only; a subtree that holds it under any name counts it once. So the
sizes of siblings may overlap, and the root's is what `sum(p.numel() for p in model.parameters())` gives.
"""

from __future__ import annotations

from collections.abc import Iterable

from sharding.nodes import Node, indices_above
from sharding.parameters import Held
from sharding.traversal import Tree


def sizes_of(tree: Tree) -> tuple[list[int], list[int]]:
    """Own and total elements of every node, by pre-order index."""
    own = [0] * len(tree.nodes)
    late: list[tuple[Held, int]] = []
    beside = tree.reached_twice
    for held in tree.held.values():
        size = held.numel
        first = held.first.index
        own[first] += size
        if held.others or first in beside:
            late.append((held, size))
    total = list(own)
    for held, size in late:
        total[held.first.index] -= size
    for node in reversed(tree.nodes):
        if node.parent is not None:
            total[node.parent.index] += total[node.index]
    for nodes, size in _by_holders(late):
        for index in indices_above(nodes):
            total[index] += size
    return own, total


def _by_holders(late: list[tuple[Held, int]]) -> Iterable[tuple[tuple[Node, ...], int]]:
    """The parameters that need care, those with the same holders together."""
    grouped: dict[tuple[int, ...], tuple[tuple[Node, ...], int]] = {}
    for held, size in late:
        indices = tuple(node.index for node in held.nodes)
        _, before = grouped.get(indices, (held.nodes, 0))
        grouped[indices] = (held.nodes, before + size)
    return grouped.values()
