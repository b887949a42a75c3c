"""`export`: kinds, what each refuses, and JSON that comes back."""

from __future__ import annotations

import json

import pytest
import torch
from exported_models import Block, Decoder, tied, tokens

from sharding import ConflictError, Plan, PlanError, by_class, export
from sharding.builder import model_of
from sharding.exports.json_text import structure_hash
from sharding.traversal import tree_of

PLAN = Plan().fully_shard("", policy=by_class(Block)).replicate("head").ignore("norm").mute("L22", reason="known")
TWICE = Plan().fully_shard("head").fully_shard(["head", "norm"])


def test_json_comes_back_and_says_what_it_was_made_for():
    """The same plan, and the units it made here with their parameters."""
    text = export(PLAN, Decoder, kind="json")
    assert Plan.from_json(text) == Plan.from_json(PLAN.to_json())
    made_for = json.loads(text)["made_for"]
    assert made_for["torch"] == torch.__version__
    assert made_for["model"] == "Decoder"
    assert made_for["units"][0] == {"modules": [""], "api": "fully_shard", "params": ["embed.weight"]}
    assert [unit["modules"] for unit in made_for["units"][1:]] == [[f"layers.{n}"] for n in range(4)] + [["head"]]
    assert made_for["units"][-1]["api"] == "replicate"
    assert made_for["ignored"] == ["norm.weight", "norm.bias"]
    assert made_for["unmanaged"] == []


def test_a_policy_that_is_a_function_becomes_names_in_json():
    """The units are the same."""
    plan = Plan().fully_shard("", policy=lambda module, recurse, nonwrapped_numel: recurse or isinstance(module, Block))
    model = model_of(Decoder, verb="export")
    back = Plan.from_json(export(plan, Decoder, kind="json"))
    assert [unit.fqns for unit in back.resolve(model).units] == [unit.fqns for unit in plan.resolve(model).units]


def test_the_structure_tells_models_apart():
    """Depth, sharing and dtype count; values and devices do not."""
    hashes = [
        structure_hash(tree_of(model))
        for model in (Decoder(2), Decoder(3), tied(), Decoder(2).double(), model_of(lambda: Decoder(2), verb="export"))
    ]
    assert hashes[0] == hashes[-1]
    assert len(set(hashes)) == 4


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"kind": "torchrn"}, r"unknown kind 'torchrn'; did you mean 'torchrun'\?"),
        ({"kind": "yaml"}, "unknown kind 'yaml'; known are 'torch', 'torchrun', 'accelerate', 'json'"),
        ({"kind": "json", "steps": 3}, "the kind 'json' has no setting 'steps'; it has none"),
        ({"kind": "torchrun", "step_size": 3}, "the kind 'torchrun' has no setting 'step_size'; known are engine,"),
        ({"kind": "torchrun"}, "a script needs something to feed the model: example_inputs=x"),
        ({"kind": "torchrun", "example_inputs": tokens, "engine": "fsdp"}, "unknown engine 'fsdp'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(arguments, text):
    """Each kind knows its own."""
    with pytest.raises(PlanError, match=text):
        export(PLAN, Decoder, **arguments)


def test_what_cannot_be_exported_is_refused():
    """No plan, no model, a live model in a script that must build it, a plan in conflict."""
    with pytest.raises(PlanError, match=r"export takes a sharding\.Plan, got str"):
        export("plan", Decoder)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="export takes a module or a function that builds one, got int"):
        export(PLAN, 3)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="a live Decoder cannot be written into it: give the function that builds it"):
        export(PLAN, Decoder(), kind="torchrun", example_inputs=tokens)
    with pytest.raises(PlanError, match="no module named 'nrom' in Decoder; did you mean 'norm'"):
        export(Plan().fully_shard("nrom"), Decoder, kind="json")
    with pytest.raises(ConflictError, match="the plan cannot run on this model"):
        export(
            Plan().fully_shard("head").fully_shard(["head", "norm"]), Decoder, kind="torchrun", example_inputs=tokens
        )
