"""What the checkpoint tests do again and again: build, mark, train a little, write and read through DCP."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from parity import inputs, loss_of
from small_models import Adapted, Block
from torch import nn
from torch.distributed.device_mesh import init_device_mesh

import sharding
from sharding import by_class, fully_shard, replicate

Build = Callable[[], nn.Module]
Mark = Callable[[nn.Module], Any]
MakeOptimizer = Callable[[nn.Module], torch.optim.Optimizer]


def by_policy(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block, Adapted))


def of_all_kinds(m: nn.Module) -> None:
    """Sharded, replicated, ignored and copied parameters next to each other."""
    fully_shard(m.u1.seq)
    replicate(m.u1)
    fully_shard([m.u2.lin, m.l], strategy="no_shard")
    fully_shard(m, ignored_modules=[m.u2.seq[0]])


def hybrid(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block), strategy="hybrid_shard", mesh=init_device_mesh("cpu", (2, 2)))


def unmarked(m: nn.Module) -> None:
    """An unsharded model."""


def built(build: Build, mark: Mark, seed: int) -> nn.Module:
    torch.manual_seed(seed)
    model = build()
    mark(model)
    return model


def adamw(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)


def sgd(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=1e-2, momentum=0.9)


def grouped(model: nn.Module) -> torch.optim.Optimizer:
    """Two groups with options of their own, not in the model's order."""
    params = dict(model.named_parameters())
    biases = [param for name, param in params.items() if name.endswith("bias")]
    others = [param for name, param in params.items() if not name.endswith("bias")]
    return torch.optim.AdamW(
        [{"params": biases, "weight_decay": 0.0, "lr": 3e-2}, {"params": others, "betas": (0.8, 0.9)}],
        lr=1e-2,
    )


def take_step(model: nn.Module, optimizer: torch.optim.Optimizer, step: int, ranks: list[int] | None = None) -> float:
    """One step on the mean loss of these ranks' inputs (None: this rank's own); the loss."""
    own = [dist.get_rank()] if ranks is None else ranks
    loss = torch.stack([loss_of(model(inputs(step, rank))) for rank in own]).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def trained(build: Build, mark: Mark, make: MakeOptimizer, steps: int = 2) -> tuple[nn.Module, torch.optim.Optimizer]:
    """A marked model that took some steps, alike on all ranks."""
    model = built(build, mark, seed=0)
    optimizer = make(model)
    for step in range(steps):
        take_step(model, optimizer, step, ranks=[0, 1])
    return model, optimizer


def write(model: nn.Module, optimizer: torch.optim.Optimizer, path: Path) -> None:
    """Save both through DCP."""
    state = {
        "model": sharding.state_dict(model, kind="sharded"),
        "optimizer": sharding.optimizer_state_dict(model, optimizer, kind="sharded"),
    }
    dcp.save(state, checkpoint_id=path)


def read(model: nn.Module, optimizer: torch.optim.Optimizer, path: Path) -> None:
    """Load both from DCP, into an optimizer that may not have stepped."""
    saved = dcp.FileSystemReader(path).read_metadata().state_dict_metadata
    wanted = {key.removeprefix("optimizer.") for key in saved}
    state = {
        "model": sharding.state_dict(model, kind="sharded"),
        "optimizer": sharding.optimizer_state_dict(model, optimizer, kind="sharded", placeholders=wanted),
    }
    load(state, path)
    sharding.load_state_dict(model, state["model"])
    sharding.load_optimizer_state_dict(model, optimizer, state["optimizer"])


def load(state: dict[str, Any], path: Path) -> None:
    """DCP's load; without a process group it warns that it assumes there is one process."""
    with warnings.catch_warnings():
        if not dist.is_initialized():
            warnings.simplefilter("ignore", UserWarning)
        dcp.load(state, checkpoint_id=path)


def same(got: Any, want: Any) -> bool:
    """The same names in the same order with bit-equal values, all the way down."""
    if isinstance(want, torch.Tensor):
        return isinstance(got, torch.Tensor) and got.dtype == want.dtype and torch.equal(got, want)
    if isinstance(want, dict):
        return list(got) == list(want) and all(same(got[key], want[key]) for key in want)
    if isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(same(one, other) for one, other in zip(got, want, strict=True))
    return got == want
