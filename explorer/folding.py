"""Which neighbours share one row: the one fold rule of the text, HTML and graph forms, and the same as the
page's.

A maximal run of at least two neighbours with consecutive integer names folds when, module by module, they
have the same class, status, unit settings, alarm and references, and when their owners lie at the same
place of the block, or are one and the same outside it. Every module gets a block number, equal exactly for
blocks that may fold, in one pass from the last module to the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from explorer.classes import Classes, classes_of, integer_name, leaf_name
from explorer.snapshot import options_text, remarks_data
from sharding.collector import collector_paused
from sharding.layout import Layout
from sharding.nodes import Node

CONFLICT = 3
_LEVELS = {"info": 1, "warn": 2, "error": CONFLICT}


class Fold(NamedTuple):
    """Some neighbours shown as one: the first of them, and how many."""

    node: Node
    times: int


@dataclass(frozen=True, eq=False, repr=False)
class Folding:
    """The folded tree of a layout.

    Attributes:
        layout: what is shown.
        classes: its tree's classes.
        alarm: by pre-order index, 0 nothing, 1 info, 2 warning, 3 conflict or error.
        blocks: by pre-order index, equal for modules that may share a row.
    """

    layout: Layout
    classes: Classes
    alarm: Sequence[int]
    blocks: Sequence[int]

    def below(self, node: Node) -> list[Fold]:
        """The children of a module, equal neighbours together."""
        folds: list[Fold] = []
        expected, block = "", -1
        for child in node.children:
            name = leaf_name(child)
            if name == expected and self.blocks[child.index] == block:
                folds[-1] = Fold(folds[-1].node, folds[-1].times + 1)
            else:
                folds.append(Fold(child, 1))
            number = integer_name(name)
            expected = "" if number is None else str(number + 1)
            block = self.blocks[child.index]
        return folds


@collector_paused
def folding_of(layout: Layout, classes: Classes | None = None) -> Folding:
    """Work out which modules of a layout may share a row."""
    classes = classes or classes_of(layout.tree)
    alarm = _alarms(layout)
    owners = _Owners(layout)
    numbers: dict[tuple[Any, ...], int] = {}
    blocks = [0] * len(layout.modules)
    for node in reversed(layout.tree.nodes):
        index = node.index
        key = (
            classes.of[index],
            layout.modules[index].status,
            owners.place(node),
            owners.settings.get(index),
            alarm[index],
            _references(node) if node.references else (),
            tuple([blocks[child.index] for child in node.children]) if node.children else (),
        )
        blocks[index] = numbers.setdefault(key, len(numbers))
    return Folding(layout, classes, alarm, blocks)


def _alarms(layout: Layout) -> list[int]:
    """What the page shows beside each module, from the same remarks."""
    alarm = [0] * len(layout.modules)
    for remark in (*remarks_data(layout, layout.conflicts), *remarks_data(layout, layout.findings)):
        level = _LEVELS[remark.get("severity", "error")]
        for index in remark["indices"]:
            alarm[index] = max(alarm[index], level)
    return alarm


class _Owners:
    """Who decides for each module, seen from the module."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.settings = {
            layout.tree.fqns[unit.fqn].index: (
                unit.strategy,
                tuple(options_text(unit.annotation.options).items()),
                len(unit.params),
                len(unit.fqns),
            )
            for unit in layout.units
        }

    def place(self, node: Node) -> tuple[int, int] | None:
        """How many levels up the nearest module that holds both lies, and how far below it the owner; None
        unmanaged.

        Seen so, two neighbours' owners agree exactly when they are one, or lie at the same place of their
        block.
        """
        fqn = self._layout.modules[node.index].unit
        if fqn is None:
            return None
        owner = self._layout.tree.fqns[fqn]
        if owner.contains(node):
            return node.depth - owner.depth, 0
        return _path(node, owner)


def _path(node: Node, other: Node) -> tuple[int, int]:
    above = node
    while not above.contains(other):
        assert above.parent is not None
        above = above.parent
    return node.depth - above.depth, other.index - above.index


def _references(node: Node) -> tuple[Any, ...]:
    return tuple((attr, kind, _path(node, target)) for attr, target, kind in node.references)
