"""A tree and a layout as the plain data a page draws: `tree_state` when the model changes, `plan_state` at
every edit.

It decides nothing: statuses, units, orders, conflicts and findings are those of the layout, put into runs by
`areas.py`, `units.py` and `remarks.py`. The text, HTML and graph forms read the same layout through `rows.py`.
"""

from __future__ import annotations

from typing import Any

from explorer.areas import areas_of
from explorer.classes import Classes, classes_of
from explorer.messages import PlanState, TreeState
from explorer.remarks import remarks_data
from explorer.units import units_state
from sharding.collector import collector_paused
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.nodes import Node, edges_of
from sharding.plan import Plan
from sharding.plan_json import code_of_mark
from sharding.traversal import Tree


def tree_state(tree: Tree, classes: Classes | None = None) -> TreeState:
    """The tree payload."""
    classes = classes or classes_of(tree)
    refs = [ref for node in tree.nodes if node.references for ref in _refs(node)]
    return TreeState(tree.root.cls_name, classes.rows, classes.of[0], refs, classes.ties)


def _refs(node: Node) -> list[list[Any]]:
    """The references of a module; a shared one that stands before a child says at which place, as a fifth value."""
    refs: list[list[Any]] = [[node.index, attr, target.index, kind] for attr, target, kind in node.references]
    shared = (ref for ref in refs if ref[3] == "shared")
    children = {child.index for child in node.children}
    for place, edge in enumerate(edges_of(node)):
        if edge.index in children:
            children.remove(edge.index)
        elif children:
            next(shared).append(place)
    return refs


@collector_paused
def plan_state(layout: Layout, plan: Plan, **history: Any) -> PlanState:
    """The plan payload.

    Args:
        layout: the plan resolved on the model.
        plan: where it comes from, for the code line.
        history: `rev`, `last`, `undo` and `redo`, from whoever keeps the history.
    """
    return PlanState(
        rev=history.get("rev", 0),
        areas=areas_of(layout),
        units=units_state(layout),
        conflicts=remarks_data(layout, layout.conflicts),
        findings=remarks_data(layout, layout.findings),
        totals=totals_of(layout),
        code=code_of(written_out(plan, layout.tree)),
        last=history.get("last", ""),
        undo=history.get("undo", False),
        redo=history.get("redo", False),
    )


def totals_of(layout: Layout) -> dict[str, int]:
    """Elements by owner, every parameter once."""
    totals = {"numel": 0, "sharded": 0, "replicated": 0, "ignored": 0, "unmanaged": 0}
    words = {"unit": "sharded", "replicate": "replicated", "ignored": "ignored", "unmanaged": "unmanaged"}
    for owner in layout.owners:
        totals["numel"] += owner.numel
        totals[words[owner.kind]] += owner.numel
    return totals


def written_out(plan: Plan, tree: Tree) -> Plan:
    """The plan itself if it has a text; else, with a function for a policy, what that chose on this model."""
    try:
        plan.to_json()
    except PlanError:
        return plan.expanded(tree.root.module)
    return plan


def code_of(plan: Plan) -> str:
    """Python that makes the plan again: one line while it is short, else one line a mark."""
    line = f"plan = {plan.code()}"
    if len(line) <= 100 or len(plan.marks) < 2:
        return line
    first = f"plan = ({Plan((), plan.settings, plan.mesh_shape).code()}"
    marks = [f"    .{code_of_mark(mark)}" for mark in plan.marks]
    muted = [f"    .mute({finding!r}, reason={reason!r})" for finding, reason in plan.muted]
    return "\n".join([first, *marks, *muted, ")"])
