"""How a unit lies in its flat parameter, and what travels for it: order, buffers, axes of one rank."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import WIDTH, Mixed, TwoBlocks
from test_step_events import second_step
from torch import nn
from torch.distributed.device_mesh import init_device_mesh

import sharding
from sharding import fully_shard, get_handles, record_events


class Late(nn.Module):
    """Registers a parameter after its child and before another."""

    def __init__(self) -> None:
        super().__init__()
        self.child = nn.Linear(2, 3)
        self.b = nn.Parameter(torch.full((4,), 1.0))
        self.other = nn.Linear(3, 2, bias=False)
        self.a = nn.Parameter(torch.full((1,), 2.0))


def as_it_lies() -> tuple[list[str], list[int], list[float]]:
    """Names, offsets and values of the whole buffer, padding included."""
    torch.manual_seed(0)
    m = Late()
    fully_shard(m)
    (handle,) = get_handles(m)
    (buffer,) = handle.buffers
    handle.unshard()
    handle.wait()
    assert buffer.full is not None
    values = buffer.full.tolist()
    handle.reshard(free=True)
    return list(handle.param_names), list(buffer.partition.offsets), values


def test_order_in_the_buffer(ranks):
    """Modules in pre-order, their parameters as registered; one piece for each rank, padding at the end."""
    torch.manual_seed(0)
    m = Late()
    wanted = torch.cat([p.detach().flatten() for p in (m.b, m.a, m.child.weight, m.child.bias, m.other.weight)])
    for names, offsets, values in ranks.run(as_it_lies):
        assert names == ["b", "a", "child.weight", "child.bias", "other.weight"]
        assert offsets == [0, 4, 5, 11, 14]
        assert len(values) == 20
        assert values == pytest.approx(wanted.tolist())


def one_unit(m: nn.Module) -> None:
    fully_shard(m)


def test_collectives_are_counted_by_buffer(ranks):
    """Four buffers, two of them trainable: four all-gathers, two reduce-scatters, one unshard and one reshard call."""
    for got in ranks.run(second_step, one_unit, Mixed):
        assert (got["forward"], got["backward"]) == ("U root*, R root", "U root, R root f")
        assert got["collectives"] == {"all_gather": 4, "reduce_scatter": 2}


def kept_whole(strategy: str, shape: tuple[int, ...] | None) -> dict[str, Any]:
    """Shapes before and after, and what travelled in a step."""
    m = TwoBlocks()
    before = {name: (p.shape, p.data_ptr()) for name, p in m.named_parameters()}
    fully_shard(m, strategy=strategy, mesh=init_device_mesh("cpu", shape) if shape else None)
    after = {name: (p.shape, p.data_ptr()) for name, p in m.named_parameters()}
    with record_events() as log:
        m(inputs(0, dist.get_rank())).sum().backward()
    kinds = {event.kind for event in log} - {"unshard", "reshard"}
    return {"kept": before == after, "travelled": kinds, "gradients": m.p.grad.shape}


@pytest.mark.parametrize(("strategy", "shape"), [("no_shard", None), ("hybrid_shard", (2, 1))])
def test_parameters_that_nobody_cuts_keep_shape_and_memory(ranks, strategy, shape):
    """Nothing is gathered; gradients are averaged where they are."""
    for got in ranks.run(kept_whole, strategy, shape):
        assert got == {"kept": True, "travelled": {"all_reduce"}, "gradients": (WIDTH, WIDTH)}


def test_an_axis_of_one_rank_makes_no_collective(ranks):
    """A mesh of (1, 2) is cut over both and copied nowhere."""
    for got in ranks.run(kept_whole, "hybrid_shard", (1, 2)):
        assert not got["kept"]
        assert got["travelled"] == {"all_gather", "reduce_scatter"}


def swapped() -> bool:
    """Whether every parameter is the object it was before, in order, through a step, a look and the removal."""
    m = TwoBlocks()
    before = [(name, id(p)) for name, p in m.named_parameters()]
    fully_shard(m)
    held = []
    m.register_forward_pre_hook(lambda *_: held.append([(name, id(p)) for name, p in m.named_parameters()]))
    m(inputs(0, 0)).sum().backward()
    held.append([(name, id(p)) for name, p in m.named_parameters()])
    with sharding.unshard(m):
        held.append([(name, id(p)) for name, p in m.named_parameters()])
    sharding.remove(m)
    held.append([(name, id(p)) for name, p in m.named_parameters()])
    return held == [before] * 4


def test_parameters_stay_the_same_objects(ranks):
    """Names and order too."""
    assert ranks.run(swapped) == [True, True]
