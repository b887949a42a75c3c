"""Loss, gradients and weights of sharded models equal the unsharded model's, on two ranks with different inputs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from parity import train_beside
from small_models import Adapted, Block, Mixed, Tied, Twice, TwoBlocks
from torch import nn

import sharding
from sharding import FullyShardedDataParallel, by_class, by_name, fully_shard, replicate

TOLERANCE = 2e-6

Mark = Callable[[nn.Module], "nn.Module | None"]


def fm_under_r(m: nn.Module) -> None:
    fully_shard(m.u1)
    replicate(m)


def r_under_fm(m: nn.Module) -> None:
    replicate(m.u1)
    fully_shard(m)


def r_under_fa(m: nn.Module) -> None:
    replicate(m.u1)
    fully_shard(m, policy=by_class(Block))


def r_and_fm_under_fm(m: nn.Module) -> None:
    replicate(m.u1)
    fully_shard(m.u2)
    fully_shard(m)


def r_and_fa_under_fm(m: nn.Module) -> None:
    replicate(m.u1)
    fully_shard(m.u2, policy=by_class(nn.Linear))
    fully_shard(m)


def three_levels(m: nn.Module) -> None:
    fully_shard(m.u1.seq)
    fully_shard(m.u2.seq)
    replicate(m.u1)
    replicate(m.u2)
    fully_shard(m)


NESTS: dict[str, Mark] = {
    "1fm,1r": fm_under_r,
    "1r,1fm": r_under_fm,
    "1r,1fa": r_under_fa,
    "1r1fm,1fm": r_and_fm_under_fm,
    "1r1fa,1fm": r_and_fa_under_fm,
    "1fm1fm,1r1r,1fm": three_levels,
}


@pytest.mark.parametrize("nest", NESTS)
def test_the_six_replicate_nests(ranks, nest):
    """`replicate` in and around `fully_shard`, levels bottom-up: r replicate, f fully_shard, a by policy, m by hand."""
    for difference in ranks.run(train_beside, TwoBlocks, NESTS[nest]):
        assert difference.worst < TOLERANCE
        assert difference.num_gradients == 5 * 15


def by_hand(m: nn.Module) -> None:
    for module in (m.u1, m.u2, m):
        fully_shard(module)


def by_policy(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block))


def by_wrapper(m: nn.Module) -> nn.Module:
    return FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))


def by_wrapping_each(m: nn.Module) -> nn.Module:
    m.u1, m.u2 = FullyShardedDataParallel(m.u1), FullyShardedDataParallel(m.u2)
    return FullyShardedDataParallel(m)


def by_plan(m: nn.Module) -> None:
    sharding.Plan().fully_shard("", policy=by_class("Block")).apply(m)


@pytest.mark.parametrize("mark", [by_hand, by_policy, by_wrapper, by_wrapping_each, by_plan])
def test_two_units_and_a_root(ranks, mark):
    """`u1, u2, root` train alike however they were marked."""
    for difference in ranks.run(train_beside, TwoBlocks, mark):
        assert difference.worst < TOLERANCE
        assert difference.num_gradients == 5 * 15


def shard_grad_op(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), strategy="shard_grad_op")


def no_shard(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), strategy="no_shard")


def prefetching(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(nn.Linear), backward_prefetch="post", forward_prefetch=True)


def not_prefetching(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(nn.Linear), backward_prefetch=None)


def hybrid(m: nn.Module) -> None:
    mesh = torch.distributed.device_mesh.init_device_mesh("cpu", (2, 1))
    fully_shard(m, policy=by_class(Block), strategy="hybrid_shard", mesh=mesh)


def only_units(m: nn.Module) -> None:
    fully_shard(m.u1)
    fully_shard(m.u2)
    replicate(m)


def one_unit_of_two_modules(m: nn.Module) -> None:
    fully_shard([m.u1, m.l])
    fully_shard(m)


@pytest.mark.parametrize(
    "mark", [shard_grad_op, no_shard, prefetching, not_prefetching, hybrid, only_units, one_unit_of_two_modules]
)
def test_strategies_and_settings(ranks, mark):
    """What a unit runs with changes when things travel, never what is learnt."""
    for difference in ranks.run(train_beside, TwoBlocks, mark):
        assert difference.worst < TOLERANCE


def tied_by_policy(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(nn.Embedding, Block))


def replicated(m: nn.Module) -> None:
    replicate(m, bucket_cap_mb=1e-4)


@pytest.mark.parametrize("mark", [tied_by_policy, replicated])
def test_a_weight_shared_by_two_modules(ranks, mark):
    """A tied weight belongs to the lowest unit above all its users and is learnt once."""
    for difference in ranks.run(train_beside, Tied, mark):
        assert difference.worst < TOLERANCE


def mixed_units(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Adapted))


def one_unit(m: nn.Module) -> None:
    fully_shard(m)


@pytest.mark.parametrize("mark", [mixed_units, one_unit, replicated])
def test_dtypes_frozen_parameters_and_tiny_ones(ranks, mark):
    """Two dtypes, frozen and integer parameters, one element and none: one handle, one buffer per kind."""
    for difference in ranks.run(train_beside, Mixed, mark):
        assert difference.worst < TOLERANCE


def all_blocks(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block))


def every_linear(m: nn.Module) -> None:
    fully_shard(m, policy=by_name("**.lin", "**.seq.*"))


@pytest.mark.parametrize("mark", [all_blocks, every_linear, one_unit, replicated])
def test_called_twice_without_gradient_and_not_at_all(ranks, mark):
    """Modules called twice, under `no_grad` and never; what got no gradient has none, and two steps run."""
    for difference in ranks.run(train_beside, Twice, mark):
        assert difference.worst < TOLERANCE


def chain() -> nn.Module:
    return nn.Sequential(*(nn.Sequential(nn.Linear(5, 5), nn.ReLU(inplace=True)) for _ in range(3)), nn.Linear(5, 5))


def every_link(m: nn.Module) -> None:
    for module in (*m, m):
        fully_shard(module)


def test_a_root_whose_output_is_a_childs_output(ranks):
    """A Sequential returns its last child's tensor; in-place activations first and last in a unit do no harm."""
    for difference in ranks.run(train_beside, chain, every_link):
        assert difference.worst < TOLERANCE


def replicate_in_wrapper(m: nn.Module) -> nn.Module:
    replicate(m.u1)
    return FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))


def wrapper_in_replicate(m: nn.Module) -> nn.Module:
    m.u1 = FullyShardedDataParallel(m.u1, auto_wrap_policy=by_class(nn.Linear))
    return replicate(m)


@pytest.mark.parametrize("mark", [replicate_in_wrapper, wrapper_in_replicate])
def test_replicate_and_the_wrapper(ranks, mark):
    """`replicate` goes inside and around the wrapper as it does with `fully_shard`."""
    for difference in ranks.run(train_beside, TwoBlocks, mark):
        assert difference.worst < TOLERANCE
        assert difference.num_gradients == 5 * 15
