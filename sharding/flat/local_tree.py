"""One local tree: the units that share a root, and what they are doing together.

Outside of a step every unit rests. A forward starts at the outermost unit that runs (`forward_root`) and ends
with it; a backward starts at the first hook autograd fires and ends with autograd's final callback. Whatever
was left behind by a forward without a backward, an exception or an interrupt is put to rest by `settle`
before anything else happens. `step.py` says what each unit does when; this file only keeps the books."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any

import torch
from torch.optim.optimizer import Optimizer, register_optimizer_step_pre_hook
from torch.utils.hooks import RemovableHandle

from sharding.errors import StateError
from sharding.flat.call_stack import num_running
from sharding.flat.handle import FlatParamHandle
from sharding.flat.lane import Lane, lane_on
from sharding.flat.optimizer_check import check_parameters, holds_any
from sharding.flat.order_check import BACKWARD, OrderCheck
from sharding.flat.recording import Stage
from sharding.flat.replica import Replica
from sharding.flat.state import Call, ShardingState
from sharding.flat.torch_private import at_end_of_backward, current_backward

MAX_REDUCING = 1
"""Reductions left on their way while the next unit's backward computes; each holds one unit's whole gradients."""


class LocalTree:
    """The units below one local root.

    Attributes:
        states: its units in pre-order; the first is the local root.
        stage: the phase, for events.
        forward_root: the unit whose forward is the root of the running forward.
        root_call: that unit's call, if gradients are on.
        root_trains: whether the forward root's module is in training mode.
        order: units in the order their forwards ended since the last backward.
        planned_order: units in the order their forwards began in the last whole forward (for prefetching).
        begun: the same, for the forward that is running.
        backward: the backward pass that is running, by autograd's number.
        is_lent: whether a `with unshard(...)` block holds its parameters; forwards then gather and free nothing.
        lane: where its gathers and reductions run, beside the computation.
        order_check: whether the other ranks run the same training forward.
        backward_check: the same of backward.
        replicas: replicate groups below its units, which take part in each of its backwards.
    """

    def __init__(self, states: Sequence[ShardingState], topic: str) -> None:
        self.states = list(states)
        self.stage = Stage()
        self.forward_root: ShardingState | None = None
        self.root_call: Call | None = None
        self.root_trains = True
        self.order: list[ShardingState] = []
        self.planned_order: list[ShardingState] = []
        self.begun: list[ShardingState] = []
        self.backward: int | None = None
        self.is_lent = False
        self.order_check = OrderCheck(f"{topic}/{self.states[0].fqn}", self.states[0].axes.world)
        self.backward_check = OrderCheck(f"{topic}/{self.states[0].fqn}", self.states[0].axes.world, BACKWARD)
        self.replicas: list[Replica] = []
        self._reducing: deque[FlatParamHandle] = deque()
        self.lane = self._make_lane()
        for state in self.states:
            state.tree = self
            if state.handle is not None:
                state.handle.recorder.stage = self.stage
                state.handle.run_on(self.lane)
        self._unwatch = _watch_optimizers(self)

    def _make_lane(self) -> Lane:
        limited = self.states[0].annotation.options.limit_all_gathers
        return lane_on(self.handles[0].device, is_limited=limited) if self.handles else Lane()

    @property
    def handles(self) -> list[FlatParamHandle]:
        return [state.handle for state in self.states if state.handle is not None]

    def start_forward(self, root: ShardingState) -> None:
        """A forward begins at `root`."""
        self.settle()
        self.forward_root = root
        self.root_trains = root.modules[0].training
        self.begun = []
        self.lane.catch_up()
        self.stage.phase = "forward"
        self.order_check.begin(trains=self.root_trains and torch.is_grad_enabled())

    def end_forward(self) -> None:
        """The forward root is done."""
        self.order_check.end()
        self.forward_root = self.root_call = None
        self.planned_order, self.begun = self.begun, []
        self.lane.flush()
        self.stage.phase = "other"

    def start_backward(self) -> bool:
        """Called from inside a backward pass; True the first time in it."""
        now = current_backward()
        if self.backward == now:
            return False
        if self.backward is not None:
            self.settle()
        self.backward = now
        self.lane.catch_up()
        self.stage.phase = "backward"
        for handle in self.handles:
            for gradients in handle.gradients:
                gradients.set_aside()
        self.backward_check.begin(trains=any(each.sync for handle in self.handles for each in handle.gradients))
        for replica in self.replicas:
            replica.take_part()
        return True

    def at_end_of_backward(self, callback: Any) -> None:
        """Have autograd call `callback` when this backward is over."""
        at_end_of_backward(callback)

    def reduce(self, handle: FlatParamHandle, *, always: bool = False) -> None:
        """Start averaging a unit's gradients; wait for older ones first, so that few whole gradients are alive."""
        if not handle.has_to_reduce(always=always):
            handle.keep_gradients()
            return
        self.backward_check.compare(handle.recorder.fqn, handle.numel, "reducing ")
        while len(self._reducing) >= MAX_REDUCING:
            self._reducing.popleft().finish_reduce()
        handle.reduce(always=always)
        self._reducing.append(handle)

    def end_backward(self) -> None:
        """All units rest again: hand out the gradients."""
        while self._reducing:
            self._reducing.popleft().finish_reduce()
        for handle in self.handles:
            for gradients in handle.gradients:
                gradients.give()
        self.backward_check.end()
        self.backward = None
        self.order = []
        self.lane.flush()
        if self.forward_root is not None and self.forward_root.depth:
            self.stage.phase = "forward"  # the whole backward ran inside this forward
            return
        self.forward_root = self.root_call = None
        for state in self.states:
            state.members_run.clear()
        self.stage.phase = "other"

    @property
    def rests(self) -> bool:
        return self.backward is None and self.forward_root is None and all(state.rests for state in self.states)

    def settle(self) -> None:
        """Put every unit to rest: a forward whose backward never ran, an exception, an interrupt. No collective."""
        if self.rests:
            return
        failed = self.backward is not None
        self.backward_check.failed(None)
        self._reducing.clear()
        for state in self.states:
            handle = state.handle
            if handle is None:
                continue
            if not state.rests:
                handle.reshard(free=True)
            if failed:
                for gradients in handle.gradients:
                    gradients.drop()
        self._forget_step(failed)

    def _forget_step(self, failed: bool) -> None:
        self.lane.flush()
        for state in self.states:
            calls = state.open_calls
            state.clear()
            if not failed:
                state.open_calls = calls
        self.forward_root = self.root_call = self.backward = None
        self.begun = []
        if failed:
            self.order = []
        self.stage.phase = "other"

    def require_rest(self, verb: str) -> None:
        """Settle, unless a step of this tree is running right now.

        Raises:
            StateError: `verb` was called inside a forward or backward.
        """
        if self.is_lent:
            raise StateError(f"{verb} inside `with sharding.unshard(...)`: call it after the block")
        if self.rests:
            return
        root = self.forward_root
        running = root is not None and any(num_running(module) for module in root.modules)
        if running or current_backward() is not None:
            where = "a forward" if running else "a backward"
            name = self.states[0].fqn or type(self.states[0].module).__name__
            raise StateError(f"{verb} inside {where} of {name!r}: call it between steps")
        self.settle()

    def dismiss(self) -> None:
        """This tree has become part of a larger one, or is gone."""
        self._unwatch()


_left_hooks: list[RemovableHandle] = []
"""Hooks of trees that the garbage collector took. It may do so while torch goes through these very hooks, in a step of
any optimizer, so they are removed when the next tree is made; until then they do nothing."""


def _watch_optimizers(tree: LocalTree) -> Any:
    """Before any optimizer steps, put the tree to rest: an update must reach the pieces, not what was gathered."""
    reference = weakref.ref(tree)
    checked: weakref.WeakSet[Optimizer] = weakref.WeakSet()

    def before_step(optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        tree = reference()
        if tree is None or current_backward() is not None or (tree.rests and optimizer in checked):
            return
        if holds_any(tree.handles, optimizer):
            tree.require_rest("optimizer.step()")
            check_parameters(tree.handles, optimizer)
        checked.add(optimizer)

    while _left_hooks:
        _left_hooks.pop().remove()
    handle = register_optimizer_step_pre_hook(before_step)
    weakref.finalize(tree, _left_hooks.append, handle)
    return handle.remove
