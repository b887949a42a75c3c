"""State dicts of a model on torch's engine, in the same two forms as the other engine's, so each loads the other's.

Torch's own `state_dict()` gives DTensors. The full kind gathers them one at a time; the sharded kind copies them, and
what every rank holds whole is a plain tensor. Loading takes either kind, checks first, and changes nothing when it
refuses.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.tensor import DTensor, Shard

from sharding.errors import PlanError, RankMismatchError
from sharding.native.pieces import cut_like, local_of, whole_of
from sharding.native.walking import running_at_rest
from sharding.traversal import WRAPPER_NAMES, tree_of

COMPILED = "_orig_mod"


def state_dict(module: nn.Module, *, kind: str = "full") -> dict[str, Any]:
    """See `sharding.state_dict`."""
    check_kind("state_dict", kind)
    running_at_rest(tree_of(module), "state_dict")
    written = module.state_dict(keep_vars=True)
    made: dict[int, Any] = {}
    for value in written.values():
        if isinstance(value, torch.Tensor) and id(value) not in made:
            made[id(value)] = saved_form(value, kind)
    notes = getattr(written, "_metadata", None)
    state: OrderedDict[str, Any] = OrderedDict(
        (clean_name(key), made.get(id(value), value)) for key, value in written.items()
    )
    if notes is not None:
        vars(state)["_metadata"] = type(notes)((clean_name(key), note) for key, note in notes.items())
    return state


def check_kind(verb: str, kind: str) -> None:
    """Refuse a kind of state dict there is not."""
    if kind not in ("full", "sharded"):
        raise PlanError(f"{verb}(kind={kind!r}); known are 'full', 'sharded'")


def saved_form(value: torch.Tensor, kind: str) -> torch.Tensor:
    """A tensor as a state dict of this kind holds it, in memory of its own. Collective for the full kind."""
    if kind == "sharded" and isinstance(value, DTensor) and any(isinstance(p, Shard) for p in value.placements):
        return value.detach().clone()
    return whole_of(value)


@torch.no_grad()
def load_state_dict(module: nn.Module, state: Mapping[str, Any], *, strict: bool = True) -> None:
    """See `sharding.load_state_dict`."""
    running_at_rest(tree_of(module), "load_state_dict")
    places = {clean_name(key): (_loaded_name(key), value) for key, value in module.state_dict(keep_vars=True).items()}
    agree("entries to load", [describe(name, value) for name, value in state.items()])
    given: OrderedDict[str, Any] = OrderedDict()
    for name, value in state.items():
        key, place = places.get(clean_name(name), (name, None))
        given[key] = loaded_form(value, place)
    if isinstance(state, OrderedDict):
        vars(given).update(vars(state))  # torch's version notes
    held = [] if _fits(given, places) else [local_of(place) for place in _tensors(module)]
    backup = [(place, place.clone()) for place in held]
    try:
        module.load_state_dict(given, strict=strict)
    except BaseException:
        for place, before in backup:
            place.copy_(before)
        raise


def loaded_form(value: Any, place: Any) -> Any:
    """A saved value in the form of the tensor it goes to; as it is where the shapes do not fit."""
    if not isinstance(value, torch.Tensor):
        return value
    if isinstance(place, DTensor) and value.shape == place.shape:
        same = isinstance(value, DTensor) and _cut_alike(value, place)
        return value if same else cut_like(whole_of(value), place)
    return whole_of(value) if isinstance(value, DTensor) else value


def _cut_alike(one: DTensor, other: DTensor) -> bool:
    return one.device_mesh == other.device_mesh and one.placements == other.placements


def _tensors(module: nn.Module) -> list[torch.Tensor]:
    return [*module.parameters(), *module.buffers()]


def _fits(given: Mapping[str, Any], places: Mapping[str, tuple[str, Any]]) -> bool:
    """Whether every entry has a place of its shape and no place is without one: nothing that torch would refuse."""
    shapes = {key: getattr(place, "shape", None) for key, place in places.values()}
    return shapes.keys() == given.keys() and all(
        shapes[key] == getattr(value, "shape", None) for key, value in given.items()
    )


def clean_name(name: str) -> str:
    """A name without the parts that wrappers add."""
    return ".".join(part for part in name.split(".") if part not in WRAPPER_NAMES)


def _loaded_name(key: str) -> str:
    """What torch calls an entry when it loads: wrappers take their own part off, compiled modules do not."""
    return ".".join(part for part in key.split(".") if part == COMPILED or part not in WRAPPER_NAMES)


def describe(name: str, value: Any) -> str:
    """What one rank was given, in words."""
    shape = f" {tuple(value.shape)}" if isinstance(value, torch.Tensor) else ""
    cut = f" cut as {value.placements}" if isinstance(value, DTensor) else ""
    return f"{name}: {type(value).__name__}{shape}{cut}"


def agree(what: str, rows: list[str]) -> None:
    """Refuse unless every rank was given the same. Every rank must call it; blocks until all have.

    Raises:
        RankMismatchError: on every rank, naming the first entry that differs. Nothing was changed.
    """
    if not dist.is_initialized() or dist.get_world_size() == 1:
        return
    theirs: list[list[str]] = [[] for _ in range(dist.get_world_size())]
    dist.all_gather_object(theirs, rows)
    for rank, other in enumerate(theirs):
        if other != theirs[0]:
            here = next((row for row in other if row not in theirs[0]), None)
            there = next((row for row in theirs[0] if row not in other), None)
            raise RankMismatchError(
                f"the ranks were given different {what}: {here or 'nothing'} on rank {rank}, "
                f"{there or 'nothing'} on rank 0; give all the same. Nothing was changed"
            )
