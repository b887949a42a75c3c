"""What comes back from real ranks besides plain values: DTensors, results that are too big, several errors."""

from __future__ import annotations

import signal
import sys

import pytest
import torch
import torch.distributed as dist

from sharding.errors import ShippingError, WorkerError
from sharding.workers import Workers


def test_a_dtensor_comes_back_as_what_the_rank_holds(workers: Workers) -> None:
    """Metadata and the local part; the whole is the ranks' business, and the error says how."""

    def sharded() -> dict[str, object]:
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.tensor import Shard as OnDim
        from torch.distributed.tensor import distribute_tensor

        mesh = init_device_mesh("cpu", (2,), mesh_dim_names=("dp",))
        return {"weight": distribute_tensor(torch.arange(6.0).reshape(3, 2), mesh, [OnDim(0)])}

    first, second = (each["weight"] for each in workers.run(sharded))
    assert (first.shape, first.dtype, first.mesh_shape, first.mesh_axes) == ((3, 2), "torch.float32", (2,), ("dp",))
    assert (first.coordinate, second.coordinate) == ((0,), (1,))
    assert torch.equal(torch.cat([first.local(), second.local()]), torch.arange(6.0).reshape(3, 2))
    assert repr(second).endswith("mesh={'dp': 2}, coordinate=(1,), local=(1, 2))")
    with pytest.raises(WorkerError, match=r"Return `x.full_tensor\(\)` from the function"):
        first.full()


def test_a_result_that_is_too_big_is_refused_with_advice() -> None:
    """The rank stays, and the limit can be moved."""
    with Workers(1, max_result_mb=1) as workers:
        with pytest.raises(ShippingError, match=r"the result of rank 0 is 4 MB, and above 1 MB results are not sent"):
            workers.run(torch.zeros, 1_000_000)
        assert workers.run(int) == [0]
    with Workers(1, max_result_mb=5) as workers:
        assert workers.run(torch.zeros, 1_000_000)[0].numel() == 1_000_000
    with pytest.raises(WorkerError, match="max_result_mb=0: give a number of megabytes above 0"):
        Workers(1, max_result_mb=0)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no ExceptionGroup")
def test_errors_of_several_ranks_come_as_a_group() -> None:
    """Both raise, and neither listens to the interrupt that the other's error brings."""

    def fail() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            raise (ValueError if dist.get_rank() == 0 else KeyError)("own")
        finally:
            dist.barrier()

    with Workers(2, grace=60) as workers, pytest.raises(Exception, match="own") as caught:
        workers.run(fail)
    members = getattr(caught.value, "exceptions", ())
    assert sorted(type(each).__name__ for each in members) == ["KeyError", "ValueError"]
    assert all("in fail" in str(each) for each in members)
