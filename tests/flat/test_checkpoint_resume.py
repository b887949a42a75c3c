"""Training resumed from a checkpoint: on other numbers of ranks, on the plain model, with torch's FSDP2, and back."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from checkpoint_steps import (
    MakeOptimizer,
    Mark,
    adamw,
    built,
    by_policy,
    grouped,
    read,
    same,
    sgd,
    take_step,
    unmarked,
    write,
)
from small_models import Block, TwoBlocks
from torch import nn
from torch.distributed import fsdp
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)

import sharding
from sharding.workers import Workers

SAVED_AFTER = 3
STEPS = 5
NUM_BATCHES = 6
"""Batches of one global step; every number of ranks here divides it."""


@pytest.fixture(scope="module")
def three_ranks() -> Iterator[Workers]:
    with Workers(3, backend="gloo", timeout=120) as workers:
        yield workers


@pytest.fixture(scope="module")
def four_ranks() -> Iterator[Workers]:
    with Workers(4, backend="gloo", timeout=120) as workers:
        yield workers


def train(model: nn.Module, optimizer: torch.optim.Optimizer, first: int, last: int) -> list[float]:
    """Steps on the same global batch however many ranks share it; the global loss of each."""
    num_ranks = dist.get_world_size() if dist.is_initialized() else 1
    rank = dist.get_rank() if dist.is_initialized() else 0
    per_rank = NUM_BATCHES // num_ranks
    losses = []
    for step in range(first, last):
        own = list(range(rank * per_rank, (rank + 1) * per_rank))
        loss = torch.tensor(take_step(model, optimizer, step, ranks=own))
        if num_ranks > 1:
            dist.all_reduce(loss)
        losses.append(loss.item() / num_ranks)
    return losses


def start(path: Path, mark: Mark, make: MakeOptimizer) -> list[float]:
    model = built(TwoBlocks, mark, seed=0)
    optimizer = make(model)
    losses = train(model, optimizer, 0, SAVED_AFTER)
    write(model, optimizer, path)
    return losses


def resume(path: Path, mark: Mark, make: MakeOptimizer) -> list[float]:
    model = built(TwoBlocks, mark, seed=1)
    optimizer = make(model)
    read(model, optimizer, path)
    return train(model, optimizer, SAVED_AFTER, STEPS)


@pytest.mark.parametrize("make", [adamw, sgd, grouped])
def test_three_steps_on_two_ranks_and_two_more_elsewhere(ranks, three_ranks, tmp_path, make):
    """On three ranks and on the plain model, the losses are those of five unsharded steps without a break."""
    plain = built(TwoBlocks, unmarked, seed=0)
    want = train(plain, make(plain), 0, STEPS)
    for losses in ranks.run(start, tmp_path / "saved", by_policy, make):
        assert losses == pytest.approx(want[:SAVED_AFTER], abs=2e-6)
    for mark in (by_policy, of_all_but_ignored):
        for losses in three_ranks.run(resume, tmp_path / "saved", mark, make):
            assert losses == pytest.approx(want[SAVED_AFTER:], abs=2e-6)
    assert resume(tmp_path / "saved", unmarked, make) == pytest.approx(want[SAVED_AFTER:], abs=2e-6)
    assert want[-1] != pytest.approx(want[SAVED_AFTER - 1], abs=1e-4)


def of_all_but_ignored(m: nn.Module) -> None:
    """Sharded by hand, replicated and copied; nothing that nobody averages."""
    sharding.replicate(m.u1)
    sharding.fully_shard([m.u2.lin, m.l], strategy="no_shard")
    sharding.fully_shard(m)


def by_fsdp2(m: nn.Module) -> None:
    """The same units with torch's own engine."""
    for module in m.modules():
        if isinstance(module, Block):
            fsdp.fully_shard(module)
    fsdp.fully_shard(m)


FULL = StateDictOptions(full_state_dict=True)


def start_with_fsdp2(path: Path, make: MakeOptimizer) -> dict[str, Any]:
    model = built(TwoBlocks, by_fsdp2, seed=0)
    optimizer = make(model)
    train(model, optimizer, 0, SAVED_AFTER)
    state = {"model": get_model_state_dict(model), "optimizer": get_optimizer_state_dict(model, optimizer)}
    dcp.save(state, checkpoint_id=path)
    return whole_with_torch(model, optimizer)


def resume_with_fsdp2(path: Path, make: MakeOptimizer) -> tuple[dict[str, Any], list[float]]:
    model = built(TwoBlocks, by_fsdp2, seed=1)
    optimizer = make(model)
    state = {"model": get_model_state_dict(model), "optimizer": get_optimizer_state_dict(model, optimizer)}
    dcp.load(state, checkpoint_id=path)
    set_model_state_dict(model, state["model"])
    set_optimizer_state_dict(model, optimizer, optim_state_dict=state["optimizer"])
    return whole_with_torch(model, optimizer), train(model, optimizer, SAVED_AFTER, STEPS)


def whole_with_torch(model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Whole values by torch's own functions."""
    state = {
        "model": get_model_state_dict(model, options=FULL),
        "optimizer": get_optimizer_state_dict(model, optimizer, options=FULL),
    }
    return copy.deepcopy(state)


def whole(model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Whole values by ours."""
    state = {
        "model": sharding.state_dict(model),
        "optimizer": sharding.optimizer_state_dict(model, optimizer),
    }
    return copy.deepcopy(state)


def start_here(path: Path, make: MakeOptimizer) -> dict[str, Any]:
    model = built(TwoBlocks, by_policy, seed=0)
    optimizer = make(model)
    train(model, optimizer, 0, SAVED_AFTER)
    write(model, optimizer, path)
    return whole(model, optimizer)


def resume_here(path: Path, make: MakeOptimizer, mark: Mark = by_policy) -> tuple[dict[str, Any], list[float]]:
    model = built(TwoBlocks, mark, seed=1)
    optimizer = make(model)
    read(model, optimizer, path)
    return whole(model, optimizer), train(model, optimizer, SAVED_AFTER, STEPS)


def unordered(state: dict[str, Any]) -> dict[str, Any]:
    """Names in one order: torch lists optimizer state as it likes."""
    by_name = {name: state["optimizer"]["state"][name] for name in sorted(state["optimizer"]["state"])}
    groups = [dict(sorted(group.items())) for group in state["optimizer"]["param_groups"]]
    return {"model": dict(state["model"]), "state": by_name, "param_groups": groups}


@pytest.mark.parametrize("make", [adamw, sgd, grouped])
def test_into_fsdp2_and_back(ranks, three_ranks, tmp_path, make):
    """Saved here and resumed with FSDP2 on other ranks, and the other way: bit-equal, and training goes on alike."""
    plain = built(TwoBlocks, unmarked, seed=0)
    want_losses = train(plain, make(plain), 0, STEPS)[SAVED_AFTER:]
    want = ranks.run(start_here, tmp_path / "here", make)[0]
    for got, losses in three_ranks.run(resume_with_fsdp2, tmp_path / "here", make):
        assert losses == pytest.approx(want_losses, abs=2e-6)
        assert same(unordered(got), unordered(want))
    want = ranks.run(start_with_fsdp2, tmp_path / "there", make)[0]
    for got, losses in three_ranks.run(resume_here, tmp_path / "there", make):
        assert losses == pytest.approx(want_losses, abs=2e-6)
        assert same(unordered(got), unordered(want))
    got, losses = resume_here(tmp_path / "there", make, unmarked)
    assert losses == pytest.approx(want_losses, abs=2e-6)
    assert same(unordered(got), unordered(want))


def exchanged_in_memory() -> list[bool]:
    """Sharded state straight into FSDP2 and out of it, nested and flat."""
    model = built(TwoBlocks, by_policy, seed=0)
    optimizer = grouped(model)
    train(model, optimizer, 0, 2)
    want = whole(model, optimizer)
    there = built(TwoBlocks, by_fsdp2, seed=1)
    fresh = grouped(there)
    set_model_state_dict(there, sharding.state_dict(model, kind="sharded"))
    state = sharding.optimizer_state_dict(model, optimizer, kind="sharded")
    set_optimizer_state_dict(there, fresh, optim_state_dict=state)
    checks = []
    for is_flat in (False, True):
        options = StateDictOptions(flatten_optimizer_state_dict=is_flat)
        back = built(TwoBlocks, by_policy, seed=2)
        again = grouped(back)
        sharding.load_state_dict(back, get_model_state_dict(there))
        sharding.load_optimizer_state_dict(back, again, get_optimizer_state_dict(there, fresh, options=options))
        checks.append(same(unordered(whole(back, again)), unordered(want)))
    return checks


def test_through_fsdp2_without_a_file(four_ranks):
    """The rows are FSDP2's own, also where a rank has none."""
    assert four_ranks.run(exchanged_in_memory) == [[True, True]] * 4
