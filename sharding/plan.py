"""A plan: immutable wishes about where to shard, written as names, patterns and policies.

A plan knows no model. Every edit returns a new plan; `resolve` reads it on a model and gives the layout. Names that
do not exist are refused there, with the close matches; marks that contradict each other are conflicts of the layout.

How marks meet: a mark by exact name wins over one by pattern; `clear` takes back what earlier edits said of the
modules it names, policy-made units included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from torch import nn

from sharding.annotations import UnitOptions
from sharding.collector import collector_paused
from sharding.errors import PlanError
from sharding.patterns import as_names, is_pattern
from sharding.policy import Policy
from sharding.precision import as_precision
from sharding.strategies import STRATEGIES
from sharding.torch_policies import as_policy

if TYPE_CHECKING:
    from sharding.layout import Layout

Verb = Literal["fully_shard", "replicate", "ignore", "clear"]


OPTIONS = {
    "fully_shard": ("strategy", "reshard_after_forward", "mixed_precision", "cpu_offload"),
    "replicate": ("mixed_precision", "bucket_cap_mb"),
}
"""Which of the options of a call a plan may say of its own, by verb."""


@dataclass(frozen=True)
class Mark:
    """One edit.

    Attributes:
        verb: what is asked.
        names: exact names or patterns, relative to the model.
        policy: for "fully_shard" of one module: what else becomes a unit below it.
        grouped: whether all modules named are one unit.
        ignored: names or patterns of modules and parameters this call leaves out.
        options: `(field, value)` of the `UnitOptions` that differ from the plan's defaults, sorted.
    """

    verb: Verb
    names: tuple[str, ...]
    policy: Policy | None = None
    grouped: bool = False
    ignored: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Plan:
    """Where `fully_shard`, `replicate` and "ignore" go. Start from `Plan()`; every edit returns a new plan.

    Attributes:
        marks: the edits, in order.
        settings: `(field, value)` of defaults for all units, sorted.
        mesh_shape: shape of the device mesh the plan is meant for, or None for all ranks in one group.
        muted: `(finding, reason)` pairs that are not to be shown.
    """

    marks: tuple[Mark, ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()
    mesh_shape: tuple[int, ...] | None = None
    muted: tuple[tuple[str, str], ...] = ()

    def fully_shard(
        self,
        target: str | Iterable[str],
        *,
        policy: Any = None,
        ignored: str | Iterable[str] = (),
        strategy: str | None = None,
        reshard_after_forward: bool | int | None = None,
        mixed_precision: Any = None,
        cpu_offload: bool | None = None,
    ) -> Plan:
        """Make units.

        Args:
            target: an exact name ("" is the model itself), a pattern (one unit a match), or a list (one unit of all).
            policy: which submodules become units too; needs a target of one module.
            ignored: modules or parameters this call leaves out. `ignore` is the simpler way.
            strategy: "full_shard", "shard_grad_op", "no_shard", "hybrid_shard" or "hybrid_shard_zero2".
            reshard_after_forward: None for what the strategy says; a number of ranks that keep larger pieces
                between forward and backward, on torch's engine.
            mixed_precision: torch's `MixedPrecision` or `MixedPrecisionPolicy`, or a mapping of dtype names.
            cpu_offload: keep this rank's pieces on the CPU between uses.

        Raises:
            PlanError: a setting cannot be read. Names are checked by `resolve`.
        """
        names = as_names(target)
        grouped = not isinstance(target, str) and len(names) > 1
        first = names[0] if names else ""
        if policy is not None and (grouped or is_pattern(first)):
            raise PlanError(
                f"a policy marks submodules of one module, but the target is {list(names)!r}; give one name, or mark "
                "the modules of the group without a policy"
            )
        options = _options(
            strategy=strategy,
            reshard_after_forward=reshard_after_forward,
            mixed_precision=mixed_precision,
            cpu_offload=cpu_offload,
        )
        read = None if policy is None else as_policy(policy)
        left_out = as_names(ignored) if ignored else ()
        return self._with(Mark("fully_shard", names, read, grouped, left_out, options))

    def replicate(
        self,
        target: str | Iterable[str],
        *,
        ignored: str | Iterable[str] = (),
        mixed_precision: Any = None,
        bucket_cap_mb: float | None = None,
    ) -> Plan:
        """Keep modules whole on every rank and average their gradients; each name or match is a group of its own.

        Args:
            target: names or patterns.
            ignored: names or patterns of what is left out.
            mixed_precision: as for `fully_shard`.
            bucket_cap_mb: largest all-reduce, in MiB; None for the engine's own.
        """
        options = _options(mixed_precision=mixed_precision, bucket_cap_mb=bucket_cap_mb)
        left_out = as_names(ignored) if ignored else ()
        return self._with(Mark("replicate", as_names(target), ignored=left_out, options=options))

    def ignore(self, target: str | Iterable[str]) -> Plan:
        """Leave modules (with all below them) or single parameters out of every call above them."""
        return self._with(Mark("ignore", as_names(target)))

    def clear(self, target: str | Iterable[str]) -> Plan:
        """Take back what earlier edits said of these modules or parameters, units made by a policy included."""
        names = as_names(target)
        kept = tuple(mark for mark in self.marks if not _is_about(mark, names))
        unknown = len(kept) == len(self.marks) > 0  # perhaps another name of a module that is marked
        vague = unknown or any(_may_reach(mark, names) for mark in kept)
        return replace(self, marks=(*kept, Mark("clear", names)) if vague else kept)

    def defaults(
        self,
        *,
        strategy: str | None = None,
        mixed_precision: Any = None,
        mesh_shape: Iterable[int] | None = None,
    ) -> Plan:
        """Set what holds for every unit that says nothing else. What is not given stays."""
        options = dict(self.settings) | dict(_options(strategy=strategy, mixed_precision=mixed_precision))
        shape = self.mesh_shape if mesh_shape is None else _mesh_shape(mesh_shape)
        return replace(self, settings=tuple(sorted(options.items())), mesh_shape=shape)

    def mute(self, finding: str, *, reason: str) -> Plan:
        """Do not show a finding of this kind; the reason is kept with the plan."""
        if not reason:
            raise PlanError(f"muting {finding!r} needs a reason, for whoever reads the plan next")
        others = tuple(pair for pair in self.muted if pair[0] != finding)
        return replace(self, muted=(*others, (finding, reason)))

    @collector_paused
    def resolve(self, model: nn.Module, *, engine: str = "flat") -> Layout:
        """What this plan means on this model. No process group, no device, no weights; nothing is changed.

        Raises:
            PlanError: a name or pattern matches nothing, a policy cannot be read, or an unknown engine.
        """
        from sharding.plan_reading import layout_of
        from sharding.traversal import tree_of

        return layout_of(self, tree_of(model), engine=engine)

    def apply(self, model: nn.Module, *, engine: str = "flat", mesh: Any = None, **settings: Any) -> nn.Module:
        """Apply the plan to a live model with real verbs, inside out. Collective: every rank must call it.

        Args:
            model: the model; nothing in it may be sharded yet.
            engine: "flat", this project's own, or "torch": torch's FSDP2 and `replicate`.
            mesh: a torch `DeviceMesh`, one axis or (replicate, shard); None for the plan's, else for all ranks.
            settings: `sync_module_states` and `param_init_fn` on both engines; "flat": `device`, `bucket_cap_mb`;
                "torch": `replicate_with` ("fsdp" or "ddp"), and for DDP `bucket_cap_mb`, `find_unused_parameters`.

        Returns:
            The same module object.

        Raises:
            ConflictError: the layout has conflicts on this engine; the model is unchanged.
            PlanError: a setting or mesh that does not fit; the model is unchanged.
            AnnotationError: something in the model is sharded already.
        """
        from sharding.apply import apply_plan

        return apply_plan(self, model, engine=engine, mesh=mesh, **settings)

    def expanded(self, model: nn.Module) -> Plan:
        """The same plan with every policy replaced by the names it chose on this model."""
        from sharding.plan_reading import expanded

        return expanded(self, model)

    @staticmethod
    def from_policy(model: nn.Module, policy: Any) -> Plan:
        """The plan of `fully_shard(model, policy=policy)`. A policy without a text is written out as names."""
        plan = Plan().fully_shard("", policy=policy)
        plan.resolve(model)
        try:
            plan.to_json()
        except PlanError:
            return plan.expanded(model)
        return plan

    @staticmethod
    def from_model(model: nn.Module) -> Plan:
        """The plan that was applied to a live model."""
        from sharding.plan_reading import plan_of

        return plan_of(model)

    def to_json(self) -> str:
        """The plan as versioned JSON text.

        Raises:
            PlanError: a policy in it is a function; use `expanded(model)` first.
        """
        from sharding.plan_json import dump

        return dump(self)

    @staticmethod
    def from_json(text: str) -> Plan:
        """The plan that `to_json` wrote.

        Raises:
            PlanError: no plan, or one of a version this code does not know.
        """
        from sharding.plan_json import load

        return load(text)

    @property
    def unit_options(self) -> UnitOptions:
        """What a unit runs with that says nothing else."""
        return replace(UnitOptions(), **dict(self.settings))

    def code(self) -> str:
        """One line of Python that makes this plan again."""
        from sharding.plan_json import code_of

        return code_of(self)

    def _with(self, mark: Mark) -> Plan:
        return replace(self, marks=(*self.marks, mark))


def _options(**given: Any) -> tuple[tuple[str, Any], ...]:
    """Check settings and keep those that say something."""
    options = {name: value for name, value in given.items() if value is not None}
    strategy = options.get("strategy")
    if strategy is not None and strategy not in STRATEGIES:
        raise PlanError(f"unknown strategy {strategy!r}; choose one of {', '.join(map(repr, STRATEGIES))}")
    if "mixed_precision" in options:
        options["mixed_precision"] = as_precision(options["mixed_precision"])
    offload, reshard = options.get("cpu_offload", False), options.get("reshard_after_forward", False)
    if not isinstance(offload, bool):
        raise PlanError(f"cpu_offload is True or False, got {offload!r}")
    if not isinstance(reshard, int) or reshard < 0 or (reshard < 1 and reshard is not False):
        raise PlanError(f"reshard_after_forward is True, False or a number of ranks, got {reshard!r}")
    cap = options.get("bucket_cap_mb", 1)
    if isinstance(cap, bool) or not isinstance(cap, (int, float)) or cap <= 0:
        raise PlanError(f"bucket_cap_mb={cap!r}; give MiB, more than 0")
    return tuple(sorted(options.items()))


def _mesh_shape(shape: Iterable[int]) -> tuple[int, ...]:
    sizes = tuple(shape)
    if len(sizes) not in (1, 2) or any(isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in sizes):
        raise PlanError(
            f"mesh_shape {sizes!r} is no mesh: give (ranks,), or (replicate, shard) for hybrid, each at least 1"
        )
    return sizes


def _is_about(mark: Mark, names: tuple[str, ...]) -> bool:
    """Whether the mark speaks of exactly these names and nothing else."""
    return set(mark.names) <= set(names) and not any(map(is_pattern, mark.names))


def _may_reach(mark: Mark, names: tuple[str, ...]) -> bool:
    """Whether the mark may still say something about one of these names."""
    if mark.policy is not None or any(map(is_pattern, mark.names)) or any(map(is_pattern, names)):
        return True
    return bool(set(mark.names) & set(names) or set(mark.ignored) & set(names))


def options_from(data: Mapping[str, Any], verb: str = "fully_shard") -> tuple[tuple[str, Any], ...]:
    """Options as a mark keeps them, from their JSON form."""
    known = OPTIONS.get(verb, ())
    unknown = [name for name in data if name not in known]
    if unknown:
        whose = {"fully_shard": "a unit", "replicate": "a replicate group"}.get(verb, f"{verb!r}")
        raise PlanError(f"{whose} has no setting {unknown[0]!r}; known are {', '.join(known) or 'none'}")
    return _options(**data)
