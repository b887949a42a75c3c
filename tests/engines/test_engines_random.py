"""Plans nobody would think of run alike on both engines: the same losses, norms and weights, or a conflict before."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from engine_models import WIDTH, Adapted, Block, Odd, Tied, TwoBlocks, TwoDtypes
from oracle_run import adamw, distance, inputs, loss_of
from torch import nn

import sharding
from sharding import ConflictError, Plan, PlanError, by_class, by_size

NUM_PLANS = 24
VERBS = ("none", "none", "none", "fully_shard", "fully_shard", "fully_shard", "replicate", "ignore")
POLICIES = (by_class("Linear"), by_class("Block"), by_size(30))


class Nested(nn.Module):
    """The small models inside one another."""

    def __init__(self) -> None:
        super().__init__()
        self.first = Block()
        self.inner = TwoBlocks()
        self.last = nn.Sequential(nn.Linear(WIDTH, WIDTH), Adapted(), nn.LayerNorm(WIDTH))
        self.gain = nn.Parameter(torch.ones(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.inner(self.first(x))) * self.gain


MODELS: tuple[Callable[[], nn.Module], ...] = (TwoBlocks, Odd, Tied, TwoDtypes, Nested)


def runnable_plans(seed: int, count: int) -> list[tuple[Callable[[], nn.Module], Plan, dict[str, Any]]]:
    """Plans both engines take, the same every time; every third with torch's other replicate where that takes it."""
    choice = random.Random(seed)
    found: list[tuple[Callable[[], nn.Module], Plan, dict[str, Any]]] = []
    while len(found) < count:
        build = choice.choice(MODELS)
        plan = _random_plan(build(), choice)
        if _can_run(build, plan):
            found.append((build, plan, {"replicate_with": "ddp"} if len(found) % 3 == 2 else {}))
    return found


def _can_run(build: Callable[[], nn.Module], plan: Plan) -> bool:
    try:
        return all(not plan.resolve(build(), engine=engine).conflicts for engine in ("flat", "torch"))
    except PlanError:  # a policy that matches nothing
        return False


def _random_plan(model: nn.Module, choice: random.Random) -> Plan:
    plan = Plan().fully_shard("") if choice.random() < 0.7 else Plan()
    for name, module in model.named_modules():
        verb = choice.choice(VERBS)
        if not name or isinstance(module, nn.ReLU):
            continue
        if verb == "fully_shard":
            plan = plan.fully_shard(
                name,
                policy=choice.choice(POLICIES) if choice.random() < 0.15 else None,
                strategy=choice.choice(("full_shard", "full_shard", "shard_grad_op")),
                reshard_after_forward=choice.choice((None, None, True, False)),
            )
        elif verb == "replicate":
            plan = plan.replicate(name)
        elif verb == "ignore" and choice.random() < 0.2:
            plan = plan.ignore(name)
    return plan


def trained(build: Callable[[], nn.Module], plan: Plan, engine: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Two clipped steps on this rank."""
    torch.manual_seed(0)
    model = plan.apply(build(), engine=engine, **settings)
    optimizer = adamw(model)
    figures = []
    for step in range(2):
        optimizer.zero_grad()
        loss = loss_of(model(inputs(step, dist.get_rank())))
        loss.backward()
        figures += [loss.item(), sharding.clip_grad_norm_(model, 0.5).item()]
        optimizer.step()
    return {"figures": figures, "weights": sharding.state_dict(model)}


def _on_torch(build: Callable[[], nn.Module], plan: Plan, settings: dict[str, Any]) -> dict[str, Any] | None:
    """None where torch's DDP, and it alone, cannot take the plan."""
    try:
        return trained(build, plan, "torch", settings)
    except ConflictError as refused:
        if settings and all(each.kind.startswith("ddp") for each in refused.conflicts):
            return None
        raise


def apart(seed: int, count: int) -> list[tuple[str, float]]:
    """How far the two engines come apart on each plan, on this rank; a DDP conflict is no distance."""
    found = []
    for build, plan, settings in runnable_plans(seed, count):
        one = _on_torch(build, plan, settings)
        if one is None:
            continue
        other = trained(build, plan, "flat", {})
        worst = max(distance(one["weights"][name], value) for name, value in other["weights"].items())
        worst = max(worst, *(abs(a - b) for a, b in zip(one["figures"], other["figures"], strict=True)))
        found.append((f"{build.__name__}: {plan.code()} {settings}", worst))
    return found


def test_random_plans_run_alike_on_both_engines(ranks):
    """Nests, strategies, ignores, ties and dtypes in any mixture."""
    for found in ranks.run(apart, 7, NUM_PLANS):
        assert len(found) > NUM_PLANS * 2 // 3
        for plan, worst in found:
            assert worst < 1e-4, plan
