"""Which neighbours share one row: the one fold rule of the text, HTML and graph forms, and the same as the
page's.

Every module gets a block number, equal exactly for blocks that look alike module by module: same class, status,
unit settings, alarm and references, owners at the same place of the block or one and the same outside it, and no
tie that leaves the block but to one and the same parameter. Children with consecutive integer names fold when
their blocks repeat with a period of 1 to `MAX_PERIOD`: `0–79` is eighty equal blocks, `(0–58)/2` every second
one. The period that reaches furthest is taken, the smaller of equals, if it comes at least twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from explorer.classes import Classes, classes_of, integer_name, leaf_name
from explorer.remarks import gathered_remarks, index_of
from explorer.units import options_text
from sharding.collector import collector_paused
from sharding.layout import Layout
from sharding.nodes import Node

CONFLICT = 3
MAX_PERIOD = 4
_LEVELS = {"info": 1, "warn": 2, "error": CONFLICT}


class Fold(NamedTuple):
    """Some neighbours shown as one.

    Attributes:
        node: the first of them.
        times: how many.
        period: places from one to the next among their neighbours.
        stride: pre-order indices from one to the next.
    """

    node: Node
    times: int = 1
    period: int = 1
    stride: int = 0


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
        children = node.children
        blocks = [self.blocks[child.index] for child in children]
        start = 0
        for end in _ends_of_counts(children):
            while start < end:
                period, reach = _longest(blocks, start, end)
                folds += [_fold(children, start + k, start + reach, period) for k in range(min(period, reach))]
                start += reach
        return folds


def _ends_of_counts(children: Sequence[Node]) -> list[int]:
    """Where runs of children with consecutive integer names end; any other child is a run of its own."""
    ends: list[int] = []
    expected = ""
    for place, child in enumerate(children):
        name = leaf_name(child)
        if place and name != expected:
            ends.append(place)
        number = integer_name(name)
        expected = "" if number is None else str(number + 1)
    return [*ends, len(children)]


def _longest(blocks: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Period and reach of the repetition that begins at `start`; (1, 1) if none does."""
    best = (1, 1)
    for period in range(1, MAX_PERIOD + 1):
        stop = start + period
        while stop < end and blocks[stop] == blocks[stop - period]:
            stop += 1
        reach = stop - start
        if stop <= end and reach >= 2 * period and reach > best[1]:
            best = (period, reach)
    return best


def _fold(children: Sequence[Node], start: int, stop: int, period: int) -> Fold:
    """Every `period`-th child from `start` on."""
    times = len(range(start, stop, period))
    stride = children[start + period].index - children[start].index if times > 1 else 0
    return Fold(children[start], times, period if times > 1 else 1, stride)


@collector_paused
def folding_of(layout: Layout, classes: Classes | None = None) -> Folding:
    """Work out which modules of a layout may share a row."""
    classes = classes or classes_of(layout.tree)
    alarm = _alarms(layout)
    owners = _Owners(layout)
    ties = _ties(layout, classes)
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
            ties.get(index),
            tuple([blocks[child.index] for child in node.children]) if node.children else (),
        )
        blocks[index] = numbers.setdefault(key, len(numbers))
    return Folding(layout, classes, alarm, blocks)


def _alarms(layout: Layout) -> list[int]:
    """What the page shows beside each module, from the same remarks."""
    alarm = [0] * len(layout.modules)
    for remark in (*gathered_remarks(layout, layout.conflicts), *gathered_remarks(layout, layout.findings)):
        level = _LEVELS[getattr(remark.said, "severity", "error")]
        for index, _ in remark.places:
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


def _ties(layout: Layout, classes: Classes) -> dict[int, tuple[Any, ...]]:
    """By module, where the first holder of each of its tied parameters lies; for the first holder, the last.

    That is enough to tell whether a tie leaves a block: all holders lie between the first and the last.
    """
    ties: dict[int, tuple[Any, ...]] = {}
    nodes = layout.tree.nodes
    for names in classes.ties:
        holders = [(nodes[index_of(layout.tree, name)], name.rpartition(".")[2]) for name in names]
        for place, (node, attr) in enumerate(holders):
            other, other_attr = holders[0] if place else holders[-1]
            ties[node.index] = (*ties.get(node.index, ()), (attr, _path(node, other), other_attr))
    return ties
