"""The question that costs are asked with: where and how the plan on view is meant to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sharding.costs.duration import Rates
from sharding.costs.report import Cost, cost
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.tracing.record import Trace


@dataclass(frozen=True)
class Question:
    """What costs are asked for; None is what the plan says. `traced` asks for order and activations too, the last three
    for the time of a step at these rates.
    """

    world_size: int | None = None
    mesh_shape: tuple[int, ...] | None = None
    strategy: str | None = None
    mixed_precision: Any = None
    optimizer: str = "adamw"
    engine: str = "flat"
    accumulation_steps: int = 1
    traced: bool = False
    flops_per_s: float | None = None
    bytes_per_s: float | None = None
    latency_s: float | None = None

    def changed(self, fields: Mapping[str, Any]) -> Question:
        """The question with some fields changed; None is the default. Ranks and mesh replace each other."""
        given: dict[str, Any] = {name: _DEFAULTS[name] if value is None else value for name, value in fields.items()}
        if "world_size" in fields and "mesh_shape" not in fields:
            given["mesh_shape"] = None
        if fields.get("mesh_shape") is not None and "world_size" not in fields:
            given["world_size"] = None
        if isinstance(shape := given.get("mesh_shape"), list):
            given["mesh_shape"] = tuple(shape)
        return replace(self, **given)

    def answer(self, plan: Plan, layout: Layout, trace: Trace | None = None, after: Cost | None = None) -> Cost:
        """What `plan` costs, which is `layout` on the engine that is on view; `after` is an answer from before.

        Raises:
            ConflictError: the plan cannot run.
            PlanError: the question makes no sense.
        """
        if self.engine != layout.engine:
            layout = layout_of(plan, layout.tree, engine=self.engine, after=None if after is None else after.layout)
        asked = {name: value for name, value in vars(self).items() if name not in ("traced", *_RATES)}
        return cost(layout, **asked, trace=trace, rates=self.rates, after=after)

    @property
    def rates(self) -> Rates | None:
        """The rates asked for, if any.

        Raises:
            PlanError: one that is no positive number.
        """
        if self.flops_per_s is None and self.bytes_per_s is None and not self.latency_s:
            return None
        return Rates(self.flops_per_s, self.bytes_per_s, self.latency_s or 0.0)


_RATES = ("flops_per_s", "bytes_per_s", "latency_s")
_DEFAULTS = vars(Question())
