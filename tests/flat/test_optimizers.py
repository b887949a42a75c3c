"""Optimizers on pieces: foreach, fused, groups of single parameters, and gradient scaling."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs, loss_of
from small_models import Block, Tied, TwoBlocks
from torch import nn
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler

from sharding import by_class, fully_shard, replicate


def mark(model: nn.Module, verb: str) -> None:
    if verb == "fully_shard":
        fully_shard(model, policy=by_class(Block))
    else:
        fully_shard(model.block if isinstance(model, Tied) else model.u1)
        replicate(model)


def grouped(model: nn.Module) -> list[dict[str, Any]]:
    """A group of its own for every parameter, each with another learning rate and weight decay."""
    return [
        {"params": [param], "lr": 1e-2 / (place + 1), "weight_decay": 0.1 * (place % 2)}
        for place, param in enumerate(model.parameters())
    ]


def furthest(verb: str, build: Any, name: str, settings: dict[str, Any], each_its_own: bool) -> float:
    """Train three steps beside an unsharded twin with the same optimizer; the largest distance of the weights."""
    torch.manual_seed(0)
    model = build()
    twin = copy.deepcopy(model)
    mark(model, verb)
    make = getattr(torch.optim, name)
    optimizers = [make(grouped(m) if each_its_own else m.parameters(), **settings) for m in (model, twin)]
    for step in range(3):
        loss_of(model(inputs(step, dist.get_rank()))).backward()
        losses = [loss_of(twin(inputs(step, rank))) for rank in range(dist.get_world_size())]
        torch.stack(losses).mean().backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
    whole = model.state_dict()
    return max((whole[key] - param).abs().max().item() for key, param in twin.named_parameters())


OPTIMIZERS = [
    ("AdamW", {"foreach": True}),
    ("AdamW", {"fused": True}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "foreach": True}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "fused": True}),
    ("Adagrad", {"fused": True}),
    ("RMSprop", {"foreach": True}),
]


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS)
@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_foreach_and_fused(ranks, verb, name, settings):
    """Pieces, some of them empty, are ordinary tensors to every implementation."""
    for build in (TwoBlocks, Tied):
        for distance in ranks.run(furthest, verb, build, name, settings, False):
            assert distance < 5e-6


@pytest.mark.parametrize("settings", [{}, {"foreach": True}, {"fused": True}])
@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_a_group_for_every_parameter(ranks, verb, settings):
    """Parameters stay themselves, so each can have its own learning rate and weight decay."""
    for distance in ranks.run(furthest, verb, TwoBlocks, "AdamW", settings, True):
        assert distance < 5e-6


def scaled_steps(verb: str, kind: str) -> list[Any]:
    """Three scaled steps, the second with an infinite gradient on rank 1 in one element of one parameter."""
    torch.manual_seed(0)
    model = TwoBlocks()
    mark(model, verb)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler: Any = (
        ShardedGradScaler("cpu", init_scale=1024.0)
        if kind == "sharded"
        else torch.amp.GradScaler("cpu", init_scale=1024.0)
    )
    seen = []
    for step in range(3):
        before = [param.detach().clone() for param in model.parameters()]
        loss = loss_of(model(inputs(step, dist.get_rank())))
        hook = model.u2.lin.bias.register_hook(_spoil) if step == dist.get_rank() == 1 else None
        scaler.scale(loss).backward()
        if hook is not None:
            hook.remove()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        moved = any(not torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))
        seen.append((moved, scaler.get_scale()))
    return seen


def _spoil(grad: torch.Tensor) -> torch.Tensor:
    grad = grad.clone()
    grad[0] = float("inf")
    return grad


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_gradient_scaling(ranks, verb):
    """`ShardedGradScaler`: a gradient that is infinite in one rank's piece makes every rank skip the step and halve."""
    wanted = [(True, 1024.0), (False, 512.0), (True, 512.0)]
    assert ranks.run(scaled_steps, verb, "sharded") == [wanted, wanted]


def test_a_scaler_that_looks_at_its_own_pieces_only(ranks):
    """Torch's plain `GradScaler` asks no other rank: one skips the step, the other takes it. Do not use it."""
    first, second = ranks.run(scaled_steps, "fully_shard", "plain")
    assert {first[1][0], second[1][0]} == {True, False}
