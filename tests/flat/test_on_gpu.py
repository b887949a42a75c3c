"""The engine on a CUDA device: `python -m pytest -m gpu tests/flat/test_on_gpu.py`, for one device.

One NCCL rank shows streams and frees (mixed precision and offload make it gather without anybody to talk to), two
gloo ranks on one device show the collectives."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import Block, TwoBlocks
from torch import nn

import sharding
from sharding import by_class, fully_shard, get_handles, replicate
from sharding.precision import Precision
from sharding.workers import run

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.timeout(170),
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine"),
]

SETTINGS: list[dict[str, Any] | None] = [
    None,
    {},
    {"forward_prefetch": True},
    {"limit_all_gathers": False},
    {"strategy": "shard_grad_op"},
    {"strategy": "no_shard"},
    {"cpu_offload": True},
]


def furthest_from_unsharded(settings: dict[str, Any] | None) -> float:
    """Train three steps on the device beside an unsharded twin there; the largest distance of the weights.

    Args:
        settings: of `fully_shard`; None for `replicate` around a sharded unit.
    """
    torch.manual_seed(0)
    model = TwoBlocks().cuda()
    twin = copy.deepcopy(model)
    if settings is None:
        fully_shard(model.u1)
        replicate(model, bucket_cap_mb=1e-4)
    else:
        fully_shard(model, policy=by_class(Block), **settings)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, twin)]
    for step in range(3):
        model(inputs(step, dist.get_rank()).cuda()).square().mean().backward()
        losses = [twin(inputs(step, rank).cuda()).square().mean() for rank in range(dist.get_world_size())]
        torch.stack(losses).mean().backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
    whole = model.state_dict()
    return max((whole[name].to(p.device) - p).abs().max().item() for name, p in twin.named_parameters())


@pytest.mark.parametrize("settings", SETTINGS)
def test_two_gloo_ranks_on_one_device(settings: dict[str, Any] | None) -> None:
    """Weights of the unsharded model, whatever runs on streams."""
    for distance in run(furthest_from_unsharded, settings, nprocs=2, backend="gloo"):
        assert distance < 1e-5


@pytest.mark.parametrize("settings", SETTINGS)
def test_one_nccl_rank(settings: dict[str, Any] | None) -> None:
    """Nobody to talk to; offload still copies to the device and back."""
    for distance in run(furthest_from_unsharded, settings, nprocs=1, backend="nccl"):
        assert distance < 1e-5


def step_without_host_syncs(verb: str) -> bool:
    """A step under torch's own check for operations that make the host wait."""
    model = TwoBlocks().cuda()
    mark = fully_shard if verb == "fully_shard" else replicate
    mark(model, mixed_precision=Precision(torch.bfloat16, torch.float32))
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    x = torch.ones(2, 5, device="cuda")
    for step in range(3):
        torch.cuda.set_sync_debug_mode("error" if step else "default")
        try:
            model(x).float().sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return all(bool(param.isfinite().all()) for param in model.parameters())


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_the_host_never_waits(verb: str) -> None:
    """Forward, backward and optimizer are enqueued without a host synchronisation."""
    assert run(step_without_host_syncs, verb, nprocs=1, backend="nccl") == [True]


def gathered_at_once(limited: bool) -> int:
    """How many units' worth of memory a forward adds at its peak while the device lags far behind the host."""
    width, num_units = 1024, 12
    model = nn.Sequential(*(nn.Linear(width, width, bias=False) for _ in range(num_units))).cuda()
    fully_shard(model, policy=by_class(nn.Linear), mixed_precision=Precision(torch.bfloat16), limit_all_gathers=limited)
    x = torch.ones(1, width, device="cuda")
    with torch.no_grad():
        model(x)
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        torch.cuda._sleep(200_000_000)
        model(x)
        torch.cuda.synchronize()
    assert all(handle.buffers[0].full.untyped_storage().size() == 0 for handle in get_handles(model))
    return (torch.cuda.max_memory_allocated() - before) // (2 * width * width)


def test_memory_is_bounded_however_far_the_host_runs_ahead() -> None:
    """Two units with the limit."""
    (num_units,) = run(gathered_at_once, True, nprocs=1, backend="nccl")
    assert num_units <= 2


def offloaded_places() -> dict[str, Any]:
    model = TwoBlocks()
    fully_shard(model, policy=by_class(Block), cpu_offload=True)
    output = model(torch.ones(2, 5, device="cuda"))
    output.sum().backward()
    return {
        "computes": output.device.type,
        "rests": {param.device.type for param in model.parameters()},
        "pinned": {param.is_pinned() for param in model.parameters()},
        "gradients": {param.grad.device.type for param in model.parameters()},
        "norm": float(sharding.clip_grad_norm_(model, 1.0)) > 0,
    }


def test_offloaded_pieces() -> None:
    """A model made on the CPU computes on the device and rests, with its gradients, on the CPU."""
    (found,) = run(offloaded_places, nprocs=1, backend="nccl")
    assert found == {"computes": "cuda", "rests": {"cpu"}, "pinned": {True}, "gradients": {"cpu"}, "norm": True}
