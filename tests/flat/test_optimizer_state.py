"""Optimizer state by name: equal to the unsharded optimizer's, at any number of ranks, for any owner of a parameter."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
from checkpoint_steps import (
    Build,
    MakeOptimizer,
    Mark,
    adamw,
    built,
    by_policy,
    grouped,
    hybrid,
    of_all_kinds,
    read,
    same,
    sgd,
    take_step,
    trained,
    unmarked,
    write,
)
from small_models import Mixed, Tied, TwoBlocks
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_optimizer_state_dict
from torch.distributed.tensor import DTensor

import sharding
from sharding import StateError, fully_shard
from sharding.workers import Workers


@pytest.fixture(scope="module")
def three_ranks() -> Iterator[Workers]:
    with Workers(3, backend="gloo", timeout=120) as workers:
        yield workers


@pytest.fixture(scope="module")
def four_ranks() -> Iterator[Workers]:
    with Workers(4, backend="gloo", timeout=120) as workers:
        yield workers


def beside_unsharded(build: Build, mark: Mark, make: MakeOptimizer) -> tuple[float, list[str]]:
    """The largest distance from the unsharded optimizer's state in torch's own form, and the names that have some."""
    got = sharding.optimizer_state_dict(*trained(build, mark, make))
    want = get_optimizer_state_dict(*trained(build, unmarked, make), options=StateDictOptions(full_state_dict=True))
    assert got["param_groups"] == want["param_groups"]
    assert set(got["state"]) == set(want["state"])
    worst = 0.0
    for name, entries in got["state"].items():
        assert list(entries) == list(want["state"][name])
        for entry, value in entries.items():
            other = want["state"][name][entry]
            assert (value.shape, value.dtype) == (other.shape, other.dtype)
            worst = max(worst, (value - other).abs().max().item() if value.numel() else 0.0)
    return worst, list(got["state"])


@pytest.mark.parametrize(
    ("build", "mark", "make"),
    [
        (TwoBlocks, by_policy, adamw),
        (TwoBlocks, of_all_kinds, adamw),
        (TwoBlocks, of_all_kinds, grouped),
        (TwoBlocks, by_policy, sgd),
        (Tied, fully_shard, adamw),
        (Mixed, by_policy, sgd),
    ],
)
def test_the_full_kind_is_the_unsharded_optimizers(ranks, build, mark, make):
    """Names, entries, shapes, dtypes, groups and values, in the form of torch's own `get_optimizer_state_dict`."""
    for worst, names in ranks.run(beside_unsharded, build, mark, make):
        assert worst < 4e-6
        assert names


def saved(path: Path, build: Build, mark: Mark, make: MakeOptimizer) -> dict[str, Any]:
    model, optimizer = trained(build, mark, make)
    write(model, optimizer, path)
    return sharding.optimizer_state_dict(model, optimizer)


def loaded(path: Path, build: Build, mark: Mark, make: MakeOptimizer) -> dict[str, Any]:
    model = built(build, mark, seed=1)
    optimizer = make(model)
    read(model, optimizer, path)
    assert all(handle.residence.name == "SHARDED" for handle in sharding.get_handles(model))
    return sharding.optimizer_state_dict(model, optimizer)


@pytest.mark.parametrize(
    ("build", "mark", "make"),
    [
        (TwoBlocks, by_policy, adamw),
        (TwoBlocks, of_all_kinds, grouped),
        (Tied, fully_shard, sgd),
        (Mixed, by_policy, adamw),
    ],
)
def test_saved_on_two_ranks_loaded_on_one_three_and_four(ranks, three_ranks, four_ranks, tmp_path, build, mark, make):
    """Bit-equal state, steps and options everywhere, also on one rank without a process group, and back."""
    want = ranks.run(saved, tmp_path / "two", build, mark, make)[0]
    assert want["state"]
    assert same(loaded(tmp_path / "two", build, mark, make), want)
    for workers in (three_ranks, four_ranks):
        assert all(same(got, want) for got in workers.run(loaded, tmp_path / "two", build, mark, make))
    want = four_ranks.run(saved, tmp_path / "four", build, mark, make)[0]
    assert all(same(got, want) for got in ranks.run(loaded, tmp_path / "four", build, mark, make))


def test_two_axes(four_ranks, ranks, tmp_path):
    """From a 2 x 2 mesh to two ranks."""
    want = four_ranks.run(saved, tmp_path / "mesh", TwoBlocks, hybrid, adamw)[0]
    assert all(same(got, want) for got in ranks.run(loaded, tmp_path / "mesh", TwoBlocks, by_policy, adamw))


def moved(make: MakeOptimizer, kind: str) -> list[bool]:
    """Straight from one optimizer into another, however each model is cut; training goes on alike."""
    model, optimizer = trained(TwoBlocks, by_policy, make)
    state = sharding.optimizer_state_dict(model, optimizer, kind=kind)
    want = copy.deepcopy(sharding.optimizer_state_dict(model, optimizer))
    checks = []
    for mark in (by_policy, of_all_kinds, unmarked):
        other = built(TwoBlocks, mark, seed=1)
        fresh = make(other)
        sharding.load_optimizer_state_dict(other, fresh, state)
        checks.append(same(sharding.optimizer_state_dict(other, fresh), want))
        sharding.load_state_dict(other, sharding.state_dict(model))
        take_step(other, fresh, 5, ranks=[0, 1])
    return [*checks, same(sharding.optimizer_state_dict(model, optimizer), want)]


@pytest.mark.parametrize(("make", "kind"), [(grouped, "full"), (grouped, "sharded"), (sgd, "sharded")])
def test_from_optimizer_to_optimizer_without_a_file(ranks, make, kind):
    """Both kinds load into any marking; what was loaded is a copy."""
    for got in ranks.run(moved, make, kind):
        assert got == [True] * 4


def kinds_of_values() -> tuple[set[str], set[str]]:
    state = sharding.optimizer_state_dict(*trained(TwoBlocks, of_all_kinds, adamw), kind="sharded")["state"]
    cut = {name for name, entries in state.items() if isinstance(entries["exp_avg"], DTensor)}
    assert not any(isinstance(entries["step"], DTensor) for entries in state.values())
    return cut, set(state) - cut


def test_rows_where_the_parameter_is_cut(ranks):
    """A `DTensor` for what is cut, plain tensors for what a rank holds whole."""
    for cut, plain in ranks.run(kinds_of_values):
        assert cut == {"u1.seq.0.weight", "u1.seq.0.bias", "u1.seq.2.weight", "u1.seq.2.bias",
                       "u2.seq.2.weight", "u2.seq.2.bias", "p"}  # fmt: skip
        assert plain == {"l.weight", "l.bias", "u1.lin.weight", "u1.lin.bias", "u2.lin.weight", "u2.lin.bias",
                         "u2.seq.0.weight", "u2.seq.0.bias"}  # fmt: skip


class LM(nn.Module):
    """A tied embedding and head around a body."""

    def __init__(self) -> None:
        super().__init__()
        self.emb, self.body = nn.Embedding(10, 4), nn.Linear(4, 4)
        self.head = nn.Linear(4, 10, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(self.emb(ids)))


def flat_form(state: dict[str, Any]) -> dict[str, Any]:
    """As torch flattens optimizer state."""
    flat = {f"state.{name}.{entry}": v for name, entries in state["state"].items() for entry, v in entries.items()}
    for group in state["param_groups"]:
        for name in group["params"]:
            flat.update({f"param_groups.{name}.{key}": value for key, value in group.items() if key != "params"})
    return flat


def tied() -> list[Any]:
    model = built(LM, fully_shard, seed=0)
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.arange(3)).square().mean().backward()
    optimizer.step()
    state = sharding.optimizer_state_dict(model, optimizer)
    seen: list[Any] = [len(sharding.state_dict(model)), list(state["state"]), len(flat_form(state))]
    renamed = {
        **state,
        "state": {("head.weight" if k == "emb.weight" else k): v for k, v in state["state"].items()},
    }
    for given in (state, flat_form(state), renamed):
        other = built(LM, fully_shard, seed=1)
        fresh = torch.optim.AdamW(other.parameters(), lr=0.5)
        sharding.load_optimizer_state_dict(other, fresh, given)
        seen.append(same(sharding.optimizer_state_dict(other, fresh), state))
    return seen


def test_a_tied_weight_has_one_state(ranks):
    """Four keys in the model, three in the optimizer; nested, flat and under its other name it loads back."""
    for got in ranks.run(tied):
        assert got == [4, ["emb.weight", "body.weight", "body.bias"], 42, True, True, True]


class Branch(nn.Module):
    """`v` never gets a gradient."""

    def __init__(self) -> None:
        super().__init__()
        self.u, self.v = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.u(x)


def without_state() -> list[Any]:
    model = built(Branch, fully_shard, seed=0)
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    state = sharding.optimizer_state_dict(model, optimizer)
    other = built(Branch, fully_shard, seed=1)
    fresh = torch.optim.AdamW(other.parameters())
    sharding.load_optimizer_state_dict(other, fresh, state)
    seen = [list(state["state"]), same(sharding.optimizer_state_dict(other, fresh), state)]
    state["param_groups"][0]["params"] = ["u.weight", "u.bias"]
    with pytest.raises(RuntimeError) as caught:
        sharding.load_optimizer_state_dict(other, fresh, state)
    sharding.load_optimizer_state_dict(other, fresh, state, strict=False)
    (other.u(torch.ones(1, 2)) if other is None else other.v.weight).sum()
    return [*seen, str(caught.value), list(sharding.optimizer_state_dict(other, fresh)["state"])]


def test_a_parameter_without_state_starts_fresh(ranks):
    """One that was in the saved optimizer may have none; one that was not is named, with the way on."""
    for names, loads, message, again in ranks.run(without_state):
        assert names == again == ["u.weight", "u.bias"]
        assert loads
        assert message.startswith("Error(s) in loading state_dict for AdamW:")
        assert 'Missing key(s) in state_dict: "v.weight", "v.bias"' in message
        assert "strict=False" in message


def test_a_parameter_without_state_through_a_file(ranks, tmp_path):
    """Placeholders are made for what the checkpoint has, and for nothing else."""
    for got in ranks.run(branch_through_a_file, tmp_path / "branch"):
        assert got == ["u.weight", "u.bias"]


def branch_through_a_file(path: Path) -> list[str]:
    model = built(Branch, fully_shard, seed=0)
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    write(model, optimizer, path)
    other = built(Branch, fully_shard, seed=1)
    fresh = torch.optim.AdamW(other.parameters())
    read(other, fresh, path)
    return list(sharding.optimizer_state_dict(other, fresh)["state"])


class Net(nn.Module):
    """Two equal layers, registered in a given order."""

    def __init__(self, order: str = "ab") -> None:
        super().__init__()
        for name in order:
            self.add_module(name, nn.Linear(2, 2, bias=False))
            nn.init.ones_(self._modules[name].weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.a(x).sum() + 10 * self.b(x).sum()


class NetTheOtherWay(Net):
    def __init__(self) -> None:
        super().__init__("ba")


def by_name() -> tuple[list[float], str]:
    model = built(Net, fully_shard, seed=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model(torch.ones(1, 2)).backward()
    optimizer.step()
    other = built(NetTheOtherWay, fully_shard, seed=0)
    fresh = torch.optim.SGD(other.parameters(), lr=0.1, momentum=0.9)
    sharding.load_optimizer_state_dict(other, fresh, sharding.optimizer_state_dict(model, optimizer))
    state = sharding.optimizer_state_dict(other, fresh)["state"]
    with pytest.raises(StateError) as caught:
        sharding.load_optimizer_state_dict(other, fresh, optimizer.state_dict())
    return [state[name]["momentum_buffer"].unique().item() for name in ("a.weight", "b.weight")], str(caught.value)


def test_matched_by_name_not_by_number(ranks):
    """Momentum 1 of `a` and 10 of `b` also where the order is the other; state keyed by number is refused."""
    for momenta, message in ranks.run(by_name):
        assert momenta == [1.0, 10.0]
        assert "keyed by number" in message
        assert "sharding.optimizer_state_dict(model, optimizer)" in message


def uneven_state() -> dict[str, float]:
    """A gradient that only rank 0's piece shows: rank 1 keeps no state for it."""
    model = built(lambda: nn.Linear(4, 4, bias=False), fully_shard, seed=0)
    optimizer = torch.optim.AdamW(model.parameters())
    if dist.get_rank() == 0:
        model.weight.grad = torch.ones_like(model.weight)
    optimizer.step()
    state = sharding.optimizer_state_dict(model, optimizer)["state"]["weight"]
    other = built(lambda: nn.Linear(4, 4, bias=False), fully_shard, seed=0)
    fresh = torch.optim.AdamW(other.parameters())
    sharding.load_optimizer_state_dict(other, fresh, {"state": {"weight": state}, "param_groups": []}, strict=False)
    again = sharding.optimizer_state_dict(other, fresh)["state"]["weight"]
    return {
        "rows": (state["exp_avg"] != 0).sum().item(),
        "step": state["step"].item(),
        "had": len(optimizer.state),
        "has": len(fresh.state),
        "same": same(again, state),
    }


def test_state_that_only_some_ranks_have(ranks):
    """It is saved whole, with zeros for the pieces without, and then every rank has it."""
    got = ranks.run(uneven_state)
    assert [each["had"] for each in got] == [1, 0]
    for each in got:
        assert (each["rows"], each["step"], each["has"], each["same"]) == (8, 1.0, 1, True)


def hooks_and_state_untouched() -> list[Any]:
    model = built(TwoBlocks, by_policy, seed=0)
    optimizer = adamw(model)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    steps = []
    optimizer.register_step_pre_hook(lambda *_: steps.append(1))
    before = sharding.state_dict(model)
    state = sharding.optimizer_state_dict(model, optimizer, placeholders=True)
    untouched = same(sharding.state_dict(model), before)
    return [len(state["state"]), steps, dict(optimizer.state), untouched, scheduler.last_epoch]


def test_placeholders_leave_the_optimizer_alone(ranks):
    """Nothing steps, nothing is kept, and a scheduler counts nothing."""
    assert ranks.run(hooks_and_state_untouched) == [[15, [], {}, True, 0]] * 2
