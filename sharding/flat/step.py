"""One training step of one unit, as hooks.

    forward    pre_forward: unshard, gather the next where asked ── module runs ── post_forward: reshard
    backward   pre_backward: unshard, gather the next in reverse ── autograd runs ── post_backward: reshard, average
    end        finish_backward: what is still unsharded rests, what still waits is reduced, gradients are handed out

The root of a forward keeps its parameters from its pre-forward to the end of its backward. What a whole local tree is
doing is kept by `local_tree.py`; each function here moves one unit.

[Note: where a unit's backward ends] A unit's inputs are aliased before its forward, so each call has its own
node on the way from its outputs to what came before; when gradients reach it, everything in between has run,
parameters included (autograd runs accumulation first). A call whose inputs carry no gradient ends with the
whole backward. Both depend on the order of modules only, never on which parameters got a gradient, so all
ranks reduce in the same order.

[Note: root first] When a root's output is a child's output, autograd fires the child's hook first. Every pre-backward
therefore starts with `_start_backward`, which opens the root of its forward before anything else.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import torch
from torch import nn
from torch.autograd.graph import register_multi_grad_hook

from sharding.flat.axes import KEEPS_AFTER_FORWARD
from sharding.flat.call_stack import num_running
from sharding.flat.casting import cast_inputs, cast_outputs
from sharding.flat.guards import check_outer_owners
from sharding.flat.handle import Residence
from sharding.flat.local_tree import LocalTree
from sharding.flat.read_in_pieces import explain
from sharding.flat.state import Call, ShardingState
from sharding.flat.tensors import map_tensors, tensors_in
from sharding.flat.torch_private import current_backward


def install(state: ShardingState) -> None:
    """Register the hooks of a unit on its modules, and hear of its gradients."""
    for gradients in state.handle.gradients if state.handle is not None else ():
        gradients.on_arrival = functools.partial(_hear_of_gradient, state)
    for index, module in enumerate(state.modules):
        before = functools.partial(pre_forward, state, index)
        after = functools.partial(post_forward, state, index)
        state.hooks.append(module.register_forward_pre_hook(before, prepend=True, with_kwargs=True))
        state.hooks.append(module.register_forward_hook(after, always_call=True))


def pre_forward(
    state: ShardingState, index: int, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Before a module of the unit runs."""
    tree = state.tree
    if tree.is_lent:
        return args, kwargs
    state.handled = sys.exc_info()[1]
    if current_backward() is not None:
        _before_recompute(state)
        return cast_inputs(state.precision, state.is_root, args, kwargs)
    if tree.forward_root is None or (tree.forward_root is state and _starts_anew(state, index, module)):
        tree.start_forward(state)
    state.structure.check(state.fqn, state.handle)
    if state.outer_owners:
        check_outer_owners(state, state.outer_owners)
    if tree.order_check.is_active and state.handle is not None:
        tree.order_check.compare(state.handle.recorder.fqn, state.handle.numel)
    _unshard(state)
    state.depth += 1
    _prefetch_forward(state)
    args, kwargs = cast_inputs(state.precision, state.is_root or tree.forward_root is state, args, kwargs)
    return _open_call(state, args, kwargs)


def post_forward(state: ShardingState, index: int, module: nn.Module, args: Any, output: Any) -> Any:
    """After a module of the unit has run, or failed; what it returns."""
    if state.tree.is_lent:
        return output
    failed = sys.exc_info()[1] is not state.handled
    if current_backward() is not None:
        _after_recompute(state)
        return cast_outputs(state.precision, output)
    if failed:
        abandon_forward(state)
        return output
    output = cast_outputs(state.precision, output)
    _end_call(state, index, output)
    return output


def _end_call(state: ShardingState, index: int, output: Any) -> None:
    """A module of the unit has run: hook what it returns, and rest if all its forwards are over."""
    tree = state.tree
    state.depth -= 1
    call = state.running.pop() if state.running else None
    state.members_run.add(index)
    wanted = _close_call(call, output)
    if state.depth:
        return
    whole = len(state.members_run) == len(state.modules)
    if whole:
        _reshard_after_forward(state, wanted)
    if tree.forward_root is state and whole:
        _finish_groups(tree, wanted)
        tree.end_forward()


def pre_backward(call: Call, grad: torch.Tensor | None = None) -> None:
    """Gradients have reached an output of this call."""
    _start_backward(call)
    state = call.state
    state.opened = True
    if not state.in_backward:
        _compare_gather(state)
        _unshard(state)
        state.in_backward = True
    elif state.handle is not None:
        state.handle.wait()
    if state.annotation.options.backward_prefetch == "pre":
        _prefetch_backward(call)


def post_backward(call: Call, grads: Any = None) -> None:
    """Gradients have come out of the inputs of this call; see the note on where a unit's backward ends."""
    state = call.state
    state.open_calls.discard(call)
    if any(True for _ in state.open_calls):
        return
    _close_backward(state, call)


def finish_backward(tree: LocalTree) -> None:
    """Autograd is done: put every unit of the tree to rest, the root last."""
    for state in reversed(tree.states):
        if state.in_backward or state.called_for or not state.rests:
            _close_backward(state, None)
        elif state.handle is not None:
            tree.reduce(state.handle)
    tree.end_backward()


def _unshard(state: ShardingState) -> None:
    """Have the unit's parameters whole; the call of a prefetch, of another member or of an outer call counts."""
    handle = state.handle
    if handle is None:
        return
    called = state.called_for or state.depth or state.members_run
    if not called or handle.residence is Residence.SHARDED:
        handle.unshard(exact=False)
    state.called_for = False
    handle.wait()


def _compare_gather(state: ShardingState) -> None:
    """Do all ranks gather this unit now?"""
    handle, check = state.handle, state.tree.backward_check
    if check.is_active and handle is not None and handle.is_cut and handle.residence is Residence.SHARDED:
        check.compare(handle.recorder.fqn, handle.numel, "gathering ")


def _starts_anew(state: ShardingState, index: int, module: nn.Module) -> bool:
    """Whether the root of a forward that never ended is called again, and is not calling itself or a further member."""
    further_member = len(state.modules) > 1 and state.members_run and index not in state.members_run
    return not further_member and num_running(module) < 2


def _call_ahead(state: ShardingState) -> None:
    if state.handle is not None:
        state.handle.unshard(exact=False, ahead=True)
        state.called_for = True


def _prefetch_forward(state: ShardingState) -> None:
    """Call for the unit that came next in the last forward, while this one computes."""
    tree = state.tree
    place = len(tree.begun)
    tree.begun.append(state)
    if not state.annotation.options.forward_prefetch:
        return
    planned = tree.planned_order
    if place + 1 < len(planned) and planned[place] is state:
        following = planned[place + 1]
        if following.rests and not following.called_for:
            _call_ahead(following)


def _prefetch_backward(call: Call) -> None:
    """Call for the unit whose backward comes next, while this one computes."""
    if 0 < call.position <= len(call.order):
        following = call.order[call.position - 1]
        if not following.in_backward and following.handle is not None:
            _compare_gather(following)
            following.handle.unshard(exact=False, ahead=True)
            following.in_backward = True


def _open_call(
    state: ShardingState, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Note the call and alias its inputs, so that the end of its backward can be seen."""
    tree = state.tree
    if not torch.is_grad_enabled():
        state.running.append(None)
        return args, kwargs
    call = Call(state, tree.root_call, tree.order)
    if tree.forward_root is state and tree.root_call is None:
        tree.root_call = call
    state.running.append(call)
    aliases: list[torch.Tensor] = []

    def alias(tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.requires_grad:
            return tensor
        twin = tensor.view_as(tensor)
        aliases.append(twin)
        return twin

    args, kwargs = map_tensors(alias, args), map_tensors(alias, kwargs)
    if len(aliases) == 1:
        aliases[0].register_hook(functools.partial(post_backward, call))
    elif aliases:
        register_multi_grad_hook(aliases, functools.partial(post_backward, call))
    return args, kwargs


def _close_call(call: Call | None, output: Any) -> bool:
    """Hook the outputs of a call; whether a backward may come back to it."""
    if call is None or not torch.is_grad_enabled():
        return False
    tensors = list(tensors_in(output))
    carriers = [tensor for tensor in tensors if tensor.grad_fn is not None]
    if tensors and not carriers:
        return False
    hook = functools.partial(pre_backward, call)
    for tensor in carriers:
        tensor.register_hook(hook)
        base = tensor._base
        if base is not None and base.requires_grad and base.grad_fn is not None:
            base.register_hook(hook)  # an in-place change of a view drops the view's own hooks
    state = call.state
    if state.handle is not None:
        state.open_calls.add(call)
    call.position = len(call.order)
    call.order.append(state)
    return state.tree.root_trains


def _reshard_after_forward(state: ShardingState, wanted: bool) -> None:
    state.members_run.clear()
    if state.handle is not None:
        state.handle.reshard(free=not wanted or _frees_after_forward(state))


def _frees_after_forward(state: ShardingState) -> bool:
    """Whether a forward that a backward will follow gives the parameters up in between."""
    forced = state.annotation.options.reshard_after_forward
    if forced is not None:
        return bool(forced)
    return state.tree.forward_root is not state and state.strategy not in KEEPS_AFTER_FORWARD


def _finish_groups(tree: LocalTree, wanted: bool) -> None:
    """Units of several modules not all of which ran, and units gathered for nothing, rest with the root."""
    for state in tree.states:
        if state.members_run and state is not tree.forward_root:
            _reshard_after_forward(state, wanted)
        elif state.called_for and state.handle is not None:
            state.called_for = False
            state.handle.reshard(free=True)


def abandon_forward(state: ShardingState) -> None:
    """The module raised: the unit rests, and with the forward root the whole tree."""
    tree, error = state.tree, sys.exc_info()[1]
    explain(error, tree.states)
    tree.order_check.failed(error)
    if tree.forward_root is state or tree.forward_root is None:
        tree.settle()
        return
    state.depth = 0
    state.running.clear()
    state.members_run.clear()
    if state.handle is not None and not state.rests:
        state.handle.reshard(free=True)


def _before_recompute(state: ShardingState) -> None:
    """Activation checkpointing runs a forward inside backward: lend it the parameters."""
    _hear_of_gradient(state)
    sharded = state.handle is not None and state.handle.residence is Residence.SHARDED
    state.recomputing.append(sharded)
    if state.handle is not None:
        if sharded:
            _compare_gather(state)
            state.handle.unshard(exact=False)
        state.handle.wait()


def _after_recompute(state: ShardingState) -> None:
    lent = state.recomputing.pop() if state.recomputing else False
    if lent and not state.in_backward and state.handle is not None:
        state.handle.reshard(free=True)


def _hear_of_gradient(state: ShardingState) -> None:
    """A gradient, or a recomputation, may come before any hooked output: of one nobody returned, or an opaque one."""
    tree = state.tree
    if tree.start_backward():
        tree.at_end_of_backward(functools.partial(finish_backward, tree))


def _start_backward(call: Call) -> None:
    """The first hook of a backward opens it, and the root of its forward; see the note on root first."""
    tree = call.state.tree
    if not tree.start_backward():
        return
    tree.at_end_of_backward(functools.partial(finish_backward, tree))
    root = call.root
    if root is not None and root is not call and not root.state.in_backward:
        pre_backward(root)


def _close_backward(state: ShardingState, call: Call | None) -> None:
    """The unit's backward is over: give the parameters up and average the gradients."""
    handle = state.handle
    opened = state.opened
    state.in_backward = state.called_for = state.opened = False
    if handle is None:
        return
    if not state.depth:  # else this backward runs inside the unit's own forward
        handle.reshard(free=True)
    if call is not None and state.annotation.options.backward_prefetch == "post":
        _prefetch_backward(call)
    state.tree.reduce(handle, always=opened)
