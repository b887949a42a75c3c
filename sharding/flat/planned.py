"""A whole plan at once: the units and groups of a layout, built as nested verb calls would, inside out.

The checks come first and see everything together, which is why a plan may hold what single calls in a fixed order could
not: two policy calls whose units share a parameter leave it to the unit above both.
"""

from __future__ import annotations

from typing import Any

from torch.distributed.device_mesh import DeviceMesh

from sharding.annotations import Annotation
from sharding.flat.axes import axes_for
from sharding.flat.building import build
from sharding.flat.misuse import mark_inside
from sharding.flat.settings import EngineSettings, engine_settings, refuse_missing
from sharding.layout import Layout
from sharding.traversal import tree_of


def settings_for(api: str, mesh: DeviceMesh | None, **given: Any) -> EngineSettings:
    """What the calls of one verb run with. `replicate` starts from rank 0's values unless told otherwise.

    Raises:
        PlanError: a setting that no verb has, or one that cannot be read.
    """
    given.setdefault("sync_module_states", api == "replicate")
    return engine_settings("no_shard", mesh=mesh, **given)


def build_layout(layout: Layout) -> None:
    """Make every unit and group of a layout without conflicts run. Collective; undone if it fails.

    Raises:
        PlanError: a strategy without the mesh it needs, or a setting this engine does not have.
        RankMismatchError: the ranks hold different models.
    """
    for unit in layout.units:
        options = unit.annotation.options
        refuse_missing(options.mixed_precision, options.cpu_offload)
        axes_for(options.strategy, unit.annotation.origin.settings.mesh)
    build(layout, layout.units, layout.replicate_groups, order="init_composable")
    for annotation in _outermost(layout):
        for module in annotation.modules:
            mark_inside(tree_of(module), annotation)


def _outermost(layout: Layout) -> list[Annotation]:
    owners = [*layout.units, *layout.replicate_groups]
    return [owner.annotation for owner in owners if layout.labels.above(owner.annotation) is None]
