"""Uses beside the plain step, on both engines: checkpointed activations, several forwards, eval, parts run alone."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch.distributed as dist
from engine_models import TwoBlocks
from oracle_run import Case, adamw, backward_on_all, distance, gradients, inputs, loss_of, train_beside
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing
from torch.utils.checkpoint import checkpoint

import sharding
from sharding import Plan, by_class

P = Plan()
BLOCKS = Case(TwoBlocks, P.fully_shard("", policy=by_class("Block")))


class Recomputed(TwoBlocks):
    """The two blocks with their activations computed again in backward, inside the forward of the whole."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = checkpoint(self.u1, self.l(x), use_reentrant=False)
        return torch.mm(checkpoint(self.u2, x, use_reentrant=False), self.p)


def wrapped() -> nn.Module:
    """Two blocks inside torch's checkpoint wrappers, which names do not show."""
    model = TwoBlocks()
    apply_activation_checkpointing(model, check_fn=lambda module: type(module).__name__ == "Block")
    return model


@pytest.mark.parametrize("build", [Recomputed, wrapped])
def test_activation_checkpointing(ranks, engine, build):
    """A unit is gathered again for the forward inside its backward, and nothing else changes."""
    for difference in ranks.run(train_beside_wrapped, build, engine):
        assert difference < 2e-6


def train_beside_wrapped(build: Any, engine: str) -> float:
    """Two steps beside the unsharded model; names in the state dict are clean."""
    case = Case(build, P.fully_shard("u*").fully_shard(""))
    model, twin = case.applied(engine)
    optimizer, reference = adamw(model), adamw(twin)
    for step in range(2):
        loss_of(model(inputs(step, dist.get_rank()))).backward()
        backward_on_all(twin, step)
        for each in (optimizer, reference):
            each.step()
            each.zero_grad()
    state = sharding.state_dict(model)
    assert list(state) == list(TwoBlocks().state_dict())
    return max(distance(value, other) for value, other in zip(state.values(), twin.state_dict().values(), strict=True))


def several_forwards(engine: str) -> float:
    """Two forwards, then their backwards, the later one first."""
    model, twin = BLOCKS.applied(engine)
    losses = [loss_of(model(inputs(step, dist.get_rank()))) for step in (0, 1)]
    for loss in reversed(losses):
        loss.backward()
    backward_on_all(twin, 0, 1)
    return max(distance(got, want) for _, got, want in gradients(model, twin) if got is not None and want is not None)


def test_several_forwards_before_a_backward(ranks, engine):
    """Gradients of both are averaged and added up."""
    assert max(ranks.run(several_forwards, engine)) < 2e-6


def without_learning(engine: str) -> list[float]:
    """Outputs under eval with no_grad and inference_mode, before, between and after training steps."""
    model, twin = BLOCKS.applied(engine)
    worst = []
    for mode in (torch.no_grad, torch.inference_mode, torch.no_grad):
        model.eval()
        with mode():
            worst.append(distance(model(inputs(5, 0)), twin(inputs(5, 0))))
        model.train()
        loss_of(model(inputs(0, dist.get_rank()))).backward()
        backward_on_all(twin, 0)
        pairs = [(got, want) for _, got, want in gradients(model, twin) if got is not None and want is not None]
        worst.append(max(distance(got, want) for got, want in pairs))
    return worst


def test_eval_between_steps(ranks, engine):
    """Looking at outputs changes nothing of what is learnt."""
    for worst in ranks.run(without_learning, engine):
        assert max(worst) < 3e-6


def never_finished(engine: str) -> float:
    """A training forward whose backward never runs, then state, then a whole step."""
    model, twin = BLOCKS.applied(engine)
    model(inputs(3, dist.get_rank()))
    before = sharding.state_dict(model)
    assert all(distance(before[name], value) == 0 for name, value in twin.state_dict().items())
    optimizer, reference = adamw(model), adamw(twin)
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    backward_on_all(twin, 0)
    optimizer.step()
    reference.step()
    return max(distance(sharding.state_dict(model)[name], value) for name, value in twin.state_dict().items())


def test_a_forward_without_its_backward(ranks, engine):
    """Parameters are not stale afterwards."""
    assert max(ranks.run(never_finished, engine)) < 2e-6


def a_part_alone(engine: str) -> list[float]:
    """A unit's own forward after the root's."""
    model, twin = BLOCKS.applied(engine)
    x = inputs(0, 0)
    worst = [distance(model(x).detach(), twin(x).detach())]
    worst.append(distance(model.get_submodule("u1")(x).detach(), twin.get_submodule("u1")(x).detach()))
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    backward_on_all(twin, 0)
    pairs = [(got, want) for _, got, want in gradients(model, twin) if got is not None and want is not None]
    return [*worst, max(distance(got, want) for got, want in pairs)]


def test_a_unit_run_by_itself(ranks, engine):
    """Within its local tree the outermost module that runs is the root of that forward."""
    for worst in ranks.run(a_part_alone, engine):
        assert max(worst) < 2e-6


def copied(engine: str) -> str:
    """Copy a model that runs."""
    model, _ = BLOCKS.applied(engine)
    with pytest.raises((sharding.StateError, AssertionError)) as refused:
        copy.deepcopy(model)
    return str(refused.value)


def test_copying_is_refused_with_the_way_out(ranks, engine):
    """Both name the state dict."""
    assert all("state" in text for text in ranks.run(copied, engine))


def test_recomputing_over_a_whole_run(ranks, engine):
    """A model whose forward recomputes trains like any other, over all five steps."""
    for difference in ranks.run(train_beside, Case(Recomputed, P.fully_shard("", policy=by_class("Block"))), engine):
        assert difference.worst < 2e-6
