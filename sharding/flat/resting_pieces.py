"""What this rank rests on, parameter by parameter, for whoever sends a model elsewhere. Gathers nothing."""

from __future__ import annotations

import torch
import torch.distributed as dist

from sharding.flat.collectives import Collectives, ProcessGroupRanks
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.walking import all_states
from sharding.resting import RestingPiece
from sharding.traversal import Tree


def pieces_in(tree: Tree) -> dict[int, RestingPiece]:
    """The piece of every parameter of a unit that shows something else while it computes, by the parameter's id."""
    found: dict[int, RestingPiece] = {}
    for _, state in all_states(tree):
        for buffer in state.handle.buffers if state.handle is not None else ():
            if buffer.is_laid_out:
                ranks = _numbers(buffer.axes.shard)
                for index, slot in enumerate(buffer.slots):
                    held = _held(buffer, index)
                    found[id(slot.param)] = RestingPiece(slot.shape, held, ranks, buffer.axes.shard.rank)
    return found


def _held(buffer: FlatBuffer, index: int) -> torch.Tensor:
    """What parameter `index` rests on; what somebody made it show in its place, if that fits."""
    piece, shown = buffer.resting[index], buffer.slots[index].param.data
    alike = (shown.shape, shown.dtype, shown.device) == (piece.shape, piece.dtype, piece.device)
    return shown if alike else piece


def _numbers(ranks: Collectives) -> tuple[int, ...]:
    return tuple(dist.get_process_group_ranks(ranks.group)) if isinstance(ranks, ProcessGroupRanks) else (0,)
