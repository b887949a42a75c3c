"""Ranks whose backwards differ: handled where gradients are simply zero, an error naming unit and ranks elsewhere."""

from __future__ import annotations

import copy
import time
from datetime import timedelta
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import WIDTH, TwoBlocks
from torch import nn
from torch.distributed.device_mesh import DeviceMesh

import sharding
from sharding import RankMismatchError, by_class, fully_shard, replicate
from sharding.flat import agreement


class Skips(nn.Module):
    """`aside` is run on rank 0 only."""

    def __init__(self) -> None:
        super().__init__()
        self.l, self.aside = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, rank: int) -> torch.Tensor:
        x = self.l(x)
        return x if rank else self.aside(x)


class PassesThrough(nn.Module):
    """Rank 1 uses no parameter at all."""

    def __init__(self) -> None:
        super().__init__()
        self.l, self.m = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, rank: int) -> torch.Tensor:
        return x * 2.0 if rank else self.m(self.l(x))


def skipping(m: nn.Module) -> None:
    replicate(m.aside)
    fully_shard(m)


def missing_everything(build: Any, mark: Any) -> float:
    """Two steps beside an unsharded twin that is given both ranks' inputs; the largest distance of the weights."""
    torch.manual_seed(0)
    model = build()
    twin = copy.deepcopy(model)
    mark(model)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, twin)]
    for step in range(2):
        model(inputs(step, dist.get_rank()).requires_grad_(), dist.get_rank()).square().mean().backward()
        losses = [twin(inputs(step, rank).requires_grad_(), rank).square().mean() for rank in range(2)]
        torch.stack(losses).mean().backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
    whole = model.state_dict()
    return max((whole[name] - param).abs().max().item() for name, param in twin.named_parameters())


@pytest.mark.parametrize(
    ("build", "mark"), [(Skips, skipping), (PassesThrough, replicate), (PassesThrough, fully_shard)]
)
def test_a_rank_that_misses_every_gradient_of_a_group(ranks, build, mark):
    """It takes part with zeros: a group that did not run below a sharded root, and one whose output was used anyway."""
    assert max(ranks.run(missing_everything, build, mark)) < 1e-6


class Choosy(nn.Module):
    """Two layers, of which rank 1 leaves out the second where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, skips: bool) -> torch.Tensor:
        x = self.first(x)
        return x if skips else self.second(x)


def siblings(verb_of_a: str) -> float:
    """Two modules marked by separate calls; rank 1 misses gradients of the one whose backward comes first."""
    torch.manual_seed(0)
    a, b = Choosy(), Choosy()
    twins = copy.deepcopy((a, b))
    {"replicate": replicate, "fully_shard": fully_shard}[verb_of_a](a)
    replicate(b, bucket_cap_mb=1e-4)
    for step in range(3):
        for each in (a, b, *twins):
            each.zero_grad()
        b(a(inputs(step, dist.get_rank()), False), bool(dist.get_rank())).square().mean().backward()
        for rank in range(2):
            (twins[1](twins[0](inputs(step, rank), False), bool(rank)).square().mean() / 2).backward()
    wanted = [p.grad for p in twins[1].parameters()]
    return max((p.grad - grad).abs().max().item() for p, grad in zip(b.parameters(), wanted, strict=True))


@pytest.mark.parametrize("verb_of_a", ["replicate", "fully_shard"])
def test_groups_marked_by_separate_calls(ranks, verb_of_a):
    """They average in the order they were made, whichever gradients a rank gets first."""
    assert max(ranks.run(siblings, verb_of_a)) < 1e-6


class Detaches(nn.Module):
    """All units run everywhere; rank 1 leaves the output of `b` out of its loss."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x: torch.Tensor, rank: int) -> torch.Tensor:
        x = self.a(x)
        y = self.b(x)
        return x + (y.detach() if rank else y)


def detached() -> tuple[str, float, float]:
    """The error, how long it took, and the distance from an unsharded twin after a step in which all ranks agree."""
    torch.manual_seed(0)
    model = Detaches()
    twin = copy.deepcopy(model)
    fully_shard(model, policy=by_class(nn.Linear))
    loss = model(inputs(0, 0), dist.get_rank()).sum()
    start = time.monotonic()
    with pytest.raises(RankMismatchError) as caught:
        loss.backward()
    took = time.monotonic() - start
    for each in (model, twin):
        each.zero_grad()
        each(inputs(1, 0), 0).sum().backward()
    with sharding.unshard(model):
        pass
    wanted = [handle.buffers[0] for handle in sharding.get_handles(model)]
    distances = [
        (slot.param.grad - buffer.piece_of(index, twin.get_parameter(f"{name}.{slot.name}").grad)).abs().max().item()
        for name, buffer in zip("ab", wanted, strict=True)
        for index, slot in enumerate(buffer.slots)
        if slot.param.grad is not None and slot.param.grad.numel()
    ]
    assert distances
    return str(caught.value), took, max(distances)


def test_a_unit_used_on_some_ranks_only(ranks):
    """In the first backward: an error within 2 s naming units and ranks; the next step works."""
    for text, took, distance in ranks.run(detached):
        assert "reducing unit 'b' of 25 elements on rank 0" in text
        assert "reducing unit 'a' of 30 elements on rank 1" in text
        assert took < 2
        assert distance < 1e-6


def never_comes() -> str:
    """Two local roots; rank 1's backward does not reach the second."""
    model = TwoBlocks()
    sharding.Plan().fully_shard("u1").fully_shard("u2").apply(model)
    x = model.u1(inputs(0, 0))
    y = model.u2(x)
    patience, agreement.PATIENCE_S = agreement.PATIENCE_S, 1
    try:
        (x if dist.get_rank() else y).sum().backward()
    except RankMismatchError as error:
        return str(error)
    finally:
        agreement.PATIENCE_S = patience
    return ""


def test_a_rank_that_never_comes(ranks):
    """A local root that another rank's backward does not reach: the wait ends with an error naming unit and rank."""
    first, _ = ranks.run(never_comes)
    assert "rank 1 did not come to order of units in backward" in first
    assert "unit 'u2' of 90 elements" in first


class Routed(nn.Module):
    """Runs two units in an order that depends on the step."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, order: str) -> torch.Tensor:
        for name in order:
            x = getattr(self, name)(x)
        return x


def routed(orders: list[str]) -> list[float]:
    """The distance from an unsharded twin after each step, all ranks in the same order, some steps in another."""
    torch.manual_seed(0)
    model = Routed()
    twin = copy.deepcopy(model)
    fully_shard(model, policy=by_class(nn.Linear))
    distances = []
    for order in orders:
        for each in (model, twin):
            each.zero_grad()
            each(inputs(0, 0), order).sum().backward()
        whole = model.state_dict()
        distances.append(max((whole[name] - p).abs().max().item() for name, p in twin.named_parameters()))
        assert [p.grad is None for p in model.parameters()] == [p.grad is None for p in twin.parameters()]
    return distances


def test_steps_in_another_order_on_all_ranks(ranks):
    """They are compared anew and run."""
    for distances in ranks.run(routed, ["ab", "ab", "ba", "ba", "a", "aba", "ab"]):
        assert max(distances) < 1e-6


def departs() -> tuple[str, str]:
    """From the second step on rank 1 runs something else, over a process group with little patience."""
    model = Routed()
    group = dist.new_group(timeout=timedelta(seconds=2))
    fully_shard(model, policy=by_class(nn.Linear), mesh=DeviceMesh.from_group(group, "cpu"))
    model(inputs(0, 0), "ab").sum().backward()
    patience, agreement.PATIENCE_S = agreement.PATIENCE_S, 1
    try:
        model(inputs(0, 0), "ba" if dist.get_rank() else "ab").sum().backward()
    except RankMismatchError as error:
        return type(error.__cause__).__name__, str(error)
    finally:
        agreement.PATIENCE_S = patience
    return "", ""


def test_a_rank_that_departs_after_the_first_step(ranks):
    """It asks before it speaks, so nothing is mixed up; who waits for it says at the group's timeout in which unit."""
    (cause, waits), (other_cause, departed) = ranks.run(departs)
    assert "rank 0 did not come to order of units in forward (unit 'b' of 30 elements)" in departed
    assert other_cause == "NoneType"
    assert cause == "RuntimeError"
    assert "an all-gather of unit" in waits
    assert "did not end on rank 0" in waits
    assert "Timed out" in waits
