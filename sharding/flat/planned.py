"""A whole layout made to run in one go: what `Plan.apply` calls.

The same building as the verbs', without their order of calls: a layout is complete, so nothing can be inside something
that is annotated already.
"""

from __future__ import annotations

from typing import Any

from torch.distributed.device_mesh import DeviceMesh

from sharding.errors import PlanError
from sharding.flat.building import build
from sharding.flat.misuse import mark_inside
from sharding.flat.settings import EngineSettings, engine_settings
from sharding.layout import Layout


def settings_of_verbs(mesh: DeviceMesh | None, given: dict[str, Any]) -> dict[str, EngineSettings]:
    """The run settings of each verb of a plan.

    Args:
        mesh: the ranks; None for all of them.
        given: `param_init_fn`, `sync_module_states`, `device`, `bucket_cap_mb`; each verb takes its own.

    Raises:
        PlanError: a setting neither verb has, or a mesh that does not fit.
    """
    own = {
        "fully_shard": ("param_init_fn", "sync_module_states", "device"),
        "replicate": ("bucket_cap_mb", "sync_module_states"),
    }
    known = {name for names in own.values() for name in names}
    unknown = sorted(set(given) - known)
    if unknown:
        raise PlanError(
            f"Plan.apply has no setting {', '.join(map(repr, unknown))}; known are {', '.join(sorted(known))}"
        )
    values = {api: {name: given[name] for name in own[api] if name in given} for api in own}
    values["replicate"].setdefault("sync_module_states", True)
    flat_mesh = None if mesh is not None and mesh.ndim > 1 else mesh
    return {
        "fully_shard": engine_settings("no_shard", mesh=mesh, **values["fully_shard"]),
        "replicate": engine_settings("no_shard", mesh=flat_mesh, **values["replicate"]),
    }


def build_layout(layout: Layout) -> None:
    """Make every unit and replicate group of a layout without conflicts run. Collective; undone if it fails."""
    build(layout, layout.units, layout.replicate_groups, order="init_composable")
    marks = [(layout.tree.fqns[unit.fqn], unit.annotation) for unit in layout.units]
    marks += [(layout.tree.fqns[group.fqn], group.annotation) for group in layout.replicate_groups]
    end = 0
    for node, annotation in sorted(marks, key=lambda mark: mark[0].index):
        if node.index >= end:
            mark_inside(layout.tree.below(node), annotation)
            end = node.end
