"""Plans: edits that leave the old plan alone, how marks meet, and the ways to write a plan down."""

from __future__ import annotations

import dataclasses
import time

import pytest
import torch
from torch import nn
from torch.distributed.fsdp import MixedPrecision, MixedPrecisionPolicy

from sharding import ConflictError, Plan, PlanError, by_class, by_size
from sharding.precision import Precision


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Block(), Block(), Block()])
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return x


def _statuses(plan: Plan, model: nn.Module | None = None) -> dict[str, str]:
    return {row.fqn: row.status for row in plan.resolve(model or Net()).modules}


def _units(plan: Plan, model: nn.Module | None = None) -> list[tuple[str, ...]]:
    return [unit.fqns for unit in plan.resolve(model or Net()).units]


# -- edits ---------------------------------------------------------------------------------------------------------


def test_edits_leave_the_old_plan_alone():
    """Every edit returns a new plan; plans compare by value and cannot be written to."""
    plan = Plan()
    edited = (
        plan.fully_shard("").replicate("head").ignore("layers.0").defaults(strategy="no_shard").mute("x", reason="y")
    )
    assert plan == Plan()
    assert edited == (
        Plan().fully_shard("").replicate("head").ignore("layers.0").defaults(strategy="no_shard").mute("x", reason="y")
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.marks = ()


def test_resolving_leaves_the_model_alone():
    """A layout changes nothing on the model: no attribute, hook or class."""
    model = Net()
    before = {name: set(module.__dict__) for name, module in model.named_modules()}
    Plan().fully_shard("", policy=by_class("Block")).replicate("head").resolve(model)
    assert {name: set(module.__dict__) for name, module in model.named_modules()} == before
    assert type(model) is Net


def test_targets():
    """A pattern makes a unit a match, a list one unit of all, a name one unit."""
    assert _units(Plan().fully_shard("layers.*")) == [("layers.0",), ("layers.1",), ("layers.2",)]
    assert _units(Plan().fully_shard(["head", "layers.1"])) == [("layers.1", "head")]
    assert _units(Plan().fully_shard(["layers.*", "head"])) == [("layers.0", "layers.1", "layers.2", "head")]
    groups = Plan().replicate(["head", "layers.1"]).resolve(Net()).replicate_groups
    assert [group.fqn for group in groups] == ["layers.1", "head"]


def test_exact_name_beats_pattern():
    """In either order of edits the mark by name wins over the one by pattern."""
    by_pattern = Plan().fully_shard("layers.*")
    for plan in (by_pattern.replicate("layers.1"), Plan().replicate("layers.1").fully_shard("layers.*")):
        layout = plan.resolve(Net())
        assert not layout.conflicts
        assert [unit.fqn for unit in layout.units] == ["layers.0", "layers.2"]
        assert [group.fqn for group in layout.replicate_groups] == ["layers.1"]


def test_policy_marks_around_other_marks():
    """Marks by hand inside the subtree of a policy call stay as they are, in whatever order they were made."""
    for plan in (
        Plan().fully_shard("", policy=by_class("Block")).replicate("layers.0").ignore("layers.1"),
        Plan().ignore("layers.1").replicate("layers.0").fully_shard("", policy=by_class("Block")),
    ):
        assert _statuses(plan) == {
            "": "fully_shard",
            "layers": "in_unit",
            "layers.0": "replicate",
            "layers.0.fc1": "replicated",
            "layers.0.fc2": "replicated",
            "layers.1": "ignored",
            "layers.1.fc1": "in_ignored",
            "layers.1.fc2": "in_ignored",
            "layers.2": "fully_shard",
            "layers.2.fc1": "in_unit",
            "layers.2.fc2": "in_unit",
            "head": "in_unit",
        }


# -- clear ---------------------------------------------------------------------------------------------------------


def test_clear_takes_marks_away():
    """Clearing what was marked by the same name leaves no trace."""
    plan = Plan().fully_shard("head").replicate("layers.0").ignore("layers.1")
    assert plan.clear("head") == Plan().replicate("layers.0").ignore("layers.1")
    assert plan.clear(["head", "layers.0", "layers.1"]) == Plan()
    assert Plan().clear("head") == Plan()


def test_clear_reaches_units_made_by_policies_and_patterns():
    """A unit that a policy or a pattern made is cleared by its name; the others stay."""
    assert _units(Plan().fully_shard("", policy=by_class("Block")).clear("layers.1")) == [
        ("",),
        ("layers.0",),
        ("layers.2",),
    ]
    assert _units(Plan().fully_shard("layers.*").clear("layers.1")) == [("layers.0",), ("layers.2",)]
    assert _units(Plan().fully_shard("", policy=by_class("Block")).clear("layers.*")) == [("",)]
    assert _units(Plan().fully_shard("", policy=by_class("Block")).clear("")) == []


def test_clear_one_of_a_list():
    """A member cleared leaves the unit to the others."""
    assert _units(Plan().fully_shard(["layers.0", "head"]).clear("head")) == [("layers.0",)]


def test_clear_of_thousands_of_names_is_as_many_clears_in_one_pass():
    """The same meaning as one clear after another, and no time to speak of for marks and names in thousands."""
    names = [str(k) for k in range(2000)]
    model = nn.Sequential(*(nn.Linear(1, 1, bias=False) for _ in names))
    plan = Plan().fully_shard("").replicate(names)
    began = time.process_time()
    layout = plan.clear(names[10:]).resolve(model)
    assert time.process_time() - began < 5, "a pass over all marks for each name would take many times as long"
    assert [group.fqn for group in layout.replicate_groups] == names[:10]
    one_by_one = plan.clear("1").clear("2").resolve(model)
    assert [row.status for row in plan.clear(["1", "2"]).resolve(model).modules] == [
        row.status for row in one_by_one.modules
    ]


def test_clear_then_mark_again():
    """Later edits are not touched by an earlier clear."""
    plan = Plan().fully_shard("", policy=by_class("Block")).clear("layers.1").fully_shard("layers.1")
    assert ("layers.1",) in _units(plan)
    assert _statuses(Plan().fully_shard("layers.*").clear("**").replicate("head"))["head"] == "replicate"


def test_clear_by_another_name():
    """A shared module may be cleared by a name it was not marked by; so may one inside a wrapper."""
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

    lin = nn.Linear(1, 1)
    assert _units(Plan().fully_shard("0").clear("2"), nn.Sequential(lin, nn.ReLU(), lin)) == []
    wrapped = nn.Sequential(checkpoint_wrapper(lin))
    assert _units(Plan().fully_shard("0").clear("0._checkpoint_wrapped_module"), wrapped) == []


def test_clear_of_ignores():
    """Ignored modules and parameters come back, also those a call named itself."""
    plan = Plan().fully_shard("").ignore("head.bias").ignore("layers.0")
    assert plan.clear("head.bias").clear("layers.0") == Plan().fully_shard("")
    own = Plan().fully_shard("", ignored=["head.bias", "layers.0"])
    assert own.resolve(Net()).params["head.bias"].owner_kind == "ignored"
    cleared = own.clear(["head.bias", "layers.0"]).resolve(Net())
    assert {row.owner_kind for row in cleared.params.values()} == {"unit"}


# -- settings ------------------------------------------------------------------------------------------------------


def test_defaults_and_unit_settings():
    """What a unit says wins over the plan's defaults; later defaults keep what they do not mention."""
    plan = (
        Plan()
        .defaults(strategy="shard_grad_op", mesh_shape=[2, 4])
        .fully_shard("")
        .fully_shard("head", strategy="no_shard")
    )
    assert [unit.strategy for unit in plan.resolve(Net()).units] == ["shard_grad_op", "no_shard"]
    later = plan.defaults(mixed_precision={"param_dtype": "bfloat16"})
    assert later.mesh_shape == (2, 4)
    options = later.resolve(Net()).units[1].annotation.options
    assert options.mixed_precision == Precision(param_dtype=torch.bfloat16)
    assert options.strategy == "no_shard"


@pytest.mark.parametrize(
    "given_as",
    [
        {"param_dtype": "bfloat16", "reduce_dtype": "torch.float32"},
        MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32, cast_forward_inputs=True),
        MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32),
        Precision(torch.bfloat16, torch.float32),
    ],
)
def test_mixed_precision_in_every_form(given_as):
    """Torch's two classes, a mapping and the plain form mean the same."""
    options = dict(Plan().fully_shard("", mixed_precision=given_as).marks[0].options)
    assert (options["mixed_precision"].param_dtype, options["mixed_precision"].reduce_dtype) == (
        torch.bfloat16,
        torch.float32,
    )


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: Plan().fully_shard("", strategy="fast"),
            r"unknown strategy 'fast'; choose one of 'full_shard', 'shard_g",
        ),
        (lambda: Plan().fully_shard("", cpu_offload="yes"), "cpu_offload is True or False, got 'yes'"),
        (
            lambda: Plan().fully_shard("", reshard_after_forward=0),
            "reshard_after_forward is True, False or a number of ranks, got 0",
        ),
        (lambda: Plan().fully_shard("", mixed_precision=3), "mixed_precision takes torch's MixedPrecision .* got int"),
        (lambda: Plan().fully_shard("", mixed_precision={"dtype": "x"}), "mixed_precision has no field 'dtype'"),
        (
            lambda: Plan().fully_shard("", mixed_precision={"param_dtype": "f8"}),
            "param_dtype is 'f8', which is no dtype",
        ),
        (lambda: Plan().fully_shard([]), "an empty list names no module"),
        (lambda: Plan().fully_shard([nn.Linear(1, 1)]), "a plan names modules by text, got Linear"),
        (
            lambda: Plan().fully_shard("a.*", policy=by_size(3)),
            r"a policy marks submodules of one module, but the target",
        ),
        (lambda: Plan().fully_shard(["a", "b"], policy=by_size(3)), "a policy marks submodules of one module"),
        (lambda: Plan().fully_shard("", policy={nn.Linear}), "set is no policy"),
        (
            lambda: Plan().defaults(mesh_shape=(2, 2, 2)),
            r"mesh_shape \(2, 2, 2\) is no mesh: give \(ranks,\), or \(replica",
        ),
        (lambda: Plan().defaults(mesh_shape=(0,)), r"mesh_shape \(0,\) is no mesh"),
        (lambda: Plan().mute("L1", reason=""), "muting 'L1' needs a reason"),
    ],
)
def test_settings_that_cannot_be_read(make, text):
    """Refused at the edit, with what would do."""
    with pytest.raises(PlanError, match=text):
        make()


def test_names_are_checked_on_a_model():
    """A name that the model has not is refused with the near ones, by every verb."""
    for plan in (Plan().fully_shard("layer.0"), Plan().replicate("layer.0"), Plan().ignore("layer.0")):
        with pytest.raises(PlanError, match=r"no module named 'layer\.0' in Net; did you mean 'layers\.0'\?"):
            plan.resolve(Net())
    with pytest.raises(PlanError, match="unknown engine 'warp'; this version knows"):
        Plan().resolve(Net(), engine="warp")


def test_mute():
    """A muted kind of finding is not shown; the reason stays with the plan; muting again replaces it."""
    plan = Plan().fully_shard("layers.0").fully_shard("layers.1")
    assert "no_common_root" in {finding.kind for finding in plan.resolve(Net()).findings}
    muted = plan.mute("no_common_root", reason="a").mute("no_common_root", reason="b")
    assert "no_common_root" not in {finding.kind for finding in muted.resolve(Net()).findings}
    assert muted.muted == (("no_common_root", "b"),)


def test_apply_refuses_conflicts():
    """A layout that cannot run is not applied; the error carries the conflicts and leaves the model as it was."""
    model = Net()
    with pytest.raises(ConflictError, match="layers") as caught:
        Plan().fully_shard("layers").apply(model)
    assert [conflict.kind for conflict in caught.value.conflicts] == ["container"]
    assert not [name for name, module in model.named_modules() if "_sharding_record" in module.__dict__]
