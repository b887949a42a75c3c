"""What every rank does for a comparison: one contestant alone, then all of them in turns.

Alone, a contestant shows its losses, what it holds and what it sends; nothing of the others is in memory, and its
failure ends nothing but its own call. In turns, all that got through train side by side in the same processes, so
that whatever disturbs the machine disturbs all of them. Shipped to the ranks by name.
"""

from __future__ import annotations

import copy
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from sharding.comparisons.contestants import REFERENCE, contestant
from sharding.comparisons.meter import Meter
from sharding.plan import Plan
from sharding.training import Training, group_device
from sharding.workers import emit

STEPS_A_TURN = 2


@dataclass(frozen=True, eq=False)
class Trial:
    """What all contestants are given: the same plan, seeds and batches.

    Attributes:
        training: the model and what its steps are made of.
        plan: the plan of the sharded ones.
        steps: optimizer steps whose losses are compared.
        rounds: turns of each contestant while time is taken.
        finds_unused: whether DDP looks for parameters that a forward did not use.
    """

    training: Training
    plan: Plan
    steps: int = 5
    rounds: int = 7
    finds_unused: bool = False


@dataclass(frozen=True)
class Alone:
    """One rank's view of one contestant.

    Attributes:
        losses: of this rank, a step; of every rank, a step, for the unsharded model.
        peak_nbytes: largest sum of tensors during the second step (the first if there is one only); None on a rank
            that did not train.
        collectives: `(kind, bytes)` and how often in that step.
    """

    losses: list[Any] = field(default_factory=list)
    peak_nbytes: int | None = None
    collectives: dict[tuple[str, int], int] = field(default_factory=dict)


def train_alone(trial: Trial, engine: str) -> Alone:
    """Train one contestant on this rank. Collective, but the unsharded model is trained by rank 0 alone.

    Emits "trial" (engine, step from 1) after every step.
    """
    if engine == REFERENCE and dist.get_rank() > 0:
        return Alone()
    device = group_device()
    gauge = CudaGauge(device) if device.type == "cuda" else CpuGauge()
    measured_step = min(1, trial.steps - 1)
    losses: list[Any] = []
    with gauge:
        model, optimizer = _made(trial, engine, device)
        for step in range(measured_step + 1):
            if step == measured_step:
                gauge.begin()
            losses.append(_step(trial, engine, model, optimizer, step, device))
            emit("trial", engine=engine, step=step + 1)
    for step in range(measured_step + 1, trial.steps):
        losses.append(_step(trial, engine, model, optimizer, step, device))
        emit("trial", engine=engine, step=step + 1)
    return Alone(losses, gauge.peak_nbytes, dict(gauge.meter.collectives))


class CpuGauge:
    """Peak and collectives of a measured step on the CPU, both from the meter."""

    def __init__(self) -> None:
        self.meter = Meter()

    def __enter__(self) -> None:
        self.meter.__enter__()

    def __exit__(self, *exc: Any) -> None:
        self.meter.__exit__(*exc)

    def begin(self) -> None:
        """The step to be measured starts now."""
        gc.collect()
        self.meter.begin()

    @property
    def peak_nbytes(self) -> int:
        return self.meter.peak_nbytes


class CudaGauge(CpuGauge):
    """The same on a CUDA device, where the allocator knows the peak."""

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self._device = device
        gc.collect()
        self._before = torch.cuda.memory_allocated(device)
        self._peak = 0

    def begin(self) -> None:
        super().begin()
        torch.cuda.synchronize(self._device)
        torch.cuda.reset_peak_memory_stats(self._device)

    def __exit__(self, *exc: Any) -> None:
        torch.cuda.synchronize(self._device)
        self._peak = torch.cuda.max_memory_allocated(self._device) - self._before
        super().__exit__(*exc)

    @property
    def peak_nbytes(self) -> int:
        return self._peak


def train_in_turns(trial: Trial, engines: Sequence[str]) -> dict[str, list[float]]:
    """Train all contestants on this rank, a few steps of each in turn. Collective.

    The unsharded model is trained by every rank on its own inputs, without any communication.

    Emits "turn" (engine, round from 0) before every turn, so that whoever listens knows whose turn failed.

    Returns:
        Seconds a step of each contestant, a round. The order within a round changes from round to round.
    """
    device = group_device()
    made = {}
    for engine in engines:
        emit("turn", engine=engine, round=0)
        made[engine] = _made(trial, engine, device)
    seconds: dict[str, list[float]] = {engine: [] for engine in engines}
    for number in range(trial.rounds + 1):
        first = number % len(engines)
        for engine in [*engines[first:], *engines[:first]]:
            emit("turn", engine=engine, round=number)
            model, optimizer = made[engine]
            taken = _turn(trial, model, optimizer, number, device)
            if number:  # the first round warms up
                seconds[engine].append(taken)
    return seconds


def _turn(trial: Trial, model: nn.Module, optimizer: torch.optim.Optimizer, number: int, device: torch.device) -> float:
    _finish(device)
    dist.barrier()
    began = time.perf_counter()
    for step in range(STEPS_A_TURN):
        trial.training.do(model, optimizer, dist.get_rank(), number * STEPS_A_TURN + step, device)
    _finish(device)
    return (time.perf_counter() - began) / STEPS_A_TURN


def _finish(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _made(trial: Trial, engine: str, device: torch.device) -> tuple[nn.Module, torch.optim.Optimizer]:
    training = trial.training
    if isinstance(training.given, nn.Module):  # one for each contestant
        training = replace(training, given=copy.deepcopy(training.given))
    live = contestant(engine, trial.plan, training.fresh(device), device, finds_unused=trial.finds_unused)
    return live, trial.training.optimizer(live)


def _step(
    trial: Trial, engine: str, model: nn.Module, optimizer: torch.optim.Optimizer, step: int, device: torch.device
) -> Any:
    """One step; the loss of this rank, or of every rank for the unsharded model."""
    if engine == REFERENCE:
        return trial.training.do_unsharded(model, optimizer, dist.get_world_size(), step, device)
    return trial.training.do(model, optimizer, dist.get_rank(), step, device).get("loss")
