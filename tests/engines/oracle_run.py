"""The oracle of both engines: an unsharded model trained beside the sharded one, on all ranks' inputs at once."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.distributed as dist
from engine_models import WIDTH
from torch import nn
from torch.distributed.tensor import DTensor

import sharding
from sharding import Plan
from sharding.flat.walking import all_states
from sharding.native.pieces import piece_of
from sharding.traversal import tree_of

BATCH = 3


@dataclass(frozen=True)
class Case:
    """A plan on a model, and how it is applied.

    Attributes:
        build: makes the model.
        plan: what is applied.
        settings: further keywords of `Plan.apply` by engine.
    """

    build: Callable[[], nn.Module]
    plan: Plan
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def applied(self, engine: str) -> tuple[nn.Module, nn.Module]:
        """A model the plan was applied to, and its unsharded twin; the same on every rank."""
        torch.manual_seed(0)
        model = self.build()
        twin = copy.deepcopy(model)
        assert self.plan.apply(model, engine=engine, **self.settings.get(engine, {})) is model
        return model, twin


@dataclass
class Difference:
    """Largest distances from the unsharded model over a whole run, on one rank."""

    loss: float = 0.0
    gradient: float = 0.0
    weight: float = 0.0
    num_gradients: int = 0

    @property
    def worst(self) -> float:
        return max(self.loss, self.gradient, self.weight)


def inputs(step: int, rank: int) -> torch.Tensor:
    """What one rank is given in one step; different for every rank."""
    generator = torch.Generator().manual_seed(100 * step + rank)
    return torch.randn(BATCH, WIDTH, generator=generator)


def loss_of(output: torch.Tensor) -> torch.Tensor:
    return output.float().square().mean()


def adamw(model: nn.Module, lr: float = 1e-2) -> torch.optim.AdamW:
    return torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr)


def train_beside(case: Case, engine: str, steps: int = 5) -> Difference:
    """Train on this rank and an unsharded twin on all ranks' inputs; how far apart they get. Runs on every rank."""
    model, twin = case.applied(engine)
    optimizer, reference = adamw(model), adamw(twin)
    difference = Difference()
    for step in range(steps):
        loss = loss_of(model(inputs(step, dist.get_rank())))
        loss.backward()
        losses = backward_on_all(twin, step)
        difference.loss = max(difference.loss, abs(loss.item() - losses[dist.get_rank()]))
        for name, got, want in gradients(model, twin):
            assert (got is None) == (want is None), f"{name}: gradient {got}, expected {want}"
            if got is not None and want is not None:
                difference.num_gradients += 1
                difference.gradient = max(difference.gradient, distance(got, want))
        for each in (optimizer, reference):
            each.step()
            each.zero_grad()
    whole = sharding.state_dict(model)
    for name, value in twin.state_dict().items():
        difference.weight = max(difference.weight, distance(whole[name], value))
    return difference


def backward_on_all(twin: nn.Module, *steps: int) -> list[float]:
    """The unsharded backward of these steps on every rank's inputs, averaged over ranks and summed over steps."""
    for step in steps:
        losses = [loss_of(twin(inputs(step, rank))) for rank in range(dist.get_world_size())]
        torch.stack(losses).mean().backward()
    return [loss.item() for loss in losses]


def gradients(model: nn.Module, twin: nn.Module) -> Iterator[tuple[str, torch.Tensor | None, torch.Tensor | None]]:
    """Name, this rank's gradient and the same piece of the twin's, of every parameter."""
    wanted = {name: param.grad for name, param in twin.named_parameters()}
    places = {
        id(slot.param): (buffer, index)
        for _, state in all_states(tree_of(model))
        for buffer in (state.handle.buffers if state.handle is not None else ())
        for index, slot in enumerate(buffer.slots)
    }
    for name, param in model.named_parameters():
        got, want = param.grad, wanted[name]
        if id(param) in places and want is not None:
            buffer, index = places[id(param)]
            want = buffer.piece_of(index, want)
        if isinstance(got, DTensor):
            want = None if want is None else piece_of(want, got)
            got = got.to_local()
        yield name, got, want


def distance(one: torch.Tensor, other: torch.Tensor) -> float:
    assert one.shape == other.shape, (one.shape, other.shape)
    return (one.double() - other.double()).abs().max().item() if one.numel() else 0.0
