"""What people call around a step does the same on both engines: clipping, accumulating, looking, checking."""

from __future__ import annotations

import copy
import math
from collections import Counter
from typing import Any

import pytest
import torch
import torch.distributed as dist
from engine_models import NESTS, WIDTH, Block, Tied, TwoBlocks
from oracle_run import Case, adamw, backward_on_all, distance, gradients, inputs, loss_of
from torch import nn
from torch.nn.utils import clip_grad_norm_
from wiretap import Wiretap

import sharding
from sharding import Plan, by_class
from sharding.errors import AnnotationError, StateError

P = Plan()
BLOCKS = Case(TwoBlocks, P.fully_shard("", policy=by_class("Block")))
THREE_LEVELS = Case(TwoBlocks, NESTS["1fm1fm,1r1r,1fm"])
ON_DDP = Case(TwoBlocks, NESTS["1r,1fa"], {"torch": {"replicate_with": "ddp"}})
CASES = {"blocks": BLOCKS, "three levels": THREE_LEVELS, "ddp": ON_DDP}


def clipped(case: Case, engine: str, norm_type: float, max_norm: float) -> tuple[float, float, float]:
    """Norm here, norm of the unsharded model, and the largest difference of the gradients after clipping."""
    model, twin = case.applied(engine)
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    backward_on_all(twin, 0)
    norm = sharding.clip_grad_norm_(model, max_norm, norm_type=norm_type)
    wanted = clip_grad_norm_(twin.parameters(), max_norm, norm_type)
    worst = max(distance(got, want) for _, got, want in gradients(model, twin) if got is not None and want is not None)
    return norm.item(), wanted.item(), worst


@pytest.mark.parametrize("norm_type", [1.0, 2.0, math.inf])
@pytest.mark.parametrize("name", CASES)
def test_clipping_is_that_of_the_unsharded_model(ranks, engine, name, norm_type):
    """Cut and replicated gradients each counted once, whatever tensors they are."""
    for norm, wanted, worst in ranks.run(clipped, CASES[name], engine, norm_type, 0.05):
        assert norm == pytest.approx(wanted, rel=1e-5)
        assert wanted > 0.05
        assert worst < 1e-6


def test_clipping_on_two_axes(four_ranks, engine):
    """Copies of pieces are not counted twice, also beside a replicate over all ranks."""
    plan = P.defaults(mesh_shape=(2, 2)).replicate("u1").fully_shard("u2").fully_shard("")
    for norm, wanted, worst in four_ranks.run(clipped, Case(TwoBlocks, plan), engine, 2.0, 0.05):
        assert norm == pytest.approx(wanted, rel=1e-5)
        assert worst < 1e-6


def clipped_with_ignored(engine: str) -> dict[str, Any]:
    """Clip a model with an ignored parameter, whose gradient differs by rank."""
    model, twin = Case(TwoBlocks, P.fully_shard("").ignore("p")).applied(engine)
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    loss_of(twin(inputs(0, dist.get_rank()))).backward()
    own = twin.get_parameter("p").grad
    assert own is not None
    before = model.get_parameter("p").grad
    assert before is not None
    before = before.clone()
    norm = sharding.clip_grad_norm_(model, 0.05)
    after = model.get_parameter("p").grad
    assert after is not None
    return {"norm": norm.item(), "own": own.norm().item(), "factor": (after / before).mean().item()}


def test_ignored_gradients_clip_by_the_same_factor_everywhere(ranks, engine):
    """The largest rank's norm enters, so ranks do not drift further apart."""
    results = ranks.run(clipped_with_ignored, engine)
    assert results[0]["norm"] == results[1]["norm"]
    assert results[0]["factor"] == pytest.approx(results[1]["factor"])
    assert results[0]["norm"] >= max(each["own"] for each in results)


def not_finite(engine: str) -> str:
    """Clip gradients with a NaN on one rank."""
    model, _ = BLOCKS.applied(engine)
    x = inputs(0, dist.get_rank())
    loss_of(model(x * math.nan if dist.get_rank() == 1 else x)).backward()
    with pytest.raises(StateError) as refused:
        sharding.clip_grad_norm_(model, 1.0, error_if_nonfinite=True)
    return str(refused.value)


def test_not_finite_is_an_error_where_asked_for(ranks, engine):
    """All ranks hear of it."""
    assert all("norm of the gradients is nan" in text for text in ranks.run(not_finite, engine))


def accumulated(case: Case, engine: str) -> dict[str, Any]:
    """Three backwards, the first two under `no_sync`; then a plain step."""
    model, twin = case.applied(engine)
    with sharding.no_sync(model), Wiretap() as quiet:
        for step in (0, 1):
            loss_of(model(inputs(step, dist.get_rank()))).backward()
    with Wiretap() as loud:
        loss_of(model(inputs(2, dist.get_rank()))).backward()
    backward_on_all(twin, 0, 1, 2)
    worst = max(distance(got, want) for _, got, want in gradients(model, twin) if got is not None and want is not None)
    kinds = [Counter(kind for kind, _ in wire.heard) for wire in (quiet, loud)]
    return {"worst": worst, "quiet": set(kinds[0]), "loud": set(kinds[1])}


@pytest.mark.parametrize("name", CASES)
def test_accumulation_reduces_once(ranks, engine, name):
    """Under `no_sync` nothing is reduced, and the next backward averages the sum of all."""
    for got in ranks.run(accumulated, CASES[name], engine):
        assert got["worst"] < 2e-6
        assert not got["quiet"] & {"reduce_scatter", "all_reduce"}
        assert "reduce_scatter" in got["loud"]


def pieces(model: nn.Module) -> list[torch.Size]:
    """Shapes of what this rank holds."""
    params: list[Any] = list(model.parameters())
    return [(param.to_local() if hasattr(param, "to_local") else param).shape for param in params]


def looked_at(case: Case, engine: str) -> dict[str, Any]:
    """Whole parameters inside `unshard`, a change written back, a forward inside, and pieces again afterwards."""
    model, twin = case.applied(engine)
    resting = [
        param.shape if not hasattr(param, "to_local") else param.to_local().shape for param in model.parameters()
    ]
    with sharding.unshard(model):
        shapes = {name: tuple(param.shape) for name, param in model.named_parameters()}
        worst = max(
            distance(param.detach(), twin.get_parameter(name).detach()) for name, param in model.named_parameters()
        )
        with torch.no_grad():
            model.get_parameter("u2.seq.0.weight").fill_(2.0)
            forward = distance(model(inputs(0, 0)), model(inputs(0, 0)))
            still = tuple(model.get_parameter("u1.lin.weight").shape)
    with sharding.unshard(model, writeback=False), torch.no_grad():
        model.get_parameter("u2.seq.2.weight").fill_(7.0)
    state = sharding.state_dict(model)
    return {
        "shapes": shapes == {name: tuple(param.shape) for name, param in twin.named_parameters()},
        "worst": worst,
        "forward": forward,
        "still": still,
        "written": state["u2.seq.0.weight"].unique().tolist(),
        "unwritten": distance(state["u2.seq.2.weight"], twin.get_parameter("u2.seq.2.weight").detach()),
        "resting": pieces(model) == resting,
    }


@pytest.mark.parametrize("name", CASES)
def test_unshard_shows_and_writes_back(ranks, engine, name):
    """Full shapes and values inside the block, forwards in it included; changes kept only where asked for."""
    for got in ranks.run(looked_at, CASES[name], engine):
        assert got["shapes"]
        assert got["worst"] == got["forward"] == got["unwritten"] == 0
        assert got["still"] == (WIDTH, WIDTH)
        assert got["written"] == [2.0]
        assert got["resting"]


def looked_at_in_bf16(engine: str) -> float:
    """How far `unshard` with write-back moves weights that nobody changed."""
    plan = P.defaults(mixed_precision={"param_dtype": "bfloat16"}).fully_shard("")
    model, twin = Case(TwoBlocks, plan).applied(engine)
    with sharding.unshard(model):
        pass
    return max(distance(value, twin.state_dict()[name]) for name, value in sharding.state_dict(model).items())


def test_looking_does_not_round(ranks, engine):
    """Weights of a unit that computes in bfloat16 keep their float32 values."""
    assert ranks.run(looked_at_in_bf16, engine) == [0, 0]


class Encoder(nn.Module):
    """A model with another entrance than `forward`."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block()

    def encode(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(x).sum()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(x)


class Named(nn.Linear):
    """A layer with a second method that uses its parameters."""

    def encode(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.linear(x, self.weight).sum()


def entered_by_method(engine: str) -> list[str]:
    """A method registered on a unit, and what registering on no unit says."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH), Named(WIDTH, WIDTH))
    plain = model[1].weight.detach().clone()
    P.fully_shard("1").fully_shard("").apply(model, engine=engine)
    sharding.register_forward_method(model[1], "encode")
    x = inputs(0, 0)
    near = torch.allclose(model[1].encode(x), nn.functional.linear(x, plain).sum())
    texts = []
    for module, name in ((model[0], "encode"), (model[1], "decode")):
        with pytest.raises(StateError) as refused:
            sharding.register_forward_method(module, name)
        texts.append(str(refused.value))
    return [str(near), *texts]


def test_other_entrances(ranks, engine):
    """`encode` gathers its unit as a forward does; a module that is no unit is refused rather than ignored."""
    for near, no_unit, no_method in ranks.run(entered_by_method, engine):
        assert near == "True"
        assert "is not a unit" in no_unit
        assert "no method 'decode'" in no_method


def from_plan(engine: str) -> dict[str, Any]:
    """What the live model says of itself."""
    model, _ = THREE_LEVELS.applied(engine)
    plan = Plan.from_model(model)
    return {
        "same": plan.resolve(TwoBlocks(), engine=engine).unit_of.keys(),
        "apis": [sharding.applied_apis(model.get_submodule(name)) for name in ("", "u1", "u1.seq", "u1.lin")],
        "class": isinstance(model, TwoBlocks),
    }


def test_a_live_model_tells_its_plan(ranks, engine):
    """`Plan.from_model` and `applied_apis` read what was applied, on either engine."""
    for got in ranks.run(from_plan, engine):
        assert set(got["same"]) == {"", "u1.seq", "u2.seq"}
        assert got["apis"] == [("fully_shard",), ("replicate",), ("fully_shard",), ()]
        assert got["class"]


def stale_optimizer() -> list[str]:
    """An optimizer from before torch's engine replaced the parameters, and one made while they are whole."""
    torch.manual_seed(0)
    model = TwoBlocks()
    old = adamw(model)
    P.fully_shard("u1").fully_shard("").apply(model, engine="torch")
    sharding.check_optimizer(model, adamw(model))
    texts = []
    with pytest.raises(StateError) as refused:
        sharding.check_optimizer(model, old)
    texts.append(str(refused.value))
    with torch.no_grad():
        model(inputs(0, 0))
    with pytest.raises(StateError) as refused:
        sharding.check_optimizer(model, adamw(model))
    texts.append(str(refused.value))
    return texts


def test_stale_optimizers_are_found_on_torchs_engine(ranks):
    """Torch says nothing and updates nothing."""
    for before, whole in ranks.run(stale_optimizer):
        assert "as it was before sharding" in before
        assert "whole copy of a parameter" in whole


def taken_off(case: Case, engine: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Train a step, remove everything, and train on with the other engine; and what is left in between."""
    model, twin = case.applied(engine)
    kinds = [type(module) for module in twin.modules()]
    optimizer, reference = adamw(model), adamw(twin)
    _step(model, optimizer, 0)
    backward_on_all(twin, 0)
    reference.step()
    reference.zero_grad()
    assert sharding.remove(model) is model
    left = any(
        type(module) is not kind or module._forward_hooks or module._forward_pre_hooks or module._state_dict_pre_hooks
        for module, kind in zip(model.modules(), kinds, strict=True)
    )
    plain = all(type(param) is nn.Parameter and param.shape == other.shape for param, other in _pairs(model, twin))
    alike = max(distance(one.detach(), other.detach()) for one, other in _pairs(model, twin))
    copied = distance(copy.deepcopy(model)(inputs(0, 0)).detach(), twin(inputs(0, 0)).detach())
    other = "torch" if engine == "flat" else "flat"
    case.plan.apply(model, engine=other, **(settings if other == "torch" else {}))
    again, fresh = adamw(model), adamw(twin)
    _step(model, again, 1)
    backward_on_all(twin, 1)
    fresh.step()
    state = sharding.state_dict(model)
    after = max(distance(state[name], value) for name, value in twin.state_dict().items())
    return {
        "left": left,
        "plain": plain,
        "alike": alike,
        "copied": copied,
        "apis": sharding.applied_apis(model),
        "after": after,
    }


def _step(model: nn.Module, optimizer: torch.optim.Optimizer, step: int) -> None:
    loss_of(model(inputs(step, dist.get_rank()))).backward()
    optimizer.step()
    optimizer.zero_grad()


def _pairs(model: nn.Module, twin: nn.Module) -> list[tuple[nn.Parameter, nn.Parameter]]:
    return [(model.get_parameter(name), param) for name, param in twin.named_parameters()]


@pytest.mark.parametrize("name", [*CASES, "tied"])
def test_removing_and_going_on_with_the_other_engine(ranks, engine, name):
    """Whole parameters, classes and hooks as before, and the same model can be given to the other engine."""
    case = CASES.get(name, Case(Tied, P.fully_shard(["emb", "head"]).fully_shard("")))
    settings = {"replicate_with": "ddp"} if name == "ddp" else {}
    for got in ranks.run(taken_off, case, engine, settings):
        assert not got["left"]
        assert got["plain"]
        assert max(got["alike"], got["copied"], got["after"]) < 4e-6


def a_part_taken_off(engine: str) -> list[str]:
    """`remove` on a unit, and on a module inside one."""
    model, _ = BLOCKS.applied(engine)
    texts = []
    for name in ("u1", "u1.lin"):
        with pytest.raises(AnnotationError) as refused:
            sharding.remove(model.get_submodule(name))
        texts.append(str(refused.value))
    assert distance(sharding.remove(model)(inputs(0, 0)), model(inputs(0, 0))) == 0
    return texts


def test_removing_a_part_is_refused(ranks, engine):
    """What is above would go on without it; the whole can still be removed."""
    for texts in ranks.run(a_part_taken_off, engine):
        assert all("remove on" in text for text in texts)
        assert "TwoBlocks" in texts[0]


def not_there() -> list[str]:
    """Verbs that torch's engine has no such thing for."""
    model, _ = BLOCKS.applied("torch")
    texts = []
    for verb in (sharding.get_handles, sharding.get_states, sharding.fully_sharded_modules_to_params):
        with pytest.raises(StateError) as refused:
            verb(model)
        texts.append(str(refused.value))
    return texts


def test_what_torchs_engine_has_not_is_refused_with_the_reason(ranks):
    """No empty list where there are no handles."""
    for texts in ranks.run(not_there):
        assert all("runs on torch's engine" in text for text in texts)


def inside_a_step(engine: str) -> list[str]:
    """Verbs called from inside a forward."""
    model, _ = BLOCKS.applied(engine)
    texts: list[str] = []

    def hook(module: nn.Module, args: Any) -> None:
        for call in (lambda: sharding.state_dict(model), lambda: sharding.clip_grad_norm_(model, 1.0)):
            with pytest.raises(StateError) as refused:
                call()
            texts.append(str(refused.value))

    model.get_submodule("u1.lin").register_forward_pre_hook(hook)
    model(inputs(0, 0))
    return texts


def test_verbs_between_steps_only(ranks, engine):
    """State dicts and clipping inside a forward are refused."""
    for texts in ranks.run(inside_a_step, engine):
        assert len(texts) == 2
        assert all("forward" in text for text in texts)
