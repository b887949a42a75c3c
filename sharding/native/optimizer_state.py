"""Optimizer state by name on torch's engine, in the same form as the other engine's, so each loads the other's.

{"state": {"layer.weight": {"step": ..., "exp_avg": ...}},
 "param_groups": [{"params": ["layer.weight"], "lr": ...}]}
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.optim.optimizer import Optimizer

from sharding.errors import StateError
from sharding.native.checkpointing import agree, check_kind, clean_name, describe, loaded_form, saved_form
from sharding.native.optimizer_check import check_optimizer, resting_names


@dataclass(frozen=True)
class Stepped:
    """One parameter of an optimizer: its clean name, itself, and which of the optimizer's groups it is in."""

    name: str
    param: nn.Parameter
    group: int


@torch.no_grad()
def optimizer_state_dict(
    module: nn.Module, optimizer: Optimizer, *, kind: str = "full", placeholders: bool | Iterable[str] = False
) -> dict[str, Any]:
    """See `sharding.optimizer_state_dict`."""
    check_kind("optimizer_state_dict", kind)
    params = _stepped(module, optimizer)
    wanted = None if placeholders is True else set(placeholders or ())
    state: dict[str, dict[str, Any]] = {}
    for each in params:
        kept = dict(optimizer.state.get(each.param, {}))
        if not kept and placeholders and each.param.requires_grad:
            fresh = _state_after_a_step(optimizer, each)
            kept = {
                key: value for key, value in fresh.items() if wanted is None or f"state.{each.name}.{key}" in wanted
            }
        if kept:
            state[each.name] = {key: _saved(value, kind) for key, value in kept.items()}
    groups = [
        {"params": [each.name for each in params if each.group == number], **_options_of(group)}
        for number, group in enumerate(optimizer.param_groups)
    ]
    return {"state": state, "param_groups": groups}


@torch.no_grad()
def load_optimizer_state_dict(
    module: nn.Module, optimizer: Optimizer, state: Mapping[str, Any], *, strict: bool = True
) -> None:
    """See `sharding.load_optimizer_state_dict`; only the nested form is read here."""
    params = _stepped(module, optimizer)
    saved, options = _read(state)
    problems = _problems(params, saved, options, strict=strict)
    rows = [describe(f"{name}.{key}", value) for name, entries in saved.items() for key, value in entries.items()]
    agree("optimizer state to load", [*rows, *problems])
    if problems:
        verdict = "\n\t".join(problems)
        raise RuntimeError(f"Error(s) in loading state_dict for {type(optimizer).__name__}:\n\t{verdict}")
    groups: list[dict[str, Any]] = [{**_options_of(group), "params": []} for group in optimizer.param_groups]
    numbered: dict[int, dict[str, Any]] = {}
    for number, each in enumerate(params):
        groups[each.group]["params"].append(number)
        groups[each.group].update(options.get(each.name, {}))
        if saved.get(each.name):
            numbered[number] = {key: _loaded(value, each.param) for key, value in saved[each.name].items()}
    optimizer.load_state_dict({"state": numbered, "param_groups": groups})


def _stepped(module: nn.Module, optimizer: Optimizer) -> list[Stepped]:
    check_optimizer(module, optimizer)
    names = resting_names(module)
    return [
        Stepped(clean_name(names[id(param)]), param, number)
        for number, group in enumerate(optimizer.param_groups)
        for param in group["params"]
    ]


def _options_of(group: Mapping[str, Any]) -> dict[str, Any]:
    return {key: copy.deepcopy(value) for key, value in group.items() if key not in ("params", "param_names")}


def _saved(value: Any, kind: str) -> Any:
    return saved_form(value, kind) if isinstance(value, torch.Tensor) else copy.deepcopy(value)


def _loaded(value: Any, param: nn.Parameter) -> Any:
    """A saved entry as it is kept for this parameter, in memory of its own."""
    if not isinstance(value, torch.Tensor):
        return copy.deepcopy(value)
    return loaded_form(value, param if value.dim() else None).detach().clone()


def _read(state: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """What was saved by name: entries, and the options of the group it was in."""
    if "state" not in state or "param_groups" not in state:
        raise StateError(
            f"expected the keys 'state' and 'param_groups', got {', '.join(map(repr, list(state)[:3]))}; give the "
            "nested form, as sharding.optimizer_state_dict and torch's get_optimizer_state_dict write it"
        )
    keys = [*state["state"], *(name for group in state["param_groups"] for name in group["params"])]
    if any(not isinstance(key, str) for key in keys):
        raise StateError(
            "this optimizer state is keyed by number, as optimizer.state_dict() writes it, and numbers do not say "
            "which parameter they mean; save it with sharding.optimizer_state_dict(model, optimizer)"
        )
    options = {clean_name(name): _options_of(group) for group in state["param_groups"] for name in group["params"]}
    return {clean_name(name): dict(entries) for name, entries in state["state"].items()}, options


def _problems(
    params: list[Stepped], saved: Mapping[str, Any], options: Mapping[str, Any], *, strict: bool
) -> list[str]:
    """Why this state cannot be loaded, in the words torch uses for models; empty if it can."""
    known, wanted = {*saved, *options}, {each.name for each in params}
    problems = []
    if strict and known - wanted:
        problems.append(f"Unexpected key(s) in state_dict: {_quoted(known - wanted)}.")
    if strict and wanted - known:
        problems.append(f"Missing key(s) in state_dict: {_quoted(wanted - known)}.")
    for each in params:
        for key, value in saved.get(each.name, {}).items():
            if isinstance(value, torch.Tensor) and value.dim() and value.shape != each.param.shape:
                problems.append(
                    f"size mismatch for {each.name}.{key}: copying a param with shape {value.shape} from checkpoint, "
                    f"the shape in current model is {each.param.shape}."
                )
    return problems


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in sorted(names))


def _state_after_a_step(optimizer: Optimizer, each: Stepped) -> dict[str, Any]:
    """What the optimizer would keep for a parameter: its class steps a stand-in, itself is left alone."""
    stand_in = nn.Parameter(torch.zeros_like(each.param))
    stand_in.grad = torch.zeros_like(each.param)
    twin = object.__new__(type(optimizer))
    vars(twin).update(vars(optimizer))
    vars(twin).pop("step", None)  # a scheduler's, which would step the original
    twin.state = defaultdict(dict)
    twin.param_groups = [{**optimizer.param_groups[each.group], "params": [stand_in]}]
    step: Any = type(optimizer).step
    try:
        (step.__wrapped__ if getattr(step, "hooked", False) else step)(twin)
    except Exception as error:
        raise StateError(
            f"what {type(optimizer).__name__} would keep for {each.name!r} cannot be found out by a step "
            f"({type(error).__name__}: {error}); let the optimizer step once before, with learning rate 0"
        ) from error
    return dict(twin.state.get(stand_in, {}))
