"""Predicted costs beside real gloo ranks: 0 bytes and 0 collectives apart, for every unit, phase and rank."""

from __future__ import annotations

import pytest
from costed_models import WIDTH, Chain, Patchwork, Sides, Tied
from measured_step import Case, on_meta, see_all
from random_plans import random_cases
from torch import nn

from sharding import Plan, Workers, by_class, cost

CELLS = Plan().fully_shard("", policy=by_class("Cell"))
BF16 = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
HALF = {"param_dtype": "bfloat16", "buffer_dtype": "bfloat16"}
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
]
ODD = [
    *random_cases(Chain, ["cells.0.seq", "cells.0", "cells.1.lin", "cells.1", "cells.2", ""], seed=1, count=20),
    *random_cases(Sides, ["shard", "copy.lin", "copy", "skip", "nest.seq", "nest", ""], seed=2, count=20),
]
HYBRIDS = [
    Case("full_shard on a mesh", Chain, CELLS),
    Case("hybrid", Chain, CELLS.defaults(strategy="hybrid_shard")),
    Case("hybrid_zero2", Chain, CELLS.defaults(strategy="hybrid_shard_zero2", mixed_precision=BF16)),
    Case("no_shard on a mesh", Chain, CELLS.defaults(strategy="no_shard")),
    Case("patchwork on a mesh", Patchwork, Plan().fully_shard("")),
    Case("sides on a mesh", Sides, SIDES.fully_shard("")),
]


def on_mesh(shape: tuple[int, int]) -> list[Case]:
    return [
        Case(f"{case.name} {shape}", case.build, case.plan.defaults(mesh_shape=shape), case.optimizer)
        for case in HYBRIDS
    ]


RUNS = [(1, CASES), (2, CASES + on_mesh((2, 1)) + on_mesh((1, 2))), (3, CASES + ODD), (4, CASES + on_mesh((2, 2)))]


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
        if seen.measured[part] != said[part]
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
