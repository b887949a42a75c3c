"""State dicts of a sharded model as functions: `state_dict` and `load_state_dict`.

The full kind is what `module.state_dict()` gives, since the hooks of `state_dict_hooks.py` make that whole.
The checks here come before anything is changed, so a refused load leaves the model as it was."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from sharding.errors import PlanError, StateError
from sharding.flat.state_dict_hooks import clean_name
from sharding.flat.walking import all_states
from sharding.traversal import WRAPPER_NAMES, tree_of

COMPILED = "_orig_mod"


def state_dict(module: nn.Module, *, kind: str = "full") -> dict[str, Any]:
    """The parameters and buffers of a model by clean name.

    Args:
        module: the model.
        kind: "full": whole tensors, as the unsharded model has them.

    Collective: every rank must call it; one unit at a time is gathered.

    Raises:
        PlanError: a kind this version does not have.
        StateError: called inside a forward or backward, or on a module that contains itself.
    """
    if kind != "full":
        raise PlanError(f"state_dict(kind={kind!r}); this version has 'full'")
    _check(module, "state_dict")
    written = module.state_dict()
    return _renamed(written, {key: clean_name(key) for key in written})


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
    _check(module, "load_state_dict")
    backup = {name: tensor.detach().clone() for name, tensor in _tensors(module)}
    try:
        module.load_state_dict(_renamed(state, _torch_names(module)), strict=strict)
    except BaseException:
        with torch.no_grad():
            for name, tensor in _tensors(module):
                tensor.copy_(backup[name])
        raise


def _check(module: nn.Module, verb: str) -> None:
    """Refuse while a step runs, and where torch itself would recurse without end."""
    tree = tree_of(module)
    for node in tree.nodes:
        for attr, target, kind in node.references:
            if kind == "back":
                name = f"{node.fqn}.{attr}" if node.fqn else attr
                raise StateError(
                    f"{verb}: {name!r} leads back to {target.fqn or 'the model'!r}, and torch's state dicts follow it "
                    "without end; keep the parent outside the module tree, for example in a tuple"
                )
    for _, owner in all_states(tree):
        owner.tree.require_rest(verb)


def _torch_names(module: nn.Module) -> dict[str, str]:
    """What torch calls each tensor when it loads, by clean name: compiled modules keep their prefix there."""
    names = {}
    for name, _ in (*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)):
        kept = [part for part in name.split(".") if part == COMPILED or part not in WRAPPER_NAMES]
        names[clean_name(name)] = ".".join(kept)
    return names


def _renamed(state: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The same entries in the same order under other names; torch's own version notes are kept."""
    if all(names.get(key, key) == key for key in state):
        return dict(state) if not isinstance(state, dict) else state
    renamed: OrderedDict[str, Any] = OrderedDict((names.get(key, key), value) for key, value in state.items())
    notes = getattr(state, "_metadata", None)
    if notes is not None:
        renamed._metadata = type(notes)((names.get(key, clean_name(key)), note) for key, note in notes.items())  # type: ignore[attr-defined]
    return renamed


def _tensors(module: nn.Module) -> list[tuple[str, torch.Tensor]]:
    """What this rank holds of the model, by name."""
    return [*module.named_parameters(), *module.named_buffers()]
