"""Policies: which submodules of a call's argument become units.

A policy chooses among the candidates of a `Scope` (the submodules the call may still mark) and says what it noticed
on the way. This project's own are `by_class`, `by_name`, `by_size` and their union with `|`; torch's policy objects
and plain functions are read by `torch_policies.py`. The argument of the call is always a unit and no policy is asked
about it.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import torch
from torch import nn

from sharding.errors import PlanError
from sharding.nodes import Node
from sharding.parameters import shape_of
from sharding.patterns import find_nodes
from sharding.scope import Choice, Scope
from sharding.sizes import sizes_of

BARE_CONTAINERS = (nn.ModuleList, nn.ModuleDict, nn.ParameterList, nn.ParameterDict)


class Policy(ABC):
    """A rule that marks submodules. Combine two with `|`."""

    @abstractmethod
    def choose(self, scope: Scope) -> Choice:
        """The candidates to mark.

        Raises:
            PlanError: the rule cannot be read on this model.
        """

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """The rule as JSON-ready data.

        Raises:
            PlanError: the rule holds a function or class that has no text.
        """

    def __or__(self, other: Any) -> Policy:
        from sharding.torch_policies import as_policy

        return Union((self, as_policy(other)))


@dataclass(frozen=True)
class ByClass(Policy):
    """Marks every submodule of one of these classes, given as classes (with subclasses) or as their names."""

    classes: tuple[type[nn.Module] | str, ...]

    def choose(self, scope: Scope) -> Choice:
        choice = Choice()
        found: set[type[nn.Module] | str] = set()
        matching: list[Node] = []
        for cls, nodes in scope.tree.by_class.items():
            wanted_here = [wanted for wanted in self.classes if _is_a(cls, wanted)]
            if wanted_here and (here := scope.among(nodes)):
                found.update(wanted_here)
                matching += here
        for node in sorted(matching, key=attrgetter("index")):
            if is_never_called(node):
                choice.notes.append((node, _NEVER_CALLED))
            else:
                choice.units[node.index] = {}
        missing = [wanted for wanted in self.classes if wanted not in found]
        if missing:
            self._report(missing, scope, choice)
        return choice

    def _report(self, missing: Sequence[type[nn.Module] | str], scope: Scope, choice: Choice) -> None:
        classes = {node.cls for node in scope.tree.walk(scope.argument, frozenset())}
        absent = [wanted for wanted in missing if not any(_is_a(cls, wanted) for cls in classes)]
        where = f"below {scope.argument.fqn!r}" if scope.argument.fqn else "below the root"
        for wanted in missing:
            if wanted not in absent:
                text = f"by_class: every {_class_name(wanted)} here is marked, replicated or ignored already"
                choice.notes.append((scope.argument, text))
        if not absent:
            return
        names = sorted({cls.__name__ for cls in classes})
        text = "; ".join(_no_match(_class_name(wanted), names) for wanted in absent)
        if len(absent) == len(self.classes) and any(isinstance(wanted, str) for wanted in absent):
            raise PlanError(f"by_class matches nothing {where}: {text}")
        choice.warnings.append((scope.argument, f"by_class {where}: {text}"))

    def to_data(self) -> dict[str, Any]:
        return {"by_class": [_class_name(wanted) for wanted in self.classes]}

    def __repr__(self) -> str:
        return f"by_class({', '.join(repr(_class_name(wanted)) for wanted in self.classes)})"


@dataclass(frozen=True)
class ByName(Policy):
    """Marks every submodule whose FQN, relative to the call's argument, matches one of these patterns."""

    patterns: tuple[str, ...]

    def choose(self, scope: Scope) -> Choice:
        choice = Choice()
        for pattern in self.patterns:
            for node in scope.among(find_nodes(scope.tree, pattern, start=scope.argument)):
                choice.units[node.index] = {}
        return choice

    def to_data(self) -> dict[str, Any]:
        return {"by_name": list(self.patterns)}

    def __repr__(self) -> str:
        return f"by_name({', '.join(map(repr, self.patterns))})"


@dataclass(frozen=True)
class BySize(Policy):
    """Marks, from the inside out, every submodule that still has `min_numel` elements outside units marked below it.

    Bare containers are looked into but never marked; `nn.MultiheadAttention` is neither (its projection is read, not
    called). These are the rules of torch's `size_based_auto_wrap_policy`.
    """

    min_numel: int

    def choose(self, scope: Scope) -> Choice:
        choice = Choice()

        def enters(node: Node, numel: int) -> bool:
            if numel >= self.min_numel and issubclass(node.cls, nn.MultiheadAttention):
                choice.notes.append((node, "by_size leaves it whole: its projection is read, not called"))
                return False
            return numel >= self.min_numel

        def marks(node: Node, numel: int) -> bool:
            if is_bare_container(node):
                choice.notes.append((node, "by_size looks into it, but nothing calls a container, so it is no unit"))
                return False
            if numel < self.min_numel:
                left = f"fewer than {self.min_numel:,} of its elements lie outside units below it"
                choice.notes.append((node, f"by_size leaves it to the unit above: {left}"))
            return numel >= self.min_numel

        choice.units = {index: {} for index in choose_inside_out(scope, enters, marks)}
        return choice

    def to_data(self) -> dict[str, Any]:
        return {"by_size": self.min_numel}

    def __repr__(self) -> str:
        return f"by_size({self.min_numel})"


@dataclass(frozen=True)
class Chosen(Policy):
    """Exactly these submodules, by name relative to the call's argument: what another policy chose, written down."""

    units: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]

    def choose(self, scope: Scope) -> Choice:
        find = scope.tree.find
        prefix = f"{scope.argument.fqn}." if scope.argument.fqn else ""
        found = {node.index: (node, dict(options)) for name, options in self.units for node in (find(prefix + name),)}
        allowed = scope.among(node for node, _ in found.values())
        return Choice({node.index: found[node.index][1] for node in allowed})

    def to_data(self) -> dict[str, Any]:
        from sharding.precision import Precision

        def plain(value: Any) -> Any:
            return value.to_data() if isinstance(value, Precision) else value

        return {"chosen": [[name, {key: plain(value) for key, value in options}] for name, options in self.units]}

    def __repr__(self) -> str:
        if any(options for _, options in self.units):
            return f"Chosen({self.units!r})"
        return f"by_name({', '.join(repr(name) for name, _ in self.units)})"


@dataclass(frozen=True)
class Union(Policy):
    """Marks what any of its policies marks; of settings for one module, the first policy's win."""

    policies: tuple[Policy, ...]

    def choose(self, scope: Scope) -> Choice:
        merged = Choice()
        for policy in self.policies:
            choice = policy.choose(scope)
            merged.notes += choice.notes
            merged.warnings += choice.warnings
            for index, overrides in choice.units.items():
                merged.units.setdefault(index, overrides)
        merged.units = dict(sorted(merged.units.items()))
        return merged

    def to_data(self) -> dict[str, Any]:
        return {"any_of": [policy.to_data() for policy in self.policies]}

    def __repr__(self) -> str:
        return " | ".join(map(repr, self.policies))


def by_class(*classes: type[nn.Module] | str) -> Policy:
    """Mark every submodule of one of these classes.

    Args:
        classes: classes (subclasses match too) or class names (a name anywhere in the class's ancestry matches).

    Raises:
        PlanError: no class given, or something that is neither a module class nor a name.
    """
    if not classes:
        raise PlanError("by_class needs at least one class or class name, such as by_class('Block')")
    for wanted in classes:
        if not isinstance(wanted, str) and not (isinstance(wanted, type) and issubclass(wanted, nn.Module)):
            raise PlanError(
                f"by_class takes module classes or their names, got {type(wanted).__name__}; "
                "pass the class, not an instance"
            )
    return ByClass(classes)


def by_name(*patterns: str) -> Policy:
    """Mark every submodule whose FQN relative to the call's argument matches; `*` within a component, `**` across."""
    if not patterns or not all(isinstance(pattern, str) for pattern in patterns):
        raise PlanError(f"by_name takes one or more patterns such as 'layers.*', got {patterns!r}")
    return ByName(patterns)


def by_size(min_numel: int) -> Policy:
    """Mark, from the inside out, submodules that still have `min_numel` elements of their own."""
    if isinstance(min_numel, bool) or not isinstance(min_numel, int) or min_numel < 1:
        raise PlanError(f"by_size needs a number of elements, at least 1, got {min_numel!r}")
    return BySize(min_numel)


def choose_inside_out(
    scope: Scope, enters: Callable[[Node, int], bool], marks: Callable[[Node, int], bool]
) -> list[int]:
    """Ask on the way down which candidates to look into, and on the way up which to mark.

    Args:
        scope: the candidates.
        enters: given a candidate and all its elements, whether it and the candidates below it are asked further.
        marks: given such a candidate and its elements outside what was marked below it, whether it becomes a unit.

    Returns:
        Indices of the marked candidates, ascending.
    """
    numel = _numel_to_take(scope)
    reached = {scope.argument.index}
    entered: list[Node] = []
    for node in scope.candidates:
        if node.parent is not None and node.parent.index in reached and enters(node, numel[node.index]):
            reached.add(node.index)
            entered.append(node)
    covered = dict.fromkeys(reached, 0)
    marked: list[int] = []
    for node in reversed(entered):
        taken = covered[node.index]
        if marks(node, numel[node.index] - taken):
            marked.append(node.index)
            taken = numel[node.index]
        if node.parent is not None:
            covered[node.parent.index] += taken
    return sorted(marked)


def _numel_to_take(scope: Scope) -> Sequence[int]:
    """Elements at and below each node, by index, without those that an inner unit, a group or an ignore keeps."""
    _, total = sizes_of(scope.tree)
    whole = len(scope.candidates) + 1 == scope.argument.end - scope.argument.index
    if whole and not scope.ignored and not scope.tree.has_shared:
        return total
    nodes = [scope.argument, *scope.candidates]
    left_out = dict.fromkeys((node.index for node in nodes), 0)
    for node in reversed(nodes):
        left_out[node.index] += sum(total[child.index] for child in node.children if child.index not in left_out)
        ignored = {id(param): param for _, param, _ in node.params if id(param) in scope.ignored}
        left_out[node.index] += sum((shape_of(param) or torch.Size([0])).numel() for param in ignored.values())
        if node.parent is not None and node.parent.index in left_out:
            left_out[node.parent.index] += left_out[node.index]
    numel = list(total)
    for index, without in left_out.items():
        numel[index] -= without
    return numel


def policy_from_data(data: dict[str, Any]) -> Policy:
    """The policy that `Policy.to_data` wrote."""
    kinds = {"by_class": by_class, "by_name": by_name}
    for kind, make in kinds.items():
        if kind in data:
            return make(*data[kind])
    if "by_size" in data:
        return by_size(data["by_size"])
    if "chosen" in data:
        return Chosen(tuple((name, _read_options(options)) for name, options in data["chosen"]))
    if "any_of" in data:
        return Union(tuple(policy_from_data(each) for each in data["any_of"]))
    raise PlanError(f"unknown policy {sorted(data)}; known are by_class, by_name, by_size, chosen, any_of")


def _read_options(options: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    from sharding.precision import as_precision

    return tuple((key, as_precision(value) if key == "mixed_precision" else value) for key, value in options.items())


def is_bare_container(node: Node) -> bool:
    """Whether nothing ever calls this module: a list or dict of modules or parameters without its own `forward`."""
    return issubclass(node.cls, BARE_CONTAINERS) and not has_forward(node)


def has_forward(node: Node) -> bool:
    """Whether the class defines `forward`, or the object was given one."""
    inner = node.modules[-1]
    return node.cls.forward is not nn.Module.forward or "forward" in inner.__dict__


_NEVER_CALLED = (
    "is left to its parent: nn.MultiheadAttention reads the weight of out_proj and never calls it, "
    "so nothing would gather it"
)


def is_never_called(node: Node) -> bool:
    """Whether this is the projection of an attention module, whose weight torch reads without calling it."""
    parent = node.parent
    return parent is not None and issubclass(parent.cls, nn.MultiheadAttention)


def _is_a(cls: type[nn.Module], wanted: type[nn.Module] | str) -> bool:
    if isinstance(wanted, str):
        return any(wanted in (base.__name__, base.__qualname__) for base in cls.__mro__[:-1])
    return issubclass(cls, wanted)


def _class_name(wanted: type[nn.Module] | str) -> str:
    return wanted if isinstance(wanted, str) else wanted.__name__


def _no_match(name: str, names: Sequence[str]) -> str:
    lowered = {other.lower(): other for other in names}
    near = difflib.get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.7)
    return f"no module is a {name}" + (f" (did you mean {lowered[near[0]]}?)" if near else "")
