"""Who owns what, in a layout: a row for every parameter, units that are sharded, groups that are replicated.

They are made in `owners.py` and `placing.py` and read by everything; nothing here decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

import torch
from torch import nn

from sharding.annotations import Annotation
from sharding.parameters import Held

OwnerKind = Literal["unit", "replicate", "ignored", "unmanaged"]


class ParamRow:
    """One parameter, however many names it has.

    Attributes:
        name: its first name in pre-order.
        owner_kind: who looks after it.
        unit: FQN of the owning unit, replicate group or ignored module; None when unmanaged or ignored by itself.
    """

    __slots__ = ("_held", "_names", "owner_kind", "unit")

    def __init__(self, held: Held, owner_kind: OwnerKind, unit: str | None, names: tuple[str, ...] | None) -> None:
        self._held = held
        self._names = names
        self.owner_kind = owner_kind
        self.unit = unit

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, the first one first."""
        return (self._held.name,) if self._names is None else self._names

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
    def place(self) -> int:
        """Its place among all parameters of the model."""
        return self._held.place

    @property
    def is_plain(self) -> bool:
        """Whether it is an ordinary parameter with at least one dimension; others need a closer look."""
        return self._held.is_plain

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


_held_of = attrgetter("_held")


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

    def sizes(self) -> tuple[tuple[int, torch.dtype, bool], ...]:
        """`(elements, dtype, requires_grad)` of every parameter, for whoever looks at thousands of units."""
        held = [row._held for row in self.params]
        return tuple([(each.numel, (param := each.entry[1]).dtype, param.requires_grad) for each in held])

    def at(self, index: int | None) -> Unit:
        """The same unit at another place in `get_handles`."""
        moved = object.__new__(Unit)
        moved.__dict__.update(self.__dict__, index=index)
        return moved

    def same_as(self) -> tuple[object, ...]:
        """Equal for two units of layouts of one tree that have the same parameters in the same order."""
        return tuple(map(_held_of, self.params))

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
