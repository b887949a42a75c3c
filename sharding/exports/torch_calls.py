"""A layout as lines of torch's own calls, inside out, equal neighbours in one loop.

    for layer in model.layers:
        fully_shard(layer.mlp, mesh=mesh, reshard_after_forward=True)
        fully_shard(layer, mesh=mesh, reshard_after_forward=True)
    fully_shard([model.norm, model.head], mesh=mesh, reshard_after_forward=True)
    fully_shard(model, mesh=mesh, reshard_after_forward=False)

Children come before what holds them; a unit of several modules comes after the last of them. Every choice is written
out, so that nothing depends on a default or on the order of calls.
"""

from __future__ import annotations

import keyword
from typing import Any

import torch
from torch import nn

from sharding.layout import Layout
from sharding.nodes import Node
from sharding.precision import as_precision
from sharding.strategies import HYBRID, KEEPS_AFTER_FORWARD
from sharding.units import ReplicateGroup, Unit

_INDENT = "    "
_SINGULAR = {"layers": "layer", "blocks": "block", "h": "block", "experts": "expert", "stages": "stage"}


class Calls:
    """The calls of one layout, for a function whose arguments are `model` and `mesh`.

    Attributes:
        lines: the body of that function.
        uses: names it uses of torch: "fully_shard", "replicate", "MixedPrecisionPolicy", "CPUOffloadPolicy".
    """

    def __init__(self, layout: Layout) -> None:
        """Layout: without conflicts, resolved for torch's engine."""
        self.layout = layout
        self.uses: set[str] = set()
        owners: list[Unit | ReplicateGroup] = [*layout.units, *layout.replicate_groups]
        self._nodes = {id(owner): _members(layout, owner) for owner in owners}
        self._at_last = {nodes[-1].index: owner for owner, nodes in zip(owners, self._nodes.values(), strict=True)}
        self._marked = {node.index for nodes in self._nodes.values() for node in nodes}
        self._owner_of = {id(row.param): id(owner) for owner in owners for row in owner.params}
        self._known: dict[tuple[int, str], list[str]] = {}
        self.lines = self._below(layout.tree.root, "model", ())

    def _below(self, node: Node, expression: str, names: tuple[str, ...]) -> list[str]:
        """The calls for everything at and below `node`, which `expression` reaches; `names` are taken by loops."""
        known = self._known.get((node.index, expression))
        if known is not None:
            return known
        lines: list[str] = []
        children = list(node.children) if self._calls_below(node) else []
        while children:
            run = self._equal_run(node, children, names)
            if len(run) > 1:
                lines += self._loop(node, expression, run, names)
            else:
                lines += self._below(run[0], _child(node, expression, run[0]), names)
            del children[: len(run)]
        owner = self._at_last.get(node.index)
        if owner is not None:
            lines.append(self._call(owner, node, expression))
        self._known[node.index, expression] = lines
        return lines

    def _calls_below(self, node: Node) -> bool:
        return any(index in self._at_last for index in range(node.index + 1, node.end))

    def _equal_run(self, parent: Node, children: list[Node], names: tuple[str, ...]) -> list[Node]:
        """The first of these children, and those right after it in a list of modules whose calls are the same."""
        first = children[0]
        if not isinstance(parent.modules[-1], (nn.ModuleList, nn.Sequential)) or not self._may_repeat(first):
            return [first]
        name = _loop_name(parent, names)
        wanted = self._below(first, name, (*names, name))
        run = [first] if wanted else []
        for node in children[1:] if wanted else []:
            is_next = _place(node) == _place(run[-1]) + 1
            if not is_next or not self._may_repeat(node) or self._below(node, name, (*names, name)) != wanted:
                break
            run.append(node)
        return run or [first]

    def _may_repeat(self, node: Node) -> bool:
        """Whether its calls speak of nothing outside it: no unit of several modules ends there."""
        owners = (self._at_last.get(index) for index in range(node.index, node.end))
        return all(owner is None or len(self._nodes[id(owner)]) == 1 for owner in owners)

    def _loop(self, parent: Node, expression: str, run: list[Node], names: tuple[str, ...]) -> list[str]:
        name = _loop_name(parent, names)
        first, last = _place(run[0]), _place(run[-1])
        length = len(parent.modules[-1]._modules)
        part = "" if (first, last) == (0, length - 1) else f"[{first}:{last + 1}]"
        body = self._below(run[0], name, (*names, name))
        return [f"for {name} in {expression}{part}:", *(_INDENT + line for line in body)]

    def _call(self, owner: Unit | ReplicateGroup, node: Node, expression: str) -> str:
        if isinstance(owner, ReplicateGroup):
            self.uses.add("replicate")
            settings = ["mesh=everyone", *self._precision(owner), *self._ignored(owner, node, expression)]
            return f"replicate({expression}, {', '.join(settings)})"
        self.uses.add("fully_shard")
        nodes = self._nodes[id(owner)]
        target = expression if len(nodes) == 1 else f"[{', '.join(_path(self.layout, each) for each in nodes)}]"
        settings = [
            "mesh=mesh",
            f"reshard_after_forward={_reshard(owner)!r}",
            *self._precision(owner),
            *self._offload(owner),
            *self._ignored(owner, node, "model" if len(nodes) > 1 else expression),
        ]
        return f"fully_shard({target}, {', '.join(settings)})"

    def _precision(self, owner: Unit | ReplicateGroup) -> list[str]:
        precision = as_precision(owner.annotation.options.mixed_precision)
        if precision is None:
            return []
        self.uses.add("MixedPrecisionPolicy")
        casts = precision.cast_forward_inputs
        if isinstance(owner, Unit) and owner.is_root and precision.cast_root_forward_inputs is not None:
            casts = precision.cast_root_forward_inputs
        given: dict[str, Any] = {
            name: getattr(precision, name) for name in ("param_dtype", "reduce_dtype", "output_dtype")
        }
        parts = [f"{name}={value}" for name, value in given.items() if isinstance(value, torch.dtype)]
        parts += [] if casts else ["cast_forward_inputs=False"]
        return [f"mp_policy=MixedPrecisionPolicy({', '.join(parts)})"]

    def _offload(self, unit: Unit) -> list[str]:
        if not unit.annotation.options.cpu_offload:
            return []
        self.uses.add("CPUOffloadPolicy")
        return ["offload_policy=CPUOffloadPolicy(pin_memory=torch.cuda.is_available())"]

    def _ignored(self, owner: Unit | ReplicateGroup, node: Node, expression: str) -> list[str]:
        """Parameters the call would take that are not its own, by name from `expression`."""
        names = [
            f"{each.fqn}.{attr}" if each.fqn else attr
            for root in self._nodes[id(owner)]
            for each in self._within_reach(root)
            for attr, param, _ in each.params
            if self._owner_of.get(id(param)) != id(owner)
        ]
        if not names:
            return []
        if expression != "model" and node.fqn:
            names = [name.removeprefix(node.fqn + ".") for name in names]
        listed = "(" + ", ".join(map(repr, names)) + ("," if len(names) == 1 else "") + ")"
        return [f"ignored_params={{{expression}.get_parameter(name) for name in {listed}}}"]

    def _within_reach(self, root: Node) -> list[Node]:
        """Modules at and below a member that no inner call has taken."""
        nodes, reach, skip_to = self.layout.tree.nodes, [], root.index
        for node in nodes[root.index : root.end]:
            if node.index < skip_to:
                continue
            if node is not root and node.index in self._marked:
                skip_to = node.end
                continue
            reach.append(node)
        return reach


def _members(layout: Layout, owner: Unit | ReplicateGroup) -> list[Node]:
    """The nodes of its modules, in pre-order."""
    fqns = owner.fqns if isinstance(owner, Unit) else (owner.fqn,)
    return sorted((layout.tree.fqns[fqn] for fqn in fqns), key=lambda node: node.index)


def _reshard(unit: Unit) -> bool | int:
    """What torch does with None, written out: a root keeps its parameters, others free them after forward."""
    options = unit.annotation.options
    if options.reshard_after_forward is not None:
        return options.reshard_after_forward
    return not unit.is_root and options.strategy not in KEEPS_AFTER_FORWARD


def is_hybrid(layout: Layout) -> bool:
    """Whether some unit needs a mesh of two axes."""
    return any(unit.strategy in HYBRID for unit in layout.units)


def _loop_name(parent: Node, names: tuple[str, ...]) -> str:
    name = _SINGULAR.get(parent.fqn.rpartition(".")[2], "module")
    return name if name not in names else f"{name}{len(names) + 1}"


def _place(node: Node) -> int:
    """Its number in the list of modules that holds it."""
    return int(_attr(node))


def _attr(node: Node) -> str:
    return node.fqn.rpartition(".")[2]


def _child(parent: Node, expression: str, child: Node) -> str:
    name = _attr(child)
    holder = parent.modules[-1]
    if isinstance(holder, (nn.ModuleList, nn.Sequential)) and name.isdigit():
        return f"{expression}[{name}]"
    if isinstance(holder, nn.ModuleDict):
        return f"{expression}[{name!r}]"
    if name.isidentifier() and not keyword.iskeyword(name):
        return f"{expression}.{name}"
    return f"getattr({expression}, {name!r})"


def _path(layout: Layout, node: Node) -> str:
    """How `model` reaches a module."""
    if node.parent is None:
        return "model"
    return _child(node.parent, _path(layout, node.parent), node)
