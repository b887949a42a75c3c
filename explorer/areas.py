"""Which mark rules where: the areas of a layout, from which the page paints status and unit of every module.

An area is a subtree ruled by one mark; one inside another wins. There are as many as marks that took effect, not as
modules, and those that repeat in every block are one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer import runlength
from sharding.layout import Layout
from sharding.nodes import Node

LETTERS = {
    "fully_shard": "F",
    "in_unit": "f",
    "replicate": "R",
    "replicated": "r",
    "ignored": "I",
    "in_ignored": "i",
    "unmanaged": "u",
}


def areas_of(layout: Layout) -> list[list[Any]]:
    """Runs of `[index, size, code]`; see `messages.PlanState`."""
    return runlength.encode(list(_areas(layout)))


def _areas(layout: Layout) -> Iterator[tuple[int, tuple[int, str]]]:
    labels, nodes = layout.labels, layout.tree.nodes
    for index in sorted(_borders(layout)):
        node, parent = nodes[index], nodes[index].parent
        if parent is None or labels.decides[index] is not labels.decides[parent.index] or index in labels.marks:
            yield index, (node.end - index, _code(layout, node))


def _borders(layout: Layout) -> set[int]:
    """Where another mark may begin to rule: at the root, at marks, and in and just below what is ignored."""
    covered = [node for root in layout.labels.ignored.values() for node in root.covered]
    below = [child.index for node in covered for child in node.children]
    return {0, *layout.labels.marks, *(node.index for node in covered), *below}


def _code(layout: Layout, node: Node) -> str:
    status, unit = layout.status(node)
    letter = LETTERS[status]
    if letter not in "Ff" or unit is None:
        return letter
    return f"{letter}{node.index - layout.tree.fqns[unit].index or ''}"
