"""Every name of torch that this engine needs and torch does not document. None is named elsewhere.

Run against torch 2.13 and 2.14; read against 2.11, where one thing differs: a state has one parameter group in
`_fsdp_param_group`, and 2.13 has a list, `_fsdp_param_groups`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import nn
from torch.distributed._composable.replicate import replicate as replicate_with_ddp
from torch.distributed._composable.replicate_with_fsdp import replicate as replicate_with_fsdp
from torch.distributed.device_mesh import DeviceMesh

REGISTRY = "__torch_composable_registry__"

__all__ = ["flattened", "param_groups_of", "replicate_with_ddp", "replicate_with_fsdp", "torch_apis"]


def torch_apis(module: nn.Module) -> tuple[str, ...]:
    """The composable calls torch itself has noted on this very module."""
    from torch.distributed._composable.contract import _get_registry

    registry: Iterable[str] | None = _get_registry(module)
    return tuple(registry or ())


def param_groups_of(module: nn.Module) -> list[Any]:
    """The groups of parameters that travel together for this module: `FSDPParamGroup`s, one or none."""
    from torch.distributed.fsdp import FSDPModule

    if not isinstance(module, FSDPModule):
        return []
    state: Any = module._get_fsdp_state()
    groups = getattr(state, "_fsdp_param_groups", None)
    return [state._fsdp_param_group] if groups is None and state._fsdp_param_group else list(groups or ())


def flattened(mesh: DeviceMesh) -> DeviceMesh:
    """All ranks of a mesh along one axis."""
    return mesh if mesh.ndim == 1 else mesh._flatten()
