"""What `Plan.apply(engine="torch")` runs with, beside what the plan says: read and checked before anything is changed.

`TorchSettings` travels in `Annotation.settings`. A setting torch's engine has no use for is refused, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

from sharding.errors import PlanError
from sharding.resting import RestingPiece
from sharding.traversal import Tree

KNOWN = ("replicate_with", "sync_module_states", "param_init_fn", "bucket_cap_mb", "find_unused_parameters")
DDP_ONLY = ("bucket_cap_mb", "find_unused_parameters")


@dataclass(frozen=True, eq=False)
class TorchSettings:
    """What one verb of a plan runs with.

    Attributes:
        mesh: the ranks: one axis, or (replicate, shard).
        replicate_with: "fsdp" for the FSDP2 engine's `replicate`, "ddp" for the one on DDP.
        sync_module_states: whether rank 0's parameters and buffers overwrite the others' at the start.
        param_init_fn: gives memory and values to a module whose own tensors are on the meta device.
        bucket_cap_mb: largest all-reduce of DDP, in MiB; None for torch's choice.
        find_unused_parameters: whether DDP looks for parameters a forward did not use.
    """

    engine: ClassVar[str] = "torch"

    mesh: DeviceMesh
    replicate_with: Literal["fsdp", "ddp"] = "fsdp"
    sync_module_states: bool = False
    param_init_fn: Callable[[nn.Module], Any] | None = None
    bucket_cap_mb: float | None = None
    find_unused_parameters: bool = False

    def pieces_in(self, tree: Tree) -> dict[int, RestingPiece]:
        """None: its parameters are DTensors or whole, and say so themselves; see `sharding/resting.py`."""
        return {}


def read_settings(mesh: DeviceMesh | None, given: dict[str, Any]) -> dict[str, TorchSettings]:
    """The settings of both verbs.

    Args:
        mesh: the ranks; None for all of them.
        given: keywords of `Plan.apply`.

    Raises:
        PlanError: an unknown or unfitting setting, a mesh that does not fit, or no process group.
    """
    unknown = sorted(set(given) - set(KNOWN))
    if unknown:
        raise PlanError(
            f"Plan.apply(engine='torch') has no setting {', '.join(map(repr, unknown))}; known are {', '.join(KNOWN)}"
        )
    with_ = given.get("replicate_with", "fsdp")
    if with_ not in ("fsdp", "ddp"):
        raise PlanError(f"replicate_with={with_!r}; it is 'fsdp' (torch's FSDP2 engine) or 'ddp'")
    useless = [name for name in DDP_ONLY if name in given and with_ != "ddp"]
    if useless:
        raise PlanError(f"{useless[0]} is a setting of DDP; pass replicate_with='ddp' too, or leave it out")
    mesh = _checked(mesh)
    sync = given.get("sync_module_states")
    common = {name: value for name, value in given.items() if name != "sync_module_states"}
    return {
        "fully_shard": TorchSettings(mesh, sync_module_states=bool(sync), **common),
        "replicate": TorchSettings(mesh, sync_module_states=sync is None or bool(sync), **common),
    }


def _checked(mesh: DeviceMesh | None) -> DeviceMesh:
    if not (dist.is_available() and dist.is_initialized()):
        raise PlanError(
            "engine='torch' needs a process group, also for one rank: call torch.distributed.init_process_group first "
            "(in workers it is there), or use engine='flat'"
        )
    if mesh is None:
        on_cuda = "nccl" in dist.get_backend()
        return init_device_mesh("cuda" if on_cuda else "cpu", (dist.get_world_size(),), mesh_dim_names=("shard",))
    if not isinstance(mesh, DeviceMesh):
        raise PlanError(f"mesh={type(mesh).__name__}; pass a torch DeviceMesh (init_device_mesh) or None")
    if mesh.ndim > 2:
        raise PlanError(f"a mesh of {mesh.ndim} axes; torch's fully_shard takes one, or two (replicate, shard)")
    if mesh.ndim == 2 and mesh.mesh_dim_names is None:
        raise PlanError(
            "the 2-D mesh has no names, and torch's engine reads its axes by name: "
            "init_device_mesh(..., mesh_dim_names=('replicate', 'shard'))"
        )
    return mesh


def device_of(mesh: DeviceMesh) -> torch.device:
    """Where this rank's parameters live."""
    if mesh.device_type == "cpu":
        return torch.device("cpu")
    return torch.device(mesh.device_type, torch.accelerator.current_device_index())
