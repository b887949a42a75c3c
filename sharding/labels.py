"""Labels: what decides for each node of a tree, and how the annotations lie in one another.

A label is an annotation, an ignored module, or None. They are given out in `ownership.py`; everything later only asks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sharding.annotations import Annotation
from sharding.nodes import Node
from sharding.traversal import Tree
from sharding.verdicts import Conflict, Finding


@dataclass(eq=False)
class IgnoredRoot:
    """A module left out of some calls, with everything below it that no annotation of its own keeps.

    Attributes:
        node: the module.
        calls: the annotations whose calls name it; empty when nothing above it is annotated.
        covered: the nodes it decides for.
    """

    node: Node
    calls: list[Annotation] = field(default_factory=list)
    covered: list[Node] = field(default_factory=list)


Label = Annotation | IgnoredRoot | None


def stretches(tree: Tree, order: Sequence[int], start: Node) -> Iterator[range]:
    """A node and what is below it up to marked nodes, as ranges of indices; `order` has all marked ones, ascending."""
    at = start.index
    place = bisect_right(order, at)
    while at < start.end:
        stop = order[place] if place < len(order) else start.end
        if stop >= start.end:
            yield range(at, start.end)
            return
        yield range(at, stop)
        at = tree.nodes[stop].end
        place = bisect_left(order, at, place)


@dataclass(eq=False)
class Labels:
    """What decides for each node, and how the annotations lie in one another.

    Attributes:
        tree: the tree.
        marks: annotation by index of the node it is on.
        nearest: the nearest annotation at or above each node, by the first path; ignoring left aside.
        decides: the label of each node.
        ignored: what calls leave out, by the index of its node.
        conflicts: contradictions met.
        findings: remarks.
        through_replicate: whether a local tree goes on inside a `replicate`, as it does on torch's engine.
    """

    tree: Tree
    marks: dict[int, Annotation]
    nearest: list[Annotation | None]
    decides: list[Label]
    ignored: dict[int, IgnoredRoot] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    through_replicate: bool = False
    _local_roots: dict[int, Annotation] = field(default_factory=dict)

    @cached_property
    def order(self) -> list[int]:
        """Indices of the marked nodes, ascending."""
        return sorted(self.marks)

    def marked(self, annotation: Annotation) -> list[Node]:
        """The annotation's nodes, in pre-order, without those that another annotation has taken."""
        return [node for node in self.nodes_of(annotation) if self.marks.get(node.index) is annotation]

    def region(self, label: Label) -> Iterator[int]:
        """Indices of the nodes a label decides for, ascending for one module."""
        decides = self.decides
        if isinstance(label, IgnoredRoot):
            yield from sorted(node.index for node in label.covered if decides[node.index] is label)
            return
        for start in [self.tree.root] if label is None else self.marked(label):
            for stretch in stretches(self.tree, self.order, start):
                for index in stretch:
                    if decides[index] is label:
                        yield index

    def first_node(self, annotation: Annotation) -> Node:
        """The node of the annotation's first module in pre-order."""
        if len(annotation.modules) == 1 and (node := self.tree.node_of(annotation.modules[0])) is not None:
            return node
        return self.nodes_of(annotation)[0]

    def nodes_of(self, annotation: Annotation) -> list[Node]:
        """The nodes of the annotation's modules, in pre-order."""
        if len(annotation.modules) == 1:
            node = self.tree.node_of(annotation.modules[0])
            return [] if node is None else [node]
        nodes = {node.index: node for m in annotation.modules if (node := self.tree.node_of(m)) is not None}
        return [nodes[index] for index in sorted(nodes)]

    def above(self, annotation: Annotation) -> Annotation | None:
        """The next annotation that encloses this one."""
        parent = self.first_node(annotation).parent
        return None if parent is None else self.nearest[parent.index]

    def encloses(self, outer: Annotation, inner: Annotation) -> bool:
        """Whether `outer` is `inner` or lies above it."""
        step: Annotation | None = inner
        while step is not None and step is not outer:
            step = self.above(step)
        return step is outer

    def local_root(self, unit: Annotation) -> Annotation:
        """The unit at which the local tree of this unit starts: nothing above it, or a `replicate`."""
        chain = []
        step: Annotation = unit
        while id(step) not in self._local_roots:
            chain.append(step)
            above = self._unit_above(step)
            if above is None:
                self._local_roots[id(step)] = step
                break
            step = above
        root = self._local_roots[id(step)]
        self._local_roots.update((id(each), root) for each in chain)
        return root

    def _unit_above(self, unit: Annotation) -> Annotation | None:
        """The next unit above in the same local tree."""
        above = self.above(unit)
        while self.through_replicate and above is not None and above.api == "replicate":
            above = self.above(above)
        return None if above is None or above.api == "replicate" else above

    def chain(self, unit: Annotation) -> list[Annotation]:
        """The unit and the fully sharded units above it in its local tree, innermost first."""
        units = [unit]
        while (above := self.above(units[-1])) is not None and above.api == "fully_shard":
            units.append(above)
        return units

    def leaves_out(self, unit: Annotation, root: IgnoredRoot) -> bool:
        """Whether this unit never took what `root` covers: its call names it, or lies outside one that does."""
        return any(call is unit.origin or self.encloses(unit, call) for call in root.calls)

    def owned_already(self, call: Annotation, owner: Annotation, node: Node) -> Conflict:
        """The conflict of a call that ignores what an inner unit or group has taken."""
        taken = self.first_node(owner)
        at, by = taken.shown, self.first_node(call).shown
        return Conflict(
            "ignored_owned",
            (node.fqn, taken.fqn),
            f"{by} ignores {node.shown}, but {owner.api} on {at} already owns it",
            f"ignore {node.shown} in the call on {at} as well, or do not mark {at}",
        )
