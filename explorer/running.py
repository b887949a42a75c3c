"""What every rank of a run does: build the model, apply the plan, train, and tell how it goes.

It runs in the workers and is shipped by name. What a step is made of is in `sharding/training.py`.
"""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from sharding.events import Event, record_events
from sharding.plan import Plan
from sharding.training import Training, group_device
from sharding.workers import emit

MAX_EVENTS = 2000
KIND_LETTERS = {
    "unshard": "U",
    "reshard": "R",
    "all_gather": "G",
    "reduce_scatter": "S",
    "all_reduce": "A",
    "broadcast": "B",
}
PHASE_LETTERS = {"forward": "F", "backward": "B", "other": "O"}


@dataclass(frozen=True, eq=False)
class Job:
    """Everything a rank needs to know.

    Attributes:
        training: the model and what its steps are made of.
        plan: the plan to apply.
        engine: which engine applies it.
        steps: optimizer steps.
        reference: whether rank 0 also trains the unsharded model, on all ranks' inputs with averaged
            gradients.
    """

    training: Training
    plan: Plan
    engine: str = "flat"
    steps: int = 10
    reference: bool = False


def train(job: Job) -> dict[str, Any]:
    """Train on this rank. Collective: every rank calls it.

    Emits "step" (step from 1, loss, metrics) after every step, "events" after the first and the last, and
    from rank 0 "reference" (step, loss) for the unsharded model at the end.

    Returns:
        This rank's `losses`, `metrics`, and `seconds` of training.
    """
    rank, device, training = dist.get_rank(), group_device(), job.training
    model = training.fresh(device)
    twin = copy.deepcopy(model) if job.reference and rank == 0 else None
    job.plan.apply(model, engine=job.engine)
    optimizer = training.optimizer(model)
    metrics: list[dict[str, Any]] = []
    began = time.monotonic()
    for step in range(job.steps):
        with _telling_events(step + 1, wanted=step in (0, job.steps - 1)):
            metrics.append(training.do(model, optimizer, rank, step, device))
        emit("step", step=step + 1, **metrics[-1])
    seconds = time.monotonic() - began
    if twin is not None:
        _train_unsharded(job, twin, device)
    return {"losses": [each.get("loss") for each in metrics], "metrics": metrics, "seconds": seconds}


def _train_unsharded(job: Job, model: nn.Module, device: torch.device) -> None:
    """The same steps on one process; each step's loss is the mean of all ranks'."""
    optimizer = job.training.optimizer(model)
    world_size = dist.get_world_size()
    for step in range(job.steps):
        losses = job.training.do_unsharded(model, optimizer, world_size, step, device)
        emit("reference", step=step + 1, loss=sum(losses) / world_size)


@contextlib.contextmanager
def _telling_events(step: int, *, wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    with record_events(limit=MAX_EVENTS) as log:
        yield
    emit("events", step=step, events=[_event(each) for each in log])


def _event(event: Event) -> list[Any]:
    """`[phase letter, kind letter, unit, bytes]`; a reshard that freed its buffer is "Rf"."""
    letter = KIND_LETTERS[event.kind] + ("f" if event.freed else "")
    return [PHASE_LETTERS[event.phase], letter, event.fqn, event.nbytes]
