"""The printed form, whole: what a person reads of a small plan."""

from __future__ import annotations

from costed_models import Sides
from measured_step import on_meta

from sharding import Plan, cost

TEXT = """\
One training step on 3 ranks. Bytes unless stated.

unit    times  elements  trainable  dtypes            in effect  a rank  whole  largest buffer  waste  empty ranks  after forward
(root)  1      90        90         float32, float64  sharded    160     480    240             0.00%  0            keeps: local root: kept until its backward is over
shard   1      60        60         float32           sharded    80      240    240             0.00%  0            frees: full_shard, not a local root

replicate group  elements  a rank  buckets
copy             60        240     240

collectives     a step  bytes  sent by a rank if it is a ring  under 1 MiB
all_gather      4       960    640                             4
reduce_scatter  3       720    480                             3
all_reduce      1       240    320                             1

between steps, rank  parameters  gradients  adamw: exp_avg  adamw: exp_avg_sq  adamw: step  buffers  buckets  total
0-2                  600         600        600             600                64           0        0        2,464"""  # noqa: E501


def test_the_tables_of_a_small_plan():
    """Units with what is cut and why it is kept, groups with buckets, traffic, ranks that keep the same as one line."""
    plan = Plan().fully_shard("shard").replicate("copy").ignore("skip").fully_shard("")
    text = cost(plan.resolve(on_meta(Sides)), world_size=3).to_text()
    tables, _, peak = text.partition("\n\nPeak of")
    assert tables == TEXT
    head, *terms, assumed, left_out = peak.splitlines()
    assert head.startswith(" parameters, gradients and states (an estimate): ")
    assert sum(int(term.split()[0].replace(",", "")) for term in terms) == int(head.split()[6].replace(",", ""))
    assert assumed.startswith("  assumed: units run in the order they are registered in")
    assert "activations" in left_out
