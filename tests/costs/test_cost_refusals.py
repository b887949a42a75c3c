"""What `cost` refuses: each message says what was found and what would do."""

from __future__ import annotations

import pytest
from torch import nn

from sharding import ConflictError, Plan, PlanError, cost

LAYOUT = Plan().fully_shard("").resolve(nn.Linear(2, 2))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"world_size": 0}, "world_size=0; a job has at least 1 rank"),
        ({"world_size": 2.5}, "world_size=2.5"),
        ({"mesh_shape": (2, 3), "world_size": 8}, r"2 x 3 = 6 ranks, world_size=8; .* multiplies out to 8"),
        ({"mesh_shape": (2, 0)}, r"mesh_shape=\(2, 0\) is no mesh: give \(ranks,\), or \(replicate, shard\)"),
        ({"mesh_shape": (2, 2, 2)}, "is no mesh"),
        ({"mesh_shape": 4}, r"mesh_shape=4 is no mesh: give \(ranks,\)"),
        ({"strategy": "hybrid_shard"}, r"on 2 ranks without a mesh of two axes; give mesh_shape=\(replicate, shard\)"),
        ({"strategy": "zero3"}, "strategy='zero3'; known are 'full_shard'"),
        ({"optimizer": "lion"}, "optimizer='lion'; known by name are 'adamw'"),
        ({"optimizer": None}, "optimizer=NoneType; known by name are"),
        ({"engine": "torch"}, r"states the facts of 'flat'; plan.resolve\(model, engine='torch'\) states those"),
        ({"engine": "fsdp"}, "engine='fsdp'; known are 'flat', 'torch'"),
        ({"world_size": True}, "world_size=True; a job has at least 1 rank"),
        ({"accumulation_steps": 0}, "accumulation_steps=0; a step has at least 1 forward and backward"),
        ({"calls": {"head": 2}}, "calls names 'head', which is no unit of this layout; its units are ''"),
        ({"trace": 3}, "trace is a Trace, got int"),
        ({"rates": 1e12}, "rates is a Rates, got float"),
        ({"after": "before"}, "after is a Cost, got str"),
        ({"bucket_cap_mb": 0}, "bucket_cap_mb=0; give MiB, more than 0"),
        ({"replicate_with": "fsdp1"}, "replicate_with='fsdp1'; known are 'fsdp' and 'ddp'"),
        ({"calls": {"": -1}}, r"calls\[''\]=-1; give how often a forward calls it, 0 or more"),
        ({"mixed_precision": {"param": "bfloat16"}}, "mixed_precision has no field 'param'"),
    ],
    ids=str,
)
def test_bad_input_is_refused(asked, message):
    """World size, mesh, strategy, optimizer, engine, precision."""
    with pytest.raises(PlanError, match=message):
        cost(LAYOUT, **asked)


def test_what_is_no_layout_is_refused():
    """A model or a plan in place of a layout: the message says how to get one."""
    with pytest.raises(PlanError, match=r"cost takes a Layout, got Plan; .*plan\.resolve\(model\)"):
        cost(Plan())  # pyright: ignore[reportArgumentType]


def test_a_layout_with_conflicts_is_refused():
    """What cannot run costs nothing; the conflict and its fix are in the message."""
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    model[1].weight = model[0].weight
    layout = Plan().fully_shard("0").fully_shard("1").fully_shard("").resolve(model)
    with pytest.raises(ConflictError, match="the layout has 1 conflict, so it cannot run") as caught:
        cost(layout)
    assert caught.value.conflicts == layout.conflicts
    assert layout.conflicts[0].fix in str(caught.value)


def test_a_strategy_the_engine_lacks_is_refused():
    """Torch's fully_shard has no no_shard; what would do is said."""
    layout = Plan().fully_shard("").resolve(nn.Linear(2, 2), engine="torch")
    with pytest.raises(PlanError, match=r"torch's fully_shard does not have; mark what is to stay whole with"):
        cost(layout, strategy="no_shard")
