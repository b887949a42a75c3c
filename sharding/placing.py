"""Units and replicate groups in tree order, each with its local root, what it lies in and its place among handles.

What an edit did not touch is taken over; a unit that only moved up or down in the list is copied with its new place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from sharding.annotations import Annotation
from sharding.labels import IgnoredRoot, Labels
from sharding.nodes import Node
from sharding.owners import Owner, Owners
from sharding.touched import Touched
from sharding.units import ReplicateGroup, Unit


def units_of(labels: Labels, owners: Owners, touched: Touched, before: Sequence[Unit] = ()) -> list[Unit]:
    """Every sharded unit, in pre-order of its first module."""
    known = {unit.annotation: unit for unit in before}
    made: list[Unit] = []
    within = _Within(labels)
    for annotation, _, is_touched in _in_tree_order(labels, touched, "fully_shard"):
        unit = known.get(annotation)
        if is_touched or unit is None or annotation not in owners.kept or len(annotation.modules) > 1:
            unit = _unit(labels, annotation, owners.of(annotation), within, unit)
        made.append(unit)
    places = _walked_places(labels, made) if labels.tree.has_shared else _counted_places(made)
    return [unit if unit.index == place else unit.at(place) for unit, place in zip(made, places, strict=True)]


def _unit(labels: Labels, annotation: Annotation, owner: Owner, within: _Within, known: Unit | None) -> Unit:
    nodes = labels.marked(annotation)
    root = labels.local_root(annotation)
    unit = Unit(
        tuple([node.fqn for node in nodes]),
        tuple([node.modules[0] for node in nodes]),
        owner.rows,
        owner.numel,
        root is annotation,
        labels.first_node(root).fqn,
        within(nodes[0]),
        None if known is None else known.index,
        annotation,
    )
    return known if known is not None and _facts(known) == _facts(unit) else unit


_facts = attrgetter("fqns", "params", "is_root", "local_root", "within")


def _counted_places(units: Sequence[Unit]) -> Iterator[int | None]:
    """Each unit's place in `get_handles` of its local root: they are met in pre-order, where every module has one path.

    A unit without parameters has no handle, so no place.
    """
    met: dict[str, int] = {}
    for unit in units:
        if not unit.params:
            yield None
            continue
        root = unit.local_root
        place = met.get(root, 0)
        met[root] = place + 1
        yield place


def _walked_places(labels: Labels, units: Sequence[Unit]) -> Iterator[int | None]:
    """The same where modules are shared: a local root meets each by whichever of its paths comes first."""
    barred = set() if labels.through_replicate else {i for i, mark in labels.marks.items() if mark.api == "replicate"}
    handles = {labels.first_node(unit.annotation).index for unit in units if unit.params}
    roots = {id(root): root for unit in units if unit.params for root in (labels.local_root(unit.annotation),)}
    places: dict[int, int] = {}
    for root in roots.values():
        met = [node.index for member in labels.nodes_of(root) for node in labels.tree.walk(member, barred)]
        for place, index in enumerate(index for index in dict.fromkeys(met) if index in handles):
            places.setdefault(index, place)
    for unit in units:
        yield places.get(labels.first_node(unit.annotation).index) if unit.params else None


def groups_of(
    labels: Labels, owners: Owners, touched: Touched, before: Sequence[ReplicateGroup] = ()
) -> list[ReplicateGroup]:
    """Every replicate group, in pre-order."""
    known = {group.annotation: group for group in before}
    made: list[ReplicateGroup] = []
    within = _Within(labels)
    for annotation, node, is_touched in _in_tree_order(labels, touched, "replicate"):
        group = known.get(annotation)
        if is_touched or group is None or annotation not in owners.kept:
            owner = owners.of(annotation)
            group = ReplicateGroup(node.fqn, node.module, owner.rows, owner.numel, within(node), annotation)
        made.append(group)
    return made


def _in_tree_order(labels: Labels, touched: Touched, api: str) -> Iterator[tuple[Annotation, Node, bool]]:
    """Annotations of one kind with the first node they kept, in pre-order, and whether that lies in what is touched."""
    nodes, marks = labels.tree.nodes, labels.marks
    subtrees = iter(touched.subtrees)
    subtree, end = next(subtrees, None), 0
    met: set[Annotation] = set()
    for index in labels.order:
        while subtree is not None and subtree.index <= index:
            end = max(end, subtree.end)
            subtree = next(subtrees, None)
        annotation = marks[index]
        if annotation.api != api or annotation in met:
            continue
        if len(annotation.modules) > 1:
            met.add(annotation)
        yield annotation, nodes[index], index < end


class _Within:
    """The nearest replicated or ignored module above a node, as rows write it; found once a parent."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._known: dict[int, str | None] = {}

    def __call__(self, node: Node) -> str | None:
        parent = node.parent
        if parent is None:
            return None
        if parent.index not in self._known:
            texts = (self._takes_in(above) for above in node.ancestors())
            self._known[parent.index] = next((text for text in texts if text), None)
        return self._known[parent.index]

    def _takes_in(self, node: Node) -> str | None:
        mark = self._labels.marks.get(node.index)
        if mark is not None and mark.api == "replicate":
            return f"replicate:{node.fqn}"
        label = self._labels.decides[node.index]
        return f"ignored:{label.node.fqn}" if isinstance(label, IgnoredRoot) else None
