"""Plans written down: JSON, code, and policies as the names they chose."""

from __future__ import annotations

import contextlib
import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ALL_DTYPES, NAMES
from torch import nn
from torch.distributed.fsdp import MixedPrecision, ShardingStrategy
from torch.distributed.fsdp.wrap import CustomPolicy

import sharding.policy
from sharding import Plan, PlanError, by_class, by_name, by_size
from sharding.annotations import Annotation, UnitOptions, register
from sharding.layout import Layout
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


def _units(plan: Plan, model: nn.Module | None = None) -> list[tuple[str, ...]]:
    return [unit.fqns for unit in plan.resolve(model or Net()).units]


def _meaning(layout: Layout) -> list:
    return [
        [(row.fqn, row.status, row.unit) for row in layout.modules],
        [(name, row.owner_kind, row.unit) for name, row in layout.params.items()],
        [(unit.fqns, unit.param_names, unit.annotation.options) for unit in layout.units],
        [(conflict.kind, conflict.fqns) for conflict in layout.conflicts],
    ]


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans of every verb and setting, on names of no model in particular."""
    plan = Plan()
    if draw(st.booleans()):
        plan = plan.defaults(
            strategy=draw(st.sampled_from([None, "no_shard", "hybrid_shard"])),
            mesh_shape=draw(st.sampled_from([None, (4,), (2, 4)])),
            mixed_precision=draw(st.sampled_from([None, {"param_dtype": draw(st.sampled_from(ALL_DTYPES))}])),
        )
    for _ in range(draw(st.integers(0, 4))):
        plan = draw(_edits(plan))
    if draw(st.booleans()):
        plan = plan.mute(draw(st.sampled_from(["a", "b'"])), reason=draw(st.sampled_from(["slow", 'it\'s "so"\n'])))
    return plan


@st.composite
def _edits(draw: st.DrawFn, plan: Plan) -> Plan:
    target = draw(st.one_of(NAMES, st.lists(NAMES, min_size=1, max_size=3)))
    verb = draw(st.sampled_from(["fully_shard", "fully_shard", "replicate", "ignore", "clear"]))
    if verb == "replicate":
        return plan.replicate(
            target,
            ignored=draw(st.lists(NAMES, max_size=2)),
            mixed_precision=draw(st.sampled_from([None, {"param_dtype": "bfloat16"}])),
            bucket_cap_mb=draw(st.sampled_from([None, 1, 0.5])),
        )
    if verb != "fully_shard":
        return getattr(plan, verb)(target)
    policies = [None, by_class("Block", "Linear"), by_name("a.*", "it's"), by_size(100), by_class("A") | by_size(2)]
    alone = isinstance(target, str) and not any(char in target for char in "*?[")
    return plan.fully_shard(
        target,
        policy=draw(st.sampled_from(policies)) if alone else None,
        ignored=draw(st.lists(NAMES, max_size=2)),
        strategy=draw(st.sampled_from([None, "full_shard", "shard_grad_op"])),
        reshard_after_forward=draw(st.sampled_from([None, True, False])),
        cpu_offload=draw(st.sampled_from([None, True])),
        mixed_precision=draw(st.sampled_from([None, {"reduce_dtype": "float32", "cast_forward_inputs": False}])),
    )


@given(plans())
def test_json_round_trip(plan):
    """What was written is read back equal."""
    assert Plan.from_json(plan.to_json()) == plan


@given(plans())
def test_code_makes_the_plan_again(plan):
    """The line of code evaluates to an equal plan."""
    scope = {"Plan": Plan, "by_class": by_class, "by_name": by_name, "by_size": by_size}
    assert eval(plan.code(), scope) == plan


def test_code_text():
    """The line is what a person would type."""
    plan = Plan().fully_shard("", policy=by_class(Block)).replicate("c").fully_shard(["a", "b"], strategy="no_shard")
    assert plan.code() == (
        "Plan().fully_shard('', policy=by_class('Block')).replicate('c').fully_shard(['a', 'b'], strategy='no_shard')"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "this is no JSON"),
        ("[]", "this JSON is no plan: it needs an object with 'version' and 'marks'"),
        ('{"version": 2, "marks": []}', "plan version 2 is unknown; this code reads version 1"),
        ('{"marks": []}', "plan version None is unknown"),
        ('{"version": 1, "marks": [{"verb": "shard", "names": ["a"]}]}', "unknown verb 'shard' in a plan; known are"),
        ('{"version": 1, "marks": [{"verb": "clear", "names": [3]}]}', "the names of a mark are a list of text"),
        ('{"version": 1, "marks": [{"verb": "clear", "names": "abc"}]}', "the names of a mark are a list of text"),
        ('{"version": 1, "marks": [{"verb": "clear"}]}', "this plan is damaged: KeyError 'names'"),
        ('{"version": 1, "marks": 5}', "this plan is damaged: TypeError"),
        ('{"version": 1, "marks": [], "mesh_shape": 3}', "this plan is damaged: TypeError"),
        ('{"version": 1, "marks": [], "muted": [["a"]]}', "this plan is damaged: ValueError"),
        (
            '{"version": 1, "marks": [], "defaults": {"colour": 1}}',
            "a unit has no setting 'colour'; known are strategy",
        ),
        (
            '{"version": 1, "marks": [{"verb": "replicate", "names": [""], "options": {"strategy": "no_shard"}}]}',
            "a replicate group has no setting 'strategy'; known are mixed_precision, bucket_cap_mb",
        ),
        (
            '{"version": 1, "marks": [{"verb": "replicate", "names": [""], "options": {"bucket_cap_mb": 0}}]}',
            "bucket_cap_mb=0; give MiB",
        ),
        (
            '{"version": 1, "marks": [{"verb": "fully_shard", "names": [""], "policy": {"by_luck": 1}}]}',
            "unknown policy",
        ),
    ],
)
def test_json_that_is_no_plan(text, says):
    """Refused with what is wrong, never half read."""
    with pytest.raises(PlanError, match=says):
        Plan.from_json(text)


@settings(max_examples=60)
@given(plans(), st.data())
def test_damaged_json_is_refused_or_read(plan, data):
    """A plan with one value replaced either reads as a plan or is refused in the family; nothing else is raised."""
    tree = json.loads(plan.to_json())
    holder = tree
    while isinstance(holder, (dict, list)) and holder:
        key = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
        if not isinstance(holder[key], (dict, list)) or not holder[key] or data.draw(st.booleans()):
            holder[key] = data.draw(st.sampled_from([None, 3, "x", [], {}, [[]], ["a"], {"a": 1}, True]))
            break
        holder = holder[key]
    with contextlib.suppress(PlanError):
        Plan.from_json(json.dumps(tree)).to_json()


def test_functions_have_no_text():
    """A plan with a function says what to use instead; expanded it can be saved."""
    plan = Plan().fully_shard("", policy=lambda module: isinstance(module, Block))
    with pytest.raises(PlanError, match=r"the policy <lambda> is a function and has no text to save; use by_class"):
        plan.to_json()
    written = plan.expanded(Net())
    again = Plan.from_json(written.to_json())
    assert again == written
    assert _meaning(again.resolve(Net())) == _meaning(plan.resolve(Net()))


def test_expanded_keeps_settings_of_a_policy():
    """What a policy said of single units is written down with them, in JSON and in code."""

    def settings_for(module):
        if not isinstance(module, Block):
            return False
        precision = MixedPrecision(param_dtype=torch.bfloat16)
        return {"sharding_strategy": ShardingStrategy.NO_SHARD, "mixed_precision": precision}

    plan = Plan().fully_shard("", policy=CustomPolicy(settings_for))
    written = plan.expanded(Net())
    meaning = _meaning(plan.resolve(Net()))
    assert _meaning(Plan.from_json(written.to_json()).resolve(Net())) == meaning
    scope = {**vars(sharding.policy), "Plan": Plan, "Precision": Precision, "torch": torch}
    assert _meaning(eval(written.code(), scope).resolve(Net())) == meaning


@pytest.mark.parametrize(
    "plan",
    [
        Plan().fully_shard("", policy=by_class("Block")),
        Plan().fully_shard("", policy=by_class("Block")).clear("layers.1"),
        Plan().replicate("layers.*").fully_shard("", policy=by_name("layers.*.fc1")).clear("layers.0"),
        Plan().fully_shard("", policy=by_size(1000)),
        Plan().fully_shard("layers.0", policy=by_class("Linear")).fully_shard("", policy=by_class("Block")),
    ],
)
def test_expanded_means_the_same(plan):
    """A plan with its policies written out as names resolves to the same layout, as code too."""
    written = plan.expanded(Net())
    assert _meaning(written.resolve(Net())) == _meaning(plan.resolve(Net()))
    again = eval(written.code(), {"Plan": Plan, "by_name": by_name})
    assert _meaning(again.resolve(Net())) == _meaning(plan.resolve(Net()))


def test_expanded_below_a_shared_module():
    """Names are relative to the argument also where a submodule was listed elsewhere first."""

    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            shared = Block()
            self.first, self.second = nn.ModuleList([shared]), nn.Sequential(nn.Sequential(shared))

        def forward(self, x):
            return x

    plan = Plan().fully_shard("").fully_shard("second", policy=by_class("Block"))
    written = plan.expanded(Two())
    assert [name for name, _ in written.marks[1].policy.units] == ["0.0"]
    assert _meaning(written.resolve(Two())) == _meaning(plan.resolve(Two()))


def test_from_policy():
    """The plan of one policy call; a policy without text is written out."""
    assert Plan.from_policy(Net(), by_class("Block")) == Plan().fully_shard("", policy=by_class("Block"))
    plan = Plan.from_policy(Net(), lambda module: isinstance(module, Block))
    assert _units(plan) == [("",), ("layers.0",), ("layers.1",), ("layers.2",)]
    assert Plan.from_json(plan.to_json()) == plan


def test_from_model():
    """What is registered on a live model reads back as a plan that means the same."""
    model = Net()
    blocks = list(model.layers)
    outer = Annotation(
        "fully_shard",
        (model,),
        ignored_params=(model.head.bias,),
        policy=by_class("Block"),
        options=UnitOptions("no_shard"),
    )
    made = [Annotation("fully_shard", (block,), "policy", outer, options=outer.options) for block in blocks[1:]]
    for annotation in (Annotation("replicate", (blocks[0],)), outer, *made):
        register(annotation)
    plan = Plan.from_model(model)
    again = Plan.from_json(plan.to_json()).resolve(Net())
    assert [unit.fqns for unit in again.units] == [("",), ("layers.1",), ("layers.2",)]
    assert {unit.strategy for unit in again.units} == {"no_shard"}
    assert [group.fqn for group in again.replicate_groups] == ["layers.0"]
    assert again.params["head.bias"].owner_kind == "ignored"
