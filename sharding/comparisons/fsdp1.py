"""The plan on FSDP1, torch's `FullyShardedDataParallel`, as a baseline: a layout as one wrapping call.

FSDP1 wraps modules where a plan annotates them, so only plans of one local root and units of one module can be said
with it; what it lacks is told before anything is built.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import (
    BackwardPrefetch,
    CPUOffload,
    FullyShardedDataParallel,
    MixedPrecision,
    ShardingStrategy,
)
from torch.distributed.fsdp.wrap import CustomPolicy

from sharding.annotations import UnitOptions
from sharding.layout import Layout
from sharding.precision import as_precision
from sharding.strategies import HYBRID, KEEPS_AFTER_FORWARD

_STRATEGIES = {
    (False, True): ShardingStrategy.FULL_SHARD,
    (False, False): ShardingStrategy.SHARD_GRAD_OP,
    (True, True): ShardingStrategy.HYBRID_SHARD,
    (True, False): ShardingStrategy._HYBRID_SHARD_ZERO2,
}
_PREFETCH = {"pre": BackwardPrefetch.BACKWARD_PRE, "post": BackwardPrefetch.BACKWARD_POST, None: None}


def what_fsdp1_lacks(layout: Layout) -> str | None:
    """Why the plan cannot be said with FSDP1, or None."""
    if not any(unit.fqns == ("",) for unit in layout.units):
        return "FSDP1 always makes the root a unit, and this plan does not: mark it with plan.fully_shard('')"
    if layout.replicate_groups:
        return f"the plan replicates {layout.replicate_groups[0].fqn!r}, and FSDP1 cannot leave a replicate inside"
    for unit in layout.units:
        if len(unit.fqns) > 1:
            return f"one unit of {', '.join(map(repr, unit.fqns))}: FSDP1 wraps one module at a time"
        options = unit.annotation.options
        if not isinstance(options.reshard_after_forward, bool | None):
            return f"unit {unit.fqn!r} reshards to {options.reshard_after_forward} ranks, which FSDP1 cannot"
        precision = as_precision(options.mixed_precision)
        if precision is not None and precision.output_dtype is not None:
            return f"unit {unit.fqn!r} asks for outputs in {precision.output_dtype}, which FSDP1 cannot"
    return None


def fsdp1(layout: Layout, device: torch.device, mesh_shape: tuple[int, ...] | None) -> nn.Module:
    """Wrap the layout's model. Collective; the layout is one that FSDP1 lacks nothing for."""
    options = {id(unit.modules[0]): unit.annotation.options for unit in layout.units}
    root = layout.units[0].modules[0]
    ranks: dict[str, Any] = {}
    if mesh_shape is not None and len(mesh_shape) == 2:
        ranks["device_mesh"] = init_device_mesh(device.type, mesh_shape, mesh_dim_names=("replicate", "shard"))
    return FullyShardedDataParallel(
        root,
        auto_wrap_policy=CustomPolicy(lambda module: id(module) in options and _settings(options[id(module)])),
        ignored_states=[row.param for row in layout.params.values() if row.owner_kind == "ignored"],
        use_orig_params=True,
        device_id=device,
        **ranks,
        **_settings(options[id(root)]),
    )


def _settings(options: UnitOptions) -> dict[str, Any]:
    """The options of one unit as keywords of FSDP1."""
    precision = as_precision(options.mixed_precision)
    settings: dict[str, Any] = {
        "sharding_strategy": _strategy(options),
        "backward_prefetch": _PREFETCH[options.backward_prefetch],
        "forward_prefetch": options.forward_prefetch,
        "limit_all_gathers": options.limit_all_gathers,
        "cpu_offload": CPUOffload(offload_params=options.cpu_offload),
    }
    if precision is not None:
        casts_root = precision.cast_root_forward_inputs
        settings["mixed_precision"] = MixedPrecision(
            precision.param_dtype,
            precision.reduce_dtype,
            precision.buffer_dtype,
            cast_forward_inputs=precision.cast_forward_inputs,
            cast_root_forward_inputs=precision.cast_forward_inputs if casts_root is None else casts_root,
        )
    return settings


def _strategy(options: UnitOptions) -> ShardingStrategy:
    if options.strategy == "no_shard":
        return ShardingStrategy.NO_SHARD
    frees = options.strategy not in KEEPS_AFTER_FORWARD
    if options.reshard_after_forward is not None:
        frees = bool(options.reshard_after_forward)
    return _STRATEGIES[options.strategy in HYBRID, frees]
