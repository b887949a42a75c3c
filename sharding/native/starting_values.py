"""What parameters start from: memory and values for meta ones, rank 0's values for everybody.

Both happen one unit at a time, right before torch cuts it, so a model on the meta device never exists as a whole.
Materialising replaces parameters (a meta tensor cannot become a real one in place); ties are put back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import DeviceMesh

from sharding.errors import PlanError
from sharding.events import open_logs, record
from sharding.layout import ParamRow


def check_initialisers(rows: Iterable[ParamRow], init: Callable[[nn.Module], Any] | None) -> None:
    """Refuse meta parameters nothing can fill.

    Raises:
        PlanError: naming the parameter and what to pass.
    """
    if init is not None:
        return
    for row in rows:
        lacking = [module for module, _ in row.users if not hasattr(module, "reset_parameters")]
        if row.param.is_meta and lacking:
            raise PlanError(
                f"{row.name!r} is on the meta device and its {type(lacking[0]).__name__} has no reset_parameters(): "
                "pass param_init_fn=, a function that gives a module's own tensors memory and values"
            )


def materialise(rows: Sequence[ParamRow], init: Callable[[nn.Module], Any] | None, device: torch.device) -> None:
    """Replace the meta parameters among `rows` by real ones, and meta buffers beside them."""
    meta = [row for row in rows if row.param.is_meta]
    holders = {id(module): module for row in meta for module, _ in row.users}
    for module in holders.values():
        if init is None:
            _allocate(module, device)
            module.reset_parameters()  # type: ignore[operator]
        else:
            init(module)
    for row in meta:
        _tie(row)


def _allocate(module: nn.Module, device: torch.device) -> None:
    for attr, param in module._parameters.items():
        if param is not None and param.is_meta:
            real = nn.Parameter(torch.empty_like(param, device=device), requires_grad=param.requires_grad)
            module._parameters[attr] = real
    for attr, buffer in module._buffers.items():
        if buffer is not None and buffer.is_meta:
            module._buffers[attr] = torch.empty_like(buffer, device=device)


def _tie(row: ParamRow) -> None:
    """One new parameter for all holders of one old."""
    module, attr = row.users[0]
    real = module._parameters[attr]
    if real is None or real.is_meta:
        raise PlanError(
            f"{row.name!r} is still on the meta device after its {type(module).__name__} was initialised: "
            "param_init_fn must give every tensor of the module it gets memory (module.to_empty(device=...) first)"
        )
    for other, name in row.users[1:]:
        other._parameters[name] = real


@torch.no_grad()
def broadcast_from_first(tensors: Iterable[torch.Tensor], mesh: DeviceMesh, fqn: str) -> None:
    """Overwrite `tensors` with those of the mesh's first rank: one broadcast a dtype. Every rank must call it.

    Args:
        tensors: what to overwrite.
        mesh: who takes part, along one axis.
        fqn: whose they are, for the events.
    """
    if mesh.size() == 1:
        return
    batches: dict[tuple[torch.dtype, torch.device], list[torch.Tensor]] = {}
    for tensor in tensors:
        if tensor.numel():
            batches.setdefault((tensor.dtype, tensor.device), []).append(tensor)
    for batch in batches.values():
        start_ns = time.monotonic_ns()
        flat = torch.cat([tensor.reshape(-1) for tensor in batch]).to(mesh.device_type)
        dist.broadcast(flat, group_src=0, group=mesh.get_group())
        for tensor, part in zip(batch, flat.split([tensor.numel() for tensor in batch]), strict=True):
            tensor.copy_(part.view(tensor.shape))
        if open_logs.logs:
            now = time.monotonic_ns()
            record(("broadcast", fqn, dist.get_rank(), start_ns, now, flat.nbytes, "other", False))
