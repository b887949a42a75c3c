"""What the plan on view costs: the question that is asked, its answer, and the answer as the page draws it.

`Costing` keeps one question for a session and answers it for whatever plan is on view. Nothing is worked out before
somebody asks. A plan that cannot run has no costs but a reason; a question nobody can answer is refused and the one
before stays.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from explorer.messages import CostsState, error_data
from explorer.source import Source
from sharding.costs.groups import GroupCost
from sharding.costs.optimizers import OPTIMIZERS
from sharding.costs.report import Cost, cost
from sharding.costs.units import Kind
from sharding.engines import ENGINES
from sharding.errors import ConflictError, ShardingError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.precision import as_precision
from sharding.strategies import STRATEGIES
from sharding.tracing.record import Trace
from sharding.tracing.verb import trace

MAX_POINTS = 120
PRECISIONS = (
    None,
    {"param_dtype": "bfloat16", "reduce_dtype": "float32"},
    {"param_dtype": "bfloat16"},
    {"param_dtype": "float16", "reduce_dtype": "float32"},
)


@dataclass(frozen=True)
class Question:
    """What costs are asked for; None is what the plan says. `traced` asks for order and activations too."""

    world_size: int | None = None
    mesh_shape: tuple[int, ...] | None = None
    strategy: str | None = None
    mixed_precision: Any = None
    optimizer: str = "adamw"
    engine: str = "flat"
    accumulation_steps: int = 1
    traced: bool = False

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
            layout = layout_of(plan, layout.tree, engine=self.engine)
        asked = {name: value for name, value in vars(self).items() if name != "traced"}
        return cost(layout, **asked, trace=trace, after=after)


_DEFAULTS = vars(Question())


class Costing:
    """One question, and its answer for the plan on view.

    Attributes:
        question: what is asked.
        is_shown: whether a page has asked; from then on it is told of every change.
        trace: of the model, once that was asked for.
    """

    def __init__(self, source: Source) -> None:
        self.question = Question()
        self.trace: Trace | None = None
        self._source = source
        self._traces: dict[torch.dtype | None, Trace] = {}
        self.is_shown = False
        self._ran: tuple[Layout, Layout] | None = None
        self._last: tuple[Layout, Question, Cost] | None = None

    def cost(self, plan: Plan, layout: Layout) -> Cost:
        """The answer, worked out once for each plan and question; a trace is made when it is first needed.

        Raises:
            ConflictError: the plan cannot run.
            PlanError: the question does not fit the plan.
        """
        last = self._last
        if last is not None and last[0] is layout and last[1] == self.question:
            return last[2]
        if self.question.traced:
            self.trace = self._traced(layout)
        used = self.trace if self.question.traced else None
        found = self.question.answer(plan, layout, used, None if last is None else last[2])
        self._last = (layout, self.question, found)
        return found

    def _traced(self, layout: Layout) -> Trace:
        """The trace in the dtype that the first unit, which is the outermost, computes in."""
        asked = self.question.mixed_precision
        if asked is None and layout.units:
            asked = layout.units[0].annotation.options.mixed_precision
        precision = as_precision(asked)
        dtype = None if precision is None else precision.param_dtype
        if dtype not in self._traces:
            source = self._source
            self._traces[dtype] = trace(
                source.given, source.example_inputs, loss=source.loss, mixed_precision=precision
            )
        return self._traces[dtype]

    def ran(self, layout: Layout) -> Layout:
        """The layout with the order its units ran in, if a trace was made."""
        if self.trace is None or layout.ran is not None:
            return layout
        if self._ran is None or self._ran[0] is not layout:
            self._ran = layout, self.trace.on(layout)
        return self._ran[1]

    def ask(self, fields: Mapping[str, Any], plan: Plan, layout: Layout) -> None:
        """Change the question.

        Raises:
            PlanError: it makes no sense; the one before stays.
        """
        before = self.question
        try:
            self.question = before.changed(fields)
            self.cost(plan, layout)
        except ConflictError:
            pass  # of the plan, not of the question: told by `data`
        except Exception:
            self.question = before
            raise

    def data(self, plan: Plan, layout: Layout, rev: int) -> dict[str, Any]:
        """The answer, or why there is none, as the page draws it."""
        try:
            return costs_state(self.cost(plan, layout), self.question, rev).to_data()
        except ShardingError as error:
            return CostsState(rev, _asked(self.question, None), _choices(), error_data(error)).to_data()


def costs_state(asked: Cost, question: Question, rev: int) -> CostsState:
    """Costs as plain data; equal units and equal ranks are one row each."""
    peak = asked.peak
    notes = [["assumed", text] for text in peak.estimated] + [["left_out", text] for text in peak.left_out]
    if unsure := sum(each.num_uncertain for each in asked.traffic):
        text = f"{unsure} collectives happen only if a gradient goes through a unit without trainable parameters"
        notes.append(["uncertain", text])
    return CostsState(
        rev,
        _asked(question, asked),
        _choices(),
        totals=_totals(asked),
        units=[_unit_row(asked, kind) for kind in asked.kinds],
        groups=[_group_row(group) for group in asked.groups],
        per_rank=_rank_rows(asked),
        collectives=[
            {
                "kind": each.kind,
                "phase": each.phase,
                "count": each.count,
                "nbytes": each.nbytes,
                "largest_nbytes": each.largest_nbytes,
                "small": each.num_small,
                "sent_nbytes": each.ring_nbytes,
            }
            for each in asked.traffic
        ],
        peak={
            "nbytes": peak.nbytes,
            "moment": peak.moment,
            "is_estimate": peak.is_estimate,
            "terms": [[term.label, term.nbytes] for term in peak.terms],
            "timeline": [list(point) for point in thinned(peak.points, MAX_POINTS)],
        },
        notes=notes,
    )


def _asked(question: Question, answer: Cost | None) -> dict[str, Any]:
    precision = as_precision(question.mixed_precision)
    shape = question.mesh_shape if answer is None else answer.setting.mesh_shape
    return {
        "world_size": question.world_size if answer is None else answer.world_size,
        "mesh_shape": None if shape is None else list(shape),
        "strategy": question.strategy,
        "mixed_precision": None if precision is None else precision.to_data(),
        "optimizer": question.optimizer,
        "engine": question.engine,
        "accumulation_steps": question.accumulation_steps,
        "traced": question.traced,
    }


def _choices() -> dict[str, list[Any]]:
    return {
        "strategy": [None, *STRATEGIES],
        "optimizer": list(OPTIMIZERS),
        "engine": list(ENGINES),
        "mixed_precision": list(PRECISIONS),
    }


def _totals(asked: Cost) -> dict[str, int]:
    first = asked.per_rank.runs[0]
    return {
        "numel": sum(row.numel for row in asked.layout.params.values()),
        "units": len(asked.layout.units),
        "groups": len(asked.groups),
        "shard_nbytes": first.parameters,
        "padding_nbytes": first.padding,
        "collectives": sum(each.count for each in asked.traffic),
        "sent_nbytes": sum(each.ring_nbytes for each in asked.traffic),
        "small_messages": sum(each.num_small for each in asked.traffic),
        "peak_nbytes": asked.peak.nbytes,
    }


def _unit_row(asked: Cost, kind: Kind) -> dict[str, Any]:
    unit = kind.cost
    rows = asked.rows_of(kind)
    return {
        "fqn": unit.fqn,
        "times": kind.times,
        "runs": progressions(kind.numbers),
        "numel": unit.numel,
        "trainable_numel": unit.trainable_numel,
        "dtypes": [str(dtype).removeprefix("torch.") for dtype in unit.dtypes],
        "strategy": unit.strategy,
        "in_effect": unit.in_effect,
        "num_shards": unit.num_shards,
        "num_copies": unit.num_copies,
        "frees_after_forward": unit.frees_after_forward,
        "reason": unit.reason,
        "unsharded_nbytes": unit.unsharded_nbytes,
        "shard_nbytes": unit.shard_nbytes,
        "min_shard_nbytes": unit.min_shard_nbytes,
        "max_shard_nbytes": unit.max_shard_nbytes,
        "padded_nbytes": unit.padded_nbytes,
        "all_gather_nbytes": unit.all_gather_nbytes,
        "reduce_scatter_nbytes": unit.reduce_scatter_nbytes,
        "all_reduce_nbytes": unit.all_reduce_nbytes,
        "largest_buffer_nbytes": unit.largest_buffer_nbytes,
        "waste": unit.waste,
        "empty_ranks": unit.num_empty_ranks,
        "collectives": sum(row.count * times for row, times in rows) // kind.times,
        "sent_nbytes": sum(row.ring_nbytes * times for row, times in rows) // kind.times,
    }


def _group_row(group: GroupCost) -> dict[str, Any]:
    buckets = [bucket.nbytes for bucket in group.buckets]
    return {"fqn": group.fqn, "numel": group.numel, "nbytes": group.nbytes, "buckets": buckets}


def _rank_rows(asked: Cost) -> list[dict[str, Any]]:
    names = ("parameters", "padding", "gradients", "optimizer", "buffers", "buckets", "offloaded", "total")
    return [
        {"ranks": [first, last], **{name: getattr(rank, name) for name in names}}
        for first, last, rank in asked.per_rank.ranges()
    ]


def progressions(numbers: Sequence[int]) -> list[list[int]]:
    """Ascending numbers as runs `[start, end, step]`, `end` excluded."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs:
            start, end, step = runs[-1]
            if number == end - 1 + step or end == start + 1:
                runs[-1] = [start, number + 1, number - start if end == start + 1 else step]
                continue
        runs.append([number, number + 1, 1])
    return runs


def thinned(points: Sequence[tuple[str, int]], most: int) -> list[tuple[str, int]]:
    """At most so many of these moments: the largest of each stretch, so that the peak is among them."""
    if len(points) <= most:
        return list(points)
    edges = [len(points) * each // most for each in range(most + 1)]
    return [max(points[low:high], key=lambda point: point[1]) for low, high in itertools.pairwise(edges)]
