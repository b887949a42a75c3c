"""A module tree copied without its data, and shortened: the same classes and attributes over fake tensors.

Parameters and buffers become fake tensors of the same shape and dtype; what is shared stays shared. Plain lists,
dictionaries and sets among the attributes are copied once, so that a forward that writes into them leaves the user's
alone; modules in them are the copies. Of a run of equal blocks only as many are kept as asked for.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from sharding.nodes import Node
from sharding.parameters import shape_of
from sharding.traversal import Tree

MIN_REPEATS = 4
"""Shorter runs are not worth shortening."""


@dataclass(frozen=True)
class Run:
    """Equal neighbours with consecutive numbers for names.

    Attributes:
        container: FQN of the module that holds them.
        first: the first of those numbers.
        count: how many there are.
    """

    container: str
    first: int
    count: int


def runs_in(tree: Tree) -> list[Run]:
    """The outermost runs of at least four equal blocks."""
    numbers = _class_numbers(tree)
    found: list[Run] = []
    stack = [tree.root]
    while stack:
        node = stack.pop()
        inside: set[int] = set()
        for start, count in _equal_neighbours(node, numbers):
            if count >= MIN_REPEATS:
                found.append(Run(node.fqn, _number(node.children[start]), count))
                inside.update(child.index for child in node.children[start : start + count])
        stack += [child for child in reversed(node.children) if child.index not in inside]
    return found


def _equal_neighbours(node: Node, numbers: list[int]) -> list[tuple[int, int]]:
    """`(place, how many)` of stretches of children of one class, called by consecutive numbers."""
    stretches: list[tuple[int, int]] = []
    for place, child in enumerate(node.children):
        number = _number(child)
        before = node.children[place - 1] if place else None
        follows = before is not None and number > 0 and _number(before) == number - 1
        if number < 0:
            continue
        if follows and before is not None and numbers[before.index] == numbers[child.index]:
            start, count = stretches[-1]
            stretches[-1] = (start, count + 1)
        else:
            stretches.append((place, 1))
    return stretches


def _number(node: Node) -> int:
    """The number a module is called by; -1 for any other name."""
    leaf = node.fqn.rpartition(".")[2]
    return int(leaf) if leaf.isdecimal() else -1


def _class_numbers(tree: Tree) -> list[int]:
    """A number a module, the same for modules with the same class, tensors and children."""
    known: dict[Any, int] = {}
    numbers = [0] * len(tree.nodes)
    for node in reversed(tree.nodes):
        key = (
            tuple(type(module) for module in node.modules),
            tuple((attr, shape_of(param), param.dtype, param.requires_grad) for attr, param, _ in node.params),
            tuple(_buffers(node)),
            tuple((child.fqn.rpartition(".")[2], numbers[child.index]) for child in node.children),
            len(node.references),
        )
        numbers[node.index] = known.setdefault(key, len(known))
    return numbers


def _buffers(node: Node) -> list[Any]:
    held = (item for module in node.modules for item in module._buffers.items())
    return [(name, buffer.shape, buffer.dtype) for name, buffer in held if buffer is not None]


_COPIED = (list, dict, set, OrderedDict, defaultdict, deque)
"""Where a forward may leave something; hooks live in such, too."""


@dataclass
class Shadow:
    """Makes copies under one fake tensor mode.

    Attributes:
        mode: whose fake tensors they hold.
        kept: by id of a container, the names of its children that stay.
        param_dtype: what floating-point parameters are cast to; None leaves them.
    """

    mode: FakeTensorMode
    kept: Mapping[int, set[str]]
    param_dtype: torch.dtype | None = None
    _tensors: dict[int, torch.Tensor] = field(default_factory=dict)
    _modules: dict[int, nn.Module] = field(default_factory=dict)
    _pairs: list[tuple[nn.Module, nn.Module]] = field(default_factory=list)

    def module(self, root: nn.Module) -> nn.Module:
        """The copy of a module and of all below it, without recursion."""
        stack = [root]
        while stack:
            module = _compiled_from(stack.pop())
            if id(module) in self._modules:
                continue
            twin = self._modules[id(module)] = module.__class__.__new__(module.__class__)
            self._pairs.append((twin, module))
            stack += [child for child in self._children(module).values() if child is not None]
        for twin, module in self._pairs:
            self._fill(twin, module)
        return self._modules[id(_compiled_from(root))]

    def twin(self, module: nn.Module) -> nn.Module | None:
        """The copy of a module; None if it was left out."""
        return self._modules.get(id(_compiled_from(module)))

    def twin_of_param(self, param: nn.Parameter) -> torch.Tensor | None:
        """The copy of a parameter; None if it was left out."""
        return self._tensors.get(id(param))

    def _children(self, module: nn.Module) -> dict[str, nn.Module | None]:
        kept = self.kept.get(id(module))
        children = module._modules
        return {name: child for name, child in children.items() if kept is None or name in kept}

    def _fill(self, twin: nn.Module, module: nn.Module) -> None:
        attributes = {name: self._attribute(value) for name, value in module.__dict__.items()}
        attributes["_parameters"] = {name: self._param(param) for name, param in module._parameters.items()}
        attributes["_buffers"] = {name: self._buffer(buffer) for name, buffer in module._buffers.items()}
        children = self._children(module)
        names = _renumbered(children) if id(module) in self.kept else {name: name for name in children}
        attributes["_modules"] = {
            names[name]: None if child is None else self._modules[id(_compiled_from(child))]
            for name, child in children.items()
        }
        twin.__dict__.update(attributes)

    def _attribute(self, value: Any) -> Any:
        if isinstance(value, nn.Module):
            return self._modules.get(id(value), value)
        if isinstance(value, torch.Tensor):
            return self._buffer(value)
        if type(value) is list:
            return [self._modules.get(id(each), each) for each in value]
        if type(value) is dict:
            return {name: self._modules.get(id(each), each) for name, each in value.items()}
        return value.copy() if type(value) in _COPIED else value

    def _param(self, param: nn.Parameter | None) -> nn.Parameter | None:
        if param is None:
            return None
        known = self._tensors.get(id(param))
        if known is None:
            shape = shape_of(param)
            dtype = self._cast(param.dtype)
            with self.mode:
                data = torch.empty(() if shape is None else shape, dtype=dtype, device="cpu")
            known = self._tensors[id(param)] = nn.Parameter(data, requires_grad=param.requires_grad)
        assert isinstance(known, nn.Parameter)
        return known

    def _buffer(self, buffer: torch.Tensor | None) -> torch.Tensor | None:
        if buffer is None:
            return None
        known = self._tensors.get(id(buffer))
        if known is None:
            with self.mode:
                known = torch.empty(buffer.shape, dtype=buffer.dtype, device="cpu")
            self._tensors[id(buffer)] = known
        return known

    def _cast(self, dtype: torch.dtype) -> torch.dtype:
        casts = self.param_dtype is not None and dtype.is_floating_point and dtype.itemsize >= 2
        return self.param_dtype if casts and self.param_dtype is not None else dtype

    def inputs(self, value: Any) -> Any:
        """Inputs as fake tensors of the same shapes and dtypes."""
        if isinstance(value, torch.Tensor):
            with self.mode:
                return torch.empty(value.shape, dtype=self._cast(value.dtype), device="cpu").requires_grad_(
                    value.requires_grad
                )
        if isinstance(value, Mapping):
            return {name: self.inputs(each) for name, each in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.inputs(each) for each in value)
        return value

    @property
    def tensors(self) -> list[torch.Tensor]:
        """Every parameter and buffer of the copies."""
        return list(self._tensors.values())


def _compiled_from(module: nn.Module) -> nn.Module:
    """The module itself: what `torch.compile` put around it would run the user's own."""
    while type(module).__name__ == "OptimizedModule" and (inner := module._modules.get("_orig_mod")) is not None:
        module = inner
    return module


def _renumbered(names: Mapping[str, Any]) -> dict[str, str]:
    """Numbers without the gaps that left out children leave; other names as they are."""
    new: dict[str, str] = {}
    following = 0
    for name in names:
        if name.isdecimal():
            following = following if new else int(name)
            new[name] = str(following)
            following += 1
        else:
            new[name] = name
    return new
