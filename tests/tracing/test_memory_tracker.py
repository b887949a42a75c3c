"""Torch's memory tracker in a process of its own: its figure is the traced costs', and it can be stopped."""

from __future__ import annotations

import psutil
import pytest
import torch
import torch.distributed as dist
from traced_models import Decoder

from sharding import ConflictError, Plan, PlanError, WorkerError, by_class, cost, trace, track_memory

IDS = torch.zeros(3, 11, dtype=torch.long)
PLAN = Plan().fully_shard("", policy=by_class("Block")).defaults(mesh_shape=(2, 4))


def test_what_it_sees_is_what_the_traced_costs_say():
    """The whole model under the tracker, on 2 x 4 fake ranks, beside a trace of copies with 2 and 3 blocks."""
    tracking = track_memory(Decoder, PLAN, IDS)
    seen = tracking.result(timeout=120)
    units = 7 + 1
    assert (tracking.done, tracking.progress) == (True, (2 * units, 2 * units))
    assert not dist.is_initialized()
    assert sum(seen.by_category.values()) == seen.nbytes
    layout = PLAN.resolve(Decoder(), engine="torch")
    assert cost(layout, trace=trace(Decoder, IDS)).peak.nbytes == pytest.approx(seen.nbytes, rel=0.01)


def test_it_can_be_stopped():
    """No process is left, and asking for the result says what happened."""
    before = set(psutil.Process().children(recursive=True))
    tracking = track_memory(lambda: Decoder(200), PLAN, IDS)
    tracking.cancel()
    with pytest.raises(WorkerError):
        tracking.result(timeout=60)
    left = {each for each in psutil.Process().children(recursive=True) if "zygote" not in " ".join(each.cmdline())}
    assert left <= before


def test_what_it_does_not_know_is_refused():
    """Replicate groups, conflicts and impossible meshes are refused here, before any process starts."""
    with pytest.raises(PlanError, match="the tracker of torch's engine knows no replicate groups"):
        track_memory(Decoder, Plan().replicate("norm").fully_shard(""), IDS)
    with pytest.raises(ConflictError, match=r"the plan cannot run: 'emb.weight' and 'head.weight' are one parameter"):
        track_memory(Decoder, Plan().fully_shard("head").fully_shard(""), IDS)
    with pytest.raises(PlanError, match=r"mesh_shape=\(2, 4\) holds 8 ranks, world_size=3; leave one of them out"):
        track_memory(Decoder, PLAN, IDS, world_size=3)
