"""Which annotation decides for which module: the nearest one at or above it, on every path.

`label_modules` gives each node of a tree its label: the annotation that decides for its direct parameters, the
ignored module it lies in, or None. Everything that contradicts itself is written down as a conflict; the labels are
then the ones of the first path, so that a view can still be drawn. Parameters with several users are settled in
`sharing.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sharding.annotations import Annotation
from sharding.labels import IgnoredRoot, Labels, stretches
from sharding.nodes import Node, indices_above
from sharding.second_paths import check_second_paths
from sharding.touched import differing_marks
from sharding.traversal import Tree
from sharding.verdicts import Conflict, Finding


def label_modules(
    tree: Tree,
    annotations: Sequence[Annotation],
    loose_ignores: Sequence[Node] = (),
    *,
    through_replicate: bool = False,
    after: Labels | None = None,
) -> Labels:
    """Decide for every module which annotation looks after its direct parameters.

    Args:
        tree: the tree.
        annotations: all marks, policy-made ones included; their modules are in the tree.
        loose_ignores: ignored modules that nothing above them is annotated for.
        through_replicate: as for `Labels`.
        after: labels of the same tree, of which what is below no differing mark stays.
    """
    conflicts: list[Conflict] = []
    marks = _place(tree, annotations, conflicts)
    nearest = _nearest(tree, marks, after)
    roots = {node.index: IgnoredRoot(node) for node in loose_ignores if node.index not in marks}
    labels = Labels(tree, marks, nearest, list(nearest), roots, conflicts, through_replicate=through_replicate)
    for annotation in annotations:
        if annotation.ignored_modules:
            _add_ignored(labels, annotation, roots)
    for index in sorted(roots):
        _cover(labels, roots[index], roots)
    if tree.has_shared:
        check_second_paths(labels)
    return labels


def _nearest(tree: Tree, marks: dict[int, Annotation], after: Labels | None) -> list[Annotation | None]:
    """The nearest mark at or above every node; given labels of the same tree, only below marks that differ anew."""
    order = sorted(marks)
    nearest: list[Annotation | None] = [None] * len(tree.nodes) if after is None else list(after.nearest)
    anew = order if after is None else sorted(differing_marks(marks, after.marks))
    for index in anew:
        node = tree.nodes[index]
        mark = marks.get(index)
        if mark is None and node.parent is not None:
            mark = nearest[node.parent.index]
        for stretch in stretches(tree, order, node):
            nearest[stretch.start : stretch.stop] = [mark] * len(stretch)
    return nearest


def _place(tree: Tree, annotations: Sequence[Annotation], conflicts: list[Conflict]) -> dict[int, Annotation]:
    marks: dict[int, Annotation] = {}
    for annotation in annotations:
        for module in annotation.modules:
            node = tree.node_of(module)
            if node is None:
                continue
            first = marks.get(node.index)
            if first is None:
                marks[node.index] = annotation
            else:
                conflicts.append(_marked_twice(node, first.api, annotation.api, tree.names(node)))
    return marks


def _marked_twice(node: Node, first: str, second: str, names: tuple[str, ...]) -> Conflict:
    also = f" (also named {', '.join(map(repr, names[1:]))})" if len(names) > 1 else ""
    if first == second:
        return Conflict(
            "twice",
            (node.fqn,),
            f"{first} is applied twice to {node.shown}{also}, a {node.cls_name}",
            "mark it once",
        )
    return Conflict(
        "both_apis",
        (node.fqn,),
        f"{node.shown}{also}, a {node.cls_name}, is marked {first} and {second}",
        f"choose one of the two; {first} came first",
    )


def _add_ignored(labels: Labels, call: Annotation, roots: dict[int, IgnoredRoot]) -> None:
    """Note what one call ignores, or why it cannot."""
    for module in call.ignored_modules:
        node = labels.tree.node_of(module)
        if node is None:
            continue
        if indices_above([node]).isdisjoint(own.index for own in labels.nodes_of(call)):
            labels.conflicts.append(_ignored_outside(labels, call, node))
            continue
        mark = labels.marks.get(node.index)
        if mark is not None:
            labels.findings.append(_kept(node, call, labels, mark))
            continue
        owner = labels.nearest[node.index]
        if owner is None or owner is call or owner.call is call or _already_ignored(labels, owner, node):
            roots.setdefault(node.index, IgnoredRoot(node)).calls.append(call)
        else:
            labels.conflicts.append(labels.owned_already(call, owner, node))


def _already_ignored(labels: Labels, owner: Annotation, node: Node) -> bool:
    """Whether the annotation that would own this node, or one outside it, leaves the node out itself."""
    ignored = [labels.tree.node_of(module) for module in owner.origin.ignored_modules]
    return any(root is not None and root.contains(node) for root in ignored)


def _ignored_outside(labels: Labels, call: Annotation, node: Node) -> Conflict:
    at = labels.first_node(call)
    return Conflict(
        "ignored_outside",
        (node.fqn, at.fqn),
        f"{call.api} on {at.shown} is to ignore {node.shown}, which is not inside it",
        "ignore it in a call on a module that holds it",
    )


def _kept(node: Node, call: Annotation, labels: Labels, mark: Annotation) -> Finding:
    return Finding(
        "annotated_in_ignored",
        "info",
        (node.fqn,),
        f"{node.shown} is ignored by {labels.first_node(call).shown} but is marked {mark.api} itself and stays so",
        "clear one of the two marks if that is not meant",
    )


def _cover(labels: Labels, root: IgnoredRoot, roots: dict[int, IgnoredRoot]) -> None:
    """Give the ignored label to what is reached from `root`, up to modules that are annotated or ignored themselves."""
    stack = [root.node]
    met: set[int] = set()
    while stack:
        node = stack.pop()
        if node.index in met or isinstance(labels.decides[node.index], IgnoredRoot):
            continue
        if roots.get(node.index, root) is not root:
            continue
        met.add(node.index)
        mark = labels.marks.get(node.index)
        if mark is not None:
            labels.findings.append(
                Finding(
                    "annotated_in_ignored",
                    "info",
                    (node.fqn, root.node.fqn),
                    f"{node.shown} lies in the ignored {root.node.shown} but is marked {mark.api} itself and stays so",
                    "clear one of the two marks if that is not meant",
                )
            )
            continue
        labels.decides[node.index] = root
        root.covered.append(node)
        stack += node.children
        stack += [target for _, target, kind in node.references if kind == "shared"]
