"""What every rank of a run does: build the model, apply the plan, train, and tell how it goes.

It runs in the workers and is shipped by name. Model and inputs are the user's; the only other thing decided
here is the random state, which is the same for the same rank and step, so that the unsharded reference sees
the same dropout.
"""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from sharding.errors import PlanError
from sharding.events import Event, record_events
from sharding.plan import Plan
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
        given: the module (by value) or the builder.
        plan: the plan to apply.
        engine: which engine applies it.
        steps: optimizer steps.
        example_inputs, loss, step: as `explore` takes them.
        lr: learning rate of AdamW.
        seed: of the weights a builder makes, the same on every rank.
        reference: whether rank 0 also trains the unsharded model, on all ranks' inputs with averaged
            gradients.
    """

    given: nn.Module | Callable[[], nn.Module]
    plan: Plan
    engine: str = "flat"
    steps: int = 10
    example_inputs: Any = None
    loss: Callable[..., Any] | None = None
    step: Callable[..., Any] | None = None
    lr: float = 1e-3
    seed: int = 0
    reference: bool = False


def train(job: Job) -> dict[str, Any]:
    """Train on this rank. Collective: every rank calls it.

    Emits "step" (step from 1, loss, metrics) after every step, "events" after the first and the last, and
    from rank 0 "reference" (step, loss) for the unsharded model at the end.

    Returns:
        This rank's `losses`, `metrics`, and `seconds` of training.
    """
    rank, world_size = dist.get_rank(), dist.get_world_size()
    device = torch.device("cuda", torch.cuda.current_device()) if dist.get_backend() == "nccl" else torch.device("cpu")
    model = _on(device, _fresh(job))
    twin = copy.deepcopy(model) if job.reference and rank == 0 else None
    job.plan.apply(model, engine=job.engine)
    optimizer = torch.optim.AdamW(model.parameters(), lr=job.lr)
    do = job.step or _step_of(job, device)
    metrics: list[dict[str, Any]] = []
    began = time.monotonic()
    for step in range(job.steps):
        with _telling_events(step + 1, wanted=step in (0, job.steps - 1)):
            _seed(job.seed, rank, step)
            metrics.append(_plain(do(model, optimizer, rank, step)))
        emit("step", step=step + 1, **metrics[-1])
    seconds = time.monotonic() - began
    if twin is not None:
        _train_unsharded(job, twin, world_size, device)
    return {"losses": [each.get("loss") for each in metrics], "metrics": metrics, "seconds": seconds}


def _fresh(job: Job) -> nn.Module:
    if isinstance(job.given, nn.Module):
        return job.given
    torch.manual_seed(job.seed)
    return job.given()


def _on(device: torch.device, model: nn.Module) -> nn.Module:
    """The model on its device. Not asked of torch where it is there already: `to` never ends on a module in a cycle."""
    tensors = [*model.parameters(), *model.buffers()]
    return model if all(tensor.device == device for tensor in tensors) else model.to(device)


def _seed(seed: int, rank: int, step: int) -> None:
    torch.manual_seed(seed + 1_000_003 * (step + 1) + rank)


def _step_of(job: Job, device: torch.device) -> Callable[..., dict[str, Any]]:
    """The step that `example_inputs` and `loss` make."""

    def do(model: nn.Module, optimizer: torch.optim.Optimizer, rank: int, step: int) -> dict[str, Any]:
        optimizer.zero_grad()
        loss = _loss(job, model, inputs_of(job.example_inputs, rank, step, device))
        loss.backward()
        optimizer.step()
        return {"loss": loss.detach().item()}

    return do


def _train_unsharded(job: Job, model: nn.Module, world_size: int, device: torch.device) -> None:
    """The same steps on one process: every rank's inputs one after the other, their gradients averaged."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=job.lr)
    for step in range(job.steps):
        optimizer.zero_grad()
        total = 0.0
        for rank in range(world_size):
            _seed(job.seed, rank, step)
            loss = _loss(job, model, inputs_of(job.example_inputs, rank, step, device)) / world_size
            loss.backward()
            total += loss.detach().item()
        optimizer.step()
        emit("reference", step=step + 1, loss=total)


def inputs_of(example_inputs: Any, rank: int, step: int, device: torch.device) -> Any:
    """What this rank feeds the model in this step (from 0), on the device."""
    inputs = example_inputs(rank, step) if callable(example_inputs) else example_inputs
    return _moved(inputs, device)


def _moved(value: Any, device: torch.device) -> Any:
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, Mapping):
        return {name: _moved(each, device) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(_moved(each, device) for each in value)
    return value


def _loss(job: Job, model: nn.Module, inputs: Any) -> Tensor:
    if isinstance(inputs, Mapping):
        output = model(**inputs)
    else:
        output = model(*inputs) if isinstance(inputs, tuple) else model(inputs)
    loss = job.loss(output, inputs) if job.loss is not None else default_loss(output)
    if not isinstance(loss, Tensor) or loss.numel() != 1 or not loss.requires_grad:
        what = f"a tensor of shape {tuple(loss.shape)}" if isinstance(loss, Tensor) else type(loss).__name__
        raise PlanError(
            f"the loss is {what}, not a scalar that depends on the parameters; give explore loss=f(output, inputs)"
        )
    return loss.reshape(())


def default_loss(output: Any) -> Tensor:
    """`output.loss` or `output["loss"]` if there is one, else the mean square of the (first) output tensor."""
    loss = output.get("loss") if isinstance(output, Mapping) else getattr(output, "loss", None)
    if loss is not None:
        return loss
    values = output.values() if isinstance(output, Mapping) else output
    tensors = [output] if isinstance(output, Tensor) else [v for v in values if isinstance(v, Tensor)]
    if not tensors or not tensors[0].is_floating_point():
        raise PlanError(f"no loss can be made from {type(output).__name__}; give explore loss=f(output, inputs)")
    return tensors[0].float().square().mean()


def _plain(metrics: Any) -> dict[str, Any]:
    if not isinstance(metrics, Mapping):
        raise PlanError(f"step must return a dict of metrics, such as {{'loss': ...}}, got {type(metrics).__name__}")
    return {
        str(name): value.detach().item() if isinstance(value, Tensor) else value
        for name, value in metrics.items()
        if name != "step"
    }


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
