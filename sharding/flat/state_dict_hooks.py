"""What makes `module.state_dict()` and `module.load_state_dict()` speak of whole parameters.

Writing: every module that holds a sharded parameter notes the key it wrote; when its unit's module is done,
the unit is gathered once, the noted entries become whole copies and the unit is freed: one unit of extra
memory. A holder that is asked by itself, outside its unit, gathers the unit for itself. Reading: each holder
cuts this rank's pieces out of the whole tensors it is given, without any collective; a `DTensor` is made whole
first, and goes into its piece at once. `load_state_dict` of `checkpointing.py` fills pieces a buffer at a time before,
and gives the parameter itself in their place.

Names are torch's own, cleaned by wrappers that clean theirs; order and shapes are those of the unsharded model.
"""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch import nn

from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.state import ShardingState
from sharding.traversal import WRAPPER_NAMES

Held = list[tuple[str, FlatBuffer, int]]
"""Attribute of a holder, the buffer it lies in, its index there."""


def install(state: ShardingState) -> None:
    """Register the hooks of a unit on its modules and on every holder of its parameters."""
    handle = state.handle
    if handle is None or not any(buffer.is_laid_out for buffer in handle.buffers):
        return
    held: dict[int, tuple[nn.Module, Held]] = {}
    for buffer in handle.buffers:
        for index, slot in enumerate(buffer.slots):
            for module, attr in slot.users:
                held.setdefault(id(module), (module, []))[1].append((attr, buffer, index))
    hooks = state.hooks
    for module in state.modules:
        hooks.append(module.register_state_dict_pre_hook(functools.partial(_before_unit, state)))
    for module, entries in held.values():
        hooks.append(module.register_state_dict_post_hook(functools.partial(_after_holder, state, entries)))
        hooks.append(module.register_load_state_dict_pre_hook(functools.partial(_before_load, state, entries)))
    for module in state.modules:
        hooks.append(module.register_state_dict_post_hook(functools.partial(_after_unit, state)))


def _before_unit(state: ShardingState, module: nn.Module, prefix: str, keep_vars: bool) -> None:
    state.tree.require_rest("state_dict")
    state.written = []


def _after_holder(
    state: ShardingState, entries: Held, module: nn.Module, written: dict[str, Any], prefix: str, metadata: Any
) -> None:
    noted = [(prefix + attr, buffer, index) for attr, buffer, index in entries if prefix + attr in written]
    if state.written is not None:
        state.written += noted
    else:
        state.tree.require_rest("state_dict")
        _make_whole(state, noted, written)


def _after_unit(state: ShardingState, module: nn.Module, written: dict[str, Any], prefix: str, metadata: Any) -> None:
    noted, state.written = state.written or [], None
    _make_whole(state, noted, written)


@torch.no_grad()
def _make_whole(state: ShardingState, noted: Held, written: dict[str, Any]) -> None:
    """Gather the unit once and put whole copies where pieces were written; a tied parameter stays one tensor."""
    handle = state.handle
    assert handle is not None
    handle.unshard()
    handle.wait()
    copies: dict[tuple[int, int], torch.Tensor] = {}
    for key, buffer, index in noted:
        place = (id(buffer), index)
        if place not in copies:
            copies[place] = buffer.whole(index).clone() if state.form is None else state.form(buffer, index)
        written[key if key in written else clean_name(key)] = copies[place]
    handle.reshard(free=True)


def _before_load(
    state: ShardingState,
    entries: Held,
    module: nn.Module,
    given: dict[str, Any],
    prefix: str,
    metadata: Any,
    strict: bool,
    missing: list[str],
    unexpected: list[str],
    errors: list[str],
) -> None:
    """Cut this rank's pieces out of the whole tensors given."""
    state.tree.require_rest("load_state_dict")
    for attr, buffer, index in entries:
        key = prefix + attr
        value = given.get(key)
        slot = buffer.slots[index]
        if not isinstance(value, torch.Tensor):
            continue
        if value is slot.param:  # this rank's piece is in it already
            given[key] = slot.param.data
            continue
        if value.shape != slot.shape:
            errors.append(
                f"size mismatch for {clean_name(key)}: copying a param with shape {value.shape} from checkpoint, the "
                f"shape in current model is {slot.shape}."
            )
            given[key] = slot.param.data
            continue
        if hasattr(value, "full_tensor"):
            given[key] = slot.param.data.copy_(_piece_of_rows(buffer, index, value))
            continue
        given[key] = buffer.piece_of(index, value)


def _piece_of_rows(buffer: FlatBuffer, index: int, rows: torch.Tensor) -> torch.Tensor:
    """This rank's piece of a `DTensor`. Collective over the `DTensor`'s mesh."""
    from sharding.flat.checkpointing_cuts import pieces_of  # importing DTensor takes a second

    return pieces_of(buffer, {index: rows})[index]


def clean_name(name: str) -> str:
    """`name` without the names of wrappers."""
    return ".".join(part for part in name.split(".") if part not in WRAPPER_NAMES)
