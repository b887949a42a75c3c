"""The verb `fully_shard`: check everything, resolve, build. The composable path: same module object, same class.

`shard` below is what the wrapper path calls too; only the order of initialisation and the way it was made differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from torch import nn
from torch.distributed.device_mesh import DeviceMesh

from sharding.annotations import Annotation, MadeBy, UnitOptions, annotations_in
from sharding.errors import PlanError
from sharding.flat.building import build
from sharding.flat.misuse import as_modules, check_order, check_paths, mark_inside, refuse_conflicts
from sharding.flat.settings import EngineSettings, engine_settings, unit_options
from sharding.layout import Layout
from sharding.resolution import expand_policies, resolve_annotations
from sharding.traversal import Tree, tree_of
from sharding.units import Unit


def fully_shard(
    module_or_modules: nn.Module | Sequence[nn.Module],
    *,
    policy: Any = None,
    ignored_modules: Iterable[nn.Module] | None = None,
    ignored_params: Iterable[nn.Parameter] | None = None,
    mesh: DeviceMesh | None = None,
    strategy: str = "full_shard",
    reshard_after_forward: bool | None = None,
    mixed_precision: Any = None,
    backward_prefetch: Any = "pre",
    forward_prefetch: bool = False,
    limit_all_gathers: bool = True,
    cpu_offload: Any = False,
    param_init_fn: Any = None,
    sync_module_states: bool = False,
    device: Any = None,
) -> Any:
    """Shard the parameters of a module (or of several, as one unit) over the ranks, in place.

    Between steps each rank holds a piece; the module's forward gathers the whole parameters, its backward averages the
    gradients over the ranks. Apply it from the inside out: inner modules first.

    Args:
        module_or_modules: the module, or a list of modules that become one unit.
        policy: which submodules become units of their own (`by_class`, `by_name`, `by_size`, torch's policies).
        ignored_modules: submodules left alone, with everything below them.
        ignored_params: parameters left alone.
        mesh: the ranks: one axis, or two (replicate, shard) for hybrid strategies; None for all ranks.
        strategy: "full_shard", "shard_grad_op", "no_shard", "hybrid_shard" or "hybrid_shard_zero2".
        reshard_after_forward: overrides what the strategy does between forward and backward.
        mixed_precision: torch's `MixedPrecision` or `MixedPrecisionPolicy`, a mapping of dtype names, or None.
        backward_prefetch: when the next unit of backward is gathered: "pre", "post", or None for when it is needed.
        forward_prefetch: gather the next unit of forward while this one computes.
        limit_all_gathers: have memory for two units at most beside those around them, however far the host runs ahead
            (at most one unit is ever gathered ahead; False lets CUDA hold more).
        cpu_offload: keep the pieces, their gradients and so the optimizer on the CPU.
        param_init_fn: gives memory and values to a module whose own parameters are on the meta device.
        sync_module_states: start from rank 0's parameters and buffers.
        device: where to put the pieces; None for where the parameters are.

    Returns:
        The same module object (or a list of the same objects), still of the same class.

    Every rank of the mesh must call it with the same arguments; it compares notes with them and blocks until all have.

    Raises:
        AnnotationError: called twice, after `replicate`, after a call on an outer module, or mixed with the wrapper.
        ConflictError: the model cannot be sharded this way; carries the conflicts, each with a fix.
        PlanError: a setting or policy that cannot be read.
        RankMismatchError: the ranks hold different models.
    """
    modules = as_modules("fully_shard", module_or_modules)
    options = unit_options(
        strategy=strategy,
        mixed_precision=mixed_precision,
        backward_prefetch=backward_prefetch,
        forward_prefetch=forward_prefetch,
        limit_all_gathers=limit_all_gathers,
        cpu_offload=cpu_offload,
        reshard_after_forward=reshard_after_forward,
    )
    settings = engine_settings(
        strategy, mesh=mesh, param_init_fn=param_init_fn, sync_module_states=sync_module_states, device=device
    )
    shard(modules, "hand", policy, ignored_modules, ignored_params, options, settings)
    return list(modules) if isinstance(module_or_modules, (list, tuple)) else module_or_modules


def shard(
    modules: tuple[nn.Module, ...],
    by: MadeBy,
    policy: Any,
    ignored_modules: Iterable[nn.Module] | None,
    ignored_params: Iterable[nn.Parameter] | None,
    options: UnitOptions,
    settings: EngineSettings,
) -> list[Unit]:
    """Check, resolve and build one call.

    Returns:
        The units it made, in pre-order.
    """
    if policy is not None and len(modules) > 1:
        raise PlanError(
            "fully_shard with a list makes one unit of its modules; a policy needs one module to look below"
        )
    call = Annotation(
        "fully_shard",
        modules,
        by,
        None,
        tuple(ignored_modules or ()),
        tuple(ignored_params or ()),
        options,
        policy,
        settings,
    )
    tree = tree_of(modules[0] if len(modules) == 1 else nn.ModuleList(modules))
    layout, units = describe(call, tree)
    order = "init_wrapper" if by == "wrapper" else "init_composable"
    build(layout, units, (), order=order)
    mark_inside(tree.nodes, call)
    return units


def describe(call: Annotation, tree: Tree) -> tuple[Layout, list[Unit]]:
    """What a call would mean, after all its checks; nothing is changed.

    Returns:
        The layout of everything in the tree with the call added, and the units that are new.
    """
    check_order("fully_shard" if call.by != "wrapper" else "FullyShardedDataParallel", call.modules)
    existing = annotations_in(tree)
    check_paths(call.by, existing, tree)
    pending = [call] if call.policy is not None else []
    annotations, notes = expand_policies(tree, [*existing, call], pending)
    layout = resolve_annotations(tree, annotations, findings=notes)
    refuse_conflicts("fully_shard", layout)
    known = {id(annotation) for annotation in existing}
    return layout, [unit for unit in layout.units if id(unit.annotation) not in known]
