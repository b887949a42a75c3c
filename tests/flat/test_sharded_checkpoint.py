"""The sharded state dict: rows as DTensors, through `torch.distributed.checkpoint` to other numbers of ranks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from checkpoint_steps import adamw, built, by_policy, hybrid, load, of_all_kinds, same, take_step, unmarked
from parity import inputs
from small_models import WIDTH, Block, Mixed, Tied, TwoBlocks
from test_full_state_dict import max_alive
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.distributed.fsdp import MixedPrecision
from torch.distributed.tensor import DTensor, Replicate, Shard

import sharding
from sharding import (
    FullyShardedDataParallel,
    RankMismatchError,
    StateError,
    by_class,
    fully_shard,
    record_events,
)
from sharding.flat.collectives import ProcessGroupRanks
from sharding.workers import Workers


@pytest.fixture(scope="module")
def three_ranks() -> Iterator[Workers]:
    with Workers(3, backend="gloo", timeout=120) as workers:
        yield workers


@pytest.fixture(scope="module")
def four_ranks() -> Iterator[Workers]:
    with Workers(4, backend="gloo", timeout=120) as workers:
        yield workers


def saved(path: Path, build: Callable[[], nn.Module], mark: Callable[[nn.Module], Any]) -> dict[str, torch.Tensor]:
    """Save a model through DCP; its whole values."""
    model = built(build, mark, seed=0)
    dcp.save({"model": sharding.state_dict(model, kind="sharded")}, checkpoint_id=path)
    return sharding.state_dict(model)


def loaded(path: Path, build: Callable[[], nn.Module], mark: Callable[[nn.Module], Any]) -> dict[str, torch.Tensor]:
    """Load what was saved into a model that began elsewhere; its whole values."""
    model = built(build, mark, seed=1)
    state = {"model": sharding.state_dict(model, kind="sharded")}
    load(state, path)
    sharding.load_state_dict(model, state["model"])
    return sharding.state_dict(model)


@pytest.mark.parametrize(
    ("build", "mark"),
    [(TwoBlocks, by_policy), (TwoBlocks, of_all_kinds), (Tied, fully_shard), (Mixed, by_policy)],
)
def test_saved_on_two_ranks_loaded_on_one_three_and_four(ranks, three_ranks, four_ranks, tmp_path, build, mark):
    """Bit-equal values everywhere, also on one rank without any process group, and from four back to two."""
    want = ranks.run(saved, tmp_path / "two", build, mark)[0]
    assert same(loaded(tmp_path / "two", build, mark), want)
    for workers in (three_ranks, four_ranks):
        assert all(same(got, want) for got in workers.run(loaded, tmp_path / "two", build, mark))
    four_ranks.run(saved, tmp_path / "four", build, mark)
    assert all(same(got, want) for got in ranks.run(loaded, tmp_path / "four", build, mark))


def test_hybrid_to_full_shard_and_back(ranks, four_ranks, tmp_path):
    """Two axes save each row once a replica and load it into each."""
    want = four_ranks.run(saved, tmp_path / "hybrid", TwoBlocks, hybrid)[0]
    assert all(same(got, want) for got in ranks.run(loaded, tmp_path / "hybrid", TwoBlocks, by_policy))
    assert all(same(got, want) for got in four_ranks.run(loaded, tmp_path / "hybrid", TwoBlocks, hybrid))


class Five(nn.Module):
    """Five rows: over three ranks 2, 2, 1; over four 2, 2, 1, 0."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 5)
        self.register_buffer("count", torch.arange(2))


def rows(mark: Callable[[nn.Module], Any]) -> dict[str, Any]:
    model = built(Five, mark, seed=0)
    state = sharding.state_dict(model, kind="sharded")
    weight = state["lin.weight"]
    assert isinstance(weight, DTensor)
    assert torch.equal(weight.full_tensor(), model.state_dict()["lin.weight"])
    return {
        "local": (tuple(weight.to_local().shape), tuple(state["lin.bias"].to_local().shape)),
        "placements": weight.placements,
        "shape": tuple(weight.shape),
        "buffer is plain": type(state["count"]) is torch.Tensor,
        "buffer is a copy": state["count"].data_ptr() != model.count.data_ptr(),
    }


def test_rows_are_those_of_fsdp2(three_ranks, four_ranks):
    """Chunks of ceil(rows / ranks), late ranks may be empty; buffers stay plain, and all is copied."""
    got = three_ranks.run(rows, fully_shard)
    assert [each["local"] for each in got] == [((2, 3), (2,)), ((2, 3), (2,)), ((1, 3), (1,))]
    got = four_ranks.run(rows, fully_shard)
    assert [each["local"] for each in got] == [((2, 3), (2,)), ((2, 3), (2,)), ((1, 3), (1,)), ((0, 3), (0,))]
    for each in got:
        assert each["placements"] == (Shard(0),)
        assert each["shape"] == (5, 3)
        assert each["buffer is plain"]
        assert each["buffer is a copy"]
    got = four_ranks.run(rows, hybrid)
    assert [each["local"][0] for each in got] == [(3, 3), (2, 3), (3, 3), (2, 3)]
    assert got[0]["placements"] == (Replicate(), Shard(0))


def who_is_cut() -> dict[str, bool]:
    model = built(TwoBlocks, of_all_kinds, seed=0)
    state = sharding.state_dict(model, kind="sharded")
    assert list(state) == list(TwoBlocks().state_dict())
    return {name: isinstance(value, DTensor) for name, value in state.items()}


def test_what_is_held_whole_is_plain(ranks):
    """Replicated, ignored and no_shard parameters are plain tensors; the others DTensors."""
    cut = {"u1.seq", "u2.seq.2", "p"}
    for got in ranks.run(who_is_cut):
        assert {name.rsplit(".", 1)[0] if name != "p" else name for name, is_cut in got.items() if is_cut} == {
            "u1.seq.0", "u1.seq.2", *cut - {"u1.seq"}
        }  # fmt: skip


def by_wrapper(m: nn.Module) -> nn.Module:
    return FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))


def checkpointed(m: nn.Module) -> None:
    m.u1 = checkpoint_wrapper(m.u1)
    fully_shard(m, policy=by_class(Block))


def compiled(m: nn.Module) -> None:
    m.u1 = torch.compile(m.u1, backend="eager")
    fully_shard(m, policy=by_class(Block))


def in_bfloat16(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), mixed_precision=MixedPrecision(param_dtype=torch.bfloat16))


def offloaded(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), cpu_offload=True)


def round_trip(mark: Callable[[nn.Module], Any]) -> dict[str, bool]:
    """Model and optimizer out and into another model as sharded state; against the unsharded model's names."""
    plain = TwoBlocks()
    model = TwoBlocks()
    model.load_state_dict(plain.state_dict())
    model = mark(model) or model
    optimizer = adamw(model)
    take_step(model, optimizer, 0)
    names = [name for name, _ in plain.named_parameters()]
    state = sharding.state_dict(model, kind="sharded")
    kept = sharding.optimizer_state_dict(model, optimizer, kind="sharded")
    other = TwoBlocks()
    other = mark(other) or other
    fresh = adamw(other)
    sharding.load_state_dict(other, state)
    sharding.load_optimizer_state_dict(other, fresh, kept)
    return {
        "names": list(state) == list(plain.state_dict()) and list(kept["state"]) == names,
        "groups": kept["param_groups"][0]["params"] == names,
        "dtype": all(value.dtype == torch.float32 for value in state.values()),
        "model": same(sharding.state_dict(other), sharding.state_dict(model)),
        "optimizer": same(sharding.optimizer_state_dict(other, fresh), sharding.optimizer_state_dict(model, optimizer)),
        "rests": all(handle.residence.name == "SHARDED" for handle in sharding.get_handles(other)),
    }


@pytest.mark.parametrize("mark", [by_wrapper, checkpointed, compiled, in_bfloat16, offloaded])
def test_names_and_values_do_not_tell_how_a_model_runs(ranks, mark):
    """Wrappers leave no trace in names, mixed precision and offload none in values."""
    for got in ranks.run(round_trip, mark):
        assert all(got.values()), got


def inside_a_unit() -> tuple[str, bool]:
    model = built(TwoBlocks, by_policy, seed=0)
    with pytest.raises(StateError) as caught:
        sharding.state_dict(model.u1.seq, kind="sharded")
    inner = sharding.state_dict(model.u1, kind="sharded")
    other = built(TwoBlocks, by_policy, seed=1)
    sharding.load_state_dict(other.u1, inner)
    return str(caught.value), same(sharding.state_dict(other.u1), sharding.state_dict(model.u1))


def test_of_a_submodule(ranks):
    """A unit by itself; a module inside one is refused, since the unit's owner cuts it."""
    for message, loads in ranks.run(inside_a_unit):
        assert "'0.weight' belongs to a unit above Sequential; give the model that holds it" in message
        assert loads


def partly_loaded() -> list[bool]:
    model = built(TwoBlocks, by_policy, seed=0)
    before = copy.deepcopy(sharding.state_dict(model))
    given = sharding.state_dict(built(TwoBlocks, by_policy, seed=1), kind="sharded")
    few = {"u1.lin.weight": given["u1.lin.weight"], "else": given["p"]}
    sharding.load_state_dict(model, few, strict=False)
    after = sharding.state_dict(model)
    return [
        torch.equal(after["u1.lin.weight"], given["u1.lin.weight"].full_tensor()),
        all(torch.equal(after[key], before[key]) for key in before if key != "u1.lin.weight"),
    ]


def test_a_part_without_strict(ranks):
    """`strict=False` loads what has a place and leaves the rest alone."""
    assert ranks.run(partly_loaded) == [[True, True]] * 2


def gathers() -> dict[str, Any]:
    model = built(TwoBlocks, by_policy, seed=0)
    with record_events() as log:
        state = sharding.state_dict(model, kind="sharded")
    again = sharding.state_dict(model)
    copied = {key: value.to_local().data_ptr() for key, value in state.items()}
    return {
        "gathers": len(log.of("all_gather")),
        "at once": max_alive(log),
        "full again": all(type(value) is torch.Tensor for value in again.values()),
        "apart": len(set(copied.values())) == len(copied),
        "rests": all(handle.residence.name == "SHARDED" for handle in sharding.get_handles(model)),
    }


def test_one_unit_at_a_time(ranks):
    """One gather and one unit's memory a unit; the full kind is as before afterwards."""
    for got in ranks.run(gathers):
        assert got == {"gathers": 3, "at once": 1, "full again": True, "apart": True, "rests": True}


def gathers_of_a_load() -> tuple[int, int]:
    """How many all-gathers loading a model takes, and then its optimizer."""
    model = built(TwoBlocks, by_policy, seed=0)
    optimizer = torch.optim.AdamW(model.parameters())
    model(inputs(0, 0)).sum().backward()
    optimizer.step()
    state = sharding.state_dict(model, kind="sharded")
    steps = sharding.optimizer_state_dict(model, optimizer, kind="sharded")
    counts = []
    for act in (
        lambda: sharding.load_state_dict(model, state),
        lambda: sharding.load_optimizer_state_dict(model, optimizer, steps),
    ):
        gather = ProcessGroupRanks.all_gather
        with mock.patch.object(ProcessGroupRanks, "all_gather", autospec=True, side_effect=gather) as gathers:
            act()
        counts.append(gathers.call_count)
    return counts[0], counts[1]


def test_loads_travel_a_buffer_at_a_time(ranks):
    """One all-gather a unit for the model, and one a unit and entry for AdamW's two: not one a parameter."""
    assert ranks.run(gathers_of_a_load) == [(3, 6)] * 2


def moved_directly() -> list[bool]:
    """DTensors from one model into another without a file, also into one that is cut differently."""
    want = built(TwoBlocks, by_policy, seed=0)
    state = sharding.state_dict(want, kind="sharded")
    checks = []
    for mark in (by_policy, of_all_kinds, unmarked):
        model = built(TwoBlocks, mark, seed=1)
        sharding.load_state_dict(model, state)
        checks.append(same(sharding.state_dict(model), sharding.state_dict(want)))
    model = built(TwoBlocks, by_policy, seed=1)
    model.load_state_dict(state)
    checks.append(same(sharding.state_dict(model), sharding.state_dict(want)))
    return checks


def test_from_model_to_model_without_a_file(ranks):
    """A sharded state dict loads into any marking of the model, by either function."""
    for got in ranks.run(moved_directly):
        assert got == [True] * 4


def refused_loads() -> list[tuple[str, bool]]:
    model = built(TwoBlocks, by_policy, seed=0)
    full = copy.deepcopy(sharding.state_dict(model))
    given = sharding.state_dict(built(TwoBlocks, by_policy, seed=1), kind="sharded")
    other = sharding.state_dict(built(lambda: nn.Linear(WIDTH, 2), fully_shard, seed=1), kind="sharded")
    missing = {key: value for key, value in given.items() if key != "u2.lin.bias"}
    seen = []
    for state in (missing, {**given, "u3.weight": given["l.weight"]}, {**given, "l.weight": other["weight"]}):
        with pytest.raises(RuntimeError) as caught:
            sharding.load_state_dict(model, state)
        seen.append((str(caught.value), same(sharding.state_dict(model), full)))
    return seen


def test_a_refused_load_changes_nothing(ranks):
    """Missing, extra and misshaped keys give torch's strict error on every rank."""
    for (missing, same_1), (extra, same_2), (misshaped, same_3) in ranks.run(refused_loads):
        assert "Error(s) in loading state_dict for TwoBlocks" in missing
        assert 'Missing key(s) in state_dict: "u2.lin.bias"' in missing
        assert 'Unexpected key(s) in state_dict: "u3.weight"' in extra
        assert "size mismatch for l.weight: copying a param with shape torch.Size([2, 5]) from checkpoint" in misshaped
        assert "the shape in current model is torch.Size([5, 5])" in misshaped
        assert same_1
        assert same_2
        assert same_3


def different_by_rank(kind: str) -> tuple[str, bool]:
    model = built(TwoBlocks, by_policy, seed=0)
    full = copy.deepcopy(sharding.state_dict(model))
    given = sharding.state_dict(built(TwoBlocks, by_policy, seed=1), kind=kind)
    if dist.get_rank() == 1:
        del given["u1.lin.weight"]
    with pytest.raises(RankMismatchError) as caught:
        sharding.load_state_dict(model, given)
    return str(caught.value), same(sharding.state_dict(model), full)


@pytest.mark.parametrize("kind", ["full", "sharded"])
def test_ranks_that_were_given_different_entries_all_refuse(ranks, kind):
    """No hang and no half-loaded model: the first entry that differs is named on every rank."""
    for message, unchanged in ranks.run(different_by_rank, kind):
        assert "different entries to load" in message
        assert "u1.lin.weight: (5, 5)" in message
        assert "Give every rank the same model, optimizer and state" in message
        assert unchanged
