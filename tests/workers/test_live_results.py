"""What comes back from real ranks besides plain values: DTensors, results that are too big, several errors."""

from __future__ import annotations

import signal
import sys

import pytest
import torch
import torch.distributed as dist

from sharding.errors import ShippingError, WorkerError
from sharding.workers import Workers


def laid_out(shape: tuple[int, ...], names: tuple[str, ...], *placements: object) -> tuple[object, torch.Tensor]:
    """A DTensor of 7 x 3 on such a mesh, and the whole of it as torch puts it together."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, distribute_tensor

    mesh, whole = init_device_mesh("cpu", shape, mesh_dim_names=names), torch.arange(21.0).reshape(7, 3)
    if any("Partial" in repr(placement) for placement in placements):
        tensor = DTensor.from_local(whole * (dist.get_rank() + 1), mesh, placements)  # type: ignore[arg-type]
    else:
        tensor = distribute_tensor(whole, mesh, placements)  # type: ignore[arg-type]
    return tensor, tensor.full_tensor()


def test_a_dtensor_comes_back_as_what_the_rank_holds_and_the_whole_on_demand(workers: Workers) -> None:
    """Metadata, the local part, and the whole put together from all ranks' parts, as torch does it."""
    from torch.distributed.tensor import Partial, Replicate
    from torch.distributed.tensor import Shard as OnDim

    for placement in (OnDim(0), OnDim(1), Replicate(), Partial(), Partial("avg")):
        for shard, whole in workers.run(laid_out, (2,), ("dp",), placement):
            assert torch.equal(shard.full(), whole), placement
    (first, _), (second, _) = workers.run(laid_out, (2,), ("dp",), OnDim(0))
    assert (first.shape, first.dtype, first.mesh_shape, first.mesh_axes) == ((7, 3), "torch.float32", (2,), ("dp",))
    assert (first.coordinate, second.coordinate) == ((0,), (1,))
    assert torch.equal(torch.cat([first.local(), second.local()]), torch.arange(21.0).reshape(7, 3))
    assert repr(second).endswith("mesh={'dp': 2}, coordinate=(1,), local=(3, 3))")


def test_the_whole_needs_every_part_and_a_known_placement(workers: Workers) -> None:
    """Else the error says what to return instead."""
    from torch.distributed.tensor import Partial
    from torch.distributed.tensor import Shard as OnDim

    def on_one(placement: OnDim) -> object:
        shard = laid_out((2,), ("dp",), placement)[0]
        return shard if dist.get_rank() == 1 else None

    _, alone = workers.run(on_one, OnDim(0))
    with pytest.raises(WorkerError, match=r"returned 1 of the 2 parts .* or return `x.full_tensor\(\)`"):
        alone.full()
    (odd, _), _ = workers.run(laid_out, (2,), ("dp",), Partial("max"))
    with pytest.raises(WorkerError, match=r"placement P\(?max\)? make a whole is not known here"):
        odd.full()


def test_parts_on_a_mesh_of_two_axes_make_the_whole() -> None:
    """Both axes on one dim, on two, one of them replicated; and strided, as FSDP over tensor parallelism lies."""
    from torch.distributed.tensor import Replicate
    from torch.distributed.tensor import Shard as OnDim

    def fsdp_over_tp() -> object:
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.tensor import DTensor
        from torch.distributed.tensor.placement_types import _StridedShard

        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        dp, tp = mesh.get_coordinate() or (0, 0)
        local = torch.arange(24.0).reshape(8, 3).chunk(2)[tp].chunk(2)[dp]
        return DTensor.from_local(local, mesh, (_StridedShard(0, split_factor=2), OnDim(0)), run_check=False)

    with Workers(4, timeout=60) as four:
        for pair in (OnDim(0), OnDim(0)), (OnDim(1), OnDim(0)), (Replicate(), OnDim(0)), (OnDim(0), Replicate()):
            for shard, whole in four.run(laid_out, (2, 2), ("dp", "tp"), *pair):
                assert torch.equal(shard.full(), whole), pair
        for shard in four.run(fsdp_over_tp):
            assert torch.equal(shard.full(), torch.arange(24.0).reshape(8, 3))


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
