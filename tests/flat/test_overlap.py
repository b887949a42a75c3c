"""Gathers run while the unit before computes, and never more than two units below the root have memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
import torch.distributed as dist
from small_models import WIDTH
from torch import nn

from sharding import FlatParamHandle, fully_shard, get_handles
from sharding.flat.handle import Residence

NUM_UNITS = 6


@dataclass
class Watch:
    """What residence every unit has while each unit computes: one row a computation."""

    handles: list[FlatParamHandle] = field(default_factory=list)
    rows: list[tuple[str, str, list[str]]] = field(default_factory=list)

    def look(self, phase: str, name: str) -> None:
        self.rows.append((phase, name, [handle.residence.name for handle in self.handles]))


class Watched(nn.Module):
    """A layer that says when it computes, forward and backward."""

    def __init__(self, name: str, watch: Watch) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.name, self.watch = name, watch

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.watch.look("forward", self.name)
        y = self.l(x).tanh()
        if y.requires_grad:
            y = _Mark.apply(y, self)
        return y


class _Mark(torch.autograd.Function):
    """The identity; its backward is the first thing of its unit's backward."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, module: Watched) -> torch.Tensor:
        ctx.module = module
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        ctx.module.watch.look("backward", ctx.module.name)
        return grad, None


def watched_step(**settings: Any) -> list[tuple[str, str, list[str]]]:
    """The second training step of a chain of units, as the units' computations saw it."""
    watch = Watch()
    model = nn.Sequential(*(Watched(str(n), watch) for n in range(NUM_UNITS)))
    for unit in model:
        fully_shard(unit, **settings)
    fully_shard(model, **settings)
    watch.handles = get_handles(model)
    for _ in range(2):
        watch.rows.clear()
        model(torch.full((2, WIDTH), float(dist.get_rank()))).sum().backward()
    assert all(handle.residence is Residence.SHARDED for handle in watch.handles)
    assert len(watch.handles) == NUM_UNITS  # the root has no parameters of its own
    return watch.rows


SETTINGS = [
    {},
    {"forward_prefetch": True},
    {"backward_prefetch": None},
    {"backward_prefetch": "post", "forward_prefetch": True},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_at_most_two_units_are_alive(ranks, settings):
    """While any unit computes: itself whole, at most its successor on its way, nobody else."""
    for rows in ranks.run(watched_step, **settings):
        assert len(rows) == 2 * NUM_UNITS
        for _, name, residences in rows:
            assert residences[int(name)] == "UNSHARDED"
            assert NUM_UNITS - residences.count("SHARDED") <= 2


def test_the_next_unit_is_on_its_way_in_forward(ranks):
    """With forward prefetch the gather of the next unit was issued before this one computes, and is not waited for."""
    for rows in ranks.run(watched_step, forward_prefetch=True):
        forward = [row for row in rows if row[0] == "forward"]
        assert [name for _, name, _ in forward] == [str(n) for n in range(NUM_UNITS)]
        for _, name, residences in forward[:-1]:
            assert residences[int(name) + 1] == "GATHERING"


def test_the_unit_before_is_on_its_way_in_backward(ranks):
    """With backward prefetch the gather of the unit before was issued before this one computes its backward."""
    for rows in ranks.run(watched_step):
        backward = [row for row in rows if row[0] == "backward"]
        assert [name for _, name, _ in backward] == [str(n) for n in reversed(range(NUM_UNITS))]
        for _, name, residences in backward[:-1]:
            assert residences[int(name) - 1] == "GATHERING"


def test_without_prefetch_nothing_is_on_its_way(ranks):
    """Each unit is gathered when it is needed."""
    for rows in ranks.run(watched_step, backward_prefetch=None):
        assert all("GATHERING" not in residences for _, _, residences in rows)
