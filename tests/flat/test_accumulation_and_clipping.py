"""Accumulating gradients without averaging, and clipping by one norm over all ranks."""

from __future__ import annotations

import copy
import math

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import Block, TwoBlocks
from torch import nn

import sharding
from sharding import StateError, by_class, fully_shard, replicate


def one_weight(verb: str, around: str) -> float:
    """Two micro-steps with inputs rank + 1 and 10 * (rank + 1), averaged in the second only."""
    lin = nn.Linear(1, 1, bias=False)
    nn.init.ones_(lin.weight)
    {"replicate": replicate, "fully_shard": fully_shard}[verb](lin)
    first, second = (torch.full((1, 1), scale * (dist.get_rank() + 1.0)) for scale in (1, 10))
    if around == "both":
        with sharding.no_sync(lin):
            lin(first).sum().backward()
    else:
        loss = lin(first).sum()
        with sharding.no_sync(lin):
            loss.backward()
    lin(second).sum().backward()
    return lin.weight.grad.sum().item() if lin.weight.grad is not None and lin.weight.grad.numel() else -1.0


@pytest.mark.parametrize("around", ["both", "backward"])
@pytest.mark.parametrize(("verb", "wanted"), [("replicate", [16.5, 16.5]), ("fully_shard", [16.5, -1.0])])
def test_no_sync_sums_on_the_rank_and_averages_once(ranks, verb, wanted, around):
    """(1 + 10) and (2 + 20) average to 16.5, whether the block covers the forward or not."""
    assert ranks.run(one_weight, verb, around) == wanted


def accumulated() -> float:
    """Gradients of no_sync, synced, synced again without zero_grad, against the unsharded sum."""
    torch.manual_seed(0)
    model = TwoBlocks()
    twin = copy.deepcopy(model)
    fully_shard(model.u1.seq)
    replicate(model.u1)
    fully_shard(model, policy=by_class(Block))
    rank = dist.get_rank()
    with sharding.no_sync(model):
        model(inputs(0, rank)).square().mean().backward()
    for step in (1, 2):
        model(inputs(step, rank)).square().mean().backward()
    for step in range(3):
        torch.stack([twin(inputs(step, other)).square().mean() for other in range(2)]).mean().backward()
    twins = dict(twin.named_parameters())
    worst = 0.0
    for handle in [state.handle for state in sharding.get_root_states(model) + sharding.get_states(model)]:
        for buffer in handle.buffers:
            for index, slot in enumerate(buffer.slots):
                name = next(n for n, p in model.named_parameters() if p is slot.param)
                want = buffer.piece_of(index, twins[name].grad)
                worst = max(worst, (slot.param.grad - want).abs().max().item() if want.numel() else 0.0)
    return max(worst, (model.u1.lin.weight.grad - twins["u1.lin.weight"].grad).abs().max().item())


def test_accumulation_over_three_backwards(ranks):
    """One held back, two averaged, in a nest of both verbs."""
    assert max(ranks.run(accumulated)) < 1e-6


def marked(model: nn.Module) -> None:
    """Sharded, replicated, ignored and local-root parameters in one model."""
    fully_shard(model.u1.seq)
    replicate(model.u1)
    fully_shard(model, policy=by_class(Block), ignored_modules=[model.u2.seq])


def clipped(norm_type: float) -> tuple[float, float, float, float]:
    """The norm and one clipped gradient of a marked model, and what they should be."""
    torch.manual_seed(0)
    model = TwoBlocks()
    twin = copy.deepcopy(model)
    marked(model)
    rank = dist.get_rank()
    model(inputs(0, rank)).square().mean().backward()
    ignored = {name: p.grad.clone() for name, p in model.named_parameters() if name.startswith("u2.seq")}
    torch.stack([twin(inputs(0, other)).square().mean() for other in range(2)]).mean().backward()
    norms = [torch.linalg.vector_norm(p.grad, norm_type) for n, p in twin.named_parameters() if n not in ignored]
    own = torch.linalg.vector_norm(
        torch.stack([torch.linalg.vector_norm(g, norm_type) for g in ignored.values()]), norm_type
    )
    dist.all_reduce(own, dist.ReduceOp.MAX)
    wanted = torch.linalg.vector_norm(torch.stack([*norms, own]), norm_type).item()
    before = model.u1.lin.weight.grad.clone()
    total = sharding.clip_grad_norm_(model, 0.01, norm_type=norm_type)
    factor = (model.u1.lin.weight.grad / before).mean().item()
    return total.item(), wanted, factor, 0.01 / (wanted + 1e-6)


@pytest.mark.parametrize("norm_type", [2.0, 1.0, 3.0, math.inf])
def test_every_gradient_counts_once(ranks, norm_type):
    """Sharded, replicated and ignored gradients enter one norm; every rank clips by the same factor."""
    first, second = ranks.run(clipped, norm_type)
    assert first[0] == pytest.approx(first[1], rel=1e-5)
    assert first[2] == pytest.approx(first[3], rel=1e-4)
    assert first[0] == second[0]
    assert first[2] == pytest.approx(second[2], rel=1e-6)


def with_nan() -> str:
    model = TwoBlocks()
    fully_shard(model)
    model(inputs(0, 0)).sum().backward()
    if dist.get_rank() == 1:
        model.u2.seq[2].bias.grad[-1] = math.nan
    try:
        sharding.clip_grad_norm_(model, 1.0, error_if_nonfinite=True)
    except StateError as error:
        return str(error)
    return "clipped"


def test_a_gradient_that_is_not_finite(ranks):
    """Every rank refuses and names the rank that has it; that one names the parameter."""
    first, second = ranks.run(with_nan)
    assert "is nan: not finite on rank 1." in first
    assert "is nan: not finite on rank 1; on this rank in 'u2.seq.2.bias'" in second
