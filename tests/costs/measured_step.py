"""What really runs and lies on one rank: the events of a training step, and the storages that are there after it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.distributed as dist
from costed_models import WIDTH
from torch import nn
from torch.distributed.tensor import DTensor

import sharding
from sharding import Cost, Layout, Plan, cost
from sharding.annotations import annotations_in
from sharding.flat.walking import all_replicas
from sharding.resolution import resolve_annotations
from sharding.traversal import tree_of


@dataclass(frozen=True)
class Case:
    """A plan on a model, and how its costs are asked for.

    Attributes:
        name: for messages.
        build: makes the model.
        plan: what is applied.
        optimizer: name of the optimizer.
        bucket_cap_mb: for the replicate groups.
        engine: what runs it.
        settings: of the engine.
        accumulation_steps: backwards of a step.
        calls: how often units run in a forward.
    """

    name: str
    build: Callable[[], nn.Module]
    plan: Plan
    optimizer: str = "adamw"
    bucket_cap_mb: float | None = None
    engine: str = "flat"
    settings: dict[str, Any] = field(default_factory=dict)
    accumulation_steps: int = 1
    calls: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Seen:
    """One rank's side of the comparison.

    Attributes:
        predicted: from the plan on a meta model.
        predicted_live: from the annotations of the live model, where the engine leaves parameters that can be read.
        measured: what was there.
    """

    predicted: dict[str, Any]
    predicted_live: dict[str, Any]
    measured: dict[str, Any]


OPTIMIZERS: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]] = {
    "adamw": torch.optim.AdamW,
    "adam": torch.optim.Adam,
    "adagrad": torch.optim.Adagrad,
    "rmsprop": torch.optim.RMSprop,
    "sgd": lambda params: torch.optim.SGD(params, lr=0.01),
    "sgd_momentum": lambda params: torch.optim.SGD(params, lr=0.01, momentum=0.9),
}


def see_all(cases: list[Case]) -> list[Seen]:
    """Every case on this rank, one after the other; collective."""
    return [see(case) for case in cases]


def see(case: Case) -> Seen:
    """Predict on a meta model, run two steps, read the second."""
    torch.manual_seed(0)
    world_size = dist.get_world_size() if dist.is_initialized() else 1
    rank = dist.get_rank() if dist.is_initialized() else 0
    model = case.build()
    settings = case.settings | ({} if case.bucket_cap_mb is None else {"bucket_cap_mb": case.bucket_cap_mb})
    asked: dict[str, Any] = {
        "optimizer": case.optimizer,
        "accumulation_steps": case.accumulation_steps,
        "calls": case.calls,
    }
    layout = case.plan.resolve(on_meta(case.build), engine=case.engine)
    planned = live = cost(layout, world_size=world_size, **asked, **settings)
    case.plan.apply(model, engine=case.engine, **settings)
    if case.engine == "flat":
        live = cost(layout_of_live(model), world_size=None if case.plan.mesh_shape else world_size, **asked)
    return Seen(predicted(planned, rank), predicted(live, rank), measure(model, case, rank))


def on_meta(build: Callable[[], nn.Module]) -> nn.Module:
    """The model without memory."""
    with torch.device("meta"):
        return build()


def layout_of_live(model: nn.Module) -> Layout:
    """The layout of the annotations on a live model, with their settings."""
    tree = tree_of(model)
    return resolve_annotations(tree, annotations_in(tree))


def predicted(asked: Cost, rank: int) -> dict[str, Any]:
    """What the costs say of one rank, in the terms of `measure`."""
    here = asked.per_rank[rank]
    collectives: Counter[tuple[str, str, str, int]] = Counter()
    for row in asked.collectives:
        collectives[row.kind, row.unit, row.phase, row.nbytes] += row.count
    return {
        "collectives": dict(collectives),
        "parameters": here.parameters,
        "gradients": here.gradients,
        "optimizer": {part: nbytes for part, nbytes in here.optimizer.items() if nbytes},
        "buffers": here.buffers,
        "buckets": here.buckets,
    }


def measure(model: nn.Module, case: Case, rank: int) -> dict[str, Any]:
    """Two training steps on this rank: the collectives of the second, and what lies there after it."""
    trainable = [param for param in model.parameters() if param.requires_grad]
    optimizer = OPTIMIZERS[case.optimizer](trainable)
    for group in optimizer.param_groups:
        group["foreach"] = False  # DTensors and plain tensors side by side
    for step in range(2):
        optimizer.zero_grad()
        generator = torch.Generator().manual_seed(100 * step + rank)
        with sharding.record_events() as log:
            for left in reversed(range(case.accumulation_steps)):
                with sharding.no_sync(model) if left else contextlib.nullcontext():
                    model(torch.randn(3, WIDTH, generator=generator)).float().square().mean().backward()
        optimizer.step()
    collectives = log.of("all_gather", "reduce_scatter", "all_reduce", "broadcast")
    return {
        "collectives": dict(Counter((e.kind, e.fqn, e.phase, e.nbytes) for e in collectives)),
        "parameters": storage_nbytes(param.data for param in model.parameters()),
        "gradients": storage_nbytes(param.grad for param in trainable if param.grad is not None),
        "optimizer": state_nbytes(optimizer),
        "buffers": storage_nbytes(model.buffers()),
        "buckets": bucket_nbytes(model) if case.engine == "flat" else None,
    }


def storage_nbytes(tensors: Iterable[torch.Tensor]) -> int:
    """Bytes of the storages behind these tensors, each once."""
    kept = [tensor._local_tensor if isinstance(tensor, DTensor) else tensor for tensor in tensors]
    storages = {(storage := tensor.untyped_storage())._cdata: storage.size() for tensor in kept}
    return sum(storages.values())


def state_nbytes(optimizer: torch.optim.Optimizer) -> dict[str, int]:
    """Bytes of an optimizer's states, by part; parts of nothing are left out."""
    parts: Counter[str] = Counter()
    for state in optimizer.state.values():
        for part, value in state.items():
            if isinstance(value, torch.Tensor):
                parts[part] += storage_nbytes([value])
    return {part: nbytes for part, nbytes in parts.items() if nbytes}


def bucket_nbytes(model: nn.Module) -> int:
    """Bytes of the buckets that are not the gradients themselves."""
    buckets = [bucket for _, replica in all_replicas(tree_of(model)) for bucket in replica.buckets]
    apart = [bucket.flat for bucket in buckets if bucket.slots[0].param.dtype != bucket.dtype]
    return storage_nbytes(flat for flat in apart if flat is not None)
