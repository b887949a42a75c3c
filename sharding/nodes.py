"""One module of a tree, and the walks that follow every path from it.

A node knows its place: parent, children, further holders, back references. Walks use a stack, so a chain of any length
works, and follow shared modules but never back references. Trees are made in `traversal.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from torch import nn

ReferenceKind = Literal["shared", "back"]

_NOTHING: list[Any] = []
"""The empty list of every node without children, parameters or references; never added to, only replaced."""


class Node:
    """One module of the tree.

    Attributes:
        modules: the module object; for a wrapper the chain of objects, outermost first.
        index: position in pre-order (the order of `root.modules()`).
        end: the nodes below this one are `tree.nodes[index + 1 : end]`.
        fqn: clean name from the tree's root, "" for the root.
        depth: number of edges from the root.
        parent: the node this one was first reached from; None for the root.
        children: nodes first reached from here, left to right.
        params: `(attribute, parameter, holder)` of every direct parameter, in registration order.
        references: `(attribute, node, kind)` of edges to nodes that are listed elsewhere: "shared", or "back" to an
            ancestor.
        aliases: `(parent, attribute)` of the shared edges that lead here besides the first.
    """

    __slots__ = (
        "aliases",
        "children",
        "depth",
        "end",
        "fqn",
        "index",
        "modules",
        "params",
        "parent",
        "references",
    )

    def __init__(self, modules: tuple[nn.Module, ...], index: int, attr: str, parent: Node | None) -> None:
        self.modules = modules
        self.index = index
        self.end = index + 1
        self.parent = parent
        if parent is None:
            self.fqn = attr
            self.depth = 0
        else:
            self.fqn = f"{parent.fqn}.{attr}" if parent.fqn else attr
            self.depth = parent.depth + 1
        self.children: list[Node] = _NOTHING
        self.params: list[tuple[str, nn.Parameter, nn.Module]] = _NOTHING
        self.references: list[tuple[str, Node, ReferenceKind]] = _NOTHING
        self.aliases: list[tuple[Node, str]] = _NOTHING

    @property
    def module(self) -> nn.Module:
        """The object a parent holds: the outermost of a wrapper chain."""
        return self.modules[0]

    @property
    def cls(self) -> type[nn.Module]:
        """Class of the innermost module: what the user wrote, not the wrapper around it."""
        return type(self.modules[-1])

    @property
    def cls_name(self) -> str:
        """Class name without the functions it was defined in."""
        return self.cls.__qualname__.rpartition("<locals>.")[2]

    @property
    def shown(self) -> str:
        """Its name as messages write it."""
        return repr(self.fqn) if self.fqn else "the root"

    def contains(self, other: Node) -> bool:
        """Whether `other` is this node or below it in the tree."""
        return self.index <= other.index < self.end

    def ancestors(self) -> Iterator[Node]:
        """The nodes above this one in the tree, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def holders(self) -> Iterator[Node]:
        """The nodes that hold this one: its parent and, for a shared module, the others."""
        if self.parent is not None:
            yield self.parent
        for parent, _ in self.aliases:
            yield parent

    def __repr__(self) -> str:
        return f"Node({self.fqn!r}, {self.cls_name}, #{self.index})"


def depth_first(
    start: Node, enter: Callable[[Node], bool], *, from_right: bool = False
) -> tuple[list[Node], list[Node]]:
    """Walk from `start` by every edge, entering only the nodes that `enter` allows, each once.

    Args:
        start: where the walk begins; it is asked like any other.
        enter: whether a node is visited; a node that is not contributes nothing, nor does what is only below it.
        from_right: children right to left (shown for contrast; nothing runs in this order).

    Returns:
        The nodes in pre-order and in post-order.
    """
    before: list[Node] = []
    after: list[Node] = []
    met: set[int] = set()
    stack: list[tuple[Node, bool]] = [(start, False)]
    while stack:
        node, done = stack.pop()
        if done:
            after.append(node)
            continue
        if node.index in met or not enter(node):
            continue
        met.add(node.index)
        before.append(node)
        stack.append((node, True))
        edges = edges_of(node)
        stack += [(target, False) for target in (edges if from_right else reversed(edges))]
    return before, after


def edges_of(node: Node) -> list[Node]:
    """The nodes this one holds, in registration order, shared ones included, back references left out."""
    if not node.references:
        return list(node.children)
    held = {id(module): child for child in node.children for module in child.modules}
    for _, target, kind in node.references:
        if kind == "shared":
            held.update((id(module), target) for module in target.modules)
    order = [m for member in node.modules for m in member._modules.values() if m is not None]
    return [held[id(m)] for m in order if id(m) in held]


def indices_above(nodes: Sequence[Node]) -> set[int]:
    """Indices of these nodes and of all that reach one of them, by any path but back references."""
    met: set[int] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node.index not in met:
            met.add(node.index)
            stack += node.holders()
    return met
