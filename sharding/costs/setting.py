"""What costs are asked for: ranks, mesh, strategy, precision, optimizer, steps, read once and checked.

What is not given is taken from the layout: each unit's own strategy and precision, the mesh the plan is meant for, and
the mesh of its calls where the model is live.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from sharding.annotations import Annotation
from sharding.buckets import DEFAULT_BUCKET_CAP_MB, MIB
from sharding.costs.optimizers import OptimizerParts, optimizer_parts
from sharding.engines import ENGINES
from sharding.errors import ConflictError, PlanError
from sharding.layout import Layout
from sharding.precision import Precision, as_precision
from sharding.strategies import HYBRID, STRATEGIES, shards_and_copies
from sharding.torch_facts import replicates_with_ddp

DEFAULT_WORLD_SIZE = 2
"""As for `run` and `Workers`."""


@dataclass(frozen=True)
class Setting:
    """Where and how the layout is meant to run.

    Attributes:
        mesh_shape: `(ranks,)` or `(replicate, shard)`.
        strategy: for all units; None for each unit's own.
        precision: for all units and groups; None for each one's own.
        optimizer: what keeps states.
        engine: whose arithmetic holds.
        accumulation_steps: forwards and backwards in a training step, of which the last averages.
        calls: how often a forward calls a unit's modules, by the unit's FQN; once where nothing is said.
        bucket_cap_mb: for all replicate groups; None for each call's own.
        replicate_with: "fsdp" or "ddp", for all replicate groups on torch's engine; None for each call's own.
        reached: FQNs of the units a gradient goes through; None before a trace.
    """

    mesh_shape: tuple[int, ...]
    strategy: str | None
    precision: Precision | None
    optimizer: OptimizerParts
    engine: str = "flat"
    accumulation_steps: int = 1
    calls: Mapping[str, int] = field(default_factory=dict)
    bucket_cap_mb: float | None = None
    replicate_with: str | None = None
    reached: frozenset[str] | None = None

    @property
    def world_size(self) -> int:
        return prod(self.mesh_shape)

    def is_ddp(self, annotation: Annotation) -> bool:
        """Whether a replicate group runs on torch's DDP."""
        if self.engine != "torch":
            return False
        asked = self.replicate_with
        return replicates_with_ddp(annotation.origin.settings) if asked is None else asked == "ddp"

    def bucket_caps(self, annotation: Annotation) -> tuple[int, int]:
        """Bytes of the first and of all other buckets of a replicate group; DDP's small first one is a default."""
        cap = self.bucket_cap_mb
        if cap is None:
            cap = annotation.options.bucket_cap_mb
        if cap is None:
            cap = getattr(annotation.origin.settings, "bucket_cap_mb", None)
        first = MIB if self.is_ddp(annotation) else DEFAULT_BUCKET_CAP_MB * MIB
        return (first, DEFAULT_BUCKET_CAP_MB * MIB) if cap is None else (int(cap * MIB), int(cap * MIB))

    def strategy_of(self, annotation: Annotation) -> str:
        """The strategy a unit runs with."""
        return self.strategy or annotation.options.strategy

    def precision_of(self, annotation: Annotation) -> Precision | None:
        """The dtypes a unit or group runs with."""
        return self.precision or as_precision(annotation.options.mixed_precision)

    def shards_and_copies(self, annotation: Annotation) -> tuple[int, int]:
        """Over how many ranks a unit is cut, and how many hold the same piece.

        Raises:
            PlanError: hybrid without a mesh of two axes.
        """
        strategy = self.strategy_of(annotation)
        if strategy in HYBRID and len(self.mesh_shape) != 2:
            raise PlanError(
                f"strategy={strategy!r} on {self.world_size} ranks without a mesh of two axes; give "
                "mesh_shape=(replicate, shard)"
            )
        return shards_and_copies(strategy, self.mesh_shape)


def read_setting(
    layout: Layout,
    *,
    world_size: int | None,
    mesh_shape: Iterable[int] | None,
    strategy: str | None,
    engine: str | None,
    mixed_precision: Any,
    optimizer: str,
    accumulation_steps: int,
    calls: Mapping[str, int] | None,
    bucket_cap_mb: float | None,
    replicate_with: str | None,
) -> Setting:
    """Check everything that was asked.

    Raises:
        ConflictError: the layout cannot run.
        PlanError: what was found and what would do.
    """
    if not isinstance(layout, Layout):
        found = type(layout).__name__
        raise PlanError(f"cost takes a Layout, got {found}; a plan read on a model gives one: plan.resolve(model)")
    _check_engine(layout, engine or layout.engine)
    if layout.conflicts:
        first = layout.conflicts[0]
        raise ConflictError(
            f"the layout has {_counted(len(layout.conflicts))}, so it cannot run and costs nothing yet. The first: "
            f"{first.message}; {first.fix}",
            layout.conflicts,
        )
    if strategy is not None and strategy not in STRATEGIES:
        raise PlanError(f"strategy={strategy!r}; known are {', '.join(map(repr, STRATEGIES))}")
    if strategy == "no_shard" and (engine or layout.engine) == "torch":
        raise PlanError(
            "strategy='no_shard', which torch's fully_shard does not have; mark what is to stay whole with "
            "plan.replicate, or ask for engine='flat'"
        )
    shape = _mesh_shape(layout, world_size, mesh_shape)
    if not _is_whole(accumulation_steps):
        raise PlanError(f"accumulation_steps={accumulation_steps!r}; a step has at least 1 forward and backward")
    if replicate_with not in (None, "fsdp", "ddp"):
        raise PlanError(f"replicate_with={replicate_with!r}; known are 'fsdp' and 'ddp'")
    if bucket_cap_mb is not None and not (isinstance(bucket_cap_mb, (int, float)) and bucket_cap_mb > 0):
        raise PlanError(f"bucket_cap_mb={bucket_cap_mb!r}; give MiB, more than 0")
    return Setting(
        shape,
        strategy,
        as_precision(mixed_precision),
        optimizer_parts(optimizer),
        engine or layout.engine,
        accumulation_steps,
        _calls(layout, calls or {}),
        bucket_cap_mb,
        replicate_with,
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _calls(layout: Layout, calls: Mapping[str, int]) -> dict[str, int]:
    """Calls by the unit's own FQN; what is said of another member of a unit counts for the unit."""
    counted: dict[str, int] = {}
    for fqn, count in calls.items():
        unit = layout.unit_of.get(fqn)
        if unit is None:
            known = ", ".join(repr(each.fqn) for each in layout.units[:5])
            raise PlanError(f"calls names {fqn!r}, which is no unit of this layout; its units are {known} ...")
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise PlanError(f"calls[{fqn!r}]={count!r}; give how often a forward calls it, 0 or more")
        counted[unit.fqn] = max(count, counted.get(unit.fqn, 0))
    return counted


def _counted(num_conflicts: int) -> str:
    return "1 conflict" if num_conflicts == 1 else f"{num_conflicts} conflicts"


def _check_engine(layout: Layout, engine: str) -> None:
    if engine not in ENGINES:
        raise PlanError(f"engine={engine!r}; known are {', '.join(map(repr, ENGINES))}")
    if engine != layout.engine:
        raise PlanError(
            f"engine={engine!r}, but the layout states the facts of {layout.engine!r}; "
            f"plan.resolve(model, engine={engine!r}) states those of {engine!r}"
        )


def _mesh_shape(layout: Layout, world_size: int | None, mesh_shape: Iterable[int] | None) -> tuple[int, ...]:
    if world_size is not None and not _is_whole(world_size):
        raise PlanError(f"world_size={world_size!r}; a job has at least 1 rank")
    if mesh_shape is None:
        live = _live_mesh_shape(layout) if world_size is None else None
        return live or _planned_mesh_shape(layout, world_size) or (world_size or DEFAULT_WORLD_SIZE,)
    shape = tuple(mesh_shape) if isinstance(mesh_shape, Iterable) else ()
    if not 1 <= len(shape) <= 2 or not all(map(_is_whole, shape)):
        raise PlanError(
            f"mesh_shape={shape or mesh_shape!r} is no mesh: give (ranks,), or (replicate, shard) for hybrid, each at "
            "least 1"
        )
    if world_size is not None and prod(shape) != world_size:
        raise PlanError(
            f"mesh_shape={shape!r} holds {' x '.join(map(str, shape))} = {prod(shape)} ranks, world_size={world_size}; "
            f"leave world_size out, or give a mesh that multiplies out to {world_size}"
        )
    return shape


def _planned_mesh_shape(layout: Layout, world_size: int | None) -> tuple[int, ...] | None:
    """The mesh the plan is meant for, where it holds as many ranks as are asked for."""
    shape = layout.mesh_shape
    return shape if shape is not None and world_size in (None, prod(shape)) else None


def _live_mesh_shape(layout: Layout) -> tuple[int, ...] | None:
    """The mesh that a live model was sharded over."""
    annotations = [owner.annotation for owner in (*layout.units, *layout.replicate_groups)]
    meshes = (getattr(annotation.origin.settings, "mesh", None) for annotation in annotations)
    shapes = {None if mesh is None else tuple(mesh.shape) for mesh in meshes}
    if any(shape is not None and len(shape) == 2 for shape in shapes):
        shapes.discard(None)  # all ranks: what a mesh of two axes holds too
    if len(shapes) > 1:
        listed = ", ".join(sorted("all ranks" if shape is None else str(shape) for shape in shapes))
        raise PlanError(f"units live on different meshes ({listed}); give mesh_shape= or world_size= for all of them")
    return shapes.pop() if shapes else None
