"""Where values come from on both engines: a model on the meta device, rank 0's values for everybody, buffers."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.distributed as dist
from engine_models import NESTS, WIDTH, Odd, Tied, TwoBlocks
from oracle_run import adamw, distance, inputs, loss_of
from torch import nn

import sharding
from sharding import Plan, PlanError, by_class

P = Plan()
BLOCKS = P.fully_shard("", policy=by_class("Block"))


def fill(module: nn.Module) -> None:
    """Memory and known values for a module's own tensors."""
    module.to_empty(device="cpu", recurse=False)
    with torch.no_grad():
        for param in module.parameters(recurse=False):
            param.fill_(0.25)


def from_meta(engine: str, tied: bool) -> dict[str, Any]:
    """A model built on the meta device and filled a unit at a time, then one step."""
    with torch.device("meta"):
        model = Tied() if tied else TwoBlocks()
    plan = P.fully_shard("", policy=by_class("Block"))
    plan.apply(model, engine=engine, param_init_fn=fill)
    values = {name: value.unique().tolist() for name, value in sharding.state_dict(model).items()}
    optimizer = adamw(model)
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    optimizer.step()
    tie = not tied or model.get_parameter("head.weight") is model.get_parameter("emb.weight")
    return {"values": values, "tie": tie, "moved": sharding.state_dict(model)["block.scale" if tied else "p"]}


@pytest.mark.parametrize("tied", [False, True])
def test_from_the_meta_device(ranks, engine, tied):
    """Every parameter gets its values before it is cut, ties survive, and training begins."""
    for got in ranks.run(from_meta, engine, tied):
        assert set(map(tuple, got["values"].values())) == {(0.25,)}
        assert got["tie"]
        assert not torch.equal(got["moved"], torch.full_like(got["moved"], 0.25))


def nothing_fills_it(engine: str) -> tuple[str, bool]:
    """A module with a parameter of its own and no `reset_parameters`."""
    with torch.device("meta"):
        model = TwoBlocks()
    with pytest.raises(PlanError) as refused:
        BLOCKS.apply(model, engine=engine)
    return str(refused.value), all(param.is_meta and type(param) is nn.Parameter for param in model.parameters())


def test_meta_parameters_nothing_can_fill(ranks, engine):
    """Named before anything is changed, with what to pass."""
    for text, untouched in ranks.run(nothing_fills_it, engine):
        assert "has no reset_parameters(): pass param_init_fn=" in text
        assert untouched


def from_rank_0(engine: str, plan: Plan, settings: dict[str, Any]) -> dict[str, torch.Tensor]:
    """Ranks that build different values, and what they hold after the plan was applied."""
    torch.manual_seed(dist.get_rank())
    model = TwoBlocks()
    model.register_buffer("shift", torch.full((2,), float(dist.get_rank() + 1)))
    plan.apply(model, engine=engine, **settings)
    return sharding.state_dict(model)


def test_rank_0_gives_the_values_where_asked_for(ranks, engine):
    """`sync_module_states` overwrites parameters and buffers of units; without it ranks keep what they built."""
    torch.manual_seed(0)
    first = TwoBlocks().state_dict()
    for state in ranks.run(from_rank_0, engine, BLOCKS, {"sync_module_states": True}):
        assert max(distance(state[name], value) for name, value in first.items()) == 0
        assert state["shift"].tolist() == [1.0, 1.0]
    apart = ranks.run(from_rank_0, engine, BLOCKS, {})[1]
    assert max(distance(apart[name], value) for name, value in first.items()) > 0


@pytest.mark.parametrize("replicate_with", ["fsdp", "ddp"])
def test_replicated_modules_start_alike(ranks, engine, replicate_with):
    """As DDP does: the replicated part is rank 0's, unless that is turned off."""
    settings = {"replicate_with": replicate_with} if engine == "torch" else {}
    plan = NESTS["1r,1fm"]
    one, other = ranks.run(from_rank_0, engine, plan, settings)
    assert distance(one["u1.seq.0.weight"], other["u1.seq.0.weight"]) == 0


def offloaded(engine: str) -> dict[str, Any]:
    """Pieces that rest on the CPU, ignored parameters untouched."""
    model = Odd()
    before = model.get_parameter("one")
    P.fully_shard("first", cpu_offload=True).fully_shard("").ignore(["one", "second"]).apply(model, engine=engine)
    one = model.get_parameter("one")
    second: Any = model.get_parameter("second.base.weight")
    return {
        "same": one is before and type(one) is nn.Parameter,
        "whole": tuple(second.shape) == (WIDTH, WIDTH) and not hasattr(second, "to_local"),
        "device": {param.device.type for param in model.parameters()},
        "output": model(inputs(0, 0)).shape,
    }


def test_ignored_parameters_stay_what_they_are(ranks, engine):
    """The same objects, whole, and the unit beside them runs."""
    for got in ranks.run(offloaded, engine):
        assert got["same"]
        assert got["whole"]
        assert got["device"] == {"cpu"}
        assert tuple(got["output"]) == (3, WIDTH)
