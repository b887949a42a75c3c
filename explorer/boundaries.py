"""Moving the boundary of units one level: from modules up to their parents, or down to their children.

One edit: what was marked is cleared, what stands a level away is marked, with the same settings. Containers that torch
cannot shard, a `ModuleList` for one, are no level of their own: the boundary goes past them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from explorer import edits
from explorer.edits import Edit
from sharding.annotations import Annotation, UnitOptions
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.nodes import Node
from sharding.plan import OPTIONS, Mark, Plan
from sharding.plan_json import code_of_mark
from sharding.policy import BARE_CONTAINERS

Way = Literal["up", "down"]
_MARKED = {"fully_shard": "a unit", "replicate": "replicated", "ignored": "ignored"}


def move(plan: Plan, layout: Layout, way: Way, indices: Sequence[int]) -> Edit:
    """Move the boundary of the units that these modules are.

    Raises:
        PlanError: one of them is no unit, or one of several modules, or has nothing a level away that could be one.
    """
    nodes = [layout.tree.nodes[index] for index in indices]
    settings = _settings(plan, layout, nodes)
    targets = _parents(layout, nodes) if way == "up" else _children(layout, nodes)
    cleared = edits.mark(plan, layout, "clear", indices)
    marks = [Mark("fully_shard", (name,), options=settings) for name in edits.shortest(layout.tree, targets)]
    code = "; ".join(f"ex.{code_of_mark(each)}" for each in marks)
    return Edit(replace(cleared.plan, marks=(*cleared.plan.marks, *marks)), f"{cleared.code}; {code}")


def _settings(plan: Plan, layout: Layout, nodes: Sequence[Node]) -> tuple[tuple[str, Any], ...]:
    """What the units say of their own: all of them the same, or one edit could not keep it."""
    first, *others = [_said(plan, _annotation(layout, node)) for node in nodes]
    if any(other != first for other in others):
        raise PlanError("these units have different settings; move those alike together")
    return first


def _annotation(layout: Layout, node: Node) -> Annotation:
    unit = layout.unit_of.get(node.fqn)
    if unit is None:
        raise PlanError(f"{_named(node)} is no unit: only the boundary of a unit can be moved; F makes it one")
    if len(unit.fqns) > 1:
        raise PlanError(
            f"{_named(node)} is one unit with {len(unit.fqns) - 1} more; clear it, then mark what is to be one"
        )
    if unit.annotation.ignored_modules or unit.annotation.ignored_params:
        raise PlanError(f"the mark of {_named(node)} leaves modules or parameters out; clear it, then mark anew")
    return unit.annotation


def _said(plan: Plan, annotation: Annotation) -> tuple[tuple[str, Any], ...]:
    """The settings of a unit that differ from the defaults of its plan."""
    plain = replace(UnitOptions(), **dict(plan.settings))
    said = ((field, getattr(annotation.options, field)) for field in sorted(OPTIONS["fully_shard"]))
    return tuple((field, value) for field, value in said if value != getattr(plain, field))


def _parents(layout: Layout, nodes: Sequence[Node]) -> list[Node]:
    targets: dict[int, Node] = {}
    for node in nodes:
        above = node.parent
        while above is not None and isinstance(above.modules[-1], BARE_CONTAINERS):
            above = above.parent
        if above is None:
            raise PlanError(f"nothing above {_named(node)} could be a unit: the boundary is as high as it goes")
        if (taken := _MARKED.get(layout.status(above)[0])) is not None:
            raise PlanError(f"{_named(above)} is {taken} already; clear {_named(node)} (U), and it joins that one")
        targets[above.index] = above
    return [targets[index] for index in sorted(targets)]


def _children(layout: Layout, nodes: Sequence[Node]) -> list[Node]:
    targets: dict[int, Node] = {}
    for node in nodes:
        found = [child for child in _below(layout, node) if layout.status(child)[0] == "in_unit"]
        if not found:
            raise PlanError(
                f"nothing below {_named(node)} could be a unit: no module in it has parameters that are not taken"
            )
        targets.update((child.index, child) for child in found)
    return [targets[index] for index in sorted(targets)]


def _below(layout: Layout, node: Node) -> Iterator[Node]:
    """The next modules below one that can be units and have parameters."""
    for child in node.children:
        if isinstance(child.modules[-1], BARE_CONTAINERS):
            yield from _below(layout, child)
        elif any(below.params for below in layout.tree.nodes[child.index : child.end]):
            yield child


def _named(node: Node) -> str:
    return repr(node.fqn) if node.fqn else "the root module"
