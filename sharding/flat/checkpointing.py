"""State dicts of a sharded model as functions: `state_dict` and `load_state_dict`.

The full kind is what `module.state_dict()` gives, since the hooks of `state_dict_hooks.py` make that whole.
The checks here come before anything is changed, so a refused load leaves the model as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from sharding.errors import PlanError
from sharding.flat.walking import all_states
from sharding.traversal import tree_of


def state_dict(module: nn.Module, *, kind: str = "full") -> dict[str, Any]:
    """The parameters and buffers of a model by clean name.

    Args:
        module: the model.
        kind: "full": whole tensors, as the unsharded model has them.

    Collective: every rank must call it; one unit at a time is gathered.

    Raises:
        PlanError: a kind this version does not have.
        StateError: called inside a forward or backward.
    """
    if kind != "full":
        raise PlanError(f"state_dict(kind={kind!r}); this version has 'full'")
    return module.state_dict()


def load_state_dict(module: nn.Module, state: Mapping[str, Any], *, strict: bool = True) -> None:
    """Load whole tensors into a model; each rank takes its pieces. No collective.

    Args:
        module: the model.
        state: whole tensors by clean name, the same on every rank.
        strict: whether missing and unexpected names are errors.

    Raises:
        RuntimeError: torch's own error for missing, unexpected or misshaped entries. Nothing was changed.
        StateError: called inside a forward or backward.
    """
    for _, owner in all_states(tree_of(module)):
        owner.tree.require_rest("load_state_dict")
    backup = {name: tensor.detach().clone() for name, tensor in _tensors(module)}
    try:
        module.load_state_dict(state, strict=strict)
    except BaseException:
        with torch.no_grad():
            for name, tensor in _tensors(module):
                tensor.copy_(backup[name])
        raise


def _tensors(module: nn.Module) -> list[tuple[str, torch.Tensor]]:
    """What this rank holds of the model, by name."""
    return [*module.named_parameters(), *module.named_buffers()]
