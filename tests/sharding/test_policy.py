"""Policies: this project's, torch's, and what a user's function may return."""

from __future__ import annotations

import functools

import pytest
import torch
from torch import nn
from torch.distributed.fsdp import ShardingStrategy
from torch.distributed.fsdp.wrap import (
    CustomPolicy,
    ModuleWrapPolicy,
    always_wrap_policy,
    lambda_auto_wrap_policy,
    size_based_auto_wrap_policy,
    transformer_auto_wrap_policy,
)

from sharding.errors import PlanError
from sharding.plan import Plan
from sharding.policy import by_class, by_name, by_size
from sharding.torch_policies import as_policy


class Block(nn.Module):
    def __init__(self, inner: nn.Module | None = None) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.inner = inner

    def forward(self, x):
        return x


class Wide(Block):
    pass


def _model() -> nn.Module:
    return nn.Sequential(Block(), Wide(), nn.Linear(4, 2))


def _units(model: nn.Module, policy) -> list[str]:
    layout = Plan().fully_shard("", policy=policy).resolve(model)
    assert not layout.conflicts
    return [unit.fqn for unit in layout.units[1:]]


def _said(model: nn.Module, policy) -> dict[str, str]:
    layout = Plan().fully_shard("", policy=policy).resolve(model)
    return {finding.message: finding.severity for finding in layout.findings if finding.kind == "policy"}


# -- by_class ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wanted", [Block, "Block"])
def test_by_class_takes_subclasses(wanted):
    """A class and its name mean the same: the class and everything derived from it."""
    assert _units(_model(), by_class(wanted)) == ["0", "1"]
    assert _units(_model(), by_class("Wide")) == ["1"]


def test_by_class_inside_itself_and_at_the_root():
    """A class inside itself makes nested units; the root of that class is a unit once."""
    model = Block(nn.Sequential(Block(Block()), Block()))
    layout = Plan().fully_shard("", policy=by_class("Block")).resolve(model)
    assert [unit.fqn for unit in layout.units] == ["", "inner.0", "inner.0.inner", "inner.1"]
    assert [unit.numel for unit in layout.units] == [20, 20, 20, 20]


def test_by_class_warns_of_absent_names():
    """A name that no module has is a warning with the near one, as long as another name matched."""
    said = _said(_model(), by_class("Block", "bLock", "Vision"))
    assert said == {
        "'': by_class below the root: no module is a bLock (did you mean Block?); no module is a Vision": "warn"
    }


def test_by_class_refuses_when_nothing_matches():
    """Only wrong names: refused, with the near one."""
    with pytest.raises(
        PlanError, match=r"by_class matches nothing below the root: no module is a Blok \(did you mean Bl"
    ):
        _units(_model(), by_class("Blok"))


def test_by_class_of_marked_modules_is_no_error():
    """A name that exists, but only where the policy may not mark, is told and does not raise."""
    plan = Plan().fully_shard("", policy=by_class("Block")).replicate("0").ignore("1")
    layout = plan.resolve(_model())
    assert [unit.fqn for unit in layout.units] == [""]
    text = "'': by_class: every Block here is marked, replicated or ignored already"
    assert [f.message for f in layout.findings if f.kind == "policy"] == [text]


def test_by_class_finds_parametrised_modules():
    """A parametrised Linear has another class; its old one and the old name both find it."""
    model = nn.Sequential(torch.nn.utils.parametrizations.weight_norm(nn.Linear(4, 4)), nn.Linear(4, 2))
    assert _units(model, by_class("Linear")) == _units(model, by_class(nn.Linear)) == ["0", "1"]


def test_by_class_leaves_the_projection_of_attention():
    """The projection is a Linear nobody calls: it stays with its attention module, and the layout says why."""
    holder = Holder(nn.ModuleDict({"mha": nn.MultiheadAttention(4, 2), "ff": nn.Linear(4, 4)}))
    assert _units(holder, by_class(nn.Linear)) == ["parts.ff"]
    (text,) = _said(holder, by_class(nn.Linear))
    assert text.startswith("'parts.mha.out_proj': is left to its parent: nn.MultiheadAttention reads the weight")


class Holder(nn.Module):
    def __init__(self, parts: nn.Module) -> None:
        super().__init__()
        self.parts = parts

    def forward(self, x):
        return x


def test_projection_marked_by_hand_or_function_is_told():
    """Marked all the same, by name or by a function, it gets a finding with the way out."""
    model = Holder(nn.ModuleDict({"mha": nn.MultiheadAttention(4, 2)}))
    for plan in (
        Plan().fully_shard("parts.mha.out_proj"),
        Plan().fully_shard("", policy=lambda module: isinstance(module, nn.Linear)),
    ):
        found = [f for f in plan.resolve(model).findings if f.kind == "never_called"]
        assert [(f.fqns, f.severity, f.advice) for f in found] == [
            (("parts.mha.out_proj",), "warn", "leave it to 'parts.mha'")
        ]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: by_class(), "by_class needs at least one class or class name"),
        (lambda: by_class(nn.Linear(1, 1)), "by_class takes module classes or their names, got Linear; pass the class"),
        (lambda: by_class(int), "by_class takes module classes or their names, got type"),
        (lambda: by_name(), r"by_name takes one or more patterns such as 'layers\.\*'"),
        (lambda: by_name(3), "by_name takes one or more patterns"),
        (lambda: by_size(0), "by_size needs a number of elements, at least 1, got 0"),
        (lambda: by_size(True), "by_size needs a number of elements, at least 1, got True"),
        (lambda: as_policy({nn.Linear}), r"set is no policy; use by_class\('Block'\)"),
        (lambda: as_policy(nn.Linear), "type is no policy"),
        (lambda: as_policy(nn.Linear(1, 1)), "Linear is no policy"),
        (lambda: as_policy("Block"), "str is no policy"),
    ],
)
def test_what_is_no_policy(make, text):
    """Each misuse says what to give instead."""
    with pytest.raises(PlanError, match=text):
        make()


# -- by_name and unions --------------------------------------------------------------------------------------------


def test_by_name_is_relative_to_the_argument():
    """Patterns start at the module the call is given."""
    model = nn.Sequential(nn.Sequential(Block(), Block()), Block())
    layout = Plan().fully_shard("0", policy=by_name("*")).resolve(model)
    assert [unit.fqn for unit in layout.units] == ["0", "0.0", "0.1"]


def test_by_name_that_matches_nothing():
    """A pattern without a match is refused."""
    with pytest.raises(PlanError, match=r"the pattern 'layers\.\*' matches no module in Sequential"):
        _units(_model(), by_name("layers.*"))


def test_union():
    """What any of them marks; unions of unions too; torch's policies join."""
    assert _units(_model(), by_class("Wide") | by_name("0.fc")) == ["0.fc", "1"]
    assert _units(_model(), by_class("Wide") | by_name("0.fc") | ModuleWrapPolicy({nn.Linear})) == [
        "0.fc",
        "1",
        "1.fc",
        "2",
    ]
    assert repr(by_class("Wide") | by_size(3)) == "by_class('Wide') | by_size(3)"


# -- by_size -------------------------------------------------------------------------------------------------------


class Sized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.big, self.small = nn.Linear(10, 10), nn.Linear(2, 2)
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(6)])
        self.seq = nn.Sequential(*[nn.Linear(4, 4) for _ in range(6)])
        self.mha = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        return x


SIZES = {
    20: ["big", *(f"blocks.{i}" for i in range(6)), *(f"seq.{i}" for i in range(6))],
    100: ["big", "seq"],
    110: ["big", "seq"],
    111: ["seq"],
    120: ["seq"],
    121: [],
    288: [],
    289: [],
}


@pytest.mark.parametrize("old_style", [False, True])
@pytest.mark.parametrize("numel", SIZES)
def test_by_size(numel, old_style):
    """Thresholds are inclusive, units below subtracted, containers and attention stay; torch's function agrees."""
    policy = by_size(numel)
    if old_style:
        policy = functools.partial(size_based_auto_wrap_policy, min_num_params=numel)
    assert _units(Sized(), policy) == SIZES[numel]


def test_by_size_says_why():
    """What is large enough and still no unit is told, one finding a reason."""
    assert list(_said(Sized(), by_size(20))) == [
        "'mha': by_size leaves it whole: its projection is read, not called",
        "'seq': by_size leaves it to the unit above: fewer than 20 of its elements lie outside units below it",
        "'blocks': by_size looks into it, but nothing calls a container, so it is no unit",
    ]


def test_by_size_counts_what_the_call_may_take():
    """Elements of inner units, groups and ignored modules and parameters do not count for the modules around them."""
    model = nn.Sequential(nn.Sequential(nn.Linear(10, 10), nn.Linear(2, 2)), nn.Linear(10, 10))
    plan = Plan().fully_shard("", policy=by_size(50))
    assert [u.fqn for u in plan.resolve(model).units] == ["", "0.0", "1"]
    for inner in (plan.fully_shard("0.0"), plan.replicate("0.0"), plan.ignore("0.0")):
        assert "0" not in [u.fqn for u in inner.resolve(model).units]
    assert [u.fqn for u in plan.ignore("1.weight").resolve(model).units] == ["", "0.0"]


# -- torch's own ---------------------------------------------------------------------------------------------------


def test_torch_policies():
    """`ModuleWrapPolicy`, `CustomPolicy` and torch's older functions mean what they mean there."""
    both = ["0", "1"]
    assert _units(_model(), ModuleWrapPolicy({Block})) == both
    assert _units(_model(), CustomPolicy(lambda module: isinstance(module, Block))) == both
    assert _units(_model(), functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})) == both
    assert _units(_model(), functools.partial(lambda_auto_wrap_policy, lambda_fn=lambda m: type(m) is Wide)) == ["1"]
    assert _units(_model(), always_wrap_policy) == ["0", "0.fc", "1", "1.fc", "2"]


def test_custom_policy_settings():
    """Settings a policy returns become the unit's options; unknown ones are refused by name."""

    def settings(module):
        return {"sharding_strategy": ShardingStrategy.SHARD_GRAD_OP} if type(module) is Wide else False

    layout = Plan().fully_shard("", policy=CustomPolicy(settings)).resolve(_model())
    assert [(unit.fqn, unit.strategy) for unit in layout.units] == [("", "full_shard"), ("1", "shard_grad_op")]
    with pytest.raises(
        PlanError, match=r"the policy set 'colour' for '0', which a unit has not; known are sharding_str"
    ):
        _units(_model(), lambda module: {"colour": "red"})
    with pytest.raises(PlanError, match=r"the policy set the strategy 'fast' for '0'; choose one of 'full_shard'"):
        _units(_model(), lambda module: {"sharding_strategy": "fast"})


def test_functions_are_asked_about_what_the_user_wrote():
    """A wrapper of activation checkpointing does not hide the module's class from a policy."""
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

    model = nn.Sequential(checkpoint_wrapper(Block()), nn.Linear(4, 2))
    for policy in (by_class(Block), ModuleWrapPolicy({Block}), lambda module: isinstance(module, Block)):
        assert _units(model, policy) == ["0"]


# -- functions -----------------------------------------------------------------------------------------------------


def _pair() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))


def test_function_of_a_module():
    """True marks, False and an empty dict do not."""
    assert _units(_pair(), lambda module: isinstance(module, nn.Linear)) == ["0", "1"]
    assert _units(_pair(), lambda module: {}) == []


@pytest.mark.parametrize(("value", "shown"), [(None, "None"), (1, "1"), ("yes", "'yes'")])
def test_function_that_returns_something_else(value, shown):
    """The message shows the value and the module it was asked about."""
    with pytest.raises(
        PlanError, match=rf"the policy <lambda> returned {shown} for '0'; return True or False, or a dict"
    ):
        _units(_pair(), lambda module: value)


def test_function_that_raises():
    """The user's own exception comes out, with a note that names the module and that nothing was marked."""
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    with pytest.raises(AttributeError) as caught:
        _units(model, lambda module: module.weight.shape[0] > 2)
    text = "".join(getattr(caught.value, "__notes__", [])) or str(caught.value)
    assert "in the policy <lambda>, asked about '1' (a ReLU); nothing was marked" in text


def test_function_of_the_older_form():
    """`f(module, recurse, nonwrapped_numel)` works as torch calls it: down with True, up with False."""
    assert _units(_pair(), lambda module, recurse, nonwrapped_numel: True) == ["0", "1"]
    asked = []

    def older(module, recurse, nonwrapped_numel):
        asked.append((type(module).__name__, recurse, nonwrapped_numel))
        return recurse and not isinstance(module, nn.Linear)

    assert _units(nn.Sequential(nn.Sequential(nn.Linear(2, 2))), older) == []
    assert asked == [("Sequential", True, 6), ("Linear", True, 6), ("Sequential", False, 6)]
