"""The oracle: an unsharded model trained beside the sharded one, on all ranks' inputs at once."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from small_models import WIDTH
from torch import nn

import sharding
from sharding.flat.state_dict_hooks import clean_name
from sharding.flat.walking import all_replicas, all_states
from sharding.traversal import tree_of

BATCH = 3


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


def loss_of(output: Any) -> torch.Tensor:
    """A loss of whatever a small model returns."""
    if isinstance(output, dict):
        output = output["y"]
    return output.float().square().mean()


def train_beside(
    build: Callable[[], nn.Module],
    mark: Callable[[nn.Module], nn.Module | None],
    steps: int = 5,
    lr: float = 1e-2,
) -> Difference:
    """Train a marked model on this rank and an unsharded twin on all ranks' inputs; how far apart they get.

    Runs on every rank. Gradients are compared piece by piece, weights through `sharding.unshard`.
    """
    torch.manual_seed(0)
    model = build()
    twin = copy.deepcopy(model)
    marked = mark(model)
    model = model if marked is None else marked
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr)
    reference = torch.optim.AdamW([p for p in twin.parameters() if p.requires_grad], lr=lr)
    difference = Difference()
    for step in range(steps):
        loss = loss_of(model(inputs(step, dist.get_rank())))
        loss.backward()
        losses = [loss_of(twin(inputs(step, rank))) for rank in range(dist.get_world_size())]
        torch.stack(losses).mean().backward()
        difference.loss = max(difference.loss, abs(loss.item() - losses[dist.get_rank()].item()))
        _compare_gradients(model, twin, difference)
        for each in (optimizer, reference):
            each.step()
            each.zero_grad()
    with sharding.unshard(model):
        twins = {clean_name(name): param for name, param in twin.named_parameters()}
        for name, param in model.named_parameters():
            difference.weight = max(difference.weight, _distance(param, twins[clean_name(name)]))
    return difference


def _compare_gradients(model: nn.Module, twin: nn.Module, difference: Difference) -> None:
    wanted = {clean_name(name): param.grad for name, param in twin.named_parameters(remove_duplicate=False)}
    names = {id(param): clean_name(name) for name, param in model.named_parameters()}
    tree = tree_of(model)
    for _, state in all_states(tree):
        for buffer in state.handle.buffers if state.handle is not None else ():
            for index, slot in enumerate(buffer.slots):
                want = wanted[names[id(slot.param)]]
                piece = None if want is None else buffer.piece_of(index, want)
                _compare(slot.param.grad, piece, difference, slot.name)
    for _, replica in all_replicas(tree):
        for slot in replica.slots:
            _compare(slot.param.grad, wanted[names[id(slot.param)]], difference, slot.name)


def _compare(got: torch.Tensor | None, want: torch.Tensor | None, difference: Difference, name: str) -> None:
    assert (got is None) == (want is None), f"{name}: gradient {got}, expected {want}"
    if got is not None and want is not None:
        difference.num_gradients += 1
        difference.gradient = max(difference.gradient, _distance(got, want))


def _distance(one: torch.Tensor, other: torch.Tensor) -> float:
    assert one.shape == other.shape, (one.shape, other.shape)
    return (one - other).abs().max().item() if one.numel() else 0.0
