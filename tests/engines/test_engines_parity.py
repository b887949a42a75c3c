"""Loss, gradients and weights equal the unsharded model's, on both engines, with different inputs on every rank."""

from __future__ import annotations

import pytest
import torch
from engine_models import NESTS, Block, Odd, Tied, Twice, TwoBlocks, TwoDtypes
from oracle_run import Case, train_beside
from torch import nn

from sharding import Plan, by_class

TOLERANCE = 2e-6
P = Plan()


@pytest.mark.parametrize("replicate_with", ["fsdp", "ddp"])
@pytest.mark.parametrize("nest", NESTS)
def test_the_six_replicate_nests(ranks, engine, nest, replicate_with):
    """`replicate` in and around `fully_shard`; on torch's engine with each of its two replicates."""
    if engine == "flat" and replicate_with == "ddp":
        pytest.skip("the flat engine has one replicate")
    case = Case(TwoBlocks, NESTS[nest], {"torch": {"replicate_with": replicate_with}})
    for difference in ranks.run(train_beside, case, engine):
        assert difference.worst < TOLERANCE
        assert difference.num_gradients == 5 * 17


def two_alone() -> nn.Module:
    """Two units and nothing above them that has parameters."""
    return nn.Sequential(Block(), Block())


CASES = {
    "policy": Case(TwoBlocks, P.fully_shard("", policy=by_class("Block"))),
    "root alone": Case(TwoBlocks, P.fully_shard("")),
    "units alone": Case(two_alone, P.fully_shard("*")),
    "shard_grad_op": Case(TwoBlocks, P.fully_shard("", policy=by_class("Block"), strategy="shard_grad_op")),
    "kept after forward": Case(TwoBlocks, P.fully_shard("u1", reshard_after_forward=False).fully_shard("")),
    "root freed after forward": Case(TwoBlocks, P.fully_shard("u1").fully_shard("", reshard_after_forward=True)),
    "unit of two": Case(TwoBlocks, P.fully_shard(["u1", "u2"]).fully_shard("")),
    "one unit below another": Case(TwoBlocks, P.fully_shard("u1.seq").fully_shard("u1").fully_shard("")),
    "cpu offload": Case(TwoBlocks, P.fully_shard("u1", cpu_offload=True).fully_shard("", cpu_offload=True)),
    "tied below the root": Case(Tied, P.fully_shard("", policy=by_class("Block"))),
    "tied as one unit": Case(Tied, P.fully_shard(["emb", "head"]).fully_shard("")),
    "frozen, one row, no row, integer": Case(Odd, P.fully_shard("", policy=by_class("Adapted"))),
    "frozen beside trainable, replicated": Case(Odd, P.replicate("first").fully_shard("")),
    "two dtypes apart": Case(TwoDtypes, P.fully_shard("wide").fully_shard("")),
    "twice, without gradient, unused": Case(Twice, P.fully_shard("", policy=by_class("Block"))),
}


@pytest.mark.parametrize("name", CASES)
def test_plans(ranks, engine, name):
    """What a unit holds and runs with changes when things travel, never what is learnt."""
    for difference in ranks.run(train_beside, CASES[name], engine):
        assert difference.worst < TOLERANCE
        assert difference.num_gradients > 0


def test_the_oracle_sees_a_difference(ranks, engine):
    """A parameter that nobody averages is not the unsharded model's: the comparison can fail."""
    case = Case(TwoBlocks, P.fully_shard("").ignore("p"))
    assert max(difference.worst for difference in ranks.run(train_beside, case, engine)) > 1e-3


@pytest.mark.parametrize("shape", [(2, 2), (4, 1), (1, 4)])
def test_two_axes(four_ranks, engine, shape):
    """Hybrid on 4 ranks: copies of pieces, also where one axis has a single rank."""
    plan = P.defaults(mesh_shape=shape, strategy="hybrid_shard").fully_shard("", policy=by_class("Block"))
    for difference in four_ranks.run(train_beside, Case(TwoBlocks, plan), engine):
        assert difference.worst < TOLERANCE
        assert difference.num_gradients == 5 * 17


def test_more_ranks_than_rows(four_ranks, engine):
    """Parameters with one row, or none, on four ranks; replicate beside a mesh of two axes."""
    plan = P.fully_shard("", policy=by_class("Adapted"))
    for difference in four_ranks.run(train_beside, Case(Odd, plan), engine):
        assert difference.worst < TOLERANCE
    hybrid = P.defaults(mesh_shape=(2, 2)).replicate("u1").fully_shard("u2").fully_shard("")
    for difference in four_ranks.run(train_beside, Case(TwoBlocks, hybrid), engine):
        assert difference.worst < TOLERANCE


def test_mixed_precision(ranks, engine):
    """Computing in bfloat16 stays near the unsharded float32 run, and is not it."""
    mixed = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
    plan = P.defaults(mixed_precision=mixed).fully_shard("", policy=by_class("Block"))
    for difference in ranks.run(train_beside, Case(TwoBlocks, plan), engine, 2):
        assert 1e-5 < difference.loss < 0.05
        assert torch.isfinite(torch.tensor(difference.worst))
