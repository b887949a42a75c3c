"""One edit of a plan: what a click or a call asks for, as a new plan and the line of code that repeats it.

An edit is refused, and nothing is changed, when a name does not exist, when there is nothing to change, or
when the layout would have a conflict that it had not before. A module that is marked by hand already is
marked anew: its old mark goes. Modules that make up all matches of a pattern are written as that pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from torch import nn

from explorer.messages import MarkVerb
from sharding.errors import ConflictError, PlanError
from sharding.layout import Layout
from sharding.nodes import Node
from sharding.patterns import as_names, escape, find_nodes, find_params
from sharding.plan import Mark, Plan
from sharding.plan_json import code_of_mark
from sharding.plan_reading import read
from sharding.torch_policies import as_policy
from sharding.traversal import Tree


@dataclass(frozen=True)
class Edit:
    """A new plan, and the code that makes it from the one before."""

    plan: Plan
    code: str


def mark(plan: Plan, layout: Layout, verb: MarkVerb, indices: Sequence[int]) -> Edit:
    """Mark or clear modules, each by itself.

    Raises:
        PlanError: all of them say that already, or there is nothing to clear.
    """
    nodes = [layout.tree.nodes[index] for index in indices]
    fresh = [node for node in nodes if _refusal(layout, node, verb) is None]
    if not fresh:
        raise PlanError(_refusal(layout, nodes[0], verb))
    targets = shortest(layout.tree, fresh)
    if verb == "fully_shard":
        marks = [Mark(verb, (target,)) for target in targets]
    else:
        marks = [Mark(verb, tuple(targets))]
    return _edit(plan, layout, marks, fresh)


def group(plan: Plan, layout: Layout, indices: Sequence[int]) -> Edit:
    """Make one unit of several modules.

    Raises:
        PlanError: fewer than two modules, or they are one unit already.
    """
    nodes = [layout.tree.nodes[index] for index in indices]
    if len(nodes) < 2:
        raise PlanError("a unit of several modules needs at least two; select more, or mark this one by itself")
    names = tuple(node.fqn for node in nodes)
    unit = layout.unit_of.get(names[0])
    if unit is not None and set(unit.fqns) == set(names):
        raise PlanError(f"{', '.join(map(repr, names))} are one unit already")
    return _edit(plan, layout, [Mark("fully_shard", names, grouped=True)], nodes)


def call(plan: Plan, layout: Layout, verb: MarkVerb, target: Any, **settings: Any) -> Edit:
    """An edit as Python writes it: `target` is a name, a pattern, a list, or (for fully_shard) a policy.

    Raises:
        PlanError: a name or pattern matches nothing, a setting cannot be read, or nothing would change.
    """
    if verb == "fully_shard" and not _is_names(target):
        settings["policy"], target = as_policy(target), ""
    wish = getattr(Plan(), verb)(target, **settings) if verb != "clear" else None
    asked = wish.marks[-1] if wish is not None else Mark("clear", as_names(target))
    nodes = [node for name in asked.names for node in _nodes(layout.tree, name)]
    if asked == Mark(asked.verb, asked.names):
        refusals = [_refusal(layout, node, verb) for node in nodes]
        if nodes and None not in refusals:
            raise PlanError(refusals[0])
    return _edit(plan, layout, [asked], nodes)


def check(before: Layout, after: Layout) -> None:
    """Refuse an edit that brings a conflict.

    Raises:
        ConflictError: with what is in conflict and what to do about it.
    """
    known = {(each.kind, each.fqns) for each in before.conflicts}
    new = [each for each in after.conflicts if (each.kind, each.fqns) not in known]
    if new:
        more = f" (and {len(new) - 1} more like it)" if len(new) > 1 else ""
        raise ConflictError(f"{new[0].message}; {new[0].fix}{more}", tuple(new))


def shortest(tree: Tree, nodes: Sequence[Node]) -> list[str]:
    """Names of modules, as one pattern where it matches exactly them, or as one for each leaf name."""
    whole = _pattern(tree, nodes)
    if whole is not None:
        return [whole]
    by_leaf: dict[str, list[Node]] = {}
    for node in nodes:
        by_leaf.setdefault(node.fqn.rpartition(".")[2], []).append(node)
    names: list[str] = []
    for alike in by_leaf.values() if len(by_leaf) < len(nodes) else ():
        pattern = _pattern(tree, alike)
        names += [pattern] if pattern is not None else [node.fqn for node in alike]
    return names or [node.fqn for node in nodes]


def _pattern(tree: Tree, nodes: Sequence[Node]) -> str | None:
    paths = [node.fqn.split(".") for node in nodes]
    if len(nodes) == 1:
        return nodes[0].fqn
    if len({len(path) for path in paths}) > 1:
        return None
    columns = [set(column) for column in zip(*paths, strict=True)]
    pattern = ".".join(escape(column.pop()) if len(column) == 1 else "*" for column in columns)
    try:
        found = find_nodes(tree, pattern)
    except PlanError:
        return None
    return pattern if {node.index for node in found} == {node.index for node in nodes} else None


def _is_names(target: Any) -> bool:
    """Whether a target names modules, a module given in place of its name included: that is refused as a name."""
    if isinstance(target, (str, nn.Module)):
        return True
    return isinstance(target, (list, tuple)) and all(isinstance(name, (str, nn.Module)) for name in target)


def _nodes(tree: Tree, name: str) -> list[Node]:
    """The modules a name stands for; none when it is a parameter's."""
    try:
        return find_nodes(tree, name)
    except PlanError:
        if find_params(tree, name):
            return []
        raise


def _refusal(layout: Layout, node: Node, verb: MarkVerb) -> str | None:
    """Why marking this module would change nothing; None if it would."""
    name = _named(node.fqn)
    _, decider = layout.status(node)
    own = _own_mark(layout, node)
    if verb == "clear":
        if own is not None:
            return None
        if decider is None:
            return f"there is nothing to clear: {name} has no mark and nothing above it has one"
        return f"there is nothing to clear: {name} has no mark of its own; {_named(decider)} decides"
    if own != verb:
        return None
    unit = layout.unit_of.get(node.fqn)
    if unit is not None and len(unit.fqns) > 1:
        return None
    if unit is not None and unit.annotation.by == "policy":
        return f"{name} is a unit already: a policy made it one"
    words = {"fully_shard": "a unit", "replicate": "replicated", "ignore": "ignored"}
    return f"{name} is {words[verb]} already; clear it, or undo"


def _named(fqn: str) -> str:
    return repr(fqn) if fqn else "the root module"


def _own_mark(layout: Layout, node: Node) -> MarkVerb | None:
    """What this module itself is marked with, by hand or by a policy."""
    status, _ = layout.status(node)
    marks: dict[str, MarkVerb] = {"fully_shard": "fully_shard", "replicate": "replicate", "ignored": "ignore"}
    return marks.get(status)


def _edit(plan: Plan, layout: Layout, marks: Sequence[Mark], nodes: Sequence[Node]) -> Edit:
    """The shortest plan that says what clearing `nodes` and then adding `marks` says."""
    tree = layout.tree
    names = [node.fqn for node in nodes if _own_mark(layout, node) is not None]
    clears = marks[0].verb == "clear"
    if clears:
        names = list(marks[0].names)
    added = () if clears else tuple(marks)
    if not names and nodes and not any(each.verb == "clear" for each in plan.marks):
        return Edit(replace(plan, marks=(*plan.marks, *added)), _code(marks))
    cleared = plan.clear(shorter) if (shorter := _shortest_or_same(tree, names, clears)) else plan
    sure = replace(cleared, marks=(*cleared.marks, *added))
    meaning = _meaning(sure, tree)
    if meaning == _meaning(plan, tree):
        raise PlanError(f"{_code(marks)} would change nothing: the plan says that already")
    without = [each for each in plan.marks if not _is_within(tree, each, {node.index for node in nodes}, names)]
    candidates = [(*without, *added), *([] if clears else [(*plan.marks, *added)])]
    for candidate in candidates:
        tried = replace(plan, marks=candidate)
        if tried != sure and _meaning(tried, tree) == meaning:
            sure = tried
            break
    return Edit(sure, _code(marks))


def _code(marks: Sequence[Mark]) -> str:
    return "; ".join(f"ex.{code_of_mark(each)}" for each in marks)


def _shortest_or_same(tree: Tree, names: list[str], same: bool) -> list[str]:
    return names if same or len(names) < 2 else shortest(tree, [tree.find(name) for name in names])


def _is_within(tree: Tree, old: Mark, indices: set[int], names: Iterable[str]) -> bool:
    """Whether a mark speaks of these modules (or parameters) and nothing else."""
    if old.policy is not None:
        return False
    if set(old.names) <= set(names):
        return True
    found = [node.index for name in old.names for node in _nodes(tree, name)]
    return bool(found) and set(found) <= indices


def _meaning(plan: Plan, tree: Tree) -> Any:
    """What a plan asks for on this tree, to be compared."""
    reading = read(plan, tree)
    asked = {
        (
            each.api,
            each.by,
            tuple(map(id, each.modules)),
            each.options,
            frozenset(map(id, each.ignored_modules)),
            frozenset(map(id, each.ignored_params)),
            repr(each.policy),
        )
        for each in reading.annotations
    }
    loose = {node.index for node in reading.loose_ignores}, {id(param) for param in reading.loose_params}
    return asked, len(reading.annotations), loose
