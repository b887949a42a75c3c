"""One module looked at closely: why it has its status, who owns each parameter, what a rank holds of it, which
lines of the plan make it so.

The page's inspector and `ex.inspect(name)` show the same data. It decides nothing: the reasons are read from the
layout and from the marks that name the module which decides.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.remarks import index_of
from sharding.errors import PlanError
from sharding.layout import Layout, ModuleRow
from sharding.partition import FlatPartition, rows_of_rank
from sharding.patterns import find_nodes, find_params
from sharding.plan import Mark, Plan
from sharding.plan_json import code_of_mark
from sharding.strategies import shards_and_copies
from sharding.units import ParamRow, Unit

DEFAULT_WORLD_SIZE = 2
MAX_NAMES = 5


@dataclass(frozen=True)
class Inspection:
    """What is known of one module under a plan. Printed, it is text.

    Attributes:
        fqn: its name, "" for the root.
        index: its place in pre-order.
        names: every name of it, the FQN first.
        cls: its class.
        status: as in `Layout.modules`.
        why: one sentence on how it came by that.
        unit: number of the sharded unit it belongs to, else None.
        unit_fqn: name of the module that decides: unit, replicated or ignored module; None when unmanaged.
        local_root: the unit its local tree starts at, where there is one.
        within: "replicate:<fqn>" or "ignored:<fqn>" of the nearest such module above.
        world_size: ranks the pieces are worked out for.
        own_numel: elements of its direct parameters.
        total_numel: elements at and below it.
        params: its direct parameters: {"name", "shape" (None while lazy), "dtype", "numel", "frozen", "tied" (other
            names), "owner_kind", "owner", "piece" ([start, stop] of the flattened parameter on rank 0; None where
            nothing is cut), "nbytes_per_rank" (of that piece, without padding; of the whole where nothing is cut)}.
        findings: {"kind", "severity", "message", "advice"} that name the module or a parameter of it.
        conflicts: {"kind", "message", "fix"} likewise.
        code: the lines of the plan that make it so.
    """

    fqn: str
    index: int
    names: list[str]
    cls: str
    status: str
    why: str
    unit: int | None
    unit_fqn: str | None
    local_root: str | None
    within: str | None
    world_size: int
    own_numel: int
    total_numel: int
    params: list[dict[str, Any]]
    findings: list[dict[str, str]]
    conflicts: list[dict[str, str]]
    code: list[str]

    def to_data(self) -> dict[str, Any]:
        """As plain data, for the page."""
        return dict(vars(self))

    def to_text(self, *, width: int = 80) -> str:
        """As lines of at most `width` columns, but for names longer than that."""
        head = f"{self.fqn or 'the root module'}  {self.cls}  (#{self.index})"
        lines = [head, *textwrap.wrap(self.why, width)]
        lines += [line for row in self.params for line in _param_lines(row, self.world_size, width)]
        remarks = [f"! {each['message']}; {each['fix']}" for each in self.conflicts]
        remarks += [f"? {each['message']}; {each['advice']}" for each in self.findings]
        lines += [part for remark in remarks for part in textwrap.wrap(remark, width, subsequent_indent="  ")]
        return "\n".join(lines + [f"    {line}" for line in self.code])

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()


def inspection_of(layout: Layout, plan: Plan, index: int, *, world_size: int | None = None) -> Inspection:
    """Look at one module.

    Args:
        layout: what the plan means on the model.
        plan: where it comes from, for the code.
        index: which module, in pre-order.
        world_size: ranks to cut over; those of the plan's mesh, or 2, if not given.

    Raises:
        PlanError: no such number of ranks.
    """
    mesh = _mesh(layout, world_size)
    row = layout.modules[index]
    sharded = row.status in ("fully_shard", "in_unit")
    numbers = {fqn: n for n, unit in enumerate(layout.units) for fqn in unit.fqns} if sharded else {}
    return Inspection(
        fqn=row.fqn,
        index=index,
        names=list(row.names),
        cls=row.cls,
        status=row.status,
        why=_why(layout, row),
        unit=numbers.get(row.unit or ""),
        unit_fqn=row.unit,
        local_root=row.local_root,
        within=row.within,
        world_size=math.prod(mesh),
        own_numel=row.own_numel,
        total_numel=row.total_numel,
        params=[_param(layout, each, mesh) for each in _own_params(layout, index)],
        findings=_remarks(layout.findings, ("kind", "severity", "message", "advice"), layout, index),
        conflicts=_remarks(layout.conflicts, ("kind", "message", "fix"), layout, index),
        code=[f".{code_of_mark(mark)}" for mark in _marks_on(layout, plan, row)],
    )


def _mesh(layout: Layout, world_size: int | None) -> tuple[int, ...]:
    planned = layout.mesh_shape
    if world_size is None:
        return planned or (DEFAULT_WORLD_SIZE,)
    if isinstance(world_size, bool) or not isinstance(world_size, int) or world_size < 1:
        raise PlanError(f"world_size={world_size!r}: give a whole number of ranks, 1 or more")
    return planned if planned and math.prod(planned) == world_size else (world_size,)


def _why(layout: Layout, row: ModuleRow) -> str:
    if row.unit is None:
        return (
            "Unmanaged: neither it nor a module above it is marked, so its parameters stay whole on every rank and "
            "nobody averages their gradients."
        )
    decider = _named(row.unit)
    sentences = {
        "ignored": "Ignored: it is marked so, and calls above it leave out all that is in it.",
        "in_ignored": f"Ignored: it lies in {decider}, which is ignored.",
        "replicate": "Replicated: it is marked so; parameters stay whole on every rank, gradients are averaged.",
        "replicated": f"Replicated: it lies in {decider}, which is replicated, and nothing closer is marked.",
    }
    return sentences.get(row.status) or _why_sharded(layout.unit_of[row.unit], row)


def _why_sharded(unit: Unit, row: ModuleRow) -> str:
    names = _listed(unit.fqns)
    others = f" together with {_listed([fqn for fqn in unit.fqns if fqn != row.fqn])}" if len(unit.fqns) > 1 else ""
    if row.status == "in_unit":
        return f"Sharded in the unit of {names}: that is the nearest mark above, nothing closer is marked."
    how = {
        "hand": "it is marked",
        "policy": f"the policy given at {_named(row.local_root or '')} chose it",
        "wrapper": "it is wrapped",
    }[unit.annotation.by]
    root = " A local tree of units starts here." if unit.is_root else ""
    empty = " It owns no parameter and gets no handle." if not unit.params else ""
    return f"A unit of its own{others}: {how}.{root}{empty}"


def _listed(fqns: Sequence[str]) -> str:
    more = f" and {len(fqns) - MAX_NAMES} more" if len(fqns) > MAX_NAMES else ""
    return ", ".join(_named(fqn) for fqn in fqns[:MAX_NAMES]) + more


def _named(fqn: str) -> str:
    return repr(fqn) if fqn else "the root module"


def _own_params(layout: Layout, index: int) -> Iterator[ParamRow]:
    """The direct parameters of a module, by identity: a tied one under whichever name it has its row."""
    held = layout.tree.held
    for _, param, _ in layout.tree.nodes[index].params:
        yield layout.params[held[id(param)].name]


def _param(layout: Layout, row: ParamRow, mesh: tuple[int, ...]) -> dict[str, Any]:
    piece = None
    if row.owner_kind == "unit" and row.unit is not None:
        piece = _piece(layout.unit_of[row.unit], row, mesh, layout.engine)
    numel = row.numel if piece is None else piece[1] - piece[0]
    return {
        "name": row.name,
        "shape": None if row.shape is None else list(row.shape),
        "dtype": str(row.dtype).removeprefix("torch."),
        "numel": row.numel,
        "frozen": not row.requires_grad,
        "tied": list(row.names[1:]),
        "owner_kind": row.owner_kind,
        "owner": row.unit,
        "piece": piece,
        "nbytes_per_rank": numel * row.dtype.itemsize,
    }


def _piece(unit: Unit, row: ParamRow, mesh: tuple[int, ...], engine: str) -> list[int] | None:
    """Which elements of a parameter rank 0 holds, by the arithmetic that the engine cuts by."""
    num_shards, _ = shards_and_copies(unit.strategy, mesh)
    if num_shards == 1 or row.shape is None:
        return None
    if engine == "torch":
        rows = row.shape[0] if row.shape else 1
        return [0, rows_of_rank(rows, num_shards, 0) * (row.numel // max(1, rows))]
    beside = [each for each in unit.params if (each.dtype, each.requires_grad) == (row.dtype, row.requires_grad)]
    place = next(k for k, each in enumerate(beside) if each.name == row.name)
    piece = FlatPartition(tuple(each.numel for each in beside), num_shards).piece(place, 0)
    return [piece.param_start, piece.param_start + piece.numel]


def _remarks(remarks: Sequence[Any], keys: Sequence[str], layout: Layout, index: int) -> list[dict[str, str]]:
    return [
        {key: getattr(each, key) for key in keys}
        for each in remarks
        if any(index_of(layout.tree, fqn) == index for fqn in each.fqns)
    ]


def _marks_on(layout: Layout, plan: Plan, row: ModuleRow) -> list[Mark]:
    """The marks that speak of the module that decides, from the last time it was cleared on; and those that ignore
    parameters held here.
    """
    deciding: list[Mark] = []
    for mark in plan.marks:
        if row.unit is not None and _names_module(layout, mark, row.unit, row.status):
            deciding = [] if mark.verb == "clear" else [*deciding, mark]
        elif mark.verb == "ignore" and _ignores_param_of(layout, mark, row.index):
            deciding.append(mark)
    return deciding


def _names_module(layout: Layout, mark: Mark, fqn: str, status: str) -> bool:
    node = layout.tree.fqns[fqn]
    unit = layout.unit_of.get(fqn) if status in ("fully_shard", "in_unit") else None
    patterns = (*mark.names, *mark.ignored) if status in ("ignored", "in_ignored") else mark.names
    for name in patterns:
        for found in _found(layout, name):
            if found is node or (mark.policy is not None and unit is not None and _chose(unit, found, node)):
                return True
    return False


def _chose(unit: Unit, found: Any, node: Any) -> bool:
    return unit.annotation.by == "policy" and found.contains(node)


def _found(layout: Layout, name: str) -> Sequence[Any]:
    try:
        return find_nodes(layout.tree, name)
    except PlanError:
        return ()


def _ignores_param_of(layout: Layout, mark: Mark, index: int) -> bool:
    return any(node.index == index for name in mark.names for node, _ in find_params(layout.tree, name))


def _param_lines(row: dict[str, Any], world_size: int, width: int) -> list[str]:
    shape = "lazy" if row["shape"] is None else "×".join(map(str, row["shape"])) or "scalar"
    owners = {"unit": "unit of ", "replicate": "replicated with ", "ignored": "ignored with "}
    owner = "unmanaged" if row["owner_kind"] == "unmanaged" else owners[row["owner_kind"]] + _named(row["owner"] or "")
    if row["owner_kind"] == "ignored" and row["owner"] is None:
        owner = "ignored by itself"
    held = "whole on every rank"
    if row["piece"] is not None:
        start, stop = row["piece"]
        held = f"elements {start:,} to {stop:,}" if stop > start else "nothing"
        held = f"rank 0 of {world_size} holds {held}"
    notes = ["frozen"] if row["frozen"] else []
    notes += [f"tied to {_listed(row['tied'])}"] if row["tied"] else []
    facts = "; ".join([f"{shape} {row['dtype']}", *notes, owner, f"{held}, {row['nbytes_per_rank']:,} bytes"])
    return textwrap.wrap(f"- {row['name']}: {facts}", width, subsequent_indent="  ")
