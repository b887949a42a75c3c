"""Parameters by identity: their whole shape, and everyone who holds them.

A parameter object is one parameter however many names it has. While an engine has cut it, its data is only this rank's
piece; the shape of the whole is then kept on the parameter itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

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
        param: the parameter.
        shape: shape of the whole parameter; None for a lazy one.
        numel: elements of the whole parameter.
        is_plain: whether it is an ordinary parameter with at least one dimension; others need a closer look.
        first: the node that holds it first.
        user: `(module, attribute)` of that holder.
        others: `(node, (module, attribute))` of every further holder, in pre-order.
    """

    __slots__ = ("first", "is_plain", "name", "numel", "others", "param", "shape", "user")

    def __init__(self, name: str, param: nn.Parameter, first: Node, user: tuple[nn.Module, str]) -> None:
        self.name = name
        self.param = param
        self.first = first
        self.user = user
        self.others: tuple[tuple[Node, tuple[nn.Module, str]], ...] = ()
        if type(param) is nn.Parameter and UNSHARDED_SHAPE not in param.__dict__:
            self.shape: torch.Size | None = param.shape
            self.numel = param.numel()
            self.is_plain = bool(self.shape)
        else:
            self.shape = shape_of(param)
            self.numel = 0 if self.shape is None else self.shape.numel()
            self.is_plain = bool(self.shape) and type(param) is nn.Parameter

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The node of every holder, in pre-order; one that holds it twice is there twice."""
        return (self.first, *(node for node, _ in self.others))

    @property
    def users(self) -> tuple[tuple[nn.Module, str], ...]:
        """`(module, attribute)` of every holder, in the same order."""
        return (self.user, *(user for _, user in self.others))


def held_by_id(nodes: list[Node]) -> dict[int, Held]:
    """Every parameter below these nodes once, by its id, in the order of first names."""
    table: dict[int, Held] = {}
    for node in nodes:
        if not node.params:
            continue
        prefix = f"{node.fqn}." if node.fqn else ""
        for attr, param, module in node.params:
            known = table.get(id(param))
            if known is None:
                table[id(param)] = Held(prefix + attr, param, node, (module, attr))
            else:
                known.others = (*known.others, (node, (module, attr)))
    return table
