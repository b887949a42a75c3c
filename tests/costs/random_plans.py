"""Plans nobody would think of: verbs, strategies and choices thrown on the modules of a model, the same every time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from measured_step import Case, on_meta
from torch import nn

from sharding import Plan, PlanError

VERBS = ("none", "none", "fully_shard", "fully_shard", "fully_shard", "replicate", "ignore")
STRATEGIES = ("full_shard", "shard_grad_op", "no_shard")
OPTIMIZERS = ("adamw", "sgd_momentum", "rmsprop")


def random_cases(build: Callable[[], nn.Module], names: Sequence[str], *, seed: int, count: int) -> list[Case]:
    """`count` plans that can run, marking some of these modules."""
    choice = random.Random(seed)
    cases: list[Case] = []
    while len(cases) < count:
        plan = _random_plan(names, choice)
        if _can_run(plan, build):
            name = f"random plan {len(cases)} on {build.__name__}"
            cases.append(Case(name, build, plan, choice.choice(OPTIMIZERS)))
    return cases


def _random_plan(names: Sequence[str], choice: random.Random) -> Plan:
    plan = Plan()
    for name in names:
        verb = choice.choice(VERBS)
        if verb == "fully_shard":
            plan = plan.fully_shard(
                name,
                strategy=choice.choice(STRATEGIES),
                reshard_after_forward=choice.choice((None, None, True, False)),
                cpu_offload=choice.random() < 0.2,
            )
        elif verb == "replicate":
            plan = plan.replicate(name)
        elif verb == "ignore" and name:
            plan = plan.ignore(name)
    return plan


def _can_run(plan: Plan, build: Callable[[], nn.Module]) -> bool:
    try:
        return not plan.resolve(on_meta(build)).conflicts
    except PlanError:  # an ignore below no annotation
        return False
