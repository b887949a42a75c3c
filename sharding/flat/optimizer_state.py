"""Optimizer state by name: `optimizer_state_dict` and `load_optimizer_state_dict`.

    {"state": {"layer.weight": {"step": ..., "exp_avg": ...}},
     "param_groups": [{"params": ["layer.weight"], "lr": ...}]}

That is the form of `torch.distributed.checkpoint.state_dict`, so FSDP2 and plain models read it and write it. What is
in it does not depend on how, or over how many ranks, the model is cut."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import nn
from torch.optim.optimizer import Optimizer

from sharding.errors import StateError
from sharding.flat.checkpointing import check_kind, cutter, in_words, states_at_rest
from sharding.flat.checkpointing_agreement import agree, heard_by_all, ranks_of
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.optimizer_state_gathering import Kept, gather_state
from sharding.flat.optimizer_state_parameters import Stepped, first_names, stepped_parameters
from sharding.flat.optimizer_state_placeholders import state_after_a_step
from sharding.flat.optimizer_state_reading import Saved, merged_options, problems_with, read_saved
from sharding.flat.state import ShardingState
from sharding.traversal import tree_of


def optimizer_state_dict(
    module: nn.Module, optimizer: Optimizer, *, kind: str = "full", placeholders: bool | Iterable[str] = False
) -> dict[str, Any]:
    """The state of an optimizer by the clean names of a model's parameters.

    Args:
        module: the model the optimizer steps.
        optimizer: any whose state for a cut parameter is numbers and tensors of the parameter's own shape.
        kind: "full": whole tensors, as the optimizer of the unsharded model has them. "sharded": a `DTensor` with this
            rank's rows where the parameter is cut over ranks; see `state_dict`.
        placeholders: True: parameters that have no state yet get what a first step would give, with no meaning but its
            shapes, for `torch.distributed.checkpoint.load` to fill. Names such as "state.layer.weight.exp_avg": only
            those entries, for a checkpoint in which some parameter had no state.

    Returns:
        Nested: "state" by name and entry, "param_groups" with names under "params". A tied parameter has its first
        name only; one that never had a gradient has options and no state. All tensors are copies.

    Collective: every rank must call it; one entry of one unit at a time is gathered.

    Raises:
        PlanError: no such kind.
        StateError: called inside a step; the optimizer is not this model's; it keeps what cannot be cut.
        RankMismatchError: the ranks' optimizers step different parameters, or another rank was refused.
    """
    check_kind("optimizer_state_dict", kind)
    tree = tree_of(module)
    ranks = ranks_of(tree)
    with heard_by_all(ranks):
        states = states_at_rest(tree, "optimizer_state_dict")
        params = stepped_parameters(tree, states, optimizer)
        kept = {each.name: dict(optimizer.state.get(each.param, {})) for each in params}
        if placeholders:
            _add_placeholders(params, kept, optimizer, None if placeholders is True else set(placeholders or ()))
    with torch.no_grad():
        state = gather_state(params, kept, _forms(states, kind), ranks)
    return {"state": state, "param_groups": _groups(params, optimizer)}


def load_optimizer_state_dict(
    module: nn.Module, optimizer: Optimizer, state: Mapping[str, Any], *, strict: bool = True
) -> None:
    """Load the state of an optimizer, matched by name; each rank takes its pieces.

    Args:
        module: the model the optimizer steps.
        optimizer: the optimizer; its state is replaced, its groups keep their parameters and take the saved options.
        state: what `optimizer_state_dict` gave, of either kind, or torch's `get_optimizer_state_dict` (nested or flat).
        strict: a parameter that was in the saved optimizer without state starts fresh. One that was not in it at all,
            and a saved one this optimizer has not, are errors; with False the first starts fresh, the second is left
            out. Misshaped or incomplete state is always an error.

    Collective: every rank must call it. Each `DTensor` is gathered, one at a time.

    Raises:
        RuntimeError: missing, unexpected or misshaped entries, in the words torch has for models. Nothing was changed.
        RankMismatchError: the ranks were given different state, or another rank was refused. Nothing was changed.
        StateError: called inside a step; the optimizer is not this model's; the state is keyed by number.
    """
    tree = tree_of(module)
    ranks = ranks_of(tree)
    with heard_by_all(ranks):
        states = states_at_rest(tree, "load_optimizer_state_dict")
        params = stepped_parameters(tree, states, optimizer)
        saved = read_saved(state, first_names(tree))
    options, problems = merged_options(params, saved, optimizer)
    problems += problems_with(params, saved, options, optimizer, strict=strict)
    verdict = "\n\t".join(problems)
    rows = [*_rows(params, saved), ("the state", verdict or "complete")]
    agree("optimizer state to load", rows, ranks)
    if problems:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(optimizer).__name__}:\n\t{verdict}")
    with torch.no_grad():
        optimizer.load_state_dict(_numbered(params, saved, options, optimizer))


def _add_placeholders(params: list[Stepped], kept: Kept, optimizer: Optimizer, wanted: set[str] | None) -> None:
    """Entries for parameters without state: all, or those whose flat key is wanted."""
    for each in params:
        if kept[each.name] or not (each.param.requires_grad and each.param.is_floating_point()):
            continue
        try:
            fresh = state_after_a_step(optimizer, optimizer.param_groups[each.group], each.param.detach())
        except Exception as error:
            raise StateError(
                f"what {type(optimizer).__name__} would keep for {each.name!r} cannot be found out by a step "
                f"({type(error).__name__}: {error}); let the optimizer step once before, with learning rate 0"
            ) from error
        kept[each.name] = {
            entry: value for entry, value in fresh.items() if wanted is None or f"state.{each.name}.{entry}" in wanted
        }


def _forms(states: list[ShardingState], kind: str) -> dict[int, Callable[[FlatBuffer, torch.Tensor], torch.Tensor]]:
    """What to make of a whole tensor, by id of the buffer it belongs to."""
    return {
        id(buffer): cutter(state) if kind == "sharded" else _whole_copy
        for state in states
        for buffer in (state.handle.buffers if state.handle is not None else ())
        if buffer.is_cut
    }


def _whole_copy(buffer: FlatBuffer, whole: torch.Tensor) -> torch.Tensor:
    return whole.clone()


def _groups(params: list[Stepped], optimizer: Optimizer) -> list[dict[str, Any]]:
    """The optimizer's groups, with names for parameters."""
    groups = []
    for number, group in enumerate(optimizer.param_groups):
        options = {key: copy.deepcopy(value) for key, value in group.items() if key not in ("params", "param_names")}
        groups.append({"params": [each.name for each in params if each.group == number], **options})
    return groups


def _rows(params: list[Stepped], saved: Saved) -> list[tuple[str, str]]:
    """What is to be loaded into cut parameters, or is cut itself: what ranks must be alike in."""
    rows = []
    for each in params:
        for entry, value in saved.state.get(each.name, {}).items():
            if each.buffer is not None or hasattr(value, "full_tensor"):
                rows.append(in_words(f"{each.name}.{entry}", value))
    return rows


def _numbered(
    params: list[Stepped], saved: Saved, options: list[dict[str, Any]], optimizer: Optimizer
) -> dict[str, Any]:
    """The form `optimizer.load_state_dict` takes, with this rank's pieces."""
    pieces = _pieces_of_rows(params, saved)
    state = {}
    groups = [{**each, "params": []} for each in options]
    for number, each in enumerate(params):
        groups[each.group]["params"].append(number)
        entries = saved.state.get(each.name)
        if entries:
            state[number] = {
                entry: pieces[each.name, entry] if (each.name, entry) in pieces else _own(each, value)
                for entry, value in entries.items()
            }
    return {"state": state, "param_groups": groups}


def _pieces_of_rows(params: list[Stepped], saved: Saved) -> dict[tuple[str, str], torch.Tensor]:
    """This rank's pieces of what was saved as `DTensor`s for cut parameters, one entry of one buffer at a time."""
    columns: dict[tuple[int, str], dict[int, Stepped]] = {}
    for each in params:
        for entry, value in saved.state.get(each.name, {}).items():
            if each.buffer is not None and hasattr(value, "full_tensor") and value.dim():
                columns.setdefault((id(each.buffer), entry), {})[each.index] = each
    pieces: dict[tuple[str, str], torch.Tensor] = {}
    for (_, entry), members in columns.items():
        from sharding.flat.checkpointing_cuts import pieces_of  # importing DTensor takes a second

        buffer = next(iter(members.values())).buffer
        assert buffer is not None
        rows = {index: saved.state[each.name][entry] for index, each in members.items()}
        pieces.update(((members[index].name, entry), piece) for index, piece in pieces_of(buffer, rows).items())
    return pieces


def _own(each: Stepped, value: Any) -> Any:
    """This rank's piece of a saved value, in memory of its own. Collective for a `DTensor`."""
    if not isinstance(value, torch.Tensor):
        return copy.deepcopy(value)
    if hasattr(value, "full_tensor"):
        from sharding.flat.checkpointing_cuts import whole_of  # importing DTensor takes a second

        value = whole_of(value)
    if each.buffer is not None and value.dim():
        value = each.buffer.piece_of(each.index, value)
    return value.detach().clone()
