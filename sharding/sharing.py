"""Who owns a parameter that several modules use, or that a call leaves out by itself.

The rules, in the order they are tried: a parameter that is ignored under one name is ignored under all; one label for
all users decides; units made by policies under one local root leave it to their lowest common unit; replicate groups
average the same gradient, so the first has it; everything else is a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sharding.annotations import Annotation
from sharding.labels import IgnoredRoot, Label, Labels
from sharding.nodes import Node
from sharding.verdicts import Conflict, Finding


@dataclass(frozen=True)
class Shared:
    """One parameter object with the nodes that hold it and its names there."""

    nodes: Sequence[Node]
    names: tuple[str, ...]


def settle(shared: Shared, labels: Labels) -> tuple[Label, Conflict | Finding | None]:
    """The one owner of a parameter with several users, and what there is to say about it."""
    found = {id(labels.decides[node.index]): labels.decides[node.index] for node in shared.nodes}
    distinct = list(found.values())
    if len(distinct) == 1:
        return distinct[0], None
    ignored = next((label for label in distinct if isinstance(label, IgnoredRoot)), None)
    if ignored is not None:
        return _settle_ignored(shared, labels, distinct, ignored)
    units = [label for label in distinct if isinstance(label, Annotation) and label.api == "fully_shard"]
    if not units:
        group = next(label for label in distinct if isinstance(label, Annotation))
        return group, _first_group(shared, labels, group)
    if len(units) == len(distinct):
        return _settle_units(shared, labels, units)
    return units[0], _across(shared, labels, distinct)


def _settle_ignored(
    shared: Shared, labels: Labels, distinct: list[Label], ignored: IgnoredRoot
) -> tuple[Label, Conflict | Finding]:
    for label in distinct:
        if isinstance(label, Annotation) and not labels.leaves_out(label, ignored):
            return label, Conflict(
                "ignored_owned",
                shared.names,
                f"{_all(shared.names)} are one parameter: {ignored.node.shown} is ignored, but {_at(labels, label)} "
                "owns it under its other name",
                f"ignore it in the call on {labels.first_node(label).shown} as well, or do not ignore "
                f"{ignored.node.shown}",
            )
    return ignored, Finding(
        "ignored_everywhere",
        "warn",
        shared.names,
        f"{_all(shared.names)} are one parameter and {ignored.node.shown} is ignored, so it is ignored under all its "
        "names: nobody averages it",
        "leave it out of the ignored module if it should be sharded",
    )


def _settle_units(shared: Shared, labels: Labels, units: list[Annotation]) -> tuple[Annotation, Conflict | Finding]:
    roots = {id(labels.local_root(unit)) for unit in units}
    if len(roots) > 1:
        return units[0], _tied(shared, labels, units, "lie under different local roots")
    by_hand = [unit for unit in units if not unit.made_by_policy_call]
    if by_hand:
        names = " and ".join(labels.first_node(unit).shown for unit in by_hand)
        return units[0], _tied(shared, labels, units, f"are different units, marked by hand: {names}")
    owner = _lowest_common(shared, labels, units[0])
    home = labels.first_node(owner)
    return owner, Finding(
        "moved_to_common_unit",
        "info",
        (*shared.names, home.fqn),
        f"{_all(shared.names)} are one parameter used in several units; it belongs to {home.shown}, the lowest unit "
        "above all its users, and is gathered there",
        f"mark its users as one unit with a list if {home.shown} should not hold it",
    )


def _lowest_common(shared: Shared, labels: Labels, unit: Annotation) -> Annotation:
    """The innermost unit that every path to every user passes through: all others lie on some path only."""
    units = labels.chain(unit)
    return next((each for each in units if _on_every_path(shared, labels, each)), units[-1])


def _on_every_path(shared: Shared, labels: Labels, unit: Annotation) -> bool:
    """Whether going up from the users, by any edge, always meets the unit before the root of the tree is passed."""
    stack = list(shared.nodes)
    met: set[int] = set()
    while stack:
        node = stack.pop()
        if node.index in met or labels.marks.get(node.index) is unit:
            continue
        if node.parent is None:
            return False
        met.add(node.index)
        stack += node.holders()
    return True


def _tied(shared: Shared, labels: Labels, units: list[Annotation], why: str) -> Conflict:
    owners = " and ".join(labels.first_node(unit).shown for unit in units)
    modules = ", ".join(repr(node.fqn) for node in shared.nodes)
    return Conflict(
        "shared_param",
        shared.names,
        f"{_all(shared.names)} are one parameter, but its owners {owners} {why}",
        f"make one unit of its users, fully_shard([{modules}]), or leave them to the unit above both",
    )


def _across(shared: Shared, labels: Labels, distinct: list[Label]) -> Conflict:
    says = " and ".join(_at(labels, label) for label in distinct)
    modules = ", ".join(repr(node.fqn) for node in shared.nodes)
    return Conflict(
        "shared_param",
        shared.names,
        f"{_all(shared.names)} are one parameter, but it falls to {says}",
        f"make one unit of its users, fully_shard([{modules}]), or leave them to one module above both",
    )


def _first_group(shared: Shared, labels: Labels, group: Annotation) -> Finding:
    return Finding(
        "shared_by_groups",
        "info",
        shared.names,
        f"{_all(shared.names)} are one parameter; {_at(labels, group)} averages it for all its users",
        "nothing to do",
    )


def settle_ignored_param(shared: Shared, labels: Labels, calls: Sequence[Annotation]) -> Conflict | None:
    """Whether calls may leave a single parameter out: none of its users may belong to a unit that took it before."""
    for node in shared.nodes:
        label = labels.decides[node.index]
        if not isinstance(label, Annotation):
            continue
        if not any(call is label.origin or labels.encloses(label, call) for call in calls):
            by = labels.first_node(calls[0]).fqn
            return Conflict(
                "ignored_owned",
                (shared.names[0], labels.first_node(label).fqn),
                f"{by!r} ignores the parameter {shared.names[0]!r}, but {_at(labels, label)} already owns it",
                f"ignore it in the call on {labels.first_node(label).shown} as well",
            )
    return None


def _at(labels: Labels, label: Label) -> str:
    if isinstance(label, Annotation):
        return f"{label.api} on {labels.first_node(label).shown}"
    return "nobody" if label is None else f"the ignored {label.node.shown}"


def _all(names: Sequence[str]) -> str:
    return " and ".join(repr(name) for name in names[:4]) + (" and others" if len(names) > 4 else "")
