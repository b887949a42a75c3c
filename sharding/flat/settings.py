"""The settings of a verb, checked and split: what a plan also knows (`UnitOptions`) and what only a run needs.

`EngineSettings` travels in `Annotation.settings`. A setting that cannot be honoured is refused, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh

from sharding.annotations import UnitOptions
from sharding.buckets import DEFAULT_BUCKET_CAP_MB
from sharding.errors import PlanError
from sharding.flat.axes import STRATEGIES, axes_for
from sharding.precision import as_precision
from sharding.resting import RestingPiece
from sharding.traversal import Tree


@dataclass(frozen=True, eq=False)
class EngineSettings:
    """What one call of a verb runs with, beside its options.

    Attributes:
        mesh: the ranks; None for all of them.
        device: where pieces and buffers live; None for where the parameters are.
        param_init_fn: gives memory and values to a module whose own tensors are on the meta device.
        sync_module_states: whether rank 0's parameters and buffers overwrite the others' at the start.
        bucket_cap_mb: largest all-reduce of a replicate group that says nothing else, in MiB.
    """

    mesh: DeviceMesh | None = None
    device: torch.device | None = None
    param_init_fn: Callable[[nn.Module], Any] | None = None
    sync_module_states: bool = False
    bucket_cap_mb: float = DEFAULT_BUCKET_CAP_MB

    def pieces_in(self, tree: Tree) -> dict[int, RestingPiece]:
        """What this rank holds of a model's parameters, by their ids; see `sharding/resting.py`."""
        from sharding.flat.resting_pieces import pieces_in  # what runs is above its settings

        return pieces_in(tree)


def unit_options(
    *,
    strategy: str,
    mixed_precision: Any,
    backward_prefetch: Any,
    forward_prefetch: bool,
    limit_all_gathers: bool,
    cpu_offload: Any,
    reshard_after_forward: bool | None = None,
) -> UnitOptions:
    """The options of a `fully_shard` call.

    Raises:
        PlanError: naming the setting, its value and what is allowed.
    """
    if strategy not in STRATEGIES:
        raise PlanError(f"strategy={strategy!r}; known are {', '.join(map(repr, STRATEGIES))}")
    prefetch = read_prefetch(backward_prefetch)
    offloads = bool(getattr(cpu_offload, "offload_params", cpu_offload))
    return UnitOptions(
        strategy=strategy,
        reshard_after_forward=reshard_after_forward,
        mixed_precision=as_precision(mixed_precision),
        cpu_offload=offloads,
        backward_prefetch=prefetch,
        forward_prefetch=bool(forward_prefetch),
        limit_all_gathers=bool(limit_all_gathers),
    )


def read_prefetch(value: Any) -> Any:
    """`"pre"`, `"post"` or None, from those or torch's `BackwardPrefetch`."""
    names = {"BACKWARD_PRE": "pre", "BACKWARD_POST": "post"}
    read = names.get(getattr(value, "name", ""), value)
    if read not in ("pre", "post", None):
        raise PlanError(f"backward_prefetch={value!r}; it is 'pre', 'post' or None")
    return read


def engine_settings(strategy: str, **values: Any) -> EngineSettings:
    """The rest of a call's settings; the mesh must fit the strategy."""
    device = values.pop("device", None)
    settings = EngineSettings(device=None if device is None else torch.device(device), **values)
    if settings.mesh is not None and not isinstance(settings.mesh, DeviceMesh):
        raise PlanError(f"mesh={type(settings.mesh).__name__}; pass a torch DeviceMesh (init_device_mesh) or None")
    axes_for(strategy, settings.mesh)
    return settings
