"""The small interface everything speaks through, driven without traffic: what a handle asks for, and how many bytes."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from sharding import StateError
from sharding.flat.axes import Axes
from sharding.flat.collectives import Collectives, OneRank, RecordingRanks
from sharding.flat.handle import FlatParamHandle, Residence
from sharding.flat.slot import Slot
from sharding.partition import FlatPartition, gathered_nbytes

CPU = torch.device("cpu")


def handle_of(shapes: list[tuple[int, ...]], shard: Collectives, replicate: Collectives) -> FlatParamHandle:
    """A laid out handle over pretended ranks; every element is its place in the flat parameter."""
    module, start = nn.Module(), 0
    slots = []
    for index, shape in enumerate(shapes):
        numel = torch.Size(shape).numel()
        param = nn.Parameter(torch.arange(start, start + numel, dtype=torch.float32).view(shape))
        module.register_parameter(f"p{index}", param)
        slots.append(Slot(f"p{index}", param, ((module, f"p{index}"),), param.shape))
        start += numel
    handle = FlatParamHandle([module], slots, Axes(shard, replicate, shard, shard.rank), CPU, "unit")
    handle.lay_out()
    return handle


SHAPES = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple), min_size=1, max_size=5)


@given(SHAPES, st.integers(2, 5), st.data())
def test_pieces_and_bytes_are_those_of_the_arithmetic(shapes, world_size, data):
    """For every rank: what it rests on, and one all-gather of exactly the predicted bytes."""
    rank = data.draw(st.integers(0, world_size - 1))
    ranks = RecordingRanks(rank, world_size)
    handle = handle_of(shapes, ranks, OneRank())
    numels = [torch.Size(shape).numel() for shape in shapes]
    cut = FlatPartition(tuple(numels), world_size)
    for index, slot in enumerate(handle.slots):
        piece = cut.piece(index, rank)
        start = cut.offsets[index] + piece.param_start
        assert slot.param.tolist() == [float(n) for n in range(start, start + piece.numel)]
    handle.unshard()
    handle.wait()
    nbytes = gathered_nbytes(numels, world_size, 4)
    assert ranks.calls == ([("all_gather", nbytes)] if nbytes else [])
    assert [slot.param.shape for slot in handle.slots] == [torch.Size(shape) for shape in shapes]
    handle.reshard(free=True)
    assert handle.buffers[0].full.untyped_storage().size() == 0


def test_what_a_backward_asks_for_on_two_axes():
    """One reduce-scatter of the whole buffer on the shard axis, one all-reduce of a piece on the other."""
    shard, copies = RecordingRanks(1, 2), RecordingRanks(0, 3)
    handle = handle_of([(3, 3), (2,)], shard, copies)
    handle.unshard()
    handle.wait()
    sum(slot.param.sum() * 6 for slot in handle.slots).backward()
    handle.reshard(free=True)
    assert handle.has_to_reduce()
    handle.reduce()
    handle.finish_reduce()
    for gradients in handle.gradients:
        gradients.give()
    assert shard.calls == [("all_gather", 48), ("reduce_scatter", 48)]
    assert copies.calls == [("all_reduce", 24)]
    assert torch.cat([slot.param.grad for slot in handle.slots]).tolist() == [6.0] * 5


def test_states_of_a_handle():
    """Checked transitions: nothing can be waited for that was not called for."""
    handle = handle_of([(4,)], RecordingRanks(), OneRank())
    with pytest.raises(StateError, match="'unit'"):
        handle.wait()
    handle.unshard()
    assert handle.residence is Residence.GATHERING
    assert handle.slots[0].param.numel() == 2
    handle.reshard(free=True)
    assert handle.residence is Residence.SHARDED
    handle.unshard()
    handle.wait()
    handle.reshard(free=False)
    assert handle.residence is Residence.UNSHARDED
    handle.undo()
    assert handle.slots[0].param.tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("dtype", [torch.int32, torch.bool, torch.float8_e4m3fn, torch.bfloat16, torch.complex64])
def test_any_dtype_is_gathered_as_it_is(dtype, ranks):
    """Bytes travel, so a dtype gloo cannot add up is gathered all the same."""
    for same in ranks.run(gathered, dtype):
        assert same


def gathered(dtype: torch.dtype) -> bool:
    from sharding import fully_shard, unshard

    module = nn.Linear(2, 2)
    values = torch.arange(7).to(dtype)
    module.table = nn.Parameter(values.clone(), requires_grad=False)
    fully_shard(module)
    with unshard(module):
        same = torch.equal(module.table.view(torch.uint8), values.view(torch.uint8))
    module(torch.ones(1, 2)).sum().backward()
    return same and module.table.dtype == dtype and module.table.shape[0] < 7


def complex_training() -> bool:
    from sharding import fully_shard

    torch.manual_seed(0)
    module = nn.Linear(3, 3, dtype=torch.complex64)
    weight = module.weight.detach().clone()
    fully_shard(module)
    x = torch.ones(1, 3, dtype=torch.complex64) * (torch.distributed.get_rank() + 1)
    module(x).abs().square().sum().backward()
    twin = nn.Linear(3, 3, dtype=torch.complex64)
    twin.load_state_dict({"weight": weight, "bias": module.state_dict()["bias"]})
    for rank in range(2):
        (twin(torch.ones(1, 3, dtype=torch.complex64) * (rank + 1)).abs().square().sum() / 2).backward()
    buffer = module.__dict__["_sharding_state"].handle.buffers[0]
    return torch.allclose(module.weight.grad, buffer.piece_of(0, twin.weight.grad), atol=1e-5)


def test_complex_parameters_train(ranks):
    """Complex gradients are averaged like any other."""
    assert ranks.run(complex_training) == [True, True]
