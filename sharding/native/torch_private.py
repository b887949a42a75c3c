"""Every name of torch that this engine needs and torch does not document. None is named elsewhere.

Run against torch 2.11, 2.13 and 2.14, read against 2.12. One thing differs: in 2.11 a state has one parameter group in
`_fsdp_param_group`, later a list, `_fsdp_param_groups`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import nn
from torch.distributed._composable.contract import REGISTRY_KEY, STATE_KEY, _get_registry
from torch.distributed._composable.replicate import DDP
from torch.distributed._composable.replicate import replicate as replicate_with_ddp
from torch.distributed._composable.replicate_with_fsdp import replicate as replicate_with_fsdp
from torch.distributed._composable_state import _module_state_mapping
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.fsdp import FSDPModule
from torch.distributed.fsdp._fully_shard._fsdp_collectives import DefaultAllGather, DefaultReduceScatter
from torch.distributed.fsdp._fully_shard._fsdp_common import DDPMeshInfo, FSDPMeshInfo

__all__ = [
    "DefaultAllGather",
    "DefaultReduceScatter",
    "FSDPModule",
    "ddp_params_of",
    "ddp_state_of",
    "flattened",
    "forget_calls",
    "holders_of",
    "is_on_its_way",
    "is_replicated",
    "is_unsharded",
    "keep_whole",
    "listen_to_all_reduces",
    "num_gathering_bytes",
    "pairs_of_forms",
    "param_groups_of",
    "reduces",
    "replicate_with_ddp",
    "replicate_with_fsdp",
    "set_reduces",
    "speak_through",
    "torch_apis",
    "training_state",
]

ParamGroup = Any
"""Torch's `FSDPParamGroup`: the parameters of one call, which travel together."""


def torch_apis(module: nn.Module) -> tuple[str, ...]:
    """The composable calls torch itself has noted on this very module."""
    registry: Iterable[str] | None = _get_registry(module)
    return tuple(registry or ())


def param_groups_of(module: nn.Module) -> list[ParamGroup]:
    """The parameter groups of a module that `fully_shard` or the FSDP2 `replicate` is on: one, or none if empty."""
    if not isinstance(module, FSDPModule):
        return []
    return param_groups_in(module._get_fsdp_state())


def param_groups_in(state: Any) -> list[ParamGroup]:
    """The parameter groups of a state; none of None."""
    groups = getattr(state, "_fsdp_param_groups", None)
    single = getattr(state, "_fsdp_param_group", None) if groups is None else None
    return [single] if single is not None else list(groups or ())


def ddp_state_of(module: nn.Module) -> Any | None:
    """The state of a module that the DDP `replicate` is on: `_param_list`, `_no_sync`."""
    if isinstance(module, FSDPModule) or "replicate" not in torch_apis(module):
        return None
    return replicate_with_ddp.state(module)  # type: ignore[attr-defined]


def ddp_params_of(state: Any) -> list[nn.Parameter]:
    """The parameters a DDP replicate averages; before its first forward torch has not collected them."""
    return list(state._param_list)


def reduces(owner: Any) -> tuple[bool, bool]:
    """Whether the next backward of a parameter group, or of a DDP state, averages gradients (and over both axes)."""
    if hasattr(owner, "reduce_grads"):
        return owner.reduce_grads, owner.all_reduce_grads
    return not owner._no_sync, not owner._no_sync


def set_reduces(owner: Any, wanted: tuple[bool, bool]) -> None:
    """The reverse of `reduces`."""
    if hasattr(owner, "reduce_grads"):
        owner.reduce_grads, owner.all_reduce_grads = wanted
    else:
        owner._no_sync = not wanted[0]


def is_replicated(group: ParamGroup) -> bool:
    """Whether the group is kept whole on every rank (`replicate`), not cut."""
    return not isinstance(group.mesh_info, FSDPMeshInfo)


def training_state(group: ParamGroup) -> str:
    """ "IDLE", "FORWARD", "PRE_BACKWARD" or "POST_BACKWARD"."""
    return group._training_state.name


def is_unsharded(group: ParamGroup) -> bool:
    """Whether the modules show the whole parameters now."""
    return group.is_unsharded


def is_on_its_way(group: ParamGroup) -> bool:
    """Whether an all-gather was started that nobody has waited for."""
    return group._all_gather_result is not None


def num_gathering_bytes(group: ParamGroup) -> int:
    """Bytes of the all-gather on its way; 0 where nothing travels."""
    result = group._all_gather_result
    return 0 if result is None else result.all_gather_output.nbytes


def pairs_of_forms(group: ParamGroup) -> list[tuple[nn.Parameter, torch.Tensor | None]]:
    """Each parameter as it rests (a DTensor), and as it is whole, if it is now."""
    whole = group.is_unsharded
    return [(each.sharded_param, each._unsharded_param if whole else None) for each in group.fsdp_params]


def holders_of(group: ParamGroup) -> list[tuple[nn.Parameter, list[tuple[nn.Module, str]]]]:
    """Each parameter as it rests, and every module and attribute that holds it."""
    found = []
    for each in group.fsdp_params:
        info = each._module_info
        shared = zip(info.shared_modules, info.shared_param_names, strict=True)
        found.append((each.sharded_param, [(info.module, info.param_name), *shared]))
    return found


def forget_calls(module: nn.Module) -> None:
    """Take hooks, states, marks and class of torch's calls off this very module, so that it can be marked anew."""
    state: Any = _module_state_mapping.pop(module, lambda: None)()
    if state is not None:
        state._pre_forward_hook_handle.remove()
        state._post_forward_hook_handle.remove()
    for group in param_groups_in(state):
        _remove_hooks(group)
    ddp = ddp_state_of(module)
    if ddp is not None:
        for hooks in (module._forward_pre_hooks, module._forward_hooks):
            for key in [key for key, hook in hooks.items() if getattr(hook, "__self__", None) is ddp]:
                del hooks[key]
    for key in (STATE_KEY, REGISTRY_KEY):
        module.__dict__.pop(key, None)
    for name in ("_is_fsdp_managed_module", "_fsdp_use_orig_params"):
        module.__dict__.pop(name, None)
    depth = getattr(type(module), "_orig_cls_mro_index", 2 if isinstance(module, DDP) else None)
    if depth is not None:
        module.__class__ = type(module).__mro__[depth]


def _remove_hooks(group: ParamGroup) -> None:
    for handles in (
        group._module_to_pre_save_state_dict_hook_handle,
        group._module_to_pre_load_state_dict_hook_handle,
    ):
        for handle in handles.values():
            handle.remove()
        handles.clear()


@contextlib.contextmanager
def keep_whole(group: ParamGroup) -> Iterator[None]:
    """Forwards inside the block do not free the group's whole parameters."""
    if is_replicated(group):
        yield
        return
    before, group.post_forward_mesh_info = group.post_forward_mesh_info, None
    try:
        yield
    finally:
        state = group.modules[0]._get_fsdp_state()
        became_root = state._is_root and state._auto_reshard_after_forward
        group.post_forward_mesh_info = None if became_root else before


def speak_through(group: ParamGroup, all_gather: DefaultAllGather, reduce_scatter: DefaultReduceScatter) -> None:
    """Have the group's collectives go through these; both behave as torch's own."""
    group._all_gather_comm = all_gather
    group._reduce_scatter_comm = reduce_scatter


def listen_to_all_reduces(group: ParamGroup, hear: Any) -> None:
    """Call `hear(buffer)` after each all-reduce of gradients over the replicate axis, where there is one."""
    if isinstance(group.mesh_info, DDPMeshInfo):
        group._all_reduce_hook = hear


def flattened(mesh: DeviceMesh) -> DeviceMesh:
    """All ranks of a mesh along one axis."""
    return mesh if mesh.ndim == 1 else mesh._flatten()
