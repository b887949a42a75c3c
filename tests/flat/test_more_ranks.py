"""What two ranks cannot show: a 2 x 2 mesh, parameters smaller than the world, pieces that are all padding."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from parity import train_beside
from small_models import Block, Mixed, TwoBlocks
from test_step_events import BACKWARD, FORWARD, second_step
from torch import nn
from torch.distributed.device_mesh import init_device_mesh

import sharding
from sharding import by_class, fully_shard, replicate
from sharding.workers import Workers


@pytest.fixture(scope="module")
def four_ranks() -> Iterator[Workers]:
    with Workers(4, backend="gloo", timeout=120) as workers:
        yield workers


def hybrid(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), strategy="hybrid_shard", mesh=init_device_mesh("cpu", (2, 2)))


def hybrid_zero2(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), strategy="hybrid_shard_zero2", mesh=init_device_mesh("cpu", (2, 2)))


def planned_hybrid(m: nn.Module) -> None:
    sharding.Plan().fully_shard("", policy=by_class("Block")).defaults(mesh_shape=(2, 2)).apply(m)


@pytest.mark.parametrize("mark", [hybrid, hybrid_zero2, planned_hybrid])
def test_hybrid_on_a_mesh_of_two_by_two(four_ranks, mark):
    """Cut over axis 1, copied over axis 0, averaged over all four."""
    for difference in four_ranks.run(train_beside, TwoBlocks, mark):
        assert difference.worst < 4e-6


def test_hybrid_events(four_ranks):
    """As full_shard inside the shard axis, and one all-reduce of a piece a unit over the other."""
    for got in four_ranks.run(second_step, hybrid):
        assert (got["forward"], got["backward"]) == (FORWARD, BACKWARD)
        assert got["collectives"] == {"all_gather": 5, "reduce_scatter": 3, "all_reduce": 3}
        assert got["nbytes"]["all_reduce"] * 2 == got["nbytes"]["reduce_scatter"]
    for got in four_ranks.run(second_step, hybrid_zero2):
        assert got["collectives"] == {"all_gather": 3, "reduce_scatter": 3, "all_reduce": 3}


def whole(m: nn.Module) -> None:
    fully_shard(m)


def one_by_one(m: nn.Module) -> None:
    for module in (m.first.down, m.second.up, m.first, m.wide):
        fully_shard(module)
    replicate(m.second)
    fully_shard(m)


@pytest.mark.parametrize("mark", [whole, one_by_one])
def test_parameters_smaller_than_the_world(four_ranks, mark):
    """Some ranks hold a piece of nothing; all train alike."""
    for difference in four_ranks.run(train_beside, Mixed, mark):
        assert difference.worst < 4e-6


def pieces() -> list[tuple[int, ...]]:
    m = nn.Linear(1, 5)
    fully_shard(m)
    torch.optim.AdamW(m.parameters()).step()
    return [tuple(p.shape) for p in m.parameters()]


def test_pieces_on_four_ranks(four_ranks):
    """Ten elements in pieces of three: the last rank holds one and two of padding."""
    assert four_ranks.run(pieces) == [[(3,), (0,)], [(2,), (1,)], [(0,), (3,)], [(0,), (1,)]]
