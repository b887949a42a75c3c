"""The folded tree as a flat list of rows with their words: what the text, HTML and graph forms print.

A row stands for one module, for a folded run of them, or for an edge to a module that is listed elsewhere.
When there are more rows than asked for, as many whole levels are shown as fit, and each closed row says how
much is below it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from explorer.areas import LETTERS
from explorer.classes import integer_name, leaf_name
from explorer.folding import Fold, Folding
from sharding.layout import Layout
from sharding.nodes import Node

MAX_MEMBERS = 4096


@dataclass(frozen=True)
class Row:
    """One line.

    Attributes:
        kind: "module"; "shared" or "back" for an edge to a module listed elsewhere; "more" for neighbours
            left out.
        node: the (first) module; the target of an edge; the parent of neighbours left out.
        level: depth in the folded tree.
        last: whether it is the last of its neighbours.
        name: name in its parent, `0–79` or `(0–58)/2` for a folded run; for children with a number the
            parent's name is put before.
        times: modules in the folded run; for "more", rows left out.
        members: pre-order indices of the modules it stands for, those of outer folded runs included.
        hidden: modules below it that have no row.
    """

    kind: Literal["module", "shared", "back", "more"]
    node: Node
    level: int
    last: bool
    name: str
    times: int = 1
    members: tuple[int, ...] = ()
    hidden: int = 0


def rows_of(folding: Folding, *, max_rows: int | None = None) -> list[Row]:
    """The rows of a folded tree from top to bottom; with `max_rows`, as many levels of it as fit."""
    is_open = _Open(folding, max_rows)
    rows: list[Row] = []
    stack: list[tuple[Fold | Row, int, bool, tuple[int, ...]]] = [(Fold(folding.layout.tree.root, 1), 0, True, (0,))]
    while stack:
        item, level, last, members = stack.pop()
        if isinstance(item, Row):
            rows.append(item)
            continue
        node = item.node
        below = is_open.items(node)
        hidden = 0 if below or is_open.shows(node) else node.end - node.index - 1
        rows.append(Row("module", node, level, last, _name(item), item.times, members, hidden))
        edges = _edges(node, level + 1) if is_open.shows(node) else []
        for place, each in reversed(list(enumerate([*below, *edges]))):
            at_end = place == len(below) + len(edges) - 1
            inner = _members(members, node, each) if isinstance(each, Fold) else ()
            if isinstance(each, Row) and at_end:
                each = Row(each.kind, each.node, each.level, True, each.name, each.times)
            stack.append((each, level + 1, at_end, inner))
    return rows


class _Open:
    """Which modules show what is below them."""

    def __init__(self, folding: Folding, max_rows: int | None) -> None:
        self._folding = folding
        self._kept: dict[int, list[Fold | Row]] = {}
        self._all = max_rows is None
        if max_rows is not None:
            self._choose(max_rows)

    def shows(self, node: Node) -> bool:
        return self._all or node.index in self._kept

    def items(self, node: Node) -> list[Fold | Row]:
        if self._all:
            return list(self._folding.below(node))
        return self._kept.get(node.index, [])

    def _choose(self, max_rows: int) -> None:
        """Open whole levels while they fit; of a first level that does not, as many rows as fit."""
        level = [self._folding.layout.tree.root]
        num_rows = 1
        while level:
            below = [(node, self._folding.below(node)) for node in level]
            num_rows += sum(len(folds) + len(node.references) for node, folds in below)
            if num_rows > max_rows and level[0].parent is not None:
                return
            for node, folds in below:
                self._kept[node.index] = list(folds)
            if num_rows > max_rows:
                self._cut(level[0], below[0][1], max(1, max_rows - 2))
                return
            level = [fold.node for _, folds in below for fold in folds]

    def _cut(self, node: Node, folds: list[Fold], num: int) -> None:
        left_out = sum(fold.times for fold in folds[num:])
        self._kept[node.index] = [*folds[:num]]
        if left_out:
            self._kept[node.index].append(Row("more", node, 1, True, "", left_out))


def _edges(node: Node, level: int) -> list[Row]:
    return [Row(kind, target, level, False, attr) for attr, target, kind in node.references]


def _name(fold: Fold) -> str:
    node = fold.node
    name = leaf_name(node)
    number = integer_name(name) if name else None
    if number is None or node.parent is None:
        return name
    if fold.times > 1:
        name = f"{name}–{number + (fold.times - 1) * fold.period}"
        name = name if fold.period == 1 else f"({name})/{fold.period}"
    above = leaf_name(node.parent)
    return f"{above}.{name}" if above else name


def _members(outer: Sequence[int], parent: Node, fold: Fold) -> tuple[int, ...]:
    shift = fold.node.index - parent.index
    every = (index + shift + k * fold.stride for index in outer for k in range(fold.times))
    return tuple(itertools.islice(every, MAX_MEMBERS))


@dataclass(frozen=True)
class Words:
    """What a row says, in words. Made once a layout; `marks` is `[F u7 #12 H3]` without the brackets."""

    folding: Folding
    numbers: dict[str, int]

    @classmethod
    def of(cls, folding: Folding) -> Words:
        units = folding.layout.units
        return cls(folding, {fqn: n for n, unit in enumerate(units) for fqn in unit.fqns})

    def letter(self, row: Row) -> str:
        return LETTERS[self.folding.layout.modules[row.node.index].status]

    def marks(self, row: Row) -> str:
        """Status letter, unit, pre-order number and place of the handle; `!` before a conflict, `?` before
        a warning.
        """
        layout = self.folding.layout
        alarm = self.folding.alarm[row.node.index]
        parts = [("!" if alarm == 3 else "?" if alarm == 2 else "") + self.letter(row).replace("u", "-")]
        parts += self.units(row)
        parts.append("#" + progression(row.members))
        handles = [self._handle(layout, index) for index in row.members]
        if handles[0] is not None:
            parts.append("H" + progression([-1 if each is None else each for each in handles]))
        return " ".join(parts)

    def units(self, row: Row) -> list[str]:
        """`["u7"]`, `["u7–18"]` for a run, `[]` outside units."""
        rows = self.folding.layout.modules
        first, last = (self._unit(rows[index]) for index in (row.members[0], row.members[-1]))
        if first is None:
            return []
        return [f"u{first}" if first == last else f"u{first}–{last}"]

    def _unit(self, row) -> int | None:
        return self.numbers.get(row.unit) if row.status in ("fully_shard", "in_unit") else None

    def _handle(self, layout: Layout, index: int) -> int | None:
        row = layout.modules[index]
        if row.status != "fully_shard":
            return None
        unit = layout.unit_of.get(row.fqn)
        return unit.index if unit is not None and unit.fqn == row.fqn else None

    def numel(self, row: Row) -> str:
        total = self.folding.layout.modules[row.node.index].total_numel
        if not total:
            return ""
        return short_numel(total) + (" each" if row.times > 1 else "")


def progression(values: Sequence[int]) -> str:
    """Numbers of the members of a row: one, an arithmetic progression `13+13k`, or `13…` when irregular."""
    step = values[1] - values[0] if len(values) > 1 else 0
    if any(after - before != step for before, after in itertools.pairwise(values)):
        return f"{min(values)}…"
    return str(values[0]) if step == 0 else f"{values[0]}+{'' if step == 1 else step}k"


def short_numel(numel: int) -> str:
    """`768`, `38.6 M`, `68.5 B`."""
    for scale, letter in ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K")):
        if numel >= scale and numel >= 10_000:
            return f"{numel / scale:.1f} {letter}"
    return f"{numel:,}"
