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
    decides, marks = layout.labels.decides, layout.labels.marks
    for node in layout.tree.nodes:
        index, parent = node.index, node.parent
        if parent is None or decides[index] is not decides[parent.index] or index in marks:
            yield index, (node.end - index, _code(layout, node))


def _code(layout: Layout, node: Node) -> str:
    status, unit = layout.status(node)
    letter = LETTERS[status]
    if letter not in "Ff" or unit is None:
        return letter
    return f"{letter}{node.index - layout.tree.fqns[unit].index or ''}"
