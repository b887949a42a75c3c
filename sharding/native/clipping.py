"""Clipping gradients of a model on torch's engine by their norm over all ranks, whoever looks after the parameter.

Torch's own `clip_grad_norm_` fails where gradients are of several kinds or meshes. Here the pieces are what counts:
cut ones are summed over the ranks that share them, replicated ones counted once, ignored and unmanaged ones enter with
the largest rank's norm, so that every rank clips by the same factor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.tensor import DTensor, Shard
from torch.nn.utils import get_total_norm

from sharding.errors import StateError
from sharding.native.torch_private import ddp_params_of
from sharding.native.walking import running_at_rest
from sharding.traversal import tree_of


@dataclass
class _Gradients:
    """Gradients of a model as this rank holds them, by who shares them."""

    cut: dict[dist.ProcessGroup, list[torch.Tensor]] = field(default_factory=dict)
    whole: list[torch.Tensor] = field(default_factory=list)
    own: list[torch.Tensor] = field(default_factory=list)
    has_own: bool = False
    device: torch.device | None = None


@torch.no_grad()
def clip_grad_norm_(
    module: nn.Module,
    max_norm: float,
    *,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> torch.Tensor:
    """See `sharding.clip_grad_norm_`."""
    gradients = _sorted(module)
    device = gradients.device
    parts = [_shared(grads, ranks, norm_type, device) for ranks, grads in gradients.cut.items()]
    parts.append(_norm(gradients.whole, norm_type))
    own = _norm(gradients.own, norm_type).to(device)
    if gradients.has_own and dist.get_world_size() > 1:
        dist.all_reduce(own, dist.ReduceOp.MAX)
    parts.append(own)
    total = torch.linalg.vector_norm(torch.stack([part.to(device, torch.float32) for part in parts]), norm_type)
    if error_if_nonfinite and not math.isfinite(float(total)):
        raise StateError(
            f"the norm of the gradients is {float(total)}; skip this step, or clip with error_if_nonfinite=False"
        )
    locals_ = [*gradients.whole, *gradients.own, *(grad for grads in gradients.cut.values() for grad in grads)]
    _scale(locals_, torch.clamp(max_norm / (total + 1e-6), max=1.0), foreach)
    return total


def _sorted(module: nn.Module) -> _Gradients:
    found = _Gradients()
    running = running_at_rest(tree_of(module), "clip_grad_norm_")
    replicated = {id(param) for each in running if each.ddp is not None for param in ddp_params_of(each.ddp)}
    found.device = next((torch.device(group.device) for each in running for group in each.groups), None)
    for param in module.parameters():
        if isinstance(param, DTensor):
            if isinstance(param.grad, DTensor):
                _add(found, param.grad)
        elif id(param) in replicated:
            found.whole += [param.grad] if param.grad is not None else []
        elif param.requires_grad:
            found.has_own = True
            found.own += [param.grad] if param.grad is not None else []
    return found


def _add(found: _Gradients, grad: DTensor) -> None:
    local = grad.to_local()
    cut = [axis for axis, placement in enumerate(grad.placements) if isinstance(placement, Shard)]
    if not cut or all(grad.device_mesh.size(axis) == 1 for axis in cut):
        found.whole.append(local)
    else:
        found.cut.setdefault(grad.device_mesh.get_group(cut[0]), []).append(local)


def _norm(grads: Iterable[torch.Tensor], norm_type: float) -> torch.Tensor:
    filled = [grad for grad in grads if grad.numel()]
    return get_total_norm(filled, norm_type) if filled else torch.zeros(())


def _shared(
    grads: list[torch.Tensor], ranks: dist.ProcessGroup, norm_type: float, device: torch.device | None
) -> torch.Tensor:
    """The norm of gradients whose pieces lie on several ranks, which talk on `device`."""
    norm = _norm(grads, norm_type).to(device, torch.float64)
    if math.isinf(norm_type):
        dist.all_reduce(norm, dist.ReduceOp.MAX, group=ranks)
        return norm
    power = norm**norm_type
    dist.all_reduce(power, group=ranks)
    return power ** (1.0 / norm_type)


def _scale(grads: list[torch.Tensor], factor: torch.Tensor, foreach: bool | None) -> None:
    batches: dict[torch.device, list[torch.Tensor]] = {}
    for grad in grads:
        if grad.numel():
            batches.setdefault(grad.device, []).append(grad)
    for device, batch in batches.items():
        here = factor.to(device)
        if foreach is False:
            for grad in batch:
                grad.mul_(here)
        else:
            torch._foreach_mul_(batch, here)
