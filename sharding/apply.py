"""A plan turned into an engine's work on a live model, inside out. The only place where plans and engines meet."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

from sharding.annotations import annotations_in
from sharding.engines import check_engine
from sharding.errors import AnnotationError, ConflictError, PlanError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import Tree, tree_of


def apply_plan(plan: Plan, model: nn.Module, *, engine: str, mesh: DeviceMesh | None, **settings: Any) -> nn.Module:
    """Check everything, then build. See `Plan.apply`."""
    check_engine(engine)
    tree = tree_of(model)
    _refuse_used(tree)
    run = _of_engine(engine)
    mesh = _mesh_for(plan) if mesh is None else mesh
    layout = layout_of(plan, tree, engine=engine, settings=run.settings_of_verbs(mesh, settings))
    refuse_conflicts(layout)
    run.build_layout(layout)
    return model


def _refuse_used(tree: Tree) -> None:
    """Refuse a model that something was applied to already.

    Raises:
        AnnotationError: naming what, and where.
    """
    existing = annotations_in(tree)
    if existing:
        node = tree.node_of(existing[0].modules[0])
        raise AnnotationError(
            f"{existing[0].api} is on {node.fqn if node else ''!r} already: a plan is applied to a model without "
            "annotations; call sharding.remove(model) first, or build a fresh model"
        )
    cut = next((held.name for held in tree.held.values() if hasattr(held.param, "device_mesh")), None)
    if cut is not None:
        raise AnnotationError(
            f"{cut!r} is a DTensor: torch's own fully_shard, or tensor parallelism, has cut this model already; apply "
            "a plan to a fresh model"
        )


def _of_engine(engine: str) -> Any:
    """The part of an engine that makes whole layouts run: its `planned.py`."""
    if engine == "flat":
        from sharding.flat import planned

        return planned
    from sharding.native import planned as native_planned

    return native_planned


def refuse_conflicts(layout: Layout) -> None:
    """Raise if the layout has conflicts, naming each with its fix.

    Raises:
        ConflictError: carrying the conflicts.
    """
    if layout.conflicts:
        text = "\n".join(f"- {conflict.message}; {conflict.fix}" for conflict in layout.conflicts)
        raise ConflictError(f"the plan cannot run on this model, nothing was changed:\n{text}", layout.conflicts)


def _mesh_for(plan: Plan) -> DeviceMesh | None:
    """The mesh a plan asks for, over all ranks; None for all ranks in one group."""
    shape = plan.mesh_shape
    if shape is None or len(shape) == 1:
        return None
    dist = torch.distributed
    world_size = dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1
    if shape[0] * shape[1] != world_size:
        raise PlanError(
            f"the plan is for a mesh of {shape[0]} x {shape[1]} = {shape[0] * shape[1]} ranks, but there are "
            f"{world_size}; start that many, or set plan.defaults(mesh_shape=...)"
        )
    on_cuda = world_size > 1 and "nccl" in dist.get_backend()
    return init_device_mesh("cuda" if on_cuda else "cpu", shape, mesh_dim_names=("replicate", "shard"))
