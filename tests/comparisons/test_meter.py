"""The meter: bytes of what lives, peaks, and collectives, beside tensors whose sizes are known."""

from __future__ import annotations

import gc

import pytest
import torch
import torch.distributed as dist
from torch import nn

from sharding.comparisons.collective_ops import collective_of
from sharding.comparisons.meter import Meter
from sharding.workers import Workers


def test_storages_are_counted_once_for_as_long_as_they_live():
    """Views add nothing, keep their storage alive, and its end is noticed."""
    with Meter() as meter:
        one = torch.ones(10, 10)
        assert meter.nbytes == 400
        view = one.view(-1)[5:]
        del one
        assert meter.nbytes == 400
        other = view * 2
        assert meter.nbytes == 400 + 4 * 95
        del view, other
        gc.collect()
        assert meter.nbytes == 0
        assert meter.peak_nbytes == 780


def test_a_storage_that_is_freed_and_filled_again_is_noticed():
    """What engines do with a unit's whole buffer; afterwards torch's class is as it was."""
    with Meter() as meter:
        buffer = torch.empty(100)
        buffer.untyped_storage().resize_(0)
        assert meter.nbytes == 0
        buffer.untyped_storage().resize_(400)
        assert meter.nbytes == meter.peak_nbytes == 400
    assert "resize_" not in vars(torch.UntypedStorage)


def test_the_peak_of_a_step_is_parameters_gradients_and_activations():
    """Two square layers: in backward both gradients of weights live beside what is still needed."""
    with Meter() as meter:
        model = nn.Sequential(nn.Linear(10, 10, bias=False), nn.Linear(10, 10, bias=False))
        assert meter.nbytes == 800
        meter.begin()
        model(torch.ones(5, 10)).sum().backward()
        gc.collect()
        assert meter.nbytes == 1600
        assert 1600 <= meter.peak_nbytes <= 1600 + 5 * 200
        model.zero_grad()
        assert meter.nbytes == 800


def test_what_was_made_before_counts_when_it_is_shown_and_meta_never():
    """`look_at` counts once; tensors on meta have no bytes."""
    before = torch.ones(8)
    with Meter() as meter:
        meter.look_at([before, before, torch.ones(9, device="meta")])
        assert meter.nbytes == 32


def _send_everything() -> dict[tuple[str, int], int]:
    """One collective of each kind an engine makes, of sizes that tell them apart."""
    with Meter() as meter:
        shard, whole = torch.ones(3), torch.ones(6)
        dist.all_gather_into_tensor(whole, shard)
        dist.reduce_scatter_tensor(shard, whole)
        dist.all_reduce(torch.ones(5))
        dist.broadcast(torch.ones(7), src=0)
        dist.all_gather([torch.ones(2), torch.ones(2)], torch.ones(2))
        dist.barrier()
    return dict(meter.collectives)


def test_collectives_are_counted_with_the_bytes_of_the_whole_buffer():
    """As events count them: an all-gather by what it fills, a reduce-scatter by what it reads; a barrier is none."""
    with Workers(2, backend="gloo", timeout=60) as workers:
        seen = workers.run(_send_everything)
    wanted = {("all_gather", 24): 1, ("reduce_scatter", 24): 1, ("all_reduce", 20): 1, ("broadcast", 28): 1}
    assert seen == [{**wanted, ("all_gather", 16): 1}] * 2


@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        ("all_reduce", (torch.ones(4), "sum", "0"), ("all_reduce", 16)),
        ("all_gather_into_tensor", (torch.ones(4), 2, "0"), ("all_gather", 32)),
        ("reduce_scatter_tensor", (torch.ones(4), "sum", 2, "0"), ("reduce_scatter", 16)),
        ("wait_tensor", (torch.ones(4),), None),
    ],
)
def test_functional_collectives_are_known_too(name, arguments, found):
    """DTensor sends through another namespace of operators."""
    func = getattr(torch.ops._c10d_functional, name).default
    assert collective_of(func, arguments) == found
