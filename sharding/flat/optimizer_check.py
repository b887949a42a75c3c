"""Whether an optimizer updates what the model holds now.

Parameters stay the same objects when a model is sharded, so an optimizer made before usually goes on working.
Two things go wrong silently: it holds parameters that meta initialisation replaced, or it has state as large
as whole parameters. Both are found here, at the optimizer's first step or when asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn
from torch.optim.optimizer import Optimizer

from sharding.errors import StateError
from sharding.flat.handle import FlatParamHandle
from sharding.flat.slot import Slot
from sharding.flat.walking import all_states
from sharding.traversal import tree_of


def holds_any(handles: Iterable[FlatParamHandle], optimizer: Optimizer) -> bool:
    """Whether the optimizer has anything to do with these units, now or before they were sharded."""
    held = {id(param) for group in optimizer.param_groups for param in group["params"]}
    return any(
        any(id(slot.param) in held for slot in handle.slots) or any(id(old) in held for _, old in handle.retired)
        for handle in handles
    )


def check_parameters(handles: Iterable[FlatParamHandle], optimizer: Optimizer) -> None:
    """Refuse an optimizer made before sharding.

    Raises:
        StateError: naming the parameter and what to do.
    """
    held = {id(param): param for group in optimizer.param_groups for param in group["params"]}
    for handle in handles:
        for name, retired in handle.retired:
            if id(retired) in held:
                raise StateError(
                    f"the optimizer ({type(optimizer).__name__}) holds parameter {name!r} of unit {handle.fqn!r} as it "
                    "was before sharding gave it memory; make the optimizer after sharding the model"
                )
        for slot in handle.slots:
            if id(slot.param) in held:
                _check_state(handle, slot, optimizer)


def _check_state(handle: FlatParamHandle, slot: Slot, optimizer: Optimizer) -> None:
    state: dict[str, Any] = optimizer.state.get(slot.param, {})
    for key, value in state.items():
        if isinstance(value, torch.Tensor) and value.shape == slot.shape != slot.param.shape:
            raise StateError(
                f"the optimizer ({type(optimizer).__name__}) has {key!r} of shape {tuple(value.shape)} for parameter "
                f"{slot.name!r} of unit {handle.fqn!r}, whose piece on rank {handle.axes.rank} has shape "
                f"{tuple(slot.param.shape)}; its state is from before sharding: make the optimizer after sharding the "
                "model"
            )


def check_optimizer(module: nn.Module, optimizer: Optimizer) -> None:
    """Refuse an optimizer that does not update what a sharded model holds now. No collective.

    Args:
        module: the model.
        optimizer: the optimizer meant to train it.

    Raises:
        StateError: it holds parameters, or state, from before sharding; names the parameter and what to do.
    """
    states = [state for _, state in all_states(tree_of(module))]
    for state in states:
        state.tree.require_rest("check_optimizer")
    check_parameters([state.handle for state in states if state.handle is not None], optimizer)
