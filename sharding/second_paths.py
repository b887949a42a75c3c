"""Whether every path to a shared module says the same.

Labels follow the first path to each module. Here the others are compared with it: the decider of every parameter below
a shared module, and the local root of every unit below it. A module without parameters may lie in as many units as it
likes. Used by `ownership.py` alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from sharding.annotations import Annotation
from sharding.labels import IgnoredRoot, Label, Labels
from sharding.nodes import Node
from sharding.verdicts import Conflict, Finding


def check_second_paths(labels: Labels) -> None:
    """Add conflicts and findings to `labels` for every further edge to a shared module."""
    for node in labels.tree.nodes:
        for parent, attr in node.aliases:
            remark = _compare(labels, node, parent, f"{parent.fqn}.{attr}" if parent.fqn else attr)
            if isinstance(remark, Conflict):
                labels.conflicts.append(remark)
            elif remark is not None:
                labels.findings.append(remark)


def _compare(labels: Labels, shared: Node, parent: Node, other: str) -> Conflict | Finding | None:
    """What the edge from `parent`, which makes `other` a name of `shared`, changes; a conflict before a finding."""
    label, above = labels.decides[parent.index], labels.nearest[parent.index]
    if labels.decides[shared.index] is label and labels.nearest[shared.index] is above:
        return None
    found: Finding | None = None
    for node in _decided_with(labels, shared):
        if node.index in labels.marks:
            remark = _unit_below(labels, node, above, shared, other)
        elif node.params and labels.decides[node.index] is not label:
            remark = _decider(labels, labels.decides[node.index], label, shared, other)
        else:
            continue
        if isinstance(remark, Conflict):
            return remark
        found = found or remark
    return found


def _decided_with(labels: Labels, shared: Node) -> Iterator[Node]:
    """The module, and what is reached from it up to the marked modules, those included."""
    stack = [shared]
    met: set[int] = set()
    while stack:
        node = stack.pop()
        if node.index in met:
            continue
        met.add(node.index)
        yield node
        if node.index not in labels.marks:
            stack += node.children
            stack += [target for _, target, kind in node.references if kind == "shared"]


def _decider(labels: Labels, first: Label, second: Label, shared: Node, other: str) -> Conflict | Finding:
    """Two paths put the same parameters into different hands."""
    if first is not None and not isinstance(first, Annotation):
        if not isinstance(second, Annotation) or labels.leaves_out(second, first):
            return _ignored_everywhere((shared.fqn, other), first)
        return labels.owned_already(first.calls[0] if first.calls else second, second, shared)
    return Conflict(
        "shared_module",
        (shared.fqn, other),
        f"{shared.shown} and {other!r} are one {shared.cls_name}, but {_says(labels, first)} decides for the first "
        f"and {_says(labels, second)} for the second",
        f"mark {shared.shown} itself, or put both users into one unit with a list",
    )


def _unit_below(labels: Labels, node: Node, above: Annotation | None, shared: Node, other: str) -> Conflict | None:
    """A unit that would belong to two local trees."""
    mark = labels.marks[node.index]
    if mark.api != "fully_shard" or above is mark:
        return None
    by_other = labels.local_root(above) if above is not None and above.api == "fully_shard" else mark
    by_first = labels.local_root(mark)
    if by_other is by_first:
        return None
    return Conflict(
        "two_local_roots",
        (node.fqn, other),
        f"{shared.shown} and {other!r} are one module and the unit {node.shown} is reached by both, but it lies under "
        f"{labels.first_node(by_first).shown} by the first name and under {labels.first_node(by_other).shown} by the "
        "second",
        "mark a module above both as fully_shard, outside any replicate",
    )


def _says(labels: Labels, label: Annotation | IgnoredRoot | None) -> str:
    if isinstance(label, Annotation):
        return f"{label.api} on {labels.first_node(label).shown}"
    return "no annotation" if label is None else f"ignoring {label.node.shown}"


def _ignored_everywhere(names: tuple[str, ...], root: IgnoredRoot) -> Finding:
    return Finding(
        "ignored_everywhere",
        "warn",
        names,
        f"{names[0]!r} lies in the ignored {root.node.shown}, so it is ignored as {names[1]!r} too: nobody averages it",
        "leave it out of the ignored module if it should be sharded",
    )
