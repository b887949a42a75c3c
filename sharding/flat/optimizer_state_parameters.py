"""The parameters an optimizer steps, by name, and where they are cut: what optimizer state is keyed and gathered by.

Optimizers know parameters by number. Names come from the model's tree: a tied parameter has one, its first."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.optimizer import Optimizer

from sharding.errors import StateError
from sharding.flat.checkpointing import refuse_foreign_pieces
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.optimizer_check import check_parameters
from sharding.flat.state import ShardingState
from sharding.traversal import Tree


@dataclass(frozen=True)
class Stepped:
    """One parameter of an optimizer.

    Attributes:
        name: its clean name in the model.
        param: the parameter; shows a piece where it is cut.
        shape: shape of the whole.
        group: which of the optimizer's parameter groups it is in.
        buffer: the flat buffer it is cut in; None where this rank holds it whole.
        index: its place there.
    """

    name: str
    param: nn.Parameter
    shape: torch.Size
    group: int
    buffer: FlatBuffer | None
    index: int


def stepped_parameters(tree: Tree, states: list[ShardingState], optimizer: Optimizer) -> list[Stepped]:
    """What an optimizer steps, in its own order.

    Raises:
        StateError: it holds a parameter the model has not, one from before sharding, or one whose unit is further up.
    """
    refuse_foreign_pieces(tree, states)
    check_parameters([state.handle for state in states if state.handle is not None], optimizer)
    places = _places(states)
    found = []
    for number, group in enumerate(optimizer.param_groups):
        for param in group["params"]:
            held = tree.held.get(id(param))
            if held is None or held.shape is None:
                raise StateError(
                    f"the optimizer ({type(optimizer).__name__}) holds a parameter of shape {tuple(param.shape)} that "
                    f"{tree.root.cls_name} has not; give the model that the optimizer was made for"
                )
            buffer, index = places.get(id(param), (None, 0))
            found.append(Stepped(held.name, param, held.shape, number, buffer, index))
    return found


def _places(states: list[ShardingState]) -> dict[int, tuple[FlatBuffer, int]]:
    """Buffer and place of every parameter that is cut, by its id."""
    return {
        id(slot.param): (buffer, index)
        for state in states
        for buffer in (state.handle.buffers if state.handle is not None else ())
        if buffer.is_cut
        for index, slot in enumerate(buffer.slots)
    }


def first_names(tree: Tree) -> dict[str, str]:
    """Every name of every parameter, to its first."""
    names = {}
    for held in tree.held.values():
        for node, (_, attr) in zip(held.nodes, held.users, strict=True):
            for prefix in tree.names(node):
                names.setdefault(f"{prefix}.{attr}" if prefix else attr, held.name)
    return names
