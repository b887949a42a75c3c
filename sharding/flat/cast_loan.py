"""Mixed precision of a replicate group: while its module runs, its modules hold casts of the parameters.

A cast is a step of autograd, so nothing needs to be put back when a backward does not come. On the way back it
gives the gradient to the group, which casts it right into its bucket; where the group does not want it (earlier
gradients wait in `param.grad`, `no_sync`, `torch.autograd.grad`) it casts it for autograd, as a plain cast does.
Parameters themselves never change. The loan is taken by the
outermost module of the group that runs, which is the replicated module in forward and any module inside when
activation checkpointing runs it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from sharding.flat.call_stack import num_running
from sharding.flat.casting import cast_inputs, cast_outputs, computes_in
from sharding.flat.slot import Slot
from sharding.flat.torch_private import accumulates, current_backward
from sharding.precision import Precision

Taker = Callable[[Slot, torch.Tensor], bool]
"""Takes a gradient in the dtype it was computed in, or says that it does not."""


class _Cast(torch.autograd.Function):
    """A parameter in the dtype it computes in."""

    @staticmethod
    def forward(ctx: Any, param: torch.Tensor, dtype: torch.dtype, slot: Slot, take: Taker) -> torch.Tensor:
        ctx.slot, ctx.take = slot, take
        return param.to(dtype)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        (grad,) = grads
        first_order = not torch.is_grad_enabled()
        taken = first_order and accumulates(ctx.next_functions[0][0]) and ctx.take(ctx.slot, grad)
        return (None if taken else grad.to(ctx.slot.param.dtype)), None, None, None


class CastLoan:
    """The casts of one group.

    Attributes:
        module: the replicated module; its inputs and outputs are cast too.
    """

    def __init__(self, module: nn.Module, slots: Sequence[Slot], precision: Precision, take: Taker) -> None:
        self.module = module
        self._take_gradient = take
        self._precision = precision
        self._slots = [slot for slot in slots if computes_in(precision, slot.param.dtype) != slot.param.dtype]
        self._running: list[nn.Module] = []
        self._backward: int | None = None

    def before(
        self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A module of the group is about to run."""
        if self._running and self._is_stale(module):
            self._give_back()
        if not self._running:
            self._backward = current_backward()
            self._take()
        self._running.append(module)
        return cast_inputs(self._precision, True, args, kwargs) if module is self.module else (args, kwargs)

    def after(self, module: nn.Module, args: Any, output: Any) -> Any:
        """A module of the group has run, or failed."""
        while self._running and self._running.pop() is not module:
            pass
        if not self._running:
            self._give_back()
        return cast_outputs(self._precision, output) if module is self.module else output

    def _is_stale(self, module: nn.Module) -> bool:
        """Whether an interrupt ended the forward that took the loan without running its hooks."""
        if self._backward != current_backward():
            return True
        return module is self._running[0] and num_running(module) < 2

    def _take(self) -> None:
        for slot in self._slots:
            dtype = computes_in(self._precision, slot.param.dtype)
            cast: Any = _Cast.apply(slot.param, dtype, slot, self._take_gradient)
            for module, attr in slot.users:
                module._parameters[attr] = cast

    def _give_back(self) -> None:
        self._running.clear()
        for slot in self._slots:
            for module, attr in slot.users:
                module._parameters[attr] = slot.param


def lend_casts(
    module: nn.Module, modules: Sequence[nn.Module], slots: Sequence[Slot], precision: Precision, take: Taker
) -> list[RemovableHandle]:
    """Register the loan on every module of a group.

    Returns:
        The hooks.
    """
    loan = CastLoan(module, slots, precision, take)
    hooks = []
    for each in modules:
        hooks.append(each.register_forward_pre_hook(loan.before, prepend=True, with_kwargs=True))
        hooks.append(each.register_forward_hook(loan.after, always_call=True))
    return hooks
