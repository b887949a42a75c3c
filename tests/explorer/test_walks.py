"""The walks of the player are those of the layouts: a file of cases that both sides answer.

`walks.json` holds payloads and the orders that Python gives for them; the page's player is run on the same file
(`explorer/frontend/test/extras/walks.test.ts`). Run this file as a script to write it anew.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from explored_models import Named
from torch import nn

from explorer.snapshot import plan_state, tree_state
from sharding.nodes import depth_first
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of

CASES = Path(__file__).with_name("walks.json")
SEEDS = range(24)


def some_model(seed: int) -> nn.Module:
    """A small tree whose modules now and then stand at a second place too, before or after what stands there."""
    rng = random.Random(seed)
    made: list[nn.Module] = []

    def module(depth: int) -> nn.Module:
        if depth == 0 or rng.random() < 0.25:
            new: nn.Module = rng.choice((nn.Linear(1, 1), nn.Linear(1, 2), nn.ReLU()))
        else:
            new = Named(**{name: module(depth - 1) for name in rng.choice(("ab", "xyz", "pq"))})
        made.append(new)
        return new

    root = Named(body=module(3), tail=Named(a=module(2), b=module(1)))
    holders = [each for each in made if isinstance(each, Named)]
    for nth in range(rng.randint(0, 2) if holders else 0):
        holder, shared = rng.choice(holders), rng.choice(made)
        held = list(holder._modules.items())
        held.insert(rng.randint(0, len(held)), (f"again{nth}", shared))
        holder._modules.clear()
        holder._modules.update(held)
    return root


def walk_case(seed: int) -> dict[str, Any]:
    """Payloads of a random plan on a random model, and every order of it as module numbers."""
    rng = random.Random(-seed - 1)
    tree = tree_of(some_model(seed))
    plan = Plan()
    for _ in range(rng.randint(1, 5)):
        verb = rng.choice(("fully_shard", "fully_shard", "replicate", "ignore"))
        plan = getattr(plan, verb)(rng.choice([node.fqn for node in tree.nodes]))
    layout = layout_of(plan, tree)
    names = ("dfs", "handles", "init_composable", "init_wrapper")
    orders = {name: [tree.fqns[fqn].index for fqn in layout.orders[name]] for name in names}
    right = [node.index for node in depth_first(tree.root, lambda node: True, from_right=True)[0]]
    payloads = {"tree": tree_state(tree).to_data(), "plan": plan_state(layout, plan).to_data()}
    return {"seed": seed, **payloads, "orders": {**orders, "right_to_left": right}}


@pytest.mark.parametrize("case", json.loads(CASES.read_text()), ids=lambda case: f"seed{case['seed']}")
def test_the_cases_are_what_python_gives(case: dict[str, Any]) -> None:
    """Otherwise the page would be tested against orders of another day."""
    assert json.loads(json.dumps(walk_case(case["seed"]))) == case, f"run {Path(__file__).name} as a script"


def test_the_cases_cover_what_is_special() -> None:
    """Shared modules before and after children, replicated modules that are not entered, units of two orders."""
    cases = json.loads(CASES.read_text())
    refs = [ref for case in cases for ref in case["tree"]["refs"] if ref[3] == "shared"]
    assert {len(ref) for ref in refs} == {4, 5}
    assert any(ref[3] == "back" for case in cases for ref in case["tree"]["refs"])
    differing = [case for case in cases if case["orders"]["init_composable"] != case["orders"]["init_wrapper"]]
    assert len(differing) >= 5


def write_cases() -> None:
    """Write the file of cases."""
    lines = ",\n".join(json.dumps(walk_case(seed), separators=(",", ":")) for seed in SEEDS)
    CASES.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    write_cases()
