"""Gradients of a replicate group with mixed precision: however they come, they are those of plain backwards."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import Tied, TwoBlocks
from torch import nn

import sharding
from sharding import replicate
from sharding.precision import Precision

BF16, F32 = torch.bfloat16, torch.float32


def loss(model: nn.Module, step: int) -> torch.Tensor:
    return model(inputs(step, dist.get_rank())).float().square().mean()


def one_backward(model: nn.Module) -> None:
    (loss(model, 0) + loss(model, 1)).backward()


def two_backwards(model: nn.Module) -> None:
    loss(model, 0).backward()
    loss(model, 1).backward()


def held_back(model: nn.Module) -> None:
    with sharding.no_sync(model):
        loss(model, 0).backward()
    loss(model, 1).backward()


def asked_for_in_between(model: nn.Module) -> None:
    """`torch.autograd.grad` gives whole gradients of this rank and leaves what is being averaged alone."""
    params = list(model.parameters())
    own = torch.autograd.grad(loss(model, 2), params)
    assert all(grad.dtype == F32 and grad.abs().sum() > 0 for grad in own)
    assert all(param.grad is None for param in params)
    (loss(model, 0) + loss(model, 1)).backward()
    before = [param.grad.clone() for param in params]
    again = torch.autograd.grad(loss(model, 2), params)
    assert all(torch.equal(one, other) for one, other in zip(own, again, strict=True))
    assert all(torch.equal(param.grad, grad) for param, grad in zip(params, before, strict=True))


def distance(build: Callable[[], nn.Module], run: Callable[[nn.Module], None], reduce_dtype: torch.dtype) -> float:
    """From the average over ranks of a twin's gradients, whose casts are autograd's own."""
    torch.manual_seed(0)
    model = build()
    twin = copy.deepcopy(model)
    replicate(model, mixed_precision=Precision(BF16, reduce_dtype))
    run(model)
    named = dict(twin.named_parameters())
    for step in range(2):
        casts = {name: param.to(BF16) for name, param in named.items()}
        output = torch.func.functional_call(twin, casts, (inputs(step, dist.get_rank()).to(BF16),), tie_weights=True)
        output.float().square().mean().backward()
    worst = 0.0
    for name, param in model.named_parameters():
        wanted = named[name].grad
        dist.all_reduce(wanted)
        worst = max(worst, (param.grad - wanted / dist.get_world_size()).abs().max().item())
        assert param.grad.dtype == F32
    return worst


@pytest.mark.parametrize("build", [TwoBlocks, Tied])
@pytest.mark.parametrize("run", [one_backward, two_backwards, held_back, asked_for_in_between])
@pytest.mark.parametrize(("reduce_dtype", "tolerance"), [(F32, 1e-6), (BF16, 2e-2)])
def test_gradients_however_they_come(ranks, build, run, reduce_dtype, tolerance):
    """Two forwards in one backward, one each, accumulated, and with a gradient asked for in between."""
    assert max(ranks.run(distance, build, run, reduce_dtype)) < tolerance
