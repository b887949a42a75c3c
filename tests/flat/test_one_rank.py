"""One rank without any process group: the same verbs and calls, nothing to communicate, parameters keep their shape."""

from __future__ import annotations

import copy
import gc

import pytest
import torch
from small_models import Block, Mixed, Tied, Twice, TwoBlocks
from torch import nn
from torch.optim.optimizer import register_optimizer_step_pre_hook

import sharding
from sharding import FullyShardedDataParallel, PlanError, by_class, fully_shard, record_events, replicate


def loss_of(output):
    return (output["y"] if isinstance(output, dict) else output).float().square().mean()


def by_policy(m):
    fully_shard(m, policy=by_class(Block))


def by_wrapper(m):
    return FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))


@pytest.mark.parametrize("mark", [by_policy, by_wrapper, fully_shard, replicate])
@pytest.mark.parametrize("build", [TwoBlocks, Tied, Mixed, Twice])
def test_training_is_exactly_the_unsharded_one(build, mark):
    """Weights after three steps are equal to the last bit, and no collective is recorded."""
    torch.manual_seed(0)
    model = build()
    twin = copy.deepcopy(model)
    model = mark(model) or model
    pairs = [(m, torch.optim.AdamW([p for p in m.parameters() if p.requires_grad])) for m in (model, twin)]
    with record_events() as log:
        for _ in range(3):
            x = torch.randn(4, 5)
            for m, optimizer in pairs:
                loss_of(m(x)).backward()
                sharding.clip_grad_norm_(m, 0.5)
                optimizer.step()
                optimizer.zero_grad()
    for (name, got), want in zip(model.named_parameters(), twin.parameters(), strict=True):
        assert torch.equal(got, want), name
    assert {event.kind for event in log} <= {"unshard", "reshard"}


def test_parameters_keep_shape_and_memory():
    """Nothing is copied or flattened when there is nobody to share with."""
    m = TwoBlocks()
    before = [(id(p), p.shape, p.data_ptr()) for p in m.parameters()]
    fully_shard(m, policy=by_class(Block))
    assert [(id(p), p.shape, p.data_ptr()) for p in m.parameters()] == before
    with sharding.unshard(m):
        assert [(id(p), p.shape, p.data_ptr()) for p in m.parameters()] == before


def test_the_calls_are_those_of_many_ranks():
    """The same unshard and reshard calls, with nothing moved or freed."""
    m = TwoBlocks()
    fully_shard(m, policy=by_class(Block))
    with record_events() as log:
        m(torch.randn(2, 5)).sum().backward()
    calls = [("U " if event.kind == "unshard" else "R ") + (event.fqn or "root") for event in log]
    assert ", ".join(calls) == ("U root, U u1, R u1, U u2, R u2, R root, U root, U u2, U u1, R u2, R u1, R root")
    assert all(event.nbytes == 0 and not event.freed for event in log)


def test_hybrid_needs_a_mesh():
    """The message says which."""
    with pytest.raises(PlanError, match=r"hybrid_shard.*two axes: \(replicate, shard\)"):
        fully_shard(nn.Linear(2, 2), strategy="hybrid_shard")


def test_a_dropped_model_collected_inside_an_optimizer_step():
    """The collector may take a sharded model away while torch goes through the hooks of some other optimizer's step."""
    first = register_optimizer_step_pre_hook(lambda *step: gc.collect() and None)
    try:
        fully_shard(TwoBlocks())
        weight = nn.Parameter(torch.ones(3))
        weight.grad = torch.ones(3)
        torch.optim.SGD([weight], lr=1.0).step()
    finally:
        first.remove()
    assert weight.eq(0).all()
