"""Costs as the plain data a page draws: equal units, equal ranks and equal collectives are one row each."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from explorer.messages import CostsState
from explorer.questions import Question
from sharding.costs.duration import StepTime
from sharding.costs.groups import GroupCost
from sharding.costs.optimizers import OPTIMIZERS
from sharding.costs.report import Cost
from sharding.costs.units import Kind
from sharding.engines import ENGINES
from sharding.precision import as_precision
from sharding.strategies import STRATEGIES

MAX_POINTS = 120
PRECISIONS = (
    None,
    {"param_dtype": "bfloat16", "reduce_dtype": "float32"},
    {"param_dtype": "bfloat16"},
    {"param_dtype": "float16", "reduce_dtype": "float32"},
)


def costs_state(asked: Cost, question: Question, rev: int) -> CostsState:
    """Costs as plain data; equal units and equal ranks are one row each."""
    peak = asked.peak
    notes = [["assumed", text] for text in peak.estimated] + [["left_out", text] for text in peak.left_out]
    if unsure := sum(each.num_uncertain for each in asked.traffic):
        text = f"{unsure} collectives happen only if a gradient goes through a unit without trainable parameters"
        notes.append(["uncertain", text])
    return CostsState(
        rev,
        asked_data(question, asked),
        choices(),
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
        time=_time(asked.time),
        notes=notes,
    )


def _time(time: StepTime | None) -> dict[str, Any] | None:
    return None if time is None else {"phases": [vars(each) for each in time.phases], "missing": list(time.missing)}


def asked_data(question: Question, answer: Cost | None) -> dict[str, Any]:
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
        "flops_per_s": question.flops_per_s,
        "bytes_per_s": question.bytes_per_s,
        "latency_s": question.latency_s,
    }


def choices() -> dict[str, list[Any]]:
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
