"""Torch's own memory tracker on the whole model, in a process of its own: what a trace of short copies is checked by.

`FSDPMemTracker` needs a process group and replaces methods of torch's classes, so it never runs here. One worker makes
a fake process group of as many ranks as asked for, builds the model on fake tensors, applies the plan with torch's
engine and runs one step; progress comes as events, and it can be stopped at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.fsdp import CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy, fully_shard
from torch.utils._pytree import tree_map

from sharding.builder import model_of
from sharding.errors import ConflictError, PlanError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.precision import Precision, as_precision
from sharding.strategies import KEEPS_AFTER_FORWARD
from sharding.training import loss_on
from sharding.workers.call import Run
from sharding.workers.emission import emit
from sharding.workers.pool import Workers


@dataclass(frozen=True)
class TrackedMemory:
    """What the tracker saw.

    Attributes:
        nbytes: the most that was alive at once, on the first rank.
        by_category: of what it was made, in the tracker's own words.
        seconds: how long the step took.
    """

    nbytes: int
    by_category: Mapping[str, int]
    seconds: float


class Tracking:
    """A tracker that is running. `result()` waits for it, `cancel()` ends it."""

    def __init__(self, workers: Workers, run: Run) -> None:
        self._workers = workers
        self._run = run

    @property
    def done(self) -> bool:
        """Whether it is over, however it ended."""
        return self._run.done

    @property
    def progress(self) -> tuple[int, int]:
        """How many forwards and backwards of units are over, and how many there are; `(0, 0)` before the first."""
        events = [event for event in self._run.events if event.kind == "tracked"]
        return (events[-1].values["done"], events[-1].values["of"]) if events else (0, 0)

    def result(self, timeout: float | None = None) -> TrackedMemory:
        """What was seen; waits for it.

        Raises:
            WorkerError: it was cancelled, or the model cannot be run.
        """
        try:
            (found,) = self._run.result(timeout)
            return found
        finally:
            if self._run.done:
                self._workers.close()

    def cancel(self) -> None:
        """End it and its process now."""
        self._run.interrupt()
        self._workers.close()


def track_memory(
    build: Callable[[], nn.Module],
    plan: Plan,
    example_inputs: Any,
    *,
    world_size: int | None = None,
    mesh_shape: tuple[int, ...] | None = None,
    loss: Callable[..., Any] | None = None,
    timeout: float = 600,
) -> Tracking:
    """Start torch's FSDPMemTracker on a plan of torch's engine, in another process; returns at once.

    Args:
        build: makes the model; it is called on the meta device here, and on fake tensors in the other process.
        plan: what is applied.
        example_inputs: a tensor, tuple or dict; only shapes and dtypes are read.
        world_size: ranks of the fake process group; 2 if neither this nor a mesh is given.
        mesh_shape: `(ranks,)` or `(replicate, shard)`; by default the plan's.
        loss: `loss(output, inputs) -> scalar`.
        timeout: seconds the step may take.

    Raises:
        PlanError: a mesh that does not multiply out, or a plan with replicate groups, which the tracker does not know.
        ConflictError: the plan cannot run.
        ShippingError: what was given cannot travel.
    """
    shape = mesh_shape or plan.mesh_shape or (world_size or 2,)
    if world_size is not None and prod(shape) != world_size:
        raise PlanError(
            f"mesh_shape={shape!r} holds {prod(shape)} ranks, world_size={world_size}; leave one of them out"
        )
    layout = plan.resolve(model_of(build, verb="track_memory"), engine="torch")
    _refuse(layout)
    workers = Workers(1, backend="gloo", timeout=timeout)
    return Tracking(workers, workers.start(_tracked, build, plan, example_inputs, tuple(shape), loss))


def _tracked(
    build: Callable[[], nn.Module], plan: Plan, inputs: Any, shape: tuple[int, ...], loss: Callable[..., Any] | None
) -> TrackedMemory:
    """In the other process: everything on fake tensors and a fake process group."""
    import time

    from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker
    from torch.testing._internal.distributed.fake_pg import FakeStore

    start = time.perf_counter()
    layout = plan.resolve(model_of(build, verb="track_memory"), engine="torch")
    dist.destroy_process_group()
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=prod(shape))
    mesh = init_device_mesh("cpu", shape, mesh_dim_names=("replicate", "shard")[-len(shape) :])
    with FakeTensorMode():
        model = build()
        _shard(model, layout, mesh)
        fed = tree_map(_unfilled, inputs)
        optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], foreach=False)
        _step(model, fed, loss)
        optimizer.step()
        optimizer.zero_grad()
        _report_progress(model, [unit.fqn for unit in layout.units])
        tracker = FSDPMemTracker(model, optimizer)
        tracker.track_external(optimizer)
        with tracker:
            _step(model, fed, loss)
    seen = tracker.get_tracker_snapshot("peak")[torch.device("cpu")]
    by_category = {str(getattr(key, "value", key)): nbytes for key, nbytes in seen.items()}
    return TrackedMemory(by_category.pop("Total"), by_category, time.perf_counter() - start)


def _unfilled(leaf: Any) -> Any:
    return torch.empty(leaf.shape, dtype=leaf.dtype) if isinstance(leaf, torch.Tensor) else leaf


def _refuse(layout: Layout) -> None:
    if layout.conflicts:
        raise ConflictError(f"the plan cannot run: {layout.conflicts[0].message}", layout.conflicts)
    if layout.replicate_groups:
        raise PlanError("the tracker of torch's engine knows no replicate groups; take them out of the plan")


def _shard(model: nn.Module, layout: Layout, mesh: DeviceMesh) -> None:
    """The plan with torch's own calls: fake tensors are a subclass that `Plan.apply` does not take."""
    alone = {
        model.get_parameter(row.name) for row in layout.params.values() if row.owner_kind in ("ignored", "unmanaged")
    }
    for unit in reversed(layout.units):
        options = unit.annotation.options
        precision = as_precision(options.mixed_precision) or Precision()
        keeps = options.reshard_after_forward is None and unit.strategy in KEEPS_AFTER_FORWARD
        modules: Any = [model.get_submodule(fqn) for fqn in unit.fqns]
        fully_shard(
            modules if len(modules) > 1 else modules[0],
            mesh=mesh,
            reshard_after_forward=False if keeps else options.reshard_after_forward,
            mp_policy=MixedPrecisionPolicy(precision.param_dtype, precision.reduce_dtype),
            offload_policy=CPUOffloadPolicy(pin_memory=False) if options.cpu_offload else OffloadPolicy(),
            ignored_params=alone or None,
        )


def _step(model: nn.Module, inputs: Any, loss: Callable[..., Any] | None) -> None:
    loss_on(model, inputs, loss).backward()


def _report_progress(model: nn.Module, names: list[str]) -> None:
    done = [0]

    def over(*_: Any) -> None:
        done[0] += 1
        emit("tracked", done=done[0], of=2 * len(names))

    for name in names:
        module = model.get_submodule(name)
        module.register_forward_hook(over)
        module.register_full_backward_pre_hook(over)
