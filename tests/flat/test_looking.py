"""What users see of a sharded model: handles in DFS order, the order they were made in, names, sizes, whole values."""

from __future__ import annotations

import pytest
import torch
import torch.distributed as dist
from small_models import Block, Mixed, Tied, TwoBlocks
from torch import nn

import sharding
from sharding import FullyShardedDataParallel, by_class, fully_shard, replicate


class Leaf(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.ones(2, 3))


class Holder(Leaf):
    def __init__(self) -> None:
        super().__init__()
        self.subsubmod = Leaf()


class Mod(Leaf):
    """The worked tree: `mod: submod1, submod2(subsubmod)`."""

    def __init__(self) -> None:
        super().__init__()
        self.submod1 = Leaf()
        self.submod2 = Holder()


DFS = ["", "submod1", "submod2", "submod2.subsubmod"]
COMPOSABLE = ["submod2.subsubmod", "submod2", "submod1", ""]
WRAPPER = ["submod1", "submod2.subsubmod", "submod2", ""]


def made_in_order(m: nn.Module) -> list[str]:
    return [handle.fqn for handle in sorted(sharding.get_handles(m), key=lambda handle: handle.init_index)]


def test_both_paths_list_alike_and_initialise_in_their_own_order():
    """`get_handles` is DFS order on both paths; handles are made in reverse DFS order, or post-order when wrapped."""
    composable, wrapped = Mod(), Mod()
    fully_shard(composable, policy=by_class(Leaf))
    wrapped = FullyShardedDataParallel(wrapped, auto_wrap_policy=by_class(Leaf))
    for m in (composable, wrapped):
        assert [handle.fqn for handle in sharding.get_handles(m)] == DFS
        assert [state.fqn for state in sharding.get_states(m)] == DFS
        assert [handle.param_names for handle in sharding.get_handles(m)] == [("w",)] * 4
        assert [handle.numel for handle in sharding.get_handles(m)] == [6] * 4
    assert made_in_order(composable) == COMPOSABLE
    assert made_in_order(wrapped) == WRAPPER


def test_the_plan_says_the_same():
    """A layout of the plan gives the orders that then run."""
    m = Mod()
    layout = sharding.Plan().fully_shard("", policy=by_class("Leaf")).resolve(m)
    assert layout.orders["handles"] == DFS
    assert layout.orders["init_composable"] == COMPOSABLE
    assert layout.orders["init_wrapper"] == WRAPPER
    sharding.Plan().fully_shard("", policy=by_class("Leaf")).apply(m)
    assert made_in_order(m) == COMPOSABLE


def test_manual_and_policy_calls_mixed_still_list_in_dfs_order():
    """Handles made by an earlier call take their place among those of a later one."""
    m = Mod()
    fully_shard(m.submod2.subsubmod)
    fully_shard(m, policy=by_class(Leaf))
    assert [handle.fqn for handle in sharding.get_handles(m)] == DFS
    assert made_in_order(m) == COMPOSABLE


def test_names_are_relative_to_what_was_asked():
    """`.fqn` follows the module given to the looking call; states are the same objects."""
    m = Mod()
    fully_shard(m, policy=by_class(Leaf))
    whole = sharding.get_states(m)
    below = sharding.get_states(m.submod2)
    assert [state.fqn for state in below] == ["", "subsubmod"]
    assert below[0] is whole[2]
    assert below[1] is whole[3]
    assert whole[0].is_root
    assert not below[0].is_root


def test_local_roots_and_replicate():
    """A walk does not enter `replicate`; `get_root_states` finds the local roots inside."""
    m = TwoBlocks()
    fully_shard(m.u1.seq)
    replicate(m.u1)
    fully_shard(m, policy=by_class(Block))
    assert [state.fqn for state in sharding.get_states(m)] == ["", "u2"]
    assert [state.fqn for state in sharding.get_root_states(m)] == ["", "u1.seq"]
    assert [state.fqn for state in sharding.get_states(m.u1)] == ["seq"]


def test_clean_names_in_the_wrapper_path():
    """Names, state dict keys, attributes and indexing pass through; inner modules are the user's own."""
    plain = TwoBlocks()
    wrapped = FullyShardedDataParallel(TwoBlocks(), auto_wrap_policy=by_class(Block))
    assert [name for name, _ in wrapped.named_parameters()] == [name for name, _ in plain.named_parameters()]
    assert list(wrapped.state_dict()) == list(plain.state_dict())
    assert list(wrapped.state_dict()._metadata) == list(plain.state_dict()._metadata)
    assert type(wrapped.module) is TwoBlocks
    assert wrapped.u1.lin.in_features == 5
    assert wrapped.u1.seq[0] is wrapped.module.u1.module.seq[0]
    wrapped.load_state_dict(plain.state_dict())
    assert torch.equal(wrapped.p, plain.p)
    chain = FullyShardedDataParallel(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
    assert len(chain) == 2
    assert [type(each) for each in chain] == [nn.Linear, nn.ReLU]


def test_a_unit_without_parameters_has_a_state_and_no_handle():
    """It is listed, it can be a root, and nothing travels for it."""
    m = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
    for module in (m[0], m[1][0], m[1], m):
        fully_shard(module)
    assert [state.fqn for state in sharding.get_states(m)] == ["", "0", "1", "1.0"]
    assert [handle.fqn for handle in sharding.get_handles(m)] == ["0", "1.0"]
    m(torch.randn(3, 2)).sum().backward()
    assert m[0].weight.grad is not None


def test_modules_to_params_without_doing_anything():
    """Keys in DFS order, units without parameters kept, no process group, works on meta."""
    with torch.device("meta"):
        m = nn.Sequential(nn.Sequential(nn.BatchNorm1d(2)), nn.Sequential(nn.ReLU()))
        m.append(nn.Linear(2, 2))
    found = sharding.fully_sharded_modules_to_params(m, policy=by_class(nn.Sequential))
    assert list(found) == [m, m[0], m[1]]
    assert [id(p) for p in found[m][0]] == [id(m[2].weight), id(m[2].bias)]
    assert len(found[m[0]][1]) == 3
    assert found[m[1]] == ([], [])
    assert sharding.applied_apis(m) == ()


def test_modules_to_params_of_a_tied_model():
    """The tied weight is listed with the common unit."""
    m = Tied()
    found = sharding.fully_sharded_modules_to_params(m, policy=by_class(nn.Embedding, nn.Linear))
    assert any(p is m.emb.weight for p in found[m][0])
    assert found[m.emb] == ([], [])


def handles_on_two_ranks() -> dict[str, object]:
    torch.manual_seed(0)
    m = Mixed()
    shapes = {name: tuple(p.shape) for name, p in m.named_parameters()}
    before = {name: (id(p), p.detach().clone()) for name, p in m.named_parameters()}
    fully_shard(m)
    (handle,) = sharding.get_handles(m)
    resting = {name: tuple(p.shape) for name, p in m.named_parameters()}
    with sharding.unshard(m):
        whole = {name: (id(p), p.detach().clone()) for name, p in m.named_parameters()}
    changed = [n for n in before if whole[n][0] != before[n][0] or not torch.equal(whole[n][1], before[n][1])]
    return {
        "names": handle.param_names,
        "buffers": [(str(b.dtype), b.requires_grad, b.partition.numels) for b in handle.buffers],
        "shard_numel": handle.shard_numel,
        "numel": handle.numel,
        "resting": resting,
        "shapes": shapes,
        "changed": changed,
    }


def test_one_buffer_per_dtype_and_requires_grad(ranks):
    """In order of first appearance; pieces are 1-D, possibly empty; whole values come back exactly."""
    first, second = ranks.run(handles_on_two_ranks)
    assert first["buffers"] == [
        ("torch.float32", True, (1, 0, 5, 5, 5, 5)),
        ("torch.int64", False, (3,)),
        ("torch.float32", False, (25, 5, 25, 5)),
        ("torch.float64", True, (25, 5)),
    ]
    assert first["numel"] == 21 + 3 + 60 + 30
    assert first["shard_numel"] == second["shard_numel"] == 11 + 2 + 30 + 15
    assert first["resting"]["one"] == (1,)
    assert second["resting"]["one"] == (0,)
    assert first["resting"]["none"] == second["resting"]["none"] == (0,)
    assert all(len(shape) == 1 for shape in first["resting"].values())
    assert first["changed"] == second["changed"] == []
    assert list(first["shapes"]) == list(first["resting"])


def written_back() -> list[float]:
    m = TwoBlocks()
    fully_shard(m, policy=by_class(Block))
    with sharding.unshard(m), torch.no_grad():
        m.u1.lin.weight.fill_(3.0)
        m.p.fill_(4.0)
    with sharding.unshard(m, writeback=False), torch.no_grad():
        m.p.fill_(9.0)
    with sharding.unshard(m.u1, recurse=False):
        inner = m.u1.lin.weight.mean().item()
        root_rests = m.p.dim() == 1
    with sharding.unshard(m, writeback=False, rank0_only=True):
        shape = m.p.dim()
    with sharding.unshard(m):
        root = m.p.mean().item()
    return [inner, root, float(root_rests), float(shape), float(dist.get_rank())]


def test_unshard_writes_back_unless_told_not_to(ranks):
    """Changes inside the block reach the pieces; `recurse=False` is one unit, `rank0_only` shows one rank."""
    assert ranks.run(written_back) == [[3.0, 4.0, 1.0, 2.0, 0.0], [3.0, 4.0, 1.0, 1.0, 1.0]]


def test_unshard_for_rank_0_cannot_write_back():
    """The two settings contradict each other."""
    with pytest.raises(ValueError, match="writeback=False"), sharding.unshard(nn.Linear(2, 2), rank0_only=True):
        pass
