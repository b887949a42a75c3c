"""Properties of the arithmetic: nothing is lost, nothing is counted twice, whatever sizes and ranks."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from sharding import Plan, cost
from sharding.buckets import packed
from sharding.strategies import STRATEGIES, shards_and_copies

SIZES = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from([torch.float32, torch.float64, torch.bfloat16]), st.booleans()),
    max_size=6,
)
MESHES = st.one_of(st.tuples(st.integers(1, 9)), st.tuples(st.integers(1, 4), st.integers(1, 5)))


def held(buffer, rank):
    """Bytes a shard rank holds of a buffer."""
    return sum(change for start, change in buffer.held.items() if start <= rank)


class Bag(nn.Module):
    """Units of parameters with these sizes."""

    def __init__(self, units: list[list[tuple[int, torch.dtype, bool]]]) -> None:
        super().__init__()
        for number, sizes in enumerate(units):
            unit = nn.Identity()
            for place, (numel, dtype, trainable) in enumerate(sizes):
                data = torch.empty(numel, dtype=dtype, device="meta")
                unit.register_parameter(f"p{place}", nn.Parameter(data, requires_grad=trainable))
            self.add_module(f"u{number}", unit)


@given(st.lists(SIZES, min_size=1, max_size=4), MESHES, st.sampled_from(STRATEGIES))
def test_ranks_together_hold_everything_once_a_copy(units, mesh_shape, strategy):
    """Without padding the ranks hold the parameters as often as there are copies; states likewise."""
    if strategy.startswith("hybrid") and len(mesh_shape) == 1:
        strategy = "full_shard"
    layout = Plan().fully_shard("u*").fully_shard("").resolve(Bag(units))
    asked = cost(layout, mesh_shape=mesh_shape, strategy=strategy, optimizer="sgd_momentum")
    _, num_copies = shards_and_copies(strategy, mesh_shape)
    nbytes = sum(unit.nbytes for unit in asked.units)
    assert sum(rank.parameters - rank.padding for rank in asked.per_rank) == nbytes * num_copies
    assert sum(unit.padded_nbytes for unit in asked.units) * num_copies == sum(r.parameters for r in asked.per_rank)
    trainable = sum(n * dtype.itemsize for sizes in units for n, dtype, trains in sizes if trains)
    assert sum(rank.states for rank in asked.per_rank) == trainable * num_copies


@given(st.lists(SIZES, min_size=1, max_size=4), MESHES)
def test_shares_of_a_unit_lie_within_its_bounds(units, mesh_shape):
    """Least, most and resting bytes are in order; waste and empty ranks are what they are called."""
    layout = Plan().fully_shard("u*").fully_shard("").resolve(Bag(units))
    for unit in cost(layout, mesh_shape=mesh_shape).units:
        assert 0 <= unit.min_shard_nbytes <= unit.max_shard_nbytes <= unit.shard_nbytes
        assert unit.shard_nbytes * unit.num_shards == unit.padded_nbytes >= unit.nbytes
        empty = [not any(held(b, rank) for b in unit.buffers) for rank in range(unit.num_shards)]
        assert unit.num_empty_ranks == (sum(empty) * unit.num_copies if unit.numel else 0)
        assert unit.max_shard_nbytes == unit.shard_nbytes
    # every row of traffic carries bytes, over more than one rank
    for row in cost(layout, mesh_shape=mesh_shape).collectives:
        assert row.nbytes > 0
        assert row.num_ranks > 1
        assert row.ring_nbytes < 2 * row.nbytes * row.count


@given(st.lists(SIZES, min_size=1, max_size=4), MESHES)
def test_the_peak_is_its_terms_and_not_below_rest(units, mesh_shape):
    """Terms add up, each is above 0, and a step never needs less than what rests with its gradients."""
    layout = Plan().fully_shard("u*").fully_shard("").resolve(Bag(units))
    asked = cost(layout, mesh_shape=mesh_shape)
    peak = asked.peak
    assert peak.nbytes == sum(term.nbytes for term in peak.terms)
    assert all(term.nbytes > 0 for term in peak.terms)
    assert peak.nbytes >= asked.per_rank[0].total
    assert peak.is_estimate


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 20)), max_size=12), st.integers(1, 40))
def test_buckets_hold_every_gradient_once_and_no_more_than_they_may(sizes, cap):
    """One dtype a bucket, last gradients first, full ones only where a single gradient is larger than the cap."""
    buckets = packed(sizes, cap)
    assert sorted(place for bucket in buckets for place in bucket) == list(range(len(sizes)))
    for bucket in buckets:
        assert len({sizes[place][0] for place in bucket}) == 1
        assert bucket == sorted(bucket, reverse=True)
        assert len(bucket) == 1 or sum(sizes[place][1] for place in bucket) <= cap
