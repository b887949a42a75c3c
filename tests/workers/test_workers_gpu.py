"""Ranks on a real GPU: `python -m pytest -m gpu tests/workers/test_workers_gpu.py`, for one device."""

from __future__ import annotations

import pytest
import torch
import torch.distributed as dist

from sharding.errors import WorkerError
from sharding.workers import Workers, run

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine"),
]


def on_the_gpu() -> tuple[str, float, int]:
    """An all-reduce on this rank's current device."""
    x = torch.ones(4, device="cuda")
    dist.all_reduce(x)
    return dist.get_backend(), x.sum().item(), torch.cuda.current_device()


def test_nccl_from_a_kernel_whose_cuda_is_initialised() -> None:
    """The ranks do not come from the kernel, so its CUDA context does not matter."""
    torch.zeros(1, device="cuda")
    assert torch.cuda.is_initialized()
    assert run(on_the_gpu, nprocs=1, backend="nccl") == [("nccl", 4.0, 0)]


def test_auto_takes_nccl_for_one_rank() -> None:
    """A GPU for every rank."""
    with Workers(1) as workers:
        assert workers.describe().backend == "nccl"
        assert workers.describe().devices == ("cuda:0",)
        assert workers.run(on_the_gpu)[0][0] == "nccl"


def test_two_gloo_ranks_on_one_device() -> None:
    """Gloo does not mind; the user's code places its tensors."""
    assert [answer[:2] for answer in run(on_the_gpu, nprocs=2, backend="gloo")] == [("gloo", 8.0)] * 2


def test_more_nccl_ranks_than_gpus_are_refused() -> None:
    """With the gloo offer."""
    with pytest.raises(WorkerError, match='Use backend="gloo"'):
        Workers(torch.cuda.device_count() + 1, backend="nccl")


def test_gpu_tensors_travel_as_copies_on_the_cpu() -> None:
    """A result must not make the kernel use the GPU."""
    (back,) = run(lambda: torch.ones(2, device="cuda"), nprocs=1)
    assert back.device.type == "cpu"
    assert back.tolist() == [1.0, 1.0]


def test_a_rank_that_fails_on_the_gpu_frees_it() -> None:
    """And the next call gets a fresh one."""

    def hold_and_raise() -> None:
        torch.empty(1 << 28, device="cuda")
        raise ValueError("no")

    with Workers(1, backend="nccl") as workers:
        with pytest.raises(ValueError, match=r"rank 0 of 1 \(pid \d+, cuda:0\): ValueError: no"):
            workers.run(hold_and_raise)
        assert workers.run(on_the_gpu)[0][1] == 4.0
