"""What the tests of the original design pinned (composable FSDP, PyTorch PR #91044), as named tests of this engine.

Those that need nothing beyond a small model are here; where another file's subject is the same, its tests are named:

| behaviour | here or in |
|---|---|
| construction by policy and by hand alike: names, handle sizes | `test_construction_parity` |
| training parity | `test_training_parity.py::test_two_units_and_a_root` |
| order of unshard and reshard | `test_step_events.py::test_full_shard` |
| nested states share run-time objects | `test_nested_states_share_runtime_objects` |
| meta modules get memory a unit at a time | `test_starting_values.py::test_meta_model_gets_memory_one_unit_at_a_time` |
| rank 0's state everywhere | `test_starting_values.py::test_rank_0s_parameters_and_buffers_overwrite_the_others` |
| mixed precision of one submodule | `test_mixed_precision.py::test_one_submodule_only` |
| full state dict of root, submodule, partly ignored model | `test_full_state_dict_of_a_part` |
| nests of activation checkpointing | `test_checkpoint_nests`, `test_units_at_work.py::test_activation_checkpointing` |
| the six nests of `replicate` | `test_training_parity.py::test_the_six_replicate_nests` |
| hybrid: groups, and numbers of collectives | `test_more_ranks.py::test_hybrid_groups_and_collectives` |
| gathers beside the computation | `test_overlap.py` |
| keys of `fully_sharded_modules_to_params` | `test_looking.py::test_modules_to_params_without_doing_anything` |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import Block, TwoBlocks
from test_step_events import BACKWARD, FORWARD, second_step
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.utils.checkpoint import checkpoint

import sharding
from sharding import FullyShardedDataParallel, by_class, fully_shard, get_handles, get_states, replicate


def by_hand(m: nn.Module) -> None:
    for module in (m.u1, m.u2, m):
        fully_shard(module)


def by_hand_from_the_right(m: nn.Module) -> None:
    for module in (m.u2, m.u1, m):
        fully_shard(module)


def by_policy(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block))


def by_both(m: nn.Module) -> None:
    fully_shard(m.u2)
    fully_shard(m, policy=by_class(Block))


def by_wrapper(m: nn.Module) -> nn.Module:
    return FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))


def by_plan(m: nn.Module) -> None:
    sharding.Plan().fully_shard("").fully_shard("u2").fully_shard("u1").apply(m)


def construction(mark: Callable[[nn.Module], nn.Module | None]) -> list[Any]:
    """Everything there is to see of the handles, and of the names of the model."""
    m = TwoBlocks()
    m = mark(m) or m
    handles = [
        (handle.fqn, handle.param_names, handle.numel, handle.shard_numel, [tuple(s.param.shape) for s in handle.slots])
        for handle in get_handles(m)
    ]
    return [handles, [state.fqn for state in get_states(m)], [name for name, _ in m.named_parameters()]]


def test_construction_parity(ranks):
    """By hand in any order, by policy, both, wrapped, or by a plan whose marks were typed from the outside in."""
    first, second = ranks.run(construction, by_hand)
    block = ("lin.weight", "lin.bias", "seq.0.weight", "seq.0.bias", "seq.2.weight", "seq.2.bias")
    assert [row[:4] for row in first[0]] == [
        ("", ("p", "l.weight", "l.bias"), 55, 28),
        ("u1", block, 90, 45),
        ("u2", block, 90, 45),
    ]
    for mark in (by_hand_from_the_right, by_policy, by_both, by_wrapper, by_plan):
        assert ranks.run(construction, mark) == [first, second]


def shared_objects(mark: Callable[[nn.Module], object]) -> dict[str, bool]:
    m = TwoBlocks()
    mark(m)
    states = [state for state in get_states(m) if state.handle is not None]
    handles = [state.handle for state in states]
    root = states[0]
    alone = TwoBlocks()
    fully_shard(alone)
    return {
        "tree": all(state.tree is root.tree for state in states) and root.tree.states == states,
        "lane": len({id(handle._lane) for handle in handles}) == 1,
        "stage": all(handle.recorder.stage is root.tree.stage for handle in handles),
        "checks": root.tree.order_check is states[-1].tree.order_check,
        "one root": [state.is_root for state in states] == [True, False, False],
        "own ones": get_states(alone)[0].tree is not root.tree,
    }


@pytest.mark.parametrize("mark", [by_hand, by_policy, by_both])
def test_nested_states_share_runtime_objects(ranks, mark):
    """One local tree: the same books, lanes, phase and order for all its units, and another model has its own."""
    for got in ranks.run(shared_objects, mark):
        assert all(got.values()), got


def test_a_local_root_inside_replicate_shares_nothing():
    """It is a tree of its own."""
    m = TwoBlocks()
    fully_shard(m.u1.seq)
    replicate(m.u1)
    fully_shard(m, policy=by_class(Block))
    inner, (root, u2) = get_states(m.u1)[0], get_states(m)
    assert u2.tree is root.tree
    assert inner.tree is not root.tree
    assert inner.is_root


def partly_ignored() -> dict[str, Any]:
    """A model with an ignored module and an ignored parameter, after a step on which the ranks' inputs differ."""
    torch.manual_seed(0)
    m = TwoBlocks()
    before = {name: value.clone() for name, value in m.state_dict().items()}
    left_out = {
        name: (p, p.shape, p.data_ptr()) for name, p in m.named_parameters() if name.startswith(("u2.seq", "p"))
    }
    fully_shard(m.u1)
    fully_shard(m, ignored_modules=[m.u2.seq], ignored_params=[m.p])
    whole, part, beside = m.state_dict(), m.u1.state_dict(), m.u2.seq.state_dict()
    m(inputs(0, dist.get_rank())).square().mean().backward()
    return {
        "root": same(whole, before),
        "part": same({f"u1.{name}": value for name, value in part.items()}, before, "u1."),
        "ignored": same({f"u2.seq.{name}": value for name, value in beside.items()}, before, "u2.seq."),
        "left alone": all(p.shape == shape and p.data_ptr() == at for p, shape, at in left_out.values()),
        "own gradients": {name: p.grad.sum().item() for name, (p, _, _) in left_out.items()},
        "averaged": m.u1.lin.bias.grad.numel(),
    }


def same(state: dict[str, torch.Tensor], whole: dict[str, torch.Tensor], prefix: str = "") -> bool:
    """Equal to the part of an unsharded model's state dict below a prefix: names, order, shapes, values."""
    wanted = {name: value for name, value in whole.items() if name.startswith(prefix)}
    return list(state) == list(wanted) and all(torch.equal(state[name], wanted[name]) for name in wanted)


def test_full_state_dict_of_a_part(ranks):
    """Root, unit and ignored module give unsharded values; what is ignored keeps memory, shape and own gradients."""
    first, second = ranks.run(partly_ignored)
    for got in (first, second):
        assert all(got[key] for key in ("root", "part", "ignored", "left alone")), got
    assert all(first["own gradients"][name] != second["own gradients"][name] for name in ("u2.seq.2.bias", "p"))
    assert first["averaged"] + second["averaged"] == 5


class Nest(nn.Module):
    """`l`, `u1` and `u2`, of which some are computed again in backward."""

    def __init__(self, how: str = "") -> None:
        super().__init__()
        self.l, self.u1, self.u2 = nn.Linear(5, 5), Block(), Block()
        self.how = how

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.l(x)
        if self.how == "one unit":
            x = checkpoint(self.u1, x, use_reentrant=False)
            return self.u2(x) * 1.0
        if self.how == "two units":
            return checkpoint(lambda y: self.u2(self.u1(y)), x, use_reentrant=False) * 1.0
        return self.u2(self.u1(x)) * 1.0


def one_unit() -> nn.Module:
    return Nest("one unit")


def two_units() -> nn.Module:
    return Nest("two units")


def inside(m: nn.Module) -> None:
    m.u1.seq, m.u2.seq = checkpoint_wrapper(m.u1.seq), checkpoint_wrapper(m.u2.seq)
    by_policy(m)


def around_before(m: nn.Module) -> None:
    m.u1, m.u2 = checkpoint_wrapper(m.u1), checkpoint_wrapper(m.u2)
    by_policy(m)


def around_after(m: nn.Module) -> None:
    by_hand(m)
    m.u1, m.u2 = checkpoint_wrapper(m.u1), checkpoint_wrapper(m.u2)


@pytest.mark.parametrize(
    ("build", "mark"),
    [(one_unit, by_policy), (two_units, by_hand), (Nest, inside), (Nest, around_before), (Nest, around_after)],
)
def test_checkpoint_nests(ranks, build, mark):
    """A forward that runs again in backward computes in what is gathered for that backward: no gather, no call more."""
    for got in ranks.run(second_step, mark, build):
        assert (got["forward"], got["backward"]) == (FORWARD, BACKWARD)
        assert got["collectives"] == {"all_gather": 5, "reduce_scatter": 3}
