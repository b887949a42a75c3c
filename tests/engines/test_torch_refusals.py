"""What torch's engine cannot run is told from the layout, with the nearest plan it can, before anything is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.distributed as dist
from engine_models import NESTS, WIDTH, Block, Odd, Tied, TwoBlocks, TwoDtypes
from oracle_run import Case, inputs, loss_of, train_beside
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.fsdp.wrap import CustomPolicy
from torch.torch_version import TorchVersion

import sharding
from sharding import AnnotationError, ConflictError, Plan, PlanError, by_class
from sharding.workers import run

P = Plan()


class Scalar(nn.Module):
    """A child with a scalar parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(WIDTH, WIDTH)
        self.gain = nn.Parameter(torch.tensor(2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lin(x) * self.gain


def slanted() -> nn.Module:
    """A layer whose weight lies transposed in memory."""
    layer = nn.Linear(WIDTH, WIDTH)
    layer.weight = nn.Parameter(torch.randn(WIDTH, WIDTH).t())
    return nn.Sequential(layer)


def circular() -> nn.Module:
    """A child that keeps its parent."""
    model = TwoBlocks()
    model.u1.lin.parent = model
    return model


def deep() -> nn.Module:
    """A chain of 500 modules."""
    model: nn.Module = nn.Linear(WIDTH, WIDTH)
    for _ in range(500):
        model = nn.Sequential(model)
    return model


def two_kinds() -> nn.Module:
    """Trainable parameters of two dtypes."""
    return TwoDtypes()


class Equal(nn.Linear):
    """A layer that compares by value, and so has no hash."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, nn.Linear) and self.in_features == other.in_features


class Hiding(nn.Linear):
    """A layer that tells nobody of its parameters."""

    def named_parameters(self, *args: Any, **kwargs: Any) -> Any:
        return iter(())


def equal() -> nn.Module:
    return nn.Sequential(Equal(WIDTH, WIDTH), Equal(WIDTH, WIDTH))


def hiding() -> nn.Module:
    return nn.Sequential(nn.Linear(WIDTH, WIDTH), Hiding(WIDTH, WIDTH))


def eager(module: nn.Module) -> Any:
    return {"forward_prefetch": True} if isinstance(module, Block) else False


REFUSED: dict[str, tuple[Callable[[], nn.Module], Plan, str, str]] = {
    "no_shard": (TwoBlocks, P.fully_shard("u1", strategy="no_shard").fully_shard(""), "u1", "plan.replicate('u1')"),
    "dtypes": (two_kinds, P.fully_shard(""), "", "plan.fully_shard('narrow')"),
    "tied": (Tied, P.fully_shard("", policy=by_class("Embedding", "Linear")), "emb.weight", "['emb', 'head']"),
    "buffer_dtype": (
        TwoBlocks,
        P.fully_shard("", mixed_precision={"param_dtype": "bfloat16", "buffer_dtype": "bfloat16"}),
        "",
        "leave buffer_dtype out",
    ),
    "setting": (TwoBlocks, P.fully_shard("", policy=CustomPolicy(eager)), "u1", "leave forward_prefetch out"),
    "root_of_several": (TwoBlocks, P.fully_shard(["u1", "u2"]), "u1", "above all of them"),
    "scalar": (Scalar, P.replicate(""), "gain", "replicate_with='ddp'"),
    "not_contiguous": (slanted, P.fully_shard(""), "0.weight", ".contiguous()"),
    "cycle": (circular, P.fully_shard(""), "u1.lin", "engine='flat'"),
    "unhashable": (equal, P.fully_shard(""), "0", "__hash__ = nn.Module.__hash__"),
    "own_names": (hiding, P.fully_shard(""), "1", "plan.ignore('1')"),
    "too_deep": (deep, P.fully_shard(""), "0", "nest at most"),
    "two_roots": (
        TwoBlocks,
        P.replicate("u1.seq").fully_shard("u1").replicate(""),
        "u1.seq",
        "replicate_with='ddp'",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_conflicts_of_torchs_engine_alone(kind):
    """Each is a conflict of this engine's layout and of no other, names its place, and says what would run."""
    build, plan, fqn, fix = REFUSED[kind]
    model = build()
    conflicts = [each for each in plan.resolve(model, engine="torch").conflicts if each.kind == kind]
    assert conflicts
    assert any(name.startswith(fqn) for name in conflicts[0].fqns)
    assert fix in conflicts[0].fix
    assert not plan.resolve(model, engine="flat").conflicts


NEAREST: dict[str, Case] = {
    "no_shard": Case(TwoBlocks, P.replicate("u1").fully_shard("")),
    "dtypes": Case(TwoDtypes, P.fully_shard("narrow").fully_shard("")),
    "tied": Case(Tied, P.fully_shard(["emb", "head"]).fully_shard("")),
    "root_of_several": Case(TwoBlocks, P.fully_shard(["u1", "u2"]).fully_shard("")),
    "scalar": Case(Scalar, P.replicate(""), {"torch": {"replicate_with": "ddp"}}),
    "two_roots": Case(
        TwoBlocks, P.replicate("u1.seq").fully_shard("u1").replicate(""), {"torch": {"replicate_with": "ddp"}}
    ),
}


def hiding_ignored(engine: str) -> list[str]:
    """The proposal for a class with answers of its own: leave it out."""
    plan = P.fully_shard("").ignore("1")
    model, _ = Case(hiding, plan).applied(engine)
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    return [type(param).__name__ for param in model[1]._parameters.values()]


def test_a_class_with_answers_of_its_own_can_be_ignored(ranks):
    """Its parameters stay what they were and the rest is cut."""
    assert ranks.run(hiding_ignored, "torch") == [["Parameter", "Parameter"]] * 2


class Sharing(nn.Module):
    """One layer used below two modules that nothing above them joins."""

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Sequential(nn.Linear(WIDTH, WIDTH))
        self.other = nn.Sequential(self.one[0], nn.Linear(WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.other(self.one(x))


def test_a_shared_unit_below_two_roots(ranks):
    """Torch fails in the second forward; the layout knows before, and the plan it proposes runs."""
    plan = P.fully_shard("one.0").fully_shard("one").fully_shard("other")
    conflict = next(each for each in plan.resolve(Sharing(), engine="torch").conflicts if each.kind == "two_roots")
    assert conflict.fqns == ("one.0", "one", "other")
    assert "mark a module above both as fully_shard" in conflict.fix
    for difference in ranks.run(train_beside, Case(Sharing, plan.fully_shard("")), "torch"):
        assert difference.worst < 2e-6


@pytest.mark.parametrize("kind", NEAREST)
def test_the_nearest_plan_runs(ranks, kind):
    """What a refusal proposes is taken by the engine and trains like the unsharded model."""
    for difference in ranks.run(train_beside, NEAREST[kind], "torch"):
        assert difference.worst < 2e-6


def refusal(build: Callable[[], nn.Module], plan: Plan, **settings: Any) -> dict[str, Any]:
    """What applying is refused with, and whether the model is as it was."""
    model = build()
    before = [(type(module), len(module._forward_hooks), len(module._forward_pre_hooks)) for module in model.modules()]
    params = list(map(id, model.parameters()))
    with pytest.raises((PlanError, AnnotationError)) as refused:
        plan.apply(model, engine="torch", **settings)
    after = [(type(module), len(module._forward_hooks), len(module._forward_pre_hooks)) for module in model.modules()]
    return {
        "text": str(refused.value),
        "class": type(refused.value).__name__,
        "kinds": [each.kind for each in getattr(refused.value, "conflicts", ())],
        "same": before == after and params == list(map(id, model.parameters())) and not sharding.applied_apis(model),
    }


@pytest.mark.parametrize("kind", ["no_shard", "dtypes", "tied", "setting"])
def test_a_refused_plan_changes_nothing(ranks, kind):
    """All conflicts at once in one error, and classes, hooks and parameters as they were."""
    build, plan, _, fix = REFUSED[kind]
    for got in ranks.run(refusal, build, plan):
        assert got["class"] == ConflictError.__name__
        assert kind in got["kinds"]
        assert fix in got["text"]
        assert "nothing was changed" in got["text"]
        assert got["same"]


SETTINGS: dict[str, tuple[Plan, dict[str, Any], str]] = {
    "unknown": (P.fully_shard(""), {"colour": 1}, "no setting 'colour'; known are replicate_with"),
    "replicate_with": (P.replicate(""), {"replicate_with": "dp"}, "it is 'fsdp' (torch's FSDP2 engine) or 'ddp'"),
    "buckets": (P.replicate(""), {"bucket_cap_mb": 1}, "bucket_cap_mb is a setting of DDP"),
    "buckets of a group": (P.replicate("", bucket_cap_mb=1), {}, "bucket_cap_mb is a setting of DDP"),
    "mesh": (P.fully_shard(""), {"mesh": 2}, "pass a torch DeviceMesh"),
    "hybrid": (P.fully_shard("", strategy="hybrid_shard"), {}, "defaults(mesh_shape=(replicate, shard))"),
    "reshard": (P.fully_shard("u1", reshard_after_forward=3).fully_shard(""), {}, "possible are only True and False"),
    "ranks": (P.defaults(mesh_shape=(2, 2)).fully_shard(""), {}, "there are 2"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_checked_first(ranks, name):
    """Unknown, unfitting and useless settings are refused by name."""
    plan, settings, text = SETTINGS[name]
    for got in ranks.run(refusal, TwoBlocks, plan, **settings):
        assert text in got["text"]
        assert got["same"]


@pytest.mark.parametrize(
    ("build", "plan", "kind"),
    [
        (TwoBlocks, P.replicate("u1").replicate(""), "ddp_nested"),
        (Odd, P.replicate("first.base").fully_shard(""), "ddp_frozen"),
        (TwoBlocks, P.defaults(mixed_precision={"param_dtype": "bfloat16"}).replicate("u1"), "ddp_precision"),
    ],
)
def test_ddp_has_limits_of_its_own(ranks, build, plan, kind):
    """What only the DDP replicate cannot do; the FSDP2 one can."""
    for got in ranks.run(refusal, build, plan, replicate_with="ddp"):
        assert kind in got["kinds"]
        assert "replicate_with='fsdp'" in got["text"]
    assert not plan.resolve(build(), engine="torch").conflicts


def failing_half_way() -> tuple[str, str]:
    """A function that gives values and fails at the second unit; what is said, and what it said itself."""
    with torch.device("meta"):
        model = TwoBlocks()
    calls = []

    def fill(module: nn.Module) -> None:
        calls.append(module)
        if len(calls) > 3:
            raise ZeroDivisionError("no values left")
        module.to_empty(device="cpu", recurse=False)

    with pytest.raises(sharding.StateError) as refused:
        P.fully_shard("", policy=by_class("Linear")).apply(model, engine="torch", param_init_fn=fill)
    return str(refused.value), str(refused.value.__cause__)


def test_a_failure_half_way_says_that_the_model_is_of_no_more_use(ranks):
    """Torch's calls cannot be taken back, so the way out is a fresh model; the cause is kept."""
    for text, cause in ranks.run(failing_half_way):
        assert "failed (ZeroDivisionError: no values left)" in text
        assert "build a fresh one" in text
        assert cause == "no values left"


def twice_and_mixed() -> list[str]:
    """A plan on a model that torch's own call, or another plan, or the other engine is on already."""
    texts = []
    for first, second in (
        (fully_shard, lambda model: P.fully_shard("").apply(model, engine="torch")),
        (lambda model: P.fully_shard("").apply(model, engine="torch"), lambda m: P.fully_shard("").apply(m)),
        (lambda model: P.fully_shard("u1").apply(model, engine="torch"), sharding.fully_shard),
        (lambda model: P.fully_shard("u1").apply(model, engine="torch"), sharding.replicate),
    ):
        model = TwoBlocks()
        first(model)
        with pytest.raises((AnnotationError, ConflictError)) as refused:
            second(model)
        texts.append(str(refused.value))
    return texts


def test_one_model_runs_on_one_engine(ranks):
    """Neither torch's own calls nor the flat engine's verbs mix with a plan on torch's engine."""
    for own, again, flat, replicated in ranks.run(twice_and_mixed):
        assert "torch's own fully_shard" in own
        assert "fully_shard is on '' already" in again
        assert "runs on engine 'torch' already" in flat
        assert "runs on engine 'torch' already" in replicated


def without_ranks() -> str:
    """Apply without any process group."""
    dist.destroy_process_group()
    with pytest.raises(PlanError) as refused:
        P.fully_shard("").apply(TwoBlocks(), engine="torch")
    return str(refused.value)


def test_no_process_group():
    """Torch's engine wants one even for one rank; the message says which engine does not."""
    assert "use engine='flat'" in run(without_ranks, nprocs=1, backend="gloo")[0]


def test_pieces_for_some_ranks_are_a_conflict_of_the_flat_engine(four_ranks):
    """`reshard_after_forward=2` runs on torch's engine on four ranks, and the flat engine says that it cannot."""
    plan = P.fully_shard("", policy=by_class("Block"), reshard_after_forward=2)
    assert [each.kind for each in plan.resolve(TwoBlocks()).conflicts] == ["reshard_to_some"] * 3
    for difference in four_ranks.run(train_beside, Case(TwoBlocks, plan), "torch"):
        assert difference.worst < 2e-6


def test_an_unknown_engine_is_refused():
    """By name, with the known ones."""
    with pytest.raises(PlanError, match="this version knows 'flat', 'torch'"):
        P.fully_shard("").resolve(TwoBlocks(), engine="fsdp")


def on_one_rank() -> float:
    """Torch's engine on a process group of one rank: the unsharded model's loss."""
    model, twin = Case(TwoBlocks, NESTS["1r1fm,1fm"]).applied("torch")
    loss = loss_of(model(inputs(0, 0)))
    loss.backward()
    return abs(loss.item() - loss_of(twin(inputs(0, 0))).item())


def test_one_rank():
    """Nothing to communicate is no special case."""
    assert run(on_one_rank, nprocs=1, backend="gloo")[0] < 1e-6


def test_integers_where_torch_is_too_old():
    """Torch 2.11 cannot hold an integer parameter in a unit, and the layout knows."""
    model = nn.Linear(WIDTH, WIDTH)
    model.table = nn.Parameter(torch.arange(3), requires_grad=False)
    found = [each.fqns for each in P.fully_shard("").resolve(model, engine="torch").conflicts if each.kind == "integer"]
    assert found == ([("table",)] if TorchVersion(torch.__version__) < "2.12" else [])
