"""What an optimizer would keep for a parameter, found out by letting it step a stand-in.

An optimizer makes its state at its first step. Whoever wants to load a checkpoint into one that has not stepped, or to
know whether an entry is missing, needs to know what it will be; the optimizer, its parameters and its hooks are left
alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn
from torch.optim.optimizer import Optimizer


def state_after_a_step(optimizer: Optimizer, options: Mapping[str, Any], like: torch.Tensor) -> dict[str, Any]:
    """The state of a parameter like `like` after one step without a gradient to speak of.

    Args:
        optimizer: whose class steps.
        options: those of the parameter's group.
        like: gives shape, dtype and device.

    Raises:
        Exception: whatever this class raises when it is asked to step a single stand-in.
    """
    stand_in = nn.Parameter(torch.zeros_like(like))
    stand_in.grad = torch.zeros_like(like)
    twin = object.__new__(type(optimizer))
    vars(twin).update(vars(optimizer))
    vars(twin).pop("step", None)  # schedulers put one there that steps the original
    twin.state = defaultdict(dict)
    twin.param_groups = [{**options, "params": [stand_in]}]
    _step_without_hooks(type(optimizer))(twin)
    return dict(twin.state.get(stand_in, {}))


def _step_without_hooks(cls: type[Optimizer]) -> Callable[[Optimizer], Any]:
    """The class's own `step`: torch wraps it in one that calls hooks, also those that hear of every optimizer."""
    step = cls.step
    return step.__wrapped__ if getattr(step, "hooked", False) else step  # type: ignore[attr-defined]


def entries_expected(optimizer: Optimizer, options: Mapping[str, Any], like: torch.Tensor) -> dict[str, Any] | None:
    """The same, or None where the optimizer cannot be asked (it wants a closure, a matrix, its constructor)."""
    try:
        return state_after_a_step(optimizer, options, like)
    except Exception:  # any class of optimizer may come, and raise what it likes
        return None
