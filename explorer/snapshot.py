"""A tree and a layout as the plain data a page draws: `tree_state` when the model changes, `plan_state` at
every edit.

It decides nothing: statuses, units, orders, conflicts and findings are those of the layout. The text, HTML
and graph forms read the same layout through `rows.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from explorer import runlength
from explorer.classes import Classes, classes_of
from explorer.messages import PlanState, TreeState, UnitState
from sharding.annotations import UnitOptions
from sharding.collector import collector_paused
from sharding.errors import PlanError
from sharding.layout import Conflict, Finding, Layout, Unit
from sharding.plan import Plan
from sharding.plan_json import code_of_mark
from sharding.traversal import Tree

LETTERS = {
    "fully_shard": "F",
    "in_unit": "f",
    "replicate": "R",
    "replicated": "r",
    "ignored": "I",
    "in_ignored": "i",
    "unmanaged": "u",
}

_OPTIONS = ("reshard_after_forward", "mixed_precision", "cpu_offload")
MAX_ALIKE = 8
MAX_PLACES = 200


def tree_state(tree: Tree, classes: Classes | None = None) -> TreeState:
    """The tree payload."""
    classes = classes or classes_of(tree)
    refs = [
        [node.index, attr, target.index, kind]
        for node in tree.nodes
        if node.references
        for attr, target, kind in node.references
    ]
    return TreeState(tree.root.cls_name, classes.rows, classes.of[0], refs, classes.ties)


@collector_paused
def plan_state(layout: Layout, plan: Plan, **history: Any) -> PlanState:
    """The plan payload.

    Args:
        layout: the plan resolved on the model.
        plan: where it comes from, for the code line.
        history: `rev`, `last`, `undo` and `redo`, from whoever keeps the history.
    """
    numbers = {fqn: n for n, unit in enumerate(layout.units) for fqn in unit.fqns}
    rows = layout.modules
    sharded = ("fully_shard", "in_unit")
    unit_of = [numbers.get(row.unit, -1) if row.status in sharded else -1 for row in rows]  # type: ignore[arg-type]
    return PlanState(
        rev=history.get("rev", 0),
        status=runlength.encode([LETTERS[row.status] for row in rows]),
        units=_units(layout),
        unit_of=runlength.encode(unit_of),
        orders={name: order for name, order in layout.orders.items() if name not in ("dfs", "units")},
        conflicts=remarks_data(layout, layout.conflicts),
        findings=remarks_data(layout, layout.findings),
        totals=totals_of(layout),
        code=code_of(written_out(plan, layout.tree)),
        last=history.get("last", ""),
        undo=history.get("undo", False),
        redo=history.get("redo", False),
    )


def _units(layout: Layout) -> list[UnitState]:
    orders = layout.orders
    places: dict[str, dict[str, dict[str, int]]] = {}  # by suffix: thousands of local roots may share the whole orders
    states: list[UnitState] = []
    for n, unit in enumerate(layout.units):
        suffix = f":{unit.local_root}" if f"handles:{unit.local_root}" in orders else ""
        if suffix not in places:
            places[suffix] = _places_in_orders(layout, suffix)
        states.append(_unit(layout, n, unit, places[suffix]))
    return states


def _places_in_orders(layout: Layout, suffix: str) -> dict[str, dict[str, int]]:
    """Where each handle stands in the two initialisation orders with that suffix."""
    names = ("init_composable", "init_wrapper")
    return {name: {fqn: k for k, fqn in enumerate(layout.orders[name + suffix])} for name in names}


def _unit(layout: Layout, n: int, unit: Unit, places: dict[str, dict[str, int]]) -> UnitState:
    return UnitState(
        n=n,
        index=layout.tree.fqns[unit.fqn].index,
        fqns=list(unit.fqns),
        nparams=len(unit.params),
        numel=unit.numel,
        is_root=unit.is_root,
        local_root=unit.local_root,
        within=unit.within,
        handle=unit.index,
        init_c=places.get("init_composable", {}).get(unit.fqn),
        init_w=places.get("init_wrapper", {}).get(unit.fqn),
        strategy=unit.strategy,
        options=options_text(unit.annotation.options),
    )


def options_text(options: UnitOptions) -> dict[str, str]:
    """The settings of a unit that differ from the defaults, beside its strategy."""
    default = UnitOptions()
    return {name: str(value) for name in _OPTIONS if (value := getattr(options, name)) != getattr(default, name)}


def remarks_data(layout: Layout, remarks: Sequence[Conflict | Finding]) -> list[dict[str, Any]]:
    """Conflicts or findings as the page lists them; of one kind the first few, the others together in one."""
    data: list[dict[str, Any]] = []
    kinds: dict[str, list[Conflict | Finding]] = {}
    for each in remarks:
        alike = kinds.setdefault(each.kind, [])
        alike.append(each)
        if len(alike) <= MAX_ALIKE:
            data.append(_remark(layout, each, each.fqns, each.message))
    for alike in kinds.values():
        rest = alike[MAX_ALIKE:]
        if rest:
            fqns = [fqn for each in rest for fqn in each.fqns]
            data.append(_remark(layout, rest[0], fqns, f"{rest[0].message} (and {len(rest) - 1} more like it)"))
    return data


def _remark(layout: Layout, remark: Conflict | Finding, fqns: Sequence[str], message: str) -> dict[str, Any]:
    words = {
        name: value for name in ("severity", "fix", "advice") if (value := getattr(remark, name, None)) is not None
    }
    return {"kind": remark.kind, **_places(layout.tree, fqns), "message": message, **words}


def _places(tree: Tree, fqns: Sequence[str]) -> dict[str, Any]:
    """Names and the modules they are or lie in. Of too many the modules above them, alike for all, so that
    what looks alike still does.
    """
    indices = [index_of(tree, fqn) for fqn in fqns]
    if len(indices) <= MAX_PLACES:
        return {"fqns": list(fqns), "indices": indices}
    while len(indices) > MAX_PLACES:
        parents = (tree.nodes[index].parent for index in indices)
        indices = list(dict.fromkeys(0 if parent is None else parent.index for parent in parents))
    return {"fqns": [tree.nodes[index].fqn for index in indices], "indices": indices}


def index_of(tree: Tree, name: str) -> int:
    """The module called so, or the one that holds the parameter called so."""
    while name:
        node = tree.fqns.get(name)
        if node is not None:
            return node.index
        name = name.rpartition(".")[0]
    return 0


def totals_of(layout: Layout) -> dict[str, int]:
    """Elements by owner, every parameter once."""
    totals = {"numel": 0, "sharded": 0, "replicated": 0, "ignored": 0, "unmanaged": 0}
    words = {"unit": "sharded", "replicate": "replicated", "ignored": "ignored", "unmanaged": "unmanaged"}
    for row in layout.params.values():
        totals["numel"] += row.numel
        totals[words[row.owner_kind]] += row.numel
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
