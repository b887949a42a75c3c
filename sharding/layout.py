"""A layout: what a set of annotations means on one model. Read by everything, decided by `resolution.py` alone.

A layout needs no process group, no device and no weights. It keeps the live modules and parameters it speaks of, so an
engine can act on it; everything else in it is plain data with clean names, relative to the module it was resolved on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from sharding.labels import IgnoredRoot, Label, Labels
from sharding.nodes import Node, depth_first
from sharding.owners import Owners
from sharding.sizes import sizes_of
from sharding.traversal import Tree
from sharding.units import ParamRow, ReplicateGroup, Unit
from sharding.verdicts import Conflict, Fact, Finding

Status = Literal["fully_shard", "in_unit", "replicate", "replicated", "ignored", "in_ignored", "unmanaged"]


class ModuleRow(NamedTuple):
    """One module as the layout sees it.

    Attributes:
        fqn: clean name.
        cls: class name, without the functions it was defined in.
        depth: edges from the root.
        index: position in pre-order, the order of `model.modules()`.
        status: what happens to its direct parameters and why.
        unit: FQN of the unit, replicate group or ignored module that decides; None when unmanaged.
        local_root: FQN of the local root of its unit, None where there is no unit.
        within: "replicate:<fqn>" or "ignored:<fqn>" of the nearest such module above, else None.
        own_numel: elements of its direct parameters; a tied one counts at its first name only.
        total_numel: elements at and below it, by identity.
        names: every name of the module, the FQN first.
    """

    fqn: str
    cls: str
    depth: int
    index: int
    status: Status
    unit: str | None
    local_root: str | None
    within: str | None
    own_numel: int
    total_numel: int
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """The meaning of annotations on a model.

    Attributes:
        tree: the module tree it was resolved on.
        engine: whose facts it states: "flat", this project's own, or "torch".
        labels: what decides for each module.
        owners: the parameters of each label.
        params: one row a parameter by its first name, in the order of `named_parameters()`.
        units: all sharded units in pre-order of their first module, in whatever local tree.
        replicate_groups: all replicate calls in pre-order.
        conflicts: what cannot run.
        findings: what is worth knowing.
        facts: what this engine does otherwise than the rules say.
        mesh_shape: of the device mesh the plan is meant for; None where it says nothing.
        ran: modules in the order their forwards began, once that was traced (`Trace.on`).
    """

    tree: Tree
    engine: str
    labels: Labels
    owners: Owners
    params: Mapping[str, ParamRow]
    units: Sequence[Unit]
    replicate_groups: Sequence[ReplicateGroup]
    conflicts: tuple[Conflict, ...]
    findings: tuple[Finding, ...]
    facts: tuple[Fact, ...] = ()
    mesh_shape: tuple[int, ...] | None = None
    ran: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return (
            f"Layout({self.tree.root.cls_name}: {len(self.tree.nodes)} modules, {len(self.params)} parameters, "
            f"{len(self.units)} units, {len(self.replicate_groups)} replicate groups, {len(self.conflicts)} conflicts)"
        )

    @cached_property
    def modules(self) -> Sequence[ModuleRow]:
        """One row a module, in pre-order. Everything in them is decided already; they are written when first asked."""
        return _module_rows(self.labels)

    @cached_property
    def unit_of(self) -> Mapping[str, Unit]:
        """Units by the name of each of their modules."""
        return {fqn: unit for unit in self.units for fqn in unit.fqns}

    @cached_property
    def orders(self) -> Mapping[str, list[str]]:
        """The orders, as lists of FQNs.

        "dfs": every module, left to right. "units": the sharded units met from the root without entering `replicate`.
        "handles": those of them that have parameters. "init_composable" and "init_wrapper": the order handles are made
        in by the composable and the wrapper path. For a local root `r` the walk from the root does not reach, the same
        lists as "handles:r", "init_composable:r", "init_wrapper:r". "forward": the units in the order they began to
        run, once that is known.
        """
        orders = {"dfs": [node.fqn for node in self.tree.nodes]}
        reached = self._add_orders(orders, ("",), "")
        for unit in self.units:
            if unit.is_root and unit.fqn not in reached:
                self._add_orders(orders, unit.fqns, f":{unit.fqn}")
        if self.ran is not None:
            first = dict.fromkeys(unit.fqn for fqn in self.ran if (unit := self.unit_of.get(fqn)) is not None)
            orders["forward"] = [fqn for fqn in first if self.unit_of[fqn].params]
        return orders

    def _add_orders(self, orders: dict[str, list[str]], starts: Sequence[str], suffix: str) -> set[str]:
        with_params = {unit.fqn for unit in self.units if unit.params}
        units = {unit.fqn for unit in self.units}
        before: dict[str, None] = {}
        after: dict[str, None] = {}
        for start in starts:
            walk = self._units_met(self.tree.fqns[start])
            before.update((node.fqn, None) for node in walk[0])
            after.update((node.fqn, None) for node in walk[1])
        reached = [fqn for fqn in before if fqn in units]
        if not suffix:
            orders["units"] = reached
        orders[f"handles{suffix}"] = handles = [fqn for fqn in reached if fqn in with_params]
        orders[f"init_composable{suffix}"] = handles[::-1]
        orders[f"init_wrapper{suffix}"] = [fqn for fqn in after if fqn in with_params]
        return set(reached)

    def _units_met(self, start: Node) -> tuple[list[Node], list[Node]]:
        """Nodes met from `start` without entering `replicate`, in pre-order and in post-order; where no module is
        shared, and so each has one path, the first ones of units alone.
        """
        roots = self._replicated_roots
        if self.tree.has_shared:
            return depth_first(start, lambda node: node.fqn not in roots)
        barred = {self.tree.fqns[fqn].index for fqn in roots}
        met = {node.index for node in self.tree.walk(start, barred)} if barred else range(start.index, start.end)
        units = [node for unit in self.units if (node := self.tree.fqns[unit.fqn]).index in met]
        return units, sorted(units, key=lambda node: (node.end, -node.index))

    def status(self, node: Node) -> tuple[Status, str | None]:
        """Status of one module and the FQN of what decides for it, as in its row, without writing the rows."""
        label = self.labels.decides[node.index]
        status, unit, _ = _facts(self.labels, label)
        if node.index in self.labels.marks or status == "in_ignored":
            status = _status_of_its_own(label, node, status)
        return status, unit

    @cached_property
    def _replicated_roots(self) -> set[str]:
        return set() if self.labels.through_replicate else {group.fqn for group in self.replicate_groups}


def _module_rows(labels: Labels) -> list[ModuleRow]:
    """One row a module; what depends on the label alone is worked out once a label."""
    tree = labels.tree
    own, total = sizes_of(tree)
    within: list[str | None] = []
    facts: dict[int, tuple[Status, str | None, str | None]] = {}
    class_names: dict[type, str] = {}
    rows: list[ModuleRow] = []
    for node in tree.nodes:
        index = node.index
        label = labels.decides[index]
        fact = facts.get(id(label))
        if fact is None:
            fact = facts[id(label)] = _facts(labels, label)
        status, unit, local_root = fact
        if index in labels.marks or status == "in_ignored":
            status = _status_of_its_own(label, node, status)
        enclosing = _enclosing(rows, within, node)
        within.append(f"ignored:{unit}" if status == "in_ignored" and enclosing is None else enclosing)
        cls = type(node.modules[-1])
        name = class_names.get(cls)
        if name is None:
            name = class_names[cls] = node.cls_name
        names = tree.names(node) if tree.has_shared else (node.fqn,)
        rows.append(
            ModuleRow(
                node.fqn,
                name,
                node.depth,
                index,
                status,
                unit,
                local_root,
                within[index],
                own[index],
                total[index],
                names,
            )
        )
    return rows


def _status_of_its_own(label: Label, node: Node, below: Status) -> Status:
    """Status of a module that is marked or ignored itself, given that of what is below such a module."""
    if isinstance(label, IgnoredRoot):
        return "ignored" if label.node is node else below
    return "fully_shard" if below == "in_unit" else "replicate"


def _enclosing(rows: list[ModuleRow], within: list[str | None], node: Node) -> str | None:
    if node.parent is None:
        return None
    above = rows[node.parent.index]
    if above.status == "replicate" or above.status == "ignored":
        return f"{above.status}:{above.fqn}"
    return within[above.index]


def _facts(labels: Labels, label: Label) -> tuple[Status, str | None, str | None]:
    """Status of the modules below the label's own, FQN of what decides, FQN of the local root."""
    if label is None:
        return "unmanaged", None, None
    if isinstance(label, IgnoredRoot):
        return "in_ignored", label.node.fqn, None
    fqn = labels.first_node(label).fqn
    if label.api == "replicate":
        return "replicated", fqn, None
    return "in_unit", fqn, labels.first_node(labels.local_root(label)).fqn
