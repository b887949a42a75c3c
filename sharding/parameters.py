"""Parameters by identity: their whole shape, and everyone who holds them.

A parameter object is one parameter however many names it has. While an engine has cut it, its data is only this rank's
piece; the shape of the whole is then kept on the parameter itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import Parameter

if TYPE_CHECKING:
    from sharding.nodes import Node

UNSHARDED_SHAPE = "_unsharded_shape"
"""Attribute an engine sets on a parameter whose data is only this rank's piece: the shape of the whole."""


def shape_of(param: nn.Parameter) -> torch.Size | None:
    """Shape of a whole parameter, also while its data is only a piece; None for a lazy one."""
    if type(param) is not nn.Parameter and nn.parameter.is_lazy(param):
        return None
    noted = param.__dict__.get(UNSHARDED_SHAPE)
    return param.shape if noted is None else noted


class Held:
    """One parameter object and who holds it.

    Attributes:
        name: its first name in pre-order.
        place: its place among all parameters, in the order of first names.
        numel: elements of the whole parameter.
        is_plain: whether it is an ordinary parameter with at least one dimension; others need a closer look.
        first: the node that holds it first.
        entry: `(attribute, parameter, module)` as that node lists it.
        others: `(node, attribute, module)` of every further holder, in pre-order.
    """

    __slots__ = ("entry", "first", "is_plain", "name", "numel", "others", "place")

    def __init__(self, name: str, place: int, entry: tuple[str, nn.Parameter, nn.Module], first: Node) -> None:
        self.name = name
        self.place = place
        self.entry = entry
        self.first = first
        self.others: tuple[tuple[Node, str, nn.Module], ...] = ()
        param = entry[1]
        if type(param) is Parameter and UNSHARDED_SHAPE not in param.__dict__:
            self.numel = param.numel()
            self.is_plain = param.ndim > 0
        else:
            shape = shape_of(param)
            self.numel = 0 if shape is None else shape.numel()
            self.is_plain = bool(shape) and type(param) is Parameter

    @property
    def param(self) -> nn.Parameter:
        """The parameter."""
        return self.entry[1]

    @property
    def shape(self) -> torch.Size | None:
        """Shape of the whole parameter; None for a lazy one."""
        return shape_of(self.entry[1])

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The node of every holder, in pre-order; one that holds it twice is there twice."""
        return (self.first, *(node for node, _, _ in self.others))

    @property
    def users(self) -> tuple[tuple[nn.Module, str], ...]:
        """`(module, attribute)` of every holder, in the same order."""
        attr, _, module = self.entry
        return ((module, attr), *((module, attr) for _, attr, module in self.others))


def held_by_id(nodes: list[Node]) -> dict[int, Held]:
    """Every parameter below these nodes once, by its id, in the order of first names."""
    table: dict[int, Held] = {}
    for node in nodes:
        if not node.params:
            continue
        prefix = f"{node.fqn}." if node.fqn else ""
        for entry in node.params:
            key = id(entry[1])
            known = table.get(key)
            if known is None:
                table[key] = Held(prefix + entry[0], len(table), entry, node)
            else:
                known.others = (*known.others, (node, entry[0], entry[2]))
    return table
