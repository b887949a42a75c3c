"""Predicted costs beside real gloo ranks: 0 bytes and 0 collectives apart, for every unit, phase and rank."""

from __future__ import annotations

from dataclasses import replace

import pytest
from costed_models import WIDTH, Chain, Checkpointed, Frozen, Looped, Patchwork, Sides, Tied
from measured_step import Case, on_meta, see_all
from random_plans import random_cases
from torch import nn

from sharding import Plan, Workers, by_class, cost

CELLS = Plan().fully_shard("", policy=by_class("Cell"))
BF16 = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
HALF = {"param_dtype": "bfloat16", "buffer_dtype": "bfloat16"}
KEPT = Plan().fully_shard("cell", strategy="shard_grad_op")
SIDES = Plan().fully_shard("nest.seq").fully_shard("shard").replicate("copy").replicate("nest").ignore("skip")

CASES = [
    Case("full shard", Chain, CELLS),
    Case("shard_grad_op", Chain, CELLS.defaults(strategy="shard_grad_op"), "sgd_momentum"),
    Case("no_shard", Chain, CELLS.defaults(strategy="no_shard"), "adagrad"),
    Case("root only", Chain, Plan().fully_shard(""), "sgd"),
    Case("no common root", Chain, Plan().fully_shard("cells.*"), "rmsprop"),
    Case("nested", Chain, CELLS.fully_shard("cells.*.seq"), "adam"),
    Case("several strategies", Chain, CELLS.fully_shard("cells.1", strategy="shard_grad_op")),
    Case("kept by hand", Chain, CELLS.fully_shard("cells.0", reshard_after_forward=False)),
    Case("root freed by hand", Chain, Plan().fully_shard("cells.1").fully_shard("", reshard_after_forward=True)),
    Case("one unit of two modules", Chain, Plan().fully_shard(["cells.0", "cells.2"]).fully_shard("")),
    Case("cast", Chain, CELLS.defaults(mixed_precision=BF16)),
    Case("cast and reduced low", Chain, CELLS.defaults(mixed_precision={"param_dtype": "bfloat16"})),
    Case("cast, not sharded", Chain, CELLS.defaults(mixed_precision=BF16, strategy="no_shard")),
    Case("offloaded", Chain, CELLS.fully_shard("cells.1", cpu_offload=True)),
    Case("tied", Tied, Plan().fully_shard("cell").fully_shard("")),
    Case("tied by policy", Tied, Plan().fully_shard("", policy=by_class("Linear"))),
    Case("patchwork", Patchwork, Plan().fully_shard("")),
    Case("patchwork with frozen units", Patchwork, Plan().fully_shard("mid").fully_shard("norm").fully_shard("")),
    Case("patchwork cast", Patchwork, Plan().fully_shard("").defaults(mixed_precision=HALF)),
    Case("sides", Sides, SIDES.fully_shard("")),
    Case("sides, half of it unmanaged", Sides, SIDES),
    Case("replicated", Sides, Plan().replicate("").defaults(mixed_precision=BF16), "sgd"),
    Case("replicated in small buckets", Sides, Plan().replicate(""), "adamw", bucket_cap_mb=0.0002),
    Case("nothing marked", Chain, Plan()),
    Case("accumulated", Chain, CELLS, accumulation_steps=4),
    Case("accumulated beside groups", Sides, SIDES.fully_shard(""), accumulation_steps=2),
    Case("called three times", Looped, Plan().fully_shard("cell").fully_shard(""), calls={"cell": 3}),
    Case("called again, kept", Looped, KEPT.fully_shard(""), calls={"cell": 3}),
    Case("called again, a local root", Looped, KEPT, calls={"cell": 3}),
    Case("checkpointed", Checkpointed, CELLS),
    Case("checkpointed around units", Checkpointed, CELLS.fully_shard("cells.*.lin").fully_shard("cells.*.seq")),
]
ON_BOTH = (
    "full shard", "shard_grad_op", "root only", "no common root", "nested", "several strategies", "kept by hand",
    "root freed by hand", "one unit of two modules", "cast", "cast and reduced low", "offloaded", "tied",
    "nothing marked", "accumulated", "called three times", "called again, kept", "called again, a local root",
    "checkpointed", "checkpointed around units",
)  # fmt: skip
ODD = [
    *random_cases(Chain, ["cells.0.seq", "cells.0", "cells.1.lin", "cells.1", "cells.2", ""], seed=1, count=20),
    *random_cases(Sides, ["shard", "copy.lin", "copy", "skip", "nest.seq", "nest", ""], seed=2, count=20),
]
TORCH = [
    *(replace(case, engine="torch") for case in CASES if case.name in ON_BOTH),
    Case("torch, frozen beside trainable", Frozen, Plan().fully_shard("mid").fully_shard(""), engine="torch"),
    Case("torch, cast", Frozen, Plan().fully_shard("").defaults(mixed_precision=BF16), engine="torch"),
    Case("torch, sides", Sides, SIDES.fully_shard("wide").fully_shard(""), engine="torch"),
    Case("torch, replicated", Chain, Plan().replicate(""), "sgd", engine="torch"),
    Case("torch, DDP", Chain, Plan().replicate(""), "adamw", engine="torch", settings={"replicate_with": "ddp"}),
    Case(
        "torch, DDP in small buckets",
        Chain,
        Plan().replicate(""),
        bucket_cap_mb=0.0002,
        engine="torch",
        settings={"replicate_with": "ddp"},
    ),
]
TORCH_ON_4 = Case("torch, kept as halves", Chain, CELLS.fully_shard("cells.*", reshard_after_forward=2), engine="torch")
HYBRIDS = [
    Case("full_shard on a mesh", Chain, CELLS),
    Case("hybrid", Chain, CELLS.defaults(strategy="hybrid_shard")),
    Case("hybrid_zero2", Chain, CELLS.defaults(strategy="hybrid_shard_zero2", mixed_precision=BF16)),
    Case("no_shard on a mesh", Chain, CELLS.defaults(strategy="no_shard")),
    Case("patchwork on a mesh", Patchwork, Plan().fully_shard("")),
    Case("sides on a mesh", Sides, SIDES.fully_shard("")),
    Case("torch on a mesh", Chain, CELLS, engine="torch"),
    Case(
        "torch, hybrid_zero2",
        Chain,
        CELLS.defaults(strategy="hybrid_shard_zero2", mixed_precision=BF16),
        engine="torch",
    ),
    Case("torch, sides on a mesh", Sides, SIDES.fully_shard("wide").fully_shard(""), engine="torch"),
]


def on_mesh(shape: tuple[int, int]) -> list[Case]:
    return [replace(case, name=f"{case.name} {shape}", plan=case.plan.defaults(mesh_shape=shape)) for case in HYBRIDS]


RUNS = [
    (1, CASES + TORCH),
    (2, CASES + TORCH + on_mesh((2, 1)) + on_mesh((1, 2))),
    (3, CASES + TORCH + ODD),
    (4, CASES + TORCH + [TORCH_ON_4] + on_mesh((2, 2))),
]


@pytest.mark.parametrize(("nprocs", "cases"), RUNS, ids=lambda value: str(value) if isinstance(value, int) else "")
def test_what_is_predicted_is_what_runs(nprocs, cases):
    """Collectives by unit, phase and bytes; bytes of parameters, gradients, states, buffers and buckets."""
    with Workers(nprocs, backend="gloo", timeout=60) as workers:
        by_rank = workers.run(see_all, cases)
    apart = [
        f"{case.name}, rank {rank} of {nprocs}: {part} {seen.measured[part]}, predicted {said[part]}"
        for rank, all_seen in enumerate(by_rank)
        for case, seen in zip(cases, all_seen, strict=True)
        for said in (seen.predicted, seen.predicted_live)
        for part in seen.measured
        if seen.measured[part] is not None and seen.measured[part] != said[part]
    ]
    assert not apart, "\n".join(apart)


class FrozenFirst(nn.Module):
    """No gradient goes through the first layer, one goes through the last; both are frozen."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
        self.mid = nn.Linear(WIDTH, WIDTH)
        self.last = nn.Linear(WIDTH, WIDTH).requires_grad_(False)

    def forward(self, x):
        return self.last(self.mid(self.first(x)))


def test_only_rows_marked_uncertain_may_be_missing():
    """Both frozen units' second gatherings are marked; the one no gradient goes through does not happen."""
    case = Case("frozen first", FrozenFirst, Plan().fully_shard("", policy=by_class("Linear")))
    rows = cost(case.plan.resolve(on_meta(FrozenFirst))).collectives
    assert [row.unit for row in rows if not row.is_certain] == ["first", "last"]
    with Workers(2, backend="gloo", timeout=60) as workers:
        for (seen,) in workers.run(see_all, [case]):
            missing = set(seen.predicted["collectives"]) - set(seen.measured["collectives"])
            assert missing == {("all_gather", "first", "backward", 120)}
            assert seen.measured["collectives"].items() <= seen.predicted["collectives"].items()
