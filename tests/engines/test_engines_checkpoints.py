"""What one engine saves the other loads: full and sharded, parameters and optimizer, also at another world size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from engine_models import NESTS, Adapted, Odd, TwoBlocks
from oracle_run import Case, adamw, distance, inputs, loss_of
from torch import nn

import sharding
from sharding import Plan, by_class
from sharding.errors import RankMismatchError

P = Plan()
ENGINES = ("flat", "torch")
OTHER = {"flat": "torch", "torch": "flat"}
CASES = {
    "blocks": Case(TwoBlocks, P.fully_shard("", policy=by_class("Block"))),
    "replicate inside": Case(TwoBlocks, NESTS["1fm1fm,1r1r,1fm"]),
    "odd": Case(Odd, P.fully_shard("", policy=by_class("Adapted")).ignore("one")),
}


def steps(model: nn.Module, optimizer: torch.optim.Optimizer, numbers: range) -> None:
    """Train on these steps; every rank the same inputs, so that ignored parameters stay alike."""
    for step in numbers:
        optimizer.zero_grad()
        loss_of(model(inputs(step, 0))).backward()
        optimizer.step()


def unsharded_after(case: Case, num_steps: int) -> dict[str, torch.Tensor]:
    """The unsharded model after this many of the same steps."""
    torch.manual_seed(0)
    twin = case.build()
    steps(twin, adamw(twin), range(num_steps))
    return twin.state_dict()


def worst(one: dict[str, Any], other: dict[str, Any]) -> float:
    assert list(one) == list(other)
    return max(distance(one[name], other[name]) for name in one)


def full_state(case: Case, engine: str) -> float:
    """Distance of the full state dict from the unsharded model's, after three steps."""
    model, _ = case.applied(engine)
    steps(model, adamw(model), range(3))
    state = sharding.state_dict(model)
    assert all(type(value) is torch.Tensor for value in state.values())
    return worst(state, unsharded_after(case, 3))


@pytest.mark.parametrize("name", CASES)
def test_the_full_state_dict_is_the_unsharded_models(ranks, engine, name):
    """Names, order, shapes and values."""
    assert max(ranks.run(full_state, CASES[name], engine)) < 2e-6


def save(case: Case, engine: str, folder: str, kind: str) -> dict[str, Any]:
    """Train two steps and save; the full kind is also returned."""
    model, _ = case.applied(engine)
    optimizer = adamw(model)
    steps(model, optimizer, range(2))
    state = {
        "model": sharding.state_dict(model, kind=kind),
        "optim": sharding.optimizer_state_dict(model, optimizer, kind=kind),
    }
    if kind == "sharded":
        dcp.save(state, checkpoint_id=folder)
        return {}
    return state


def load_and_go_on(case: Case, engine: str, folder: str, state: dict[str, Any]) -> float:
    """A fresh model and optimizer, loaded, and two more steps; distance from four unsharded steps."""
    torch.manual_seed(1)
    model = case.build()
    case.plan.apply(model, engine=engine)
    optimizer = adamw(model)
    if not state:
        saved = dcp.FileSystemReader(folder).read_metadata().state_dict_metadata
        names = {name.removeprefix("optim.") for name in saved}  # a parameter never used has no state
        state = {
            "model": sharding.state_dict(model, kind="sharded"),
            "optim": sharding.optimizer_state_dict(model, optimizer, kind="sharded", placeholders=names),
        }
        dcp.load(state, checkpoint_id=folder)
    sharding.load_state_dict(model, state["model"])
    sharding.load_optimizer_state_dict(model, optimizer, state["optim"])
    steps(model, optimizer, range(2, 4))
    return worst(sharding.state_dict(model), unsharded_after(case, 4))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", ["full", "sharded"])
def test_saved_on_one_loaded_on_the_other(ranks, engine, tmp_path: Path, kind, name):
    """Training goes on as if it had never stopped, whichever engine saved."""
    state = ranks.run(save, CASES[name], engine, str(tmp_path), kind)[0]
    for target in ENGINES:
        assert max(ranks.run(load_and_go_on, CASES[name], target, str(tmp_path), state)) < 4e-6, target


def test_saved_on_two_ranks_loaded_on_four(ranks, four_ranks, engine, tmp_path: Path):
    """A sharded checkpoint of either engine goes on at another world size on the other."""
    case = CASES["blocks"]
    ranks.run(save, case, engine, str(tmp_path), "sharded")
    assert max(four_ranks.run(load_and_go_on, case, OTHER[engine], str(tmp_path), {})) < 4e-6


def refused(engine: str) -> dict[str, Any]:
    """What each wrong state is answered with, and whether anything changed."""
    model, _ = CASES["blocks"].applied(engine)
    optimizer = adamw(model)
    before = sharding.state_dict(model)
    good = dict(before)
    texts = {
        "missing": _error(lambda: sharding.load_state_dict(model, {k: v + 1 for k, v in good.items() if k != "p"})),
        "extra": _error(lambda: sharding.load_state_dict(model, {**good, "q": torch.ones(1)})),
        "shape": _error(lambda: sharding.load_state_dict(model, {**good, "p": torch.ones(2, 2)})),
        "optimizer": _error(
            lambda: sharding.load_optimizer_state_dict(model, optimizer, {"state": {"q": {}}, "param_groups": []})
        ),
        "kind": _error(lambda: sharding.state_dict(model, kind="half")),
    }
    mine = {name: value for name, value in good.items() if dist.get_rank() == 0 or name != "p"}
    texts["ranks"] = _error(lambda: sharding.load_state_dict(model, mine))
    return {"texts": texts, "changed": worst(sharding.state_dict(model), before)}


def _error(call: Any) -> str:
    try:
        call()
    except (RuntimeError, sharding.PlanError, RankMismatchError) as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


def test_wrong_state_changes_nothing(ranks, engine):
    """Missing, extra, misshaped, different by rank: torch's words or the rank, and the model as it was."""
    for got in ranks.run(refused, engine):
        assert got["changed"] == 0
        texts = got["texts"]
        assert 'Missing key(s) in state_dict: "p"' in texts["missing"]
        assert 'Unexpected key(s) in state_dict: "q"' in texts["extra"]
        assert "size mismatch for p" in texts["shape"]
        assert "Unexpected key(s)" in texts["optimizer"]
        assert "known are 'full', 'sharded'" in texts["kind"]
        assert texts["ranks"].startswith("RankMismatchError")


def not_strict(engine: str) -> list[float]:
    """What `strict=False` loads: what fits."""
    model, _ = Case(Adapted, P.fully_shard("")).applied(engine)
    sharding.load_state_dict(model, {"up.weight": torch.full((5, 1), 3.0), "other": torch.ones(2)}, strict=False)
    return sharding.state_dict(model)["up.weight"].flatten().tolist()


def test_not_strict_takes_what_fits(ranks, engine):
    """Unknown entries are left out, missing ones stay."""
    assert ranks.run(not_strict, engine) == [[3.0] * 5] * 2
