"""Parameters by identity: their whole shape, and everyone who holds them.

A parameter object is one parameter however many names it has. While an engine has cut it, its data is only this rank's
piece; the shape of the whole is then kept on the parameter itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from sharding.traversal import Node

UNSHARDED_SHAPE = "_unsharded_shape"
"""Attribute an engine sets on a parameter whose data is only this rank's piece: the shape of the whole."""


def shape_of(param: nn.Parameter) -> torch.Size | None:
    """Shape of a whole parameter, also while its data is only a piece; None for a lazy one."""
    if type(param) is not nn.Parameter and nn.parameter.is_lazy(param):
        return None
    return param.__dict__.get(UNSHARDED_SHAPE) or param.shape


class Held:
    """One parameter object and who holds it.

    Attributes:
        name: its first name in pre-order.
        param: the parameter.
        shape: shape of the whole parameter; None for a lazy one.
        numel: elements of the whole parameter.
        nodes: the node of every holder, in pre-order; one that holds it twice is there twice.
        users: `(module, attribute)` of every holder, in the same order.
    """

    __slots__ = ("name", "nodes", "numel", "param", "shape", "users")

    def __init__(self, name: str, param: nn.Parameter, node: Node, user: tuple[nn.Module, str]) -> None:
        self.name = name
        self.param = param
        self.shape = shape = shape_of(param)
        self.numel = 0 if shape is None else shape.numel()
        self.nodes = (node,)
        self.users = (user,)


def held_by_id(nodes: list[Node]) -> dict[int, Held]:
    """Every parameter below these nodes once, by its id, in the order of first names."""
    table: dict[int, Held] = {}
    for node in nodes:
        for attr, param, module in node.params:
            known = table.get(id(param))
            if known is None:
                name = f"{node.fqn}.{attr}" if node.fqn else attr
                table[id(param)] = Held(name, param, node, (module, attr))
            else:
                known.nodes += (node,)
                known.users += ((module, attr),)
    return table
