"""Equal subtrees of a module tree as one class each: the reason why 75,000 modules travel in a few kilobytes.

Two modules are of one class when their type name, their own parameters and buffers, and their children
(name by name) are the same. Children with consecutive integer names and one class are kept as a range.
Statuses and units are no part of it: they lie over the classes as a second layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import nn

from sharding.collector import collector_paused
from sharding.nodes import Node
from sharding.parameters import shape_of
from sharding.traversal import CHECKPOINTED, Tree

Own = tuple[tuple[str, tuple[int, ...], str, str], ...]
Kids = tuple[tuple[str, str | None, int], ...]
Row = tuple[str, Own, Kids] | tuple[str, Own, Kids, str]
"""A fourth part is there only where a module is marked: "c", its activations are checkpointed."""


@dataclass(frozen=True, eq=False, repr=False)
class Classes:
    """The classes of a tree.

    Attributes:
        rows: `(type, own, kids)` and marks, children before parents; see `messages.TreeState`.
        of: class number of every module, by pre-order index.
        ties: names of every parameter with several holders, the first one first.
    """

    rows: list[Row]
    of: list[int]
    ties: list[list[str]]

    def __repr__(self) -> str:
        return f"Classes({len(self.rows)} of {len(self.of)} modules)"


@collector_paused
def classes_of(tree: Tree) -> Classes:
    """Sort the modules of a tree into classes, in one pass from the last module to the first."""
    ties, firsts = _ties(tree)
    numbers: dict[tuple[Any, ...], int] = {}
    of = [0] * len(tree.nodes)
    for node in reversed(tree.nodes):
        inner = node.modules[-1]
        own = _own(node, firsts) if node.params else ()
        if inner._buffers or len(node.modules) > 1:
            own += tuple(_buffers(node))
        key = (type(inner), own, _kids(node, of) if node.children else (), _marks(node))
        number = numbers.get(key)
        if number is None:
            number = numbers[key] = len(numbers)
        of[node.index] = number
    return _named(list(numbers), of, ties, tree)


def _named(keys: list[tuple[Any, ...]], of: list[int], ties: list[list[str]], tree: Tree) -> Classes:
    """Type objects and dtypes as text; types of one name become one class."""
    names = {type(node.modules[-1]): node.cls_name for node in _first_of_each(tree, of, len(keys))}
    numbers: dict[Row, int] = {}
    new: list[int] = []
    for cls, own, kids, marks in keys:
        texts = tuple(
            (attr, tuple(shape), str(dtype).removeprefix("torch."), flags) for attr, shape, dtype, flags in own
        )
        merged = _merged([(start, end, new[kid]) for start, end, kid in kids])
        row: Row = (names[cls], texts, merged, marks) if marks else (names[cls], texts, merged)
        new.append(numbers.setdefault(row, len(numbers)))
    return Classes(list(numbers), of if len(numbers) == len(keys) else [new[number] for number in of], ties)


def _first_of_each(tree: Tree, of: list[int], num: int) -> list[Node]:
    first: list[Node] = [tree.root] * num
    for node in tree.nodes:
        first[of[node.index]] = node
    return first


def _merged(kids: list[tuple[str, str | None, int]]) -> Kids:
    """Neighbouring ranges that became one class, joined."""
    merged: list[tuple[str, str | None, int]] = []
    for start, end, kid in kids:
        if merged and merged[-1][2] == kid and _follows(merged[-1][1] or merged[-1][0], start):
            merged[-1] = (merged[-1][0], end or start, kid)
        else:
            merged.append((start, end, kid))
    return tuple(merged)


def _follows(name: str, after: str) -> bool:
    number = integer_name(name)
    return number is not None and after == str(number + 1)


def leaf_name(node: Node) -> str:
    """Name of a module in the one it was first reached from."""
    parent = node.parent
    if parent is None:
        return ""
    return node.fqn[len(parent.fqn) + 1 :] if parent.fqn else node.fqn


def integer_name(name: str) -> int | None:
    """The number a child is called by, written as Python writes it; None for any other name."""
    if name.isascii() and name.isdecimal() and (name[0] != "0" or name == "0"):
        return int(name)
    return None


def _kids(node: Node, of: list[int]) -> Kids:
    cut = len(node.fqn) + 1 if node.fqn else 0
    kids: list[tuple[str, str | None, int]] = []
    expected, last = "", -1
    for child in node.children:
        name, number = child.fqn[cut:], of[child.index]
        if number == last and name == expected:
            kids[-1] = (kids[-1][0], name, number)
        else:
            kids.append((name, None, number))
        last = number
        expected = "" if not name[-1:].isdigit() or (at := integer_name(name)) is None else str(at + 1)
    return tuple(kids)


def _own(node: Node, firsts: dict[int, tuple[int, str]]) -> tuple[Any, ...]:
    own: list[tuple[str, Any, Any, str]] = []
    for attr, param, _ in node.params:
        shape = shape_of(param)
        flags = "" if param.requires_grad else "f"
        if firsts and (first := firsts.get(id(param))) is not None:
            flags += "t" if first == (node.index, attr) else "s"
        if type(param) is not nn.Parameter:
            flags += _cut_by(param)
        own.append((attr, (0,), param.dtype, flags + "l") if shape is None else (attr, shape, param.dtype, flags))
    return tuple(own)


_AXES = {"tp": "T", "pp": "P", "ep": "E"}


def _cut_by(param: nn.Parameter) -> str:
    """Which parallelism has cut a parameter before: a letter for each axis of its mesh that it is cut along; "D" for a
    DTensor that says no such axis, "" for what is none.
    """
    mesh, placements = getattr(param, "device_mesh", None), getattr(param, "placements", None)
    if mesh is None or placements is None:
        return ""
    names = mesh.mesh_dim_names or ()
    cut = {_AXES.get(name, "") for name, placement in zip(names, placements, strict=False) if placement.is_shard()}
    return "".join(sorted(cut)) or "D"


def _marks(node: Node) -> str:
    """What a module wears besides its class: "c" inside a wrapper that checkpoints its activations."""
    return "c" if len(node.modules) > 1 and any(CHECKPOINTED in each._modules for each in node.modules) else ""


def _buffers(node: Node) -> list[tuple[str, Any, Any, str]]:
    return [
        (attr, buffer.shape, buffer.dtype, "b")
        for member in node.modules
        for attr, buffer in member._buffers.items()
        if buffer is not None
    ]


def _ties(tree: Tree) -> tuple[list[list[str]], dict[int, tuple[int, str]]]:
    """Names of tied parameters, and (index, attr) of the first holder of each by the parameter's id."""
    ids = [id(param) for node in tree.nodes for _, param, _ in node.params]
    if len(set(ids)) == len(ids):
        return [], {}
    names: dict[int, list[str]] = {}
    firsts: dict[int, tuple[int, str]] = {}
    for node in tree.nodes:
        for attr, param, _ in node.params:
            firsts.setdefault(id(param), (node.index, attr))
            names.setdefault(id(param), []).append(f"{node.fqn}.{attr}" if node.fqn else attr)
    tied = {key: each for key, each in names.items() if len(each) > 1}
    return list(tied.values()), {key: firsts[key] for key in tied}
