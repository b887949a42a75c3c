"""Parameters about to be used while nobody has gathered them: an error that names parameter and unit.

Two cases torch itself would report as mismatched shapes: a unit whose module has no forward, so nothing ever
gathers it, and a unit called by itself although a tied parameter in it belongs to a unit further up."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from torch import nn

from sharding.errors import StateError
from sharding.flat.state import ShardingState, state_of
from sharding.layout import Layout
from sharding.units import ParamRow


def guard_uncalled(state: ShardingState) -> None:
    """For a unit whose modules have no forward: stop the modules inside from running on pieces."""
    if any(type(module).forward is not nn.Module.forward for module in state.modules) or state.handle is None:
        return
    guarded: set[int] = set()
    for slot in state.handle.slots:
        for module, _ in slot.users:
            if id(module) not in guarded:
                guarded.add(id(module))
                hook = functools.partial(_refuse_pieces, state, slot.name)
                state.hooks.append(module.register_forward_pre_hook(hook, prepend=True))


def _refuse_pieces(state: ShardingState, name: str, module: nn.Module, args: Any) -> None:
    if not is_in_pieces(state):
        return
    holder = type(state.module).__name__
    raise StateError(
        f"parameter {name!r} of unit {state.fqn!r} is used while it is sharded: the unit's {holder} has no forward, so "
        f"nothing gathers it. Mark the {type(module).__name__} inside instead, or the module that calls it"
    )


def note_outer_owners(layout: Layout) -> None:
    """Tell every unit which parameters used inside it belong to units further up."""
    for unit in layout.units:
        owner = state_of(unit.annotation.modules[0])
        if owner is not None:
            for row in unit.params:
                if len(row.users) > 1:
                    _note_below(layout, owner, row)


def _note_below(layout: Layout, owner: ShardingState, row: ParamRow) -> None:
    for module, _ in row.users:
        node = layout.tree.node_of(module)
        for above in (node, *node.ancestors()) if node is not None else ():
            state = next((found for each in above.modules if (found := state_of(each)) is not None), None)
            if state is owner:
                break
            if state is not None and (owner, row.name) not in state.outer_owners:
                state.outer_owners.append((owner, row.name))


def check_outer_owners(state: ShardingState, owners: Sequence[tuple[ShardingState, str]]) -> None:
    """Refuse to run a unit on pieces of a parameter that a unit further up owns.

    Raises:
        StateError: naming parameter, owner and what to call.
    """
    for owner, name in owners:
        if is_in_pieces(owner):
            raise StateError(
                f"unit {state.fqn!r} was called by itself, but its parameter {name!r} is tied and belongs to unit "
                f"{owner.fqn!r}, which is sharded now: call {owner.fqn!r}, or open sharding.unshard(...) around it"
            )


def is_in_pieces(state: ShardingState) -> bool:
    """Whether its parameters show this rank's piece only."""
    return state.rests and state.handle is not None and any(buffer.is_cut for buffer in state.handle.buffers)
