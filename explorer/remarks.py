"""Conflicts and findings as the page lists them: of one kind the first few, the others together in one.

The places of a remark are modules and parameters; those that repeat in every block are one run. Of places that have
no order, too many to send, the modules above them are named, alike for all, so that what looks alike still does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from explorer import runlength
from sharding.layout import Conflict, Finding, Layout
from sharding.traversal import Tree

MAX_ALIKE = 4
MAX_RUNS = 200

Place = tuple[int, tuple[str]]


class Remark(NamedTuple):
    """A conflict or finding, or several of one kind.

    Attributes:
        said: it, or the first of them.
        message: its sentence.
        places: index of the module and attribute of the parameter ("": the module itself), in pre-order.
    """

    said: Conflict | Finding
    message: str
    places: list[Place]


def gathered_remarks(layout: Layout, said: Iterable[Conflict | Finding]) -> list[Remark]:
    """What is said, a few of each kind by itself, then what is left of each kind."""
    remarks: list[Remark] = []
    kinds: dict[str, list[Conflict | Finding]] = {}
    for each in said:
        alike = kinds.setdefault(each.kind, [])
        alike.append(each)
        if len(alike) <= MAX_ALIKE:
            remarks.append(Remark(each, each.message, _places(layout.tree, each.fqns)))
    for alike in kinds.values():
        rest = alike[MAX_ALIKE:]
        if rest:
            fqns = [fqn for each in rest for fqn in each.fqns]
            message = f"{rest[0].message} (and {len(rest) - 1} more like it)" if len(rest) > 1 else rest[0].message
            remarks.append(Remark(rest[0], message, _places(layout.tree, fqns)))
    return remarks


def remarks_data(layout: Layout, said: Iterable[Conflict | Finding]) -> list[dict[str, Any]]:
    """The same as plain data; see `messages.PlanState`."""
    return [_data(remark) for remark in gathered_remarks(layout, said)]


def _data(remark: Remark) -> dict[str, Any]:
    said = remark.said
    words = {name: value for name in ("severity", "fix", "advice") if (value := getattr(said, name, None)) is not None}
    return {"kind": said.kind, "at": runlength.encode(remark.places), "message": remark.message, **words}


def _places(tree: Tree, fqns: Sequence[str]) -> list[Place]:
    places = sorted({_place(tree, fqn) for fqn in fqns})
    while len(places) > MAX_RUNS and len(runlength.encode(places)) > MAX_RUNS:
        parents = (tree.nodes[index].parent for index, _ in places)
        above: set[Place] = {(0 if parent is None else parent.index, ("",)) for parent in parents}
        places = sorted(above)
    return places


def _place(tree: Tree, name: str) -> Place:
    index = index_of(tree, name)
    fqn = tree.nodes[index].fqn
    return index, ("" if name == fqn else name[len(fqn) + 1 :] if fqn else name,)


def index_of(tree: Tree, name: str) -> int:
    """The module called so, or the one that holds the parameter called so."""
    while name:
        node = tree.fqns.get(name)
        if node is not None:
            return node.index
        name = name.rpartition(".")[0]
    return 0
