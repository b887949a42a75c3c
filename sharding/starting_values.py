"""What parameters start from, for either engine: memory and values for meta ones, one rank's values for everybody.

An engine does both one unit at a time, right before the unit is cut, so a model on the meta device never exists as a
whole. Materialising replaces parameters (a meta tensor cannot become a real one in place); ties are put back. Sending
is the engine's own: here tensors are only joined for it, and taken apart again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import nn

from sharding.errors import PlanError
from sharding.units import ParamRow


def check_initialisers(rows: Iterable[ParamRow], init: Callable[[nn.Module], Any] | None) -> None:
    """Refuse meta parameters nothing can fill.

    Raises:
        PlanError: naming the parameter and what to pass.
    """
    if init is not None:
        return
    for row in rows:
        if row.param.is_meta and not all(hasattr(module, "reset_parameters") for module, _ in row.users):
            module = next(module for module, _ in row.users if not hasattr(module, "reset_parameters"))
            raise PlanError(
                f"{row.name!r} is on the meta device and its {type(module).__name__} has no reset_parameters(): pass "
                "param_init_fn=, a function that gives a module's own tensors memory and values"
            )


def materialise(
    rows: Sequence[ParamRow], init: Callable[[nn.Module], Any] | None, device: torch.device
) -> list[tuple[str, nn.Parameter]]:
    """Replace the meta parameters among `rows` by real ones, and meta buffers beside them.

    Returns:
        The `(name, parameter)` pairs that were replaced.
    """
    retired = [(row.name, row.param) for row in rows if row.param.is_meta]
    holders = {id(module): module for row in rows if row.param.is_meta for module, _ in row.users}
    for module in holders.values():
        if init is None:
            _allocate(module, device)
            module.reset_parameters()  # type: ignore[operator]
        else:
            init(module)
    for row in rows:
        if row.param.is_meta:
            _tie(row)
    return retired


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


def alike(tensors: Iterable[torch.Tensor]) -> Iterable[list[torch.Tensor]]:
    """Those with elements, a list for each dtype and device: what can travel as one tensor."""
    batches: dict[tuple[torch.dtype, torch.device], list[torch.Tensor]] = {}
    for tensor in tensors:
        if tensor.numel():
            batches.setdefault((tensor.dtype, tensor.device), []).append(tensor)
    return batches.values()


def joined(batch: Sequence[torch.Tensor]) -> torch.Tensor:
    """One 1-D tensor of all elements of `alike` ones."""
    return torch.cat([tensor.reshape(-1) for tensor in batch])


def take_apart(flat: torch.Tensor, batch: Sequence[torch.Tensor]) -> None:
    """Overwrite each of the tensors that were `joined` with its part of `flat`."""
    for tensor, part in zip(batch, flat.split([tensor.numel() for tensor in batch]), strict=True):
        tensor.copy_(part.view(tensor.shape))
