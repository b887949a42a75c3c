"""Looking at a sharded model: its states, handles and local roots, what each unit would hold, and its whole values.

Everything here lists in the order of `module.modules()`, whatever the order of the calls. `.fqn` of what is
returned is relative to the module given to the last such call."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import nn

from sharding.annotations import Annotation, annotations_in
from sharding.flat.handle import FlatParamHandle
from sharding.flat.holdings import buffers_of, modules_by_owner
from sharding.flat.misuse import refuse_conflicts
from sharding.flat.state import ShardingState, state_of
from sharding.flat.walking import all_states, states_reached
from sharding.layout import Layout
from sharding.nodes import Node
from sharding.resolution import expand_policies, resolve_annotations
from sharding.traversal import tree_of


def get_states(module: nn.Module) -> list[ShardingState]:
    """The units met from `module` without entering `replicate` below it, in pre-order. No collective."""
    return [_named(node, state) for node, state in states_reached(tree_of(module))]


def get_handles(module: nn.Module) -> list[FlatParamHandle]:
    """The flat parameters of `get_states(module)`, in the same order; units without parameters have none."""
    return [state.handle for state in get_states(module) if state.handle is not None]


def get_root_states(module: nn.Module) -> list[ShardingState]:
    """The states local trees start at, also inside `replicate` subtrees, in pre-order. No collective."""
    return [_named(node, state) for node, state in all_states(tree_of(module)) if state.is_root]


def _named(node: Node, state: ShardingState) -> ShardingState:
    state.fqn = node.fqn
    if state.handle is not None:
        state.handle.fqn = node.fqn
    return state


def fully_sharded_modules_to_params(
    root: nn.Module,
    *,
    policy: Any = None,
    ignored_modules: Iterable[nn.Module] | None = None,
    ignored_params: Iterable[nn.Parameter] | None = None,
) -> dict[nn.Module, tuple[list[nn.Parameter], list[torch.Tensor]]]:
    """What `fully_shard(root, policy=policy, ...)` would give each module, without doing it. No process group.

    Args:
        root: the argument of the call; marks already in it count.
        policy: which submodules become units.
        ignored_modules: submodules left out with everything below them.
        ignored_params: parameters left out.

    Returns:
        Fully sharded module -> (its parameters in flat order, the buffers of the modules it decides for), in
        pre-order. A unit without parameters stays a key.

    Raises:
        ConflictError: the call would be refused.
    """
    tree = tree_of(root)
    existing = annotations_in(tree)
    annotations, pending = list(existing), []
    if all(annotation.modules[0] is not root for annotation in existing):
        call = Annotation(
            "fully_shard",
            (root,),
            ignored_modules=tuple(ignored_modules or ()),
            ignored_params=tuple(ignored_params or ()),
            policy=policy,
        )
        annotations.append(call)
        pending = [call] if policy is not None else []
    annotations, _ = expand_policies(tree, annotations, pending)
    layout = resolve_annotations(tree, annotations)
    refuse_conflicts("fully_sharded_modules_to_params", layout)
    return _contents(layout)


def _contents(layout: Layout) -> dict[nn.Module, tuple[list[nn.Parameter], list[torch.Tensor]]]:
    contents: dict[nn.Module, tuple[list[nn.Parameter], list[torch.Tensor]]] = {}
    reached = set(layout.orders["units"])
    modules = modules_by_owner(layout)
    for unit in layout.units:
        if unit.fqn in reached:
            params = [row.param for row in unit.params]
            contents[unit.annotation.modules[0]] = (params, buffers_of(modules.get(unit.fqn, ())))
    return contents


@contextlib.contextmanager
def unshard(
    module: nn.Module, *, recurse: bool = True, writeback: bool = True, rank0_only: bool = False
) -> Iterator[None]:
    """Whole parameters inside the block: every unit at and below `module` is gathered, and freed afterwards.

    Args:
        module: where to look for units, also inside `replicate`.
        recurse: False for the unit of `module` alone.
        writeback: keep changes made to the whole parameters inside the block. Make the same ones on every rank.
        rank0_only: show the whole parameters on rank 0 only; not together with `writeback`.

    Collective: every rank must enter and leave it. Forwards inside the block use the whole parameters; no backward may
    follow them.

    Raises:
        StateError: called inside a forward, a backward or another such block of the model.
    """
    if rank0_only and writeback:
        raise ValueError("unshard(rank0_only=True) leaves the other ranks nothing to write back; pass writeback=False")
    states = _states_for(module, recurse)
    try:
        _lend(states, rank0_only)
        yield
        if writeback:
            _write_back(states)
    finally:
        _take_back(states)


def _states_for(module: nn.Module, recurse: bool) -> list[ShardingState]:
    if recurse:
        states = [state for _, state in all_states(tree_of(module))]
    else:
        own = state_of(module)
        states = [] if own is None else [own]
    for state in states:
        state.tree.require_rest("unshard")
    return states


def _lend(states: list[ShardingState], rank0_only: bool) -> None:
    for state in states:
        state.tree.is_lent = True
    handles = [state.handle for state in states if state.handle is not None]
    for handle in handles:
        handle.unshard()
    for handle in handles:
        handle.wait()
        if rank0_only and handle.axes.rank != 0:
            handle.reshard(free=True)


def _write_back(states: list[ShardingState]) -> None:
    for state in states:
        for buffer in state.handle.buffers if state.handle is not None else ():
            buffer.write_back()


def _take_back(states: list[ShardingState]) -> None:
    for state in reversed(states):
        state.tree.is_lent = False
        if state.handle is not None and not state.rests:
            state.handle.reshard(free=True)
