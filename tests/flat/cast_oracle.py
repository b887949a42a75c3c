"""The oracle of mixed precision: an unsharded float32 model that computes with casts of its parameters."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from parity import Difference, inputs, loss_of
from torch import nn
from torch.func import functional_call

import sharding
from sharding.flat.walking import all_replicas, all_states
from sharding.precision import Precision
from sharding.traversal import tree_of


def _is_cast(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() and tensor.dtype.itemsize > 1


def output_with_casts(twin: nn.Module, precision: Precision, x: torch.Tensor) -> Any:
    """What the unsharded model returns when all its parameters and its input are cast to `param_dtype`."""
    dtype = precision.param_dtype or torch.float32
    casts = {name: param.to(dtype) if _is_cast(param) else param for name, param in twin.named_parameters()}
    output = functional_call(twin, casts, (x.to(dtype),))
    return output if precision.output_dtype is None else output.to(precision.output_dtype)


def gradients_with_casts(twin: nn.Module, precision: Precision, step: int) -> tuple[list[float], dict[str, Any]]:
    """Every rank's loss, and the average of all ranks' gradients, summed in the reduce dtype."""
    reduce_dtype = precision.reduce_dtype or precision.param_dtype or torch.float32
    losses, sums = [], {}
    for rank in range(dist.get_world_size()):
        loss = loss_of(output_with_casts(twin, precision, inputs(step, rank)))
        losses.append(loss.item())
        loss.backward()
        for name, param in twin.named_parameters():
            if param.grad is not None:
                grad = param.grad.to(reduce_dtype)
                sums[name] = sums[name] + grad if name in sums else grad
                param.grad = None
    return losses, {name: grad.float() / dist.get_world_size() for name, grad in sums.items()}


def train_with_casts(
    build: Callable[[], nn.Module], mark: Callable[..., Any], precision: Precision, steps: int = 3
) -> Difference:
    """Train a marked model beside the oracle; how far apart they get. Also that all rests in its own dtype."""
    torch.manual_seed(0)
    model = build()
    twin = copy.deepcopy(model)
    dtypes = {name: param.dtype for name, param in model.named_parameters()}
    mark(model, mixed_precision=precision)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    reference = torch.optim.SGD([p for p in twin.parameters() if p.requires_grad], lr=0.1)
    difference = Difference()
    for step in range(steps):
        output = model(inputs(step, dist.get_rank()))
        assert output.dtype == (precision.output_dtype or precision.param_dtype or torch.float32)
        loss = loss_of(output)
        loss.backward()
        losses, wanted = gradients_with_casts(twin, precision, step)
        difference.loss = max(difference.loss, abs(loss.item() - losses[dist.get_rank()]))
        _compare_gradients(model, wanted, difference)
        assert {name: param.dtype for name, param in model.named_parameters()} == dtypes
        for name, param in twin.named_parameters():
            param.grad = wanted.get(name)
        for each in (optimizer, reference):
            each.step()
            each.zero_grad()
    whole = model.state_dict()
    for name, param in twin.named_parameters():
        assert whole[name].dtype == param.dtype
        difference.weight = max(difference.weight, _distance(whole[name], param))
    return difference


def _compare_gradients(model: nn.Module, wanted: dict[str, torch.Tensor], difference: Difference) -> None:
    tree = tree_of(model)
    names = {id(param): name for name, param in model.named_parameters()}
    for _, state in all_states(tree):
        for buffer in state.handle.buffers if state.handle is not None else ():
            for index, slot in enumerate(buffer.slots):
                want = wanted.get(names[id(slot.param)])
                _compare(slot, None if want is None else buffer.piece_of(index, want), difference)
    for _, replica in all_replicas(tree):
        for slot in replica.slots:
            _compare(slot, wanted.get(names[id(slot.param)]), difference)


def _compare(slot: Any, want: torch.Tensor | None, difference: Difference) -> None:
    grad = slot.param.grad
    assert (grad is None) == (want is None), slot.name
    if grad is not None and want is not None:
        assert (grad.dtype, grad.shape) == (slot.param.dtype, slot.param.shape), slot.name
        difference.num_gradients += 1
        difference.gradient = max(difference.gradient, _distance(grad, want))


def _distance(one: torch.Tensor, other: torch.Tensor) -> float:
    assert one.shape == other.shape
    return (one.double() - other.double()).abs().max().item() if one.numel() else 0.0


def exact_values(model: nn.Module) -> dict[str, torch.Tensor]:
    """The whole parameters as `sharding.unshard` shows them."""
    with sharding.unshard(model):
        return {name: param.detach().clone() for name, param in model.named_parameters()}
