"""What two ranks cannot show: a 2 x 2 mesh, parameters smaller than the world, pieces that are all padding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import train_beside
from small_models import Block, Mixed, TwoBlocks
from test_step_events import BACKWARD, FORWARD, second_step
from torch import nn
from torch.distributed.device_mesh import init_device_mesh

import sharding
from sharding import by_class, fully_shard, replicate
from sharding.flat.collectives import ProcessGroupRanks
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


def five_blocks() -> nn.Module:
    return nn.Sequential(*(Block() for _ in range(5)))


def all_hybrid(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), strategy="hybrid_shard", mesh=init_device_mesh("cpu", (2, 2)))


def one_cut_over_all(m: nn.Module) -> None:
    """A sixth unit, inside the last block, is cut over all four ranks."""
    fully_shard(m[4].seq)
    all_hybrid(m)


def hybrid_step(mark: Callable[[nn.Module], None]) -> dict[str, Any]:
    model = five_blocks()
    mark(model)
    seen = second_step(mark, five_blocks)
    groups = [
        tuple(
            tuple(dist.get_process_group_ranks(axis.group)) if isinstance(axis, ProcessGroupRanks) else ()
            for axis in (handle.axes.shard, handle.axes.replicate)
        )
        for handle in sharding.get_handles(model)
    ]
    return {"groups": groups, **seen["collectives"]}


def test_hybrid_groups_and_collectives(four_ranks):
    """All units share the mesh's groups: 5 reduce-scatters and 5 all-reduces. One cut over all: 6 and 5."""
    for rank, got in enumerate(four_ranks.run(hybrid_step, all_hybrid)):
        cut, copied = ((0, 1), (2, 3))[rank // 2], ((0, 2), (1, 3))[rank % 2]
        assert got == {"groups": [(cut, copied)] * 5, "all_gather": 10, "reduce_scatter": 5, "all_reduce": 5}
    for rank, got in enumerate(four_ranks.run(hybrid_step, one_cut_over_all)):
        cut, copied = ((0, 1), (2, 3))[rank // 2], ((0, 2), (1, 3))[rank % 2]
        groups = [(cut, copied)] * 5 + [((0, 1, 2, 3), ())]
        assert got == {"groups": groups, "all_gather": 12, "reduce_scatter": 6, "all_reduce": 5}


def test_units_cut_over_different_ranks_train_alike(four_ranks):
    """Pieces of a half and of a quarter in one local tree."""
    for difference in four_ranks.run(train_beside, five_blocks, one_cut_over_all):
        assert difference.worst < 4e-6


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
