"""Optimizer state out of the pieces it is kept in: whole or as rows, by name.

State of a cut parameter is a tensor like its piece, or a number. Pieces are put where the flat parameter has them,
gathered one entry of one buffer at a time, and cut by parameter. Ranks first tell each other what they have: a rank
whose piece never had a gradient has no state for it, and others may."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from sharding.errors import RankMismatchError, StateError
from sharding.flat.agreement import difference
from sharding.flat.checkpointing_agreement import ADVICE, exchange
from sharding.flat.collectives import Collectives
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.optimizer_state_parameters import Stepped

Kept = dict[str, dict[str, Any]]
"""Name of a parameter, name of an entry, value."""
Form = Callable[[FlatBuffer, torch.Tensor], torch.Tensor]
Found = tuple[str, str, Any]
"""What an entry is ("piece", "scalar", "plain" or "odd"), its dtype, its value where that can be told in words."""


def gather_state(params: Sequence[Stepped], kept: Kept, form: Mapping[int, Form], ranks: Collectives) -> Kept:
    """The state of every parameter that has some, in the optimizer's order.

    Args:
        params: what the optimizer steps.
        kept: what it keeps on this rank.
        form: makes the value to give of a whole tensor, by id of the buffer it belongs to.
        ranks: all ranks of the model.

    Collective over the ranks of each buffer.
    """
    table = _agreed(params, kept, ranks)
    whole = _gather(params, kept, table, form)
    state: Kept = {}
    for each in params:
        own = kept.get(each.name, {})
        if each.buffer is None:
            entries = {entry: _copy(value) for entry, value in own.items()}
        else:
            entries = {
                entry: whole[each.name, entry] if found[0] == "piece" else _number(own, entry, found)
                for entry, found in table.get(each.name, {}).items()
            }
        if entries:
            state[each.name] = entries
    return state


def _agreed(params: Sequence[Stepped], kept: Kept, ranks: Collectives) -> dict[str, dict[str, Found]]:
    """What any rank keeps for each cut parameter.

    Raises:
        StateError: an entry that is no piece and no number.
        RankMismatchError: ranks step different parameters, or keep different things under one name.
    """
    rows = []
    for each in params:
        if each.buffer is not None:
            own = {entry: _found(value, each) for entry, value in kept.get(each.name, {}).items()}
            rows.append((each.name, json.dumps(own)))
    by_rank = exchange(rows, ranks)
    names = [[(name, "stepped") for name, _ in each] for each in by_rank]
    if any(each != names[0] for each in names):
        raise RankMismatchError(difference("parameters in the optimizer", names, ADVICE))
    table: dict[str, dict[str, Found]] = {}
    for by_name in by_rank:
        for name, text in by_name:
            known = table.setdefault(name, {})
            for entry, found in json.loads(text).items():
                _check(name, entry, known.setdefault(entry, found), found)
    return table


def _found(value: Any, each: Stepped) -> Found:
    if not isinstance(value, torch.Tensor):
        is_plain = value is None or isinstance(value, (bool, int, float, str))
        return ("plain", "", value) if is_plain else ("odd", type(value).__name__, None)
    dtype = str(value.dtype).removeprefix("torch.")
    if value.dim() == 0:
        return "scalar", dtype, value.item()
    if value.shape == each.param.shape:
        return "piece", dtype, None
    return "odd", f"a tensor of shape {tuple(value.shape)}", None


def _check(name: str, entry: str, known: Found, found: Found) -> None:
    if found[0] == "odd":
        raise StateError(
            f"the optimizer keeps {entry!r} of parameter {name!r} as {found[1]}; of a parameter that is cut over ranks "
            "only numbers and tensors of its own shape can be saved. Ignore or replicate it, or take another optimizer"
        )
    if tuple(known[:2]) != tuple(found[:2]):
        raise RankMismatchError(
            f"the ranks keep different optimizer state: {entry!r} of {name!r} is {' '.join(known[:2])} and "
            f"{' '.join(found[:2])}. {ADVICE}"
        )


def _gather(
    params: Sequence[Stepped], kept: Kept, table: dict[str, dict[str, Found]], form: Mapping[int, Form]
) -> dict[tuple[str, str], torch.Tensor]:
    """The values of all entries that are kept in pieces, one entry of one buffer at a time."""
    buffers: dict[int, tuple[FlatBuffer, list[Stepped]]] = {}
    for each in params:
        if each.buffer is not None:
            buffers.setdefault(id(each.buffer), (each.buffer, []))[1].append(each)
    values = {}
    for key, (buffer, members) in buffers.items():
        columns: dict[tuple[str, str], list[Stepped]] = {}
        for each in members:
            for entry, (kind, dtype, _) in table[each.name].items():
                if kind == "piece":
                    columns.setdefault((entry, dtype), []).append(each)
        for (entry, dtype), holders in columns.items():
            pieces = {each.index: kept.get(each.name, {}).get(entry) for each in holders}
            wholes = _gather_one(buffer, pieces, getattr(torch, dtype))
            for each, whole in zip(holders, wholes, strict=True):
                values[each.name, entry] = form[key](buffer, whole)
    return values


def _gather_one(
    buffer: FlatBuffer, pieces: Mapping[int, torch.Tensor | None], dtype: torch.dtype
) -> list[torch.Tensor]:
    """Whole tensors from every rank's pieces, by place in the buffer; what a rank has not counts as zero."""
    partition = buffer.partition
    shard = torch.zeros(partition.shard_numel, dtype=dtype, device=buffer.device)
    for index, piece in pieces.items():
        if piece is not None:
            shard.narrow(0, buffer.pieces[index].shard_start, piece.numel()).copy_(piece)
    full = torch.empty(partition.padded_numel, dtype=dtype, device=buffer.device)
    if full.numel():
        buffer.axes.shard.all_gather(full, shard).wait()
    return [
        full.narrow(0, partition.offsets[index], buffer.slots[index].numel).view(buffer.slots[index].shape)
        for index in pieces
    ]


def _number(own: Mapping[str, Any], entry: str, found: Found) -> Any:
    """This rank's number, or the other ranks' where it keeps none."""
    if entry in own:
        return _copy(own[entry])
    kind, dtype, value = found
    return torch.tensor(value, dtype=getattr(torch, dtype)) if kind == "scalar" else value


def _copy(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value
