"""What an edit touches: where the labels of one layout differ from those of the layout before it.

Everything else is taken over as it was (`owners.py`, `placing.py`), which is what makes a click on a model of ten
thousand modules cheap. Without a layout before, everything is touched.
"""

from __future__ import annotations

from typing import NamedTuple

from sharding.annotations import Annotation
from sharding.labels import Label, Labels
from sharding.nodes import Node


class Touched(NamedTuple):
    """Where labels differ.

    Attributes:
        labels: those that decide for other modules than before, old and new ones.
        subtrees: the nodes at and below which local roots and enclosing modules may differ, in pre-order.
    """

    labels: set[Label]
    subtrees: list[Node]


def touched(now: Labels, before: Labels | None) -> Touched:
    """What differs between the labels of two sets of annotations on one tree."""
    if before is None:
        return Touched(set(now.decides), [now.tree.root])
    marks = differing_marks(now.marks, before.marks)
    roots = now.ignored.keys() ^ before.ignored.keys()
    covered = [node.index for labels in (now, before) for root in labels.ignored.values() for node in root.covered]
    places = (*marks, *covered)
    labels = {labels.decides[index] for labels in (now, before) for index in places}
    return Touched(labels, [now.tree.nodes[index] for index in sorted({*marks, *roots})])


def differing_marks(now: dict[int, Annotation], before: dict[int, Annotation]) -> set[int]:
    """Indices of the nodes that are marked otherwise than before."""
    other = {index for index, mark in now.items() if before.get(index) is not mark}
    return other.union(before.keys() - now.keys())
