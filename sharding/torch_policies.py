"""Torch's own wrap policies, read as this project's.

`ModuleWrapPolicy`, `CustomPolicy` and the functions of `torch.distributed.fsdp.wrap` are taken as they are, and so
are plain functions: `f(module) -> bool or dict`, or the older `f(module, recurse, nonwrapped_numel) -> bool`. The two
private attributes read here (`_module_classes`, `_lambda_fn`) are the same in torch 2.11 to 2.14.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import nn

from sharding.errors import PlanError
from sharding.nodes import Node
from sharding.policy import ByClass, Policy, choose_inside_out
from sharding.precision import as_precision
from sharding.scope import Choice, Scope

_STRATEGIES = {
    "FULL_SHARD": "full_shard",
    "SHARD_GRAD_OP": "shard_grad_op",
    "NO_SHARD": "no_shard",
    "HYBRID_SHARD": "hybrid_shard",
    "_HYBRID_SHARD_ZERO2": "hybrid_shard_zero2",
}
_PREFETCH = {"BACKWARD_PRE": "pre", "BACKWARD_POST": "post"}
_KEPT = ("forward_prefetch", "limit_all_gathers", "reshard_after_forward")


def as_policy(policy: Any) -> Policy:
    """Read a policy of any accepted kind.

    Raises:
        PlanError: it is none, with what would do.
    """
    if isinstance(policy, Policy):
        return policy
    from torch.distributed.fsdp import wrap

    if isinstance(policy, wrap.ModuleWrapPolicy):
        return ByClass(tuple(policy._module_classes))
    if isinstance(policy, wrap.CustomPolicy):
        return ByFunction(policy._lambda_fn)
    if (
        isinstance(policy, (set, frozenset, list, tuple))
        or not callable(policy)
        or isinstance(policy, (type, nn.Module))
    ):
        raise PlanError(
            f"{type(policy).__name__} is no policy; use by_class('Block'), by_name('layers.*'), by_size(10_000), "
            "torch's ModuleWrapPolicy or CustomPolicy, or a function of a module"
        )
    return ByRecursion(policy) if _takes_recurse(policy) else ByFunction(policy)


def _takes_recurse(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    if "recurse" in parameters:
        return True
    kinds = {parameter.kind for parameter in parameters.values()}
    return kinds == {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}


class _Function(Policy):
    """Shared by the two kinds of functions: they have no text."""

    function: Callable[..., Any]

    def to_data(self) -> dict[str, Any]:
        raise PlanError(
            f"the policy {self!r} is a function and has no text to save; use by_class, by_name or by_size, or write "
            "out what it chose with plan.expanded(model)"
        )

    def __repr__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)


@dataclass(frozen=True, repr=False)
class ByFunction(_Function):
    """`f(module)`: True or a dict of settings marks the module; False and an empty dict do not."""

    function: Callable[..., Any]

    def choose(self, scope: Scope) -> Choice:
        choice = Choice()
        for node in scope.candidates:
            answer = _ask(self, node, node.modules[-1])
            if isinstance(answer, dict):
                if answer:
                    choice.units[node.index] = _overrides(answer, node)
            elif isinstance(answer, bool):
                if answer:
                    choice.units[node.index] = {}
            else:
                raise PlanError(
                    f"the policy {self!r} returned {answer!r} for {node.shown}; return True or False, or a dict of "
                    "settings for this unit"
                )
        return choice


@dataclass(frozen=True, repr=False)
class ByRecursion(_Function):
    """`f(module, recurse, nonwrapped_numel)`, the older form: asked on the way down and again on the way up."""

    function: Callable[..., Any]

    def choose(self, scope: Scope) -> Choice:
        choice = Choice()
        marked = choose_inside_out(
            scope,
            lambda node, numel: self._answer(node, True, numel),
            lambda node, numel: self._answer(node, False, numel),
        )
        choice.units = {index: {} for index in marked}
        return choice

    def _answer(self, node: Node, recurse: bool, numel: int) -> bool:
        return bool(_ask(self, node, module=node.modules[-1], recurse=recurse, nonwrapped_numel=numel))


def _ask(policy: _Function, node: Node, *args: Any, **kwargs: Any) -> Any:
    """Call a user's function; its own exception keeps its class and gains a note with the module's name."""
    try:
        return policy.function(*args, **kwargs)
    except Exception as error:
        where = f"in the policy {policy!r}, asked about {node.shown} (a {node.cls_name}); nothing was marked"
        if hasattr(error, "add_note"):
            error.add_note(where)  # type: ignore[attr-defined]
        else:
            error.args = (f"{error.args[0] if error.args else ''} [{where}]", *error.args[1:])
        raise


def _overrides(settings: dict[str, Any], node: Node) -> dict[str, Any]:
    """Map the settings a `CustomPolicy` returned to fields of `UnitOptions`, or refuse them by name."""
    mapped: dict[str, Any] = {}
    for key, value in settings.items():
        if key in ("sharding_strategy", "strategy"):
            mapped["strategy"] = _strategy(value, node)
        elif key == "backward_prefetch":
            mapped[key] = _PREFETCH.get(getattr(value, "name", value), value)
        elif key == "mixed_precision":
            mapped[key] = as_precision(value)
        elif key == "cpu_offload":
            mapped[key] = bool(getattr(value, "offload_params", value))
        elif key in _KEPT:
            mapped[key] = value
        else:
            known = ", ".join(("sharding_strategy", "backward_prefetch", "mixed_precision", "cpu_offload", *_KEPT))
            raise PlanError(f"the policy set {key!r} for {node.shown}, which a unit has not; known are {known}")
    return mapped


def _strategy(value: Any, node: Node) -> str:
    name = str(getattr(value, "name", value))
    strategy = _STRATEGIES.get(name, name)
    if strategy not in _STRATEGIES.values():
        known = ", ".join(map(repr, _STRATEGIES.values()))
        raise PlanError(f"the policy set the strategy {value!r} for {node.shown}; choose one of {known}")
    return strategy
