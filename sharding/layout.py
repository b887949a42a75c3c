"""A layout: what a set of annotations means on one model. Read by everything, decided by `resolution.py` alone.

A layout needs no process group, no device and no weights. It keeps the live modules and parameters it speaks of, so an
engine can act on it; everything else in it is plain data with clean names, relative to the module it was resolved on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import torch
from torch import nn

from sharding.annotations import Annotation
from sharding.parameters import Held
from sharding.traversal import Node, Tree, depth_first

Status = Literal["fully_shard", "in_unit", "replicate", "replicated", "ignored", "in_ignored", "unmanaged"]
OwnerKind = Literal["unit", "replicate", "ignored", "unmanaged"]
Severity = Literal["error", "warn", "info"]


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


class ParamRow:
    """One parameter, however many names it has.

    Attributes:
        name: its first name in pre-order.
        owner_kind: who looks after it.
        unit: FQN of the owning unit, replicate group or ignored module; None when unmanaged or ignored by itself.
        names: every name, the first one first.
    """

    __slots__ = ("_held", "names", "owner_kind", "unit")

    def __init__(self, held: Held, owner_kind: OwnerKind, unit: str | None, names: tuple[str, ...]) -> None:
        self._held = held
        self.owner_kind = owner_kind
        self.unit = unit
        self.names = names

    @property
    def name(self) -> str:
        return self._held.name

    @property
    def param(self) -> nn.Parameter:
        """The live parameter."""
        return self._held.param

    @property
    def numel(self) -> int:
        """Elements of the whole parameter."""
        return self._held.numel

    @property
    def shape(self) -> torch.Size | None:
        """Shape of the whole parameter; None while it is lazy."""
        return self._held.shape

    @property
    def dtype(self) -> torch.dtype:
        return self._held.param.dtype

    @property
    def requires_grad(self) -> bool:
        return self._held.param.requires_grad

    @property
    def users(self) -> tuple[tuple[nn.Module, str], ...]:
        """`(module, attribute)` of every module that holds it."""
        return self._held.users

    def __repr__(self) -> str:
        shape = "lazy" if self.shape is None else tuple(self.shape)
        return f"ParamRow({self.name!r}, {shape}, {self.dtype}, {self.owner_kind} {self.unit!r})"


@dataclass(frozen=True, eq=False, repr=False)
class Unit:
    """The modules whose parameters travel together.

    Attributes:
        fqns: names of the modules marked; several for `fully_shard([a, b])`.
        modules: those modules.
        params: rows of its parameters, in the order of the flat parameter.
        numel: their elements.
        is_root: whether a local tree starts here.
        local_root: FQN of the unit its local tree starts at.
        within: as for `ModuleRow`.
        index: its place in `get_handles(local root)`; None without parameters (it gets no handle).
        annotation: the mark that made it.
    """

    fqns: tuple[str, ...]
    modules: tuple[nn.Module, ...]
    params: tuple[ParamRow, ...]
    numel: int
    is_root: bool
    local_root: str
    within: str | None
    index: int | None
    annotation: Annotation

    @property
    def fqn(self) -> str:
        """Its name: that of its first module."""
        return self.fqns[0]

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.params)

    @property
    def strategy(self) -> str:
        return self.annotation.options.strategy

    def __repr__(self) -> str:
        return f"Unit({list(self.fqns)}, {len(self.params)} parameters, {self.numel:,} elements, {self.strategy})"


@dataclass(frozen=True, eq=False, repr=False)
class ReplicateGroup:
    """One `replicate` call: parameters kept whole on every rank, gradients averaged."""

    fqn: str
    module: nn.Module
    params: tuple[ParamRow, ...]
    numel: int
    within: str | None
    annotation: Annotation

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.params)


    def __repr__(self) -> str:
        return f"ReplicateGroup({self.fqn!r}, {len(self.params)} parameters, {self.numel:,} elements)"


@dataclass(frozen=True)
class Conflict:
    """Something that cannot run: verbs and `Plan.apply` refuse a layout that has one.

    Attributes:
        kind: a short stable name.
        fqns: the modules and parameters concerned.
        message: what was found, and where.
        fix: what to do about it.
    """

    kind: str
    fqns: tuple[str, ...]
    message: str
    fix: str


@dataclass(frozen=True)
class Finding:
    """Something that runs, but that people want to know."""

    kind: str
    severity: Severity
    fqns: tuple[str, ...]
    message: str
    advice: str


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """The meaning of annotations on a model.

    Attributes:
        tree: the module tree it was resolved on.
        engine: whose facts it states ("flat").
        modules: one row a module, in pre-order.
        params: one row a parameter by its first name, in the order of `named_parameters()`.
        units: all sharded units in pre-order of their first module, in whatever local tree.
        replicate_groups: all replicate calls in pre-order.
        conflicts: what cannot run.
        findings: what is worth knowing.
    """

    tree: Tree
    engine: str
    modules: Sequence[ModuleRow]
    params: Mapping[str, ParamRow]
    units: Sequence[Unit]
    replicate_groups: Sequence[ReplicateGroup]
    conflicts: tuple[Conflict, ...]
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        return (
            f"Layout({self.tree.root.cls_name}: {len(self.modules)} modules, {len(self.params)} parameters, "
            f"{len(self.units)} units, {len(self.replicate_groups)} replicate groups, {len(self.conflicts)} conflicts)"
        )

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
        lists as "handles:r", "init_composable:r", "init_wrapper:r".
        """
        orders = {"dfs": [row.fqn for row in self.modules]}
        reached = self._add_orders(orders, self.tree.root, "")
        for unit in self.units:
            if unit.is_root and unit.fqn not in reached:
                self._add_orders(orders, self.tree.fqns[unit.fqn], f":{unit.fqn}")
        return orders

    def _add_orders(self, orders: dict[str, list[str]], start: Node, suffix: str) -> set[str]:
        with_params = {unit.fqn for unit in self.units if unit.params}
        units = {unit.fqn for unit in self.units}
        before, after = depth_first(start, lambda node: node.fqn not in self._replicated_roots)
        reached = [node.fqn for node in before if node.fqn in units]
        if not suffix:
            orders["units"] = reached
        orders[f"handles{suffix}"] = handles = [fqn for fqn in reached if fqn in with_params]
        orders[f"init_composable{suffix}"] = handles[::-1]
        orders[f"init_wrapper{suffix}"] = [node.fqn for node in after if node.fqn in with_params]
        return set(reached)

    @cached_property
    def _replicated_roots(self) -> set[str]:
        return {group.fqn for group in self.replicate_groups}

