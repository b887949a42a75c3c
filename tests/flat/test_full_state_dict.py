"""The full state dict: names, order, shapes and values of the unsharded model, in and out, one unit at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from small_models import Adapted, Block, Mixed, Tied, TwoBlocks
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

import sharding
from sharding import FullyShardedDataParallel, PlanError, by_class, fully_shard, record_events, replicate


def by_policy(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block, Adapted))


def partly_ignored(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), ignored_modules=[m.u1.seq])


def nested(m: nn.Module) -> None:
    fully_shard(m.u1.seq)
    replicate(m.u1)
    fully_shard([m.u2, m.l])
    fully_shard(m)


def by_wrapper(m: nn.Module) -> nn.Module:
    return FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))


def checkpointed(m: nn.Module) -> None:
    m.u1 = checkpoint_wrapper(m.u1)
    fully_shard(m, policy=by_class(Block))


def round_trip(build: Callable[[], nn.Module], mark: Callable[[nn.Module], Any]) -> dict[str, Any]:
    torch.manual_seed(0)
    model = build()
    want = copy.deepcopy(model.state_dict())
    model = mark(model) or model
    got = model.state_dict()
    values = all(torch.equal(got[key], want[key]) and got[key].dtype == want[key].dtype for key in want)
    before = [p.data_ptr() for p in model.parameters()]
    changed = {key: value + 1 for key, value in want.items()}
    sharding.load_state_dict(model, changed)
    again = sharding.state_dict(model)
    return {
        "keys": list(got) == list(want),
        "values": values,
        "loaded": all(torch.equal(again[key], changed[key]) for key in want),
        "in place": before == [p.data_ptr() for p in model.parameters()],
        "rests": all(handle.residence.name == "SHARDED" for handle in sharding.get_handles(model)),
    }


@pytest.mark.parametrize(
    ("build", "mark"),
    [
        (TwoBlocks, by_policy),
        (TwoBlocks, partly_ignored),
        (TwoBlocks, nested),
        (TwoBlocks, by_wrapper),
        (TwoBlocks, checkpointed),
        (Tied, by_policy),
        (Mixed, by_policy),
    ],
)
def test_out_and_in_again(ranks, build, mark):
    """Equal to the unsharded model's; loading it back changes pieces in place."""
    for got in ranks.run(round_trip, build, mark):
        assert all(got.values()), got


def of_a_submodule() -> dict[str, Any]:
    torch.manual_seed(0)
    model = TwoBlocks()
    want = copy.deepcopy(model)
    by_policy(model)
    with record_events() as log:
        inner = model.u1.seq.state_dict()
    num_inner = len(log.of("all_gather"))
    with record_events() as log:
        model.state_dict()
    return {
        "inner": all(torch.equal(inner[key], value) for key, value in want.u1.seq.state_dict().items()),
        "unit": all(torch.equal(model.u1.state_dict()[key], value) for key, value in want.u1.state_dict().items()),
        "gathers": (num_inner, len(log.of("all_gather"))),
        "at once": max_alive(log),
    }


def max_alive(log: Any) -> int:
    """The most units unsharded at one time."""
    alive = most = 0
    for event in log.of("unshard", "reshard"):
        alive += 1 if event.kind == "unshard" else -1
        most = max(most, alive)
    return most


def test_of_a_submodule_and_one_unit_at_a_time(ranks):
    """A module inside a unit gives whole values too; the whole model costs one gather and one unit's memory a unit."""
    for got in ranks.run(of_a_submodule):
        assert got["inner"]
        assert got["unit"]
        assert got["gathers"] == (2, 3)
        assert got["at once"] == 1


def refused_loads() -> list[tuple[str, bool]]:
    torch.manual_seed(0)
    model = TwoBlocks()
    full = copy.deepcopy(model.state_dict())
    by_policy(model)
    missing = {key: value + 1 for key, value in full.items() if key != "u2.lin.bias"}
    extra = {**{key: value + 1 for key, value in full.items()}, "u3.weight": torch.ones(1)}
    misshaped = {**{key: value + 1 for key, value in full.items()}, "l.weight": torch.ones(2, 5)}
    seen = []
    for state in (missing, extra, misshaped):
        with pytest.raises(RuntimeError) as caught:
            sharding.load_state_dict(model, state)
        after = model.state_dict()
        seen.append((str(caught.value), all(torch.equal(after[key], full[key]) for key in full)))
    return seen


def test_a_refused_load_changes_nothing(ranks):
    """Missing, extra and misshaped keys give torch's strict error with whole shapes."""
    for (missing, same_1), (extra, same_2), (misshaped, same_3) in ranks.run(refused_loads):
        assert 'Missing key(s) in state_dict: "u2.lin.bias"' in missing
        assert 'Unexpected key(s) in state_dict: "u3.weight"' in extra
        assert "size mismatch for l.weight" in misshaped
        assert "torch.Size([2, 5])" in misshaped
        assert "torch.Size([5, 5])" in misshaped
        assert same_1
        assert same_2
        assert same_3


def test_a_kind_that_is_not_there_yet():
    """The message names what there is."""
    with pytest.raises(PlanError, match="'full'"):
        sharding.state_dict(nn.Linear(1, 1), kind="odd")
