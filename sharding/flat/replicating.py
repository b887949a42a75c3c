"""The verb `replicate`: every rank keeps the whole parameters, backward averages their gradients.

As thin as `fully_shard`: check, resolve, build. What runs afterwards is `replica.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from torch import nn
from torch.distributed.device_mesh import DeviceMesh

from sharding.annotations import Annotation, UnitOptions, annotations_in
from sharding.buckets import DEFAULT_BUCKET_CAP_MB
from sharding.errors import PlanError
from sharding.flat.building import build
from sharding.flat.misuse import as_modules, check_order, mark_inside, refuse_conflicts
from sharding.flat.settings import engine_settings
from sharding.precision import as_precision
from sharding.resolution import resolve_annotations
from sharding.traversal import tree_of

M = TypeVar("M", bound=nn.Module)


def replicate(
    module: M,
    *,
    ignored_modules: Iterable[nn.Module] | None = None,
    mesh: DeviceMesh | None = None,
    bucket_cap_mb: float = DEFAULT_BUCKET_CAP_MB,
    mixed_precision: Any = None,
    sync_module_states: bool = True,
    device: Any = None,
) -> M:
    """Keep a module whole on every rank and average its gradients, in place.

    What `fully_shard` took inside it stays sharded and is left out; an outer `fully_shard` leaves all of it out.

    Args:
        module: the module.
        ignored_modules: submodules left alone: neither broadcast nor averaged.
        mesh: the ranks, one axis; None for all ranks.
        bucket_cap_mb: largest all-reduce, in MiB.
        mixed_precision: torch's `MixedPrecision` or `MixedPrecisionPolicy`, a mapping of dtype names, or None.
        sync_module_states: start from rank 0's parameters and buffers.
        device: must be None so far: the module stays where it is.

    Returns:
        The same module object, still of the same class.

    Every rank must call it with the same arguments; it compares notes with them and blocks until all have.

    Raises:
        AnnotationError: called twice, after `fully_shard` on it, or after a call on an outer module.
        ConflictError: the model cannot be replicated this way; carries the conflicts, each with a fix.
        PlanError: a setting that cannot be read.
        RankMismatchError: the ranks hold different models.
    """
    modules = as_modules("replicate", module)
    if not isinstance(module, nn.Module):
        raise PlanError("replicate takes one module; call it once for each")
    if device is not None:
        raise PlanError("device: replicate leaves the module where it is; move it first with module.to(device)")
    if bucket_cap_mb <= 0:
        raise PlanError(f"bucket_cap_mb={bucket_cap_mb}; it must be above 0")
    settings = engine_settings("no_shard", mesh=mesh, sync_module_states=sync_module_states)
    cap = None if bucket_cap_mb == DEFAULT_BUCKET_CAP_MB else bucket_cap_mb
    options = UnitOptions(mixed_precision=as_precision(mixed_precision), bucket_cap_mb=cap)
    call = Annotation("replicate", modules, "hand", None, tuple(ignored_modules or ()), (), options, None, settings)
    check_order("replicate", modules)
    tree = tree_of(modules[0])
    layout = resolve_annotations(tree, [*annotations_in(tree), call])
    refuse_conflicts("replicate", layout)
    groups = [group for group in layout.replicate_groups if group.annotation is call]
    build(layout, (), groups, order="init_composable")
    mark_inside(tree.nodes, call)
    return module
