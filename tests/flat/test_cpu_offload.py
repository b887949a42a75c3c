"""CPU offload: pieces, their gradients and so the optimizer rest on the CPU; whole parameters are where they compute.

Without an accelerator both are the CPU, so what can be shown here is that the staged path, which copies the
piece into the gathered buffer and the gradient back, changes no value. `test_on_gpu.py` has the rest."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest
import torch
import torch.distributed as dist
from cast_oracle import train_with_casts
from parity import inputs, train_beside
from small_models import Adapted, Block, Mixed, Tied, TwoBlocks
from test_step_events import second_step
from torch import nn
from torch.distributed.fsdp import CPUOffload

import sharding
from sharding import by_class, fully_shard, get_handles
from sharding.precision import Precision

STRATEGIES = ["full_shard", "shard_grad_op", "no_shard"]


def offloaded(m: nn.Module, strategy: str = "full_shard", **settings: Any) -> None:
    policy = by_class(Block, Adapted, nn.Embedding)
    fully_shard(m, policy=policy, strategy=strategy, cpu_offload=True, **settings)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("build", [TwoBlocks, Tied, Mixed])
def test_parity(ranks, strategy, build):
    """Losses, gradients and weights are those of the unsharded model."""
    for difference in ranks.run(train_beside, build, partial(offloaded, strategy=strategy)):
        assert difference.worst < 2e-6


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_with_mixed_precision(ranks, strategy):
    """One staging copy casts and moves at once."""
    precision = Precision(torch.bfloat16, torch.float32)
    for difference in ranks.run(train_with_casts, TwoBlocks, partial(offloaded, strategy=strategy), precision):
        assert difference.worst < 1e-6


def test_same_events(ranks):
    """Offload adds no collective and changes no order."""
    for got in ranks.run(second_step, offloaded):
        assert got["forward"] == "U root*, U u1*, R u1 f, U u2*, R u2 f, R root"
        assert got["backward"] == "U root, U u2*, U u1*, R u2 f, R u1 f, R root f"
        assert got["collectives"] == {"all_gather": 5, "reduce_scatter": 3}


def where_things_are() -> dict[str, Any]:
    torch.manual_seed(0)
    m = TwoBlocks()
    whole = copy.deepcopy(m.state_dict())
    fully_shard(m, policy=by_class(Block), cpu_offload=CPUOffload(offload_params=True))
    pieces = [buffer.shard for handle in get_handles(m) for buffer in handle.buffers]
    addresses = [param.data_ptr() for param in m.parameters()]
    m(inputs(0, dist.get_rank())).sum().backward()
    norm = sharding.clip_grad_norm_(m, 1.0)
    written = m.state_dict()
    found = {
        "pieces": {piece.device.type for piece in pieces},
        "gradients": {param.grad.device.type for param in m.parameters()},
        "kept": addresses == [param.data_ptr() for param in m.parameters()],
        "norm": norm.item() > 0,
        "state": all(torch.equal(written[name], value) for name, value in whole.items()),
    }
    sharding.remove(m)
    found["removed"] = all(torch.equal(param, whole[name]) for name, param in m.named_parameters())
    return found


def test_where_things_are(ranks):
    """Pieces and gradients are in CPU memory, the same after a step; looking, clipping and removal work."""
    for found in ranks.run(where_things_are):
        assert found == {
            "pieces": {"cpu"},
            "gradients": {"cpu"},
            "kept": True,
            "norm": True,
            "state": True,
            "removed": True,
        }


def test_one_rank():
    """Without other ranks parameters keep shape and memory, and gradients are handed out after backward."""
    torch.manual_seed(0)
    m = TwoBlocks()
    twin = copy.deepcopy(m)
    offloaded(m)
    for _ in range(2):
        m(inputs(0, 0)).sum().backward()
        twin(inputs(0, 0)).sum().backward()
    for mine, its in zip(m.parameters(), twin.parameters(), strict=True):
        assert mine.shape == its.shape
        assert torch.equal(mine.grad, its.grad)
