"""State dicts of a sharded model as functions: `state_dict` and `load_state_dict`.

The full kind is what `module.state_dict()` gives, since the hooks of `state_dict_hooks.py` make that whole. For the
sharded kind the same hooks are told to cut what they gathered (`checkpointing_cuts.py`). Checks come before anything
is changed and before any collective, so a refused load leaves the model as it was on every rank."""

from __future__ import annotations

import contextlib
import functools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh

from sharding.errors import PlanError, StateError
from sharding.flat.agreement import Row
from sharding.flat.building import settings_of
from sharding.flat.checkpointing_agreement import agree, heard_by_all, ranks_of
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.state import ShardingState
from sharding.flat.state_dict_hooks import clean_name
from sharding.flat.walking import all_states
from sharding.parameters import UNSHARDED_SHAPE, shape_of
from sharding.traversal import WRAPPER_NAMES, Tree, tree_of

COMPILED = "_orig_mod"
KINDS = ("full", "sharded")


def state_dict(module: nn.Module, *, kind: str = "full") -> dict[str, Any]:
    """The parameters and buffers of a model by clean name.

    Args:
        module: the model.
        kind: "full": whole tensors, as the unsharded model has them. "sharded": a `DTensor` with this rank's rows
            for each parameter that is cut over ranks (`Shard(0)`, on a 2-D mesh after `Replicate()`), for
            `torch.distributed.checkpoint`. Whatever this rank holds whole (replicated, ignored and unmanaged
            parameters, buffers, everything on one rank) is a plain tensor: it needs no mesh, and an ignored one may
            differ by rank, which `Replicate()` would deny. All tensors of the sharded kind are copies.

    Collective: every rank must call it; one unit at a time is gathered.

    Raises:
        PlanError: no such kind.
        StateError: called inside a forward or backward, or on a module that contains itself; the sharded kind of a
            module inside a unit.
    """
    check_kind("state_dict", kind)
    states = _check(module, "state_dict")
    if kind == "sharded":
        refuse_foreign_pieces(tree_of(module), states)
    with _cutting(states if kind == "sharded" else []):
        written = module.state_dict()
    if kind == "sharded":
        _copy_whole_ones(written)
    return _renamed(written, {key: clean_name(key) for key in written})


def load_state_dict(module: nn.Module, state: Mapping[str, Any], *, strict: bool = True) -> None:
    """Load a state dict of either kind into a model; each rank takes its pieces.

    Args:
        module: the model.
        state: whole tensors or `DTensor`s by clean name, in any mixture, the same on every rank.
        strict: whether missing and unexpected names are errors.

    Collective: every rank must call it. Whole tensors are loaded without further talk; `DTensor`s are gathered, those
    of one buffer at a time.

    Raises:
        RuntimeError: torch's own error for missing, unexpected or misshaped entries. Nothing was changed.
        RankMismatchError: the ranks were given different entries, or another rank was refused. Nothing was changed.
        StateError: called inside a forward or backward.
    """
    ranks = ranks_of(tree_of(module))
    with heard_by_all(ranks):
        states = _check(module, "load_state_dict")
    agree("entries to load", [in_words(name, value) for name, value in state.items()], ranks)
    given = _renamed(state, _torch_names(module))
    backup = {} if _fits(module, given) else {name: tensor.detach().clone() for name, tensor in _tensors(module)}
    try:
        if any(hasattr(value, "full_tensor") for value in given.values()):
            given = _placed(module, given, states)
        module.load_state_dict(given, strict=strict)
    except BaseException:
        with torch.no_grad():
            for name, tensor in _tensors(module) if backup else ():
                tensor.copy_(backup[name])
        raise


def check_kind(verb: str, kind: str) -> None:
    """Refuse a kind of state dict there is not."""
    if kind not in KINDS:
        raise PlanError(f"{verb}(kind={kind!r}); known are {', '.join(map(repr, KINDS))}")


def _check(module: nn.Module, verb: str) -> list[ShardingState]:
    """The states of a model. Refuses while a step runs, and where torch itself would recurse without end."""
    tree = tree_of(module)
    for node in tree.nodes:
        for attr, target, kind in node.references:
            if kind == "back":
                name = f"{node.fqn}.{attr}" if node.fqn else attr
                raise StateError(
                    f"{verb}: {name!r} leads back to {target.fqn or 'the model'!r}, and torch's state dicts follow it "
                    "without end; keep the parent outside the module tree, for example in a tuple"
                )
    return states_at_rest(tree, verb)


def states_at_rest(tree: Tree, verb: str) -> list[ShardingState]:
    """Every state of a model. Refuses while a step runs."""
    states = [state for _, state in all_states(tree)]
    for state in states:
        state.tree.require_rest(verb)
    return states


def refuse_foreign_pieces(tree: Tree, states: list[ShardingState]) -> None:
    """Refuse a module that holds pieces of a unit above it: nothing below says how they are cut.

    Raises:
        StateError: naming a parameter.
    """
    cut = {id(slot.param) for state in states for buffer in _cut_buffers(state) for slot in buffer.slots}
    for held in tree.held.values():
        if UNSHARDED_SHAPE in vars(held.param) and id(held.param) not in cut:
            raise StateError(
                f"parameter {held.name!r} belongs to a unit above {tree.root.cls_name}; give the model that holds it"
            )


@contextlib.contextmanager
def _cutting(states: list[ShardingState]) -> Iterator[None]:
    """Have state dicts cut what they gather."""
    for state in states:
        rows_of = cutter(state)
        state.form = lambda buffer, index, rows_of=rows_of: rows_of(buffer, buffer.whole(index))
    try:
        yield
    finally:
        for state in states:
            state.form = None


def cutter(state: ShardingState) -> Callable[[FlatBuffer, torch.Tensor], torch.Tensor]:
    """What makes this rank's rows of a whole tensor shaped like a parameter of one of the unit's buffers."""
    from sharding.flat.checkpointing_cuts import cut, mesh_of  # importing DTensor takes a second

    @functools.cache
    def mesh(device: torch.device) -> DeviceMesh:
        return mesh_of(state.axes, settings_of(state.annotation).mesh, device)

    def rows_of(buffer: FlatBuffer, whole: torch.Tensor) -> torch.Tensor:
        return cut(whole, buffer.axes, mesh(whole.device)) if buffer.is_cut else whole.clone()

    return rows_of


def _copy_whole_ones(written: dict[str, Any]) -> None:
    """Replace what torch gave as the live tensors by copies; tied ones stay one tensor."""
    copies: dict[tuple[Any, ...], torch.Tensor] = {}
    for key, value in written.items():
        if type(value) in (torch.Tensor, nn.Parameter):
            place = (value.data_ptr(), value.shape, value.stride(), value.dtype, value.device)
            if place not in copies or not value.numel():
                copies[place] = value.detach().clone()
            written[key] = copies[place]


@torch.no_grad()
def _placed(module: nn.Module, given: dict[str, Any], states: list[ShardingState]) -> dict[str, Any]:
    """`given` without `DTensor`s: those of cut parameters go into pieces, a buffer at a time; others are made whole."""
    from sharding.flat.checkpointing_cuts import pieces_of, whole_of

    keys = _keys_by_param(module)
    placed, left = OrderedDict(given), dict(given)
    vars(placed).update(vars(given) if isinstance(given, OrderedDict) else {})  # torch's version notes
    for buffer in (buffer for state in states for buffer in _cut_buffers(state)):
        rows = {}
        for index, slot in enumerate(buffer.slots):
            for key in keys[id(slot.param)]:
                value = left.pop(key, None)
                if hasattr(value, "full_tensor") and value.shape == slot.shape:
                    rows[index], placed[key] = value, slot.param
        for index, piece in pieces_of(buffer, rows).items():
            buffer.slots[index].param.data.copy_(piece)
    placed.update((key, whole_of(value)) for key, value in left.items())
    return placed


def _keys_by_param(module: nn.Module) -> dict[int, list[str]]:
    """What torch calls each parameter when it loads; several keys for a tied one."""
    names, keys = _torch_names(module), {}
    for name, param in module.named_parameters(remove_duplicate=False):
        keys.setdefault(id(param), []).append(names[clean_name(name)])
    return keys


def _fits(module: nn.Module, given: Mapping[str, Any]) -> bool:
    """Whether every entry has a place of its shape, and no place is without one: nothing that torch would refuse."""
    names, shapes = _torch_names(module), {}
    for name, param in module.named_parameters(remove_duplicate=False):
        shapes[names[clean_name(name)]] = shape_of(param)
    for prefix, owner in module.named_modules(remove_duplicate=False):
        for attr, buffer in owner._buffers.items():
            if buffer is not None and attr not in owner._non_persistent_buffers_set:
                name = clean_name(f"{prefix}.{attr}" if prefix else attr)
                shapes[names[name]] = buffer.shape
    return shapes.keys() == given.keys() and all(
        isinstance(value, torch.Tensor) and value.shape == shapes[key] for key, value in given.items()
    )


def _cut_buffers(state: ShardingState) -> list[FlatBuffer]:
    return [] if state.handle is None else [buffer for buffer in state.handle.buffers if buffer.is_cut]


def in_words(name: str, value: Any) -> Row:
    """What one rank was given, in words."""
    if not isinstance(value, torch.Tensor):
        return name, type(value).__name__
    placements = getattr(value, "placements", None)
    how = "" if placements is None else f", cut as {placements}"
    return name, f"{tuple(value.shape)}{how}"


def _torch_names(module: nn.Module) -> dict[str, str]:
    """What torch calls each tensor when it loads, by clean name: compiled modules keep their prefix there."""
    names = {}
    for name, _ in (
        *module.named_parameters(remove_duplicate=False),
        *module.named_buffers(remove_duplicate=False),
    ):
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
        cleaned = type(notes)((names.get(key, clean_name(key)), note) for key, note in notes.items())
        vars(renamed)["_metadata"] = cleaned
    return renamed


def _tensors(module: nn.Module) -> list[tuple[str, torch.Tensor]]:
    """What this rank holds of the model, by name."""
    return [*module.named_parameters(), *module.named_buffers()]
