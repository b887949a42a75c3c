"""Costs as tables of plain text, every number in whole bytes: for a terminal, a log, a test.

Units that cost the same are one line, ranks that keep the same too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sharding.costs.duration import StepTime
from sharding.costs.groups import GroupCost
from sharding.costs.ledger import ACTIVATIONS
from sharding.costs.names import shared_name
from sharding.costs.peak import Peak
from sharding.costs.resting import PerRank
from sharding.costs.setting import Setting
from sharding.costs.traffic import Traffic

if TYPE_CHECKING:
    from sharding.costs.report import Cost

TIME_BAR = 40
"""Characters of the longest bar."""

MAX_RANK_LINES = 12


def as_text(cost: Cost) -> str:
    """Everything, part by part."""
    parts = [
        [_heading(cost.setting, cost.traffic)],
        _unit_table(cost),
        _group_table(cost.groups),
        _traffic_table(cost.traffic),
        _rank_table(cost.per_rank, cost.setting.optimizer.name),
        _peak(cost.peak),
        [] if cost.time is None else _time(cost.time),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _heading(setting: Setting, traffic: Sequence[Traffic]) -> str:
    shape = setting.mesh_shape
    where = f"{shape[0]} x {shape[1]} (replicate, shard)" if len(shape) == 2 else f"{shape[0]}"
    ranks = "1 rank" if setting.world_size == 1 else f"{where} ranks"
    engine = "" if setting.engine == "flat" else f", {setting.engine}'s engine"
    steps = setting.accumulation_steps
    times = "" if steps == 1 else f", {steps} forwards and backwards of which the last averages"
    silence = "" if traffic else ": no collectives" + ("" if setting.world_size > 1 else ", nothing saved")
    return f"One training step on {ranks}{engine}{times}{silence}. Bytes unless stated."


def _unit_table(cost: Cost) -> list[str]:
    rows = [["unit", "times", "elements", "trainable", "dtypes", "in effect", "a rank", "whole", "largest buffer"]]
    rows[0] += ["waste", "empty ranks", "after forward"]
    for kind in cost.kinds:
        unit = kind.cost
        dtypes = ", ".join(str(dtype).removeprefix("torch.") for dtype in unit.dtypes)
        rows.append(
            [
                shared_name([cost.layout.units[number].fqn for number in kind.numbers]),
                f"{kind.times}",
                f"{unit.numel:,}",
                f"{unit.trainable_numel:,}",
                dtypes or "-",
                unit.in_effect,
                f"{unit.shard_nbytes:,}",
                f"{unit.unsharded_nbytes:,}",
                f"{unit.largest_buffer_nbytes:,}",
                f"{unit.waste:.2%}",
                f"{unit.num_empty_ranks}",
                f"{'frees' if unit.frees_after_forward else 'keeps'}: {unit.reason}",
            ]
        )
    return _aligned(rows) if cost.kinds else []


def _group_table(groups: Sequence[GroupCost]) -> list[str]:
    rows = [["replicate group", "elements", "a rank", "buckets"]]
    for group in groups:
        buckets = ", ".join(f"{bucket.nbytes:,}" for bucket in group.buckets)
        rows.append([group.fqn or "(root)", f"{group.numel:,}", f"{group.nbytes:,}", buckets or "-"])
    return _aligned(rows) if groups else []


def _traffic_table(traffic: Sequence[Traffic]) -> list[str]:
    rows = [["collectives", "a step", "bytes", "sent by a rank if it is a ring", "under 1 MiB"]]
    for kind in ("all_gather", "reduce_scatter", "all_reduce"):
        those = [each for each in traffic if each.kind == kind]
        if those:
            numbers = ([getattr(each, name) for each in those] for name in ("count", "nbytes", "ring_nbytes"))
            small = sum(each.num_small for each in those)
            rows.append([kind, *(f"{sum(each):,}" for each in numbers), f"{small:,}"])
    if len(rows) == 1:
        return []
    unsure = sum(each.num_uncertain for each in traffic)
    note = [f"{unsure} of them only if a gradient goes through a unit without trainable parameters"] if unsure else []
    return _aligned(rows) + note


def _rank_table(ranks: PerRank, optimizer: str) -> list[str]:
    """Ranks that keep the same are one line."""
    parts = list(ranks[0].optimizer)
    rows = [["between steps, rank", "parameters", "gradients", *(f"{optimizer}: {part}" for part in parts)]]
    rows[0] += ["buffers", "buckets", "total"]
    found = list(ranks.ranges())
    for first, last, rank in [*found[: MAX_RANK_LINES - 1], *found[MAX_RANK_LINES - 1 :][-1:]]:
        name = f"{first}" if first == last else f"{first}-{last}"
        numbers = [rank.parameters, rank.gradients, *rank.optimizer.values()]
        numbers += [rank.buffers, rank.buckets, rank.total]
        rows.append([name, *(f"{number:,}" for number in numbers)])
    notes = [f"({len(found) - MAX_RANK_LINES} lines between them left out)"] if len(found) > MAX_RANK_LINES else []
    if ranks.num_copies > 1:
        notes.append(f"the same in each of {ranks.num_copies} copies")
    return _aligned(rows) + notes


def _peak(peak: Peak) -> list[str]:
    kind = " (an estimate)" if peak.is_estimate else ""
    traced = any(term.label == ACTIVATIONS for term in peak.terms)
    what = "parameters, gradients, states and activations" if traced else "parameters, gradients and states"
    lines = [f"Peak of {what}{kind}: {peak.nbytes:,} at {peak.moment}"]
    lines += _aligned([["", f"{term.nbytes:,}", term.label] for term in peak.terms])
    lines += ["  assumed: " + "; ".join(peak.estimated)] if peak.estimated else []
    return [*lines, "  left out: " + "; ".join(peak.left_out)]


def _time(time: StepTime) -> list[str]:
    """Two bars a phase, all at one scale."""
    rates = time.rates
    said = [f"{rates.flops_per_s:.3g} FLOPs/s"] if rates.flops_per_s else []
    said += [f"{rates.bytes_per_s:.3g} bytes/s a rank"] if rates.bytes_per_s else []
    said += [f"{rates.latency_s:.3g} s a collective"] if rates.latency_s else []
    longest = max([s for phase in time.phases for s in (phase.compute_s, phase.communication_s) if s], default=0.0)
    rows = [
        ["", phase.phase, what, _seconds(seconds), "#" * round(TIME_BAR * (seconds or 0) / longest) if longest else ""]
        for phase in time.phases
        for what, seconds in (("compute", phase.compute_s), ("communication", phase.communication_s))
    ]
    lines = [f"Time of a step, each by itself, at {', '.join(said) or 'no rates'} ({rates.source}):", *_aligned(rows)]
    lines.append("  assumed: those rates throughout; at least the longer of the two, how far they overlap is not known")
    return lines + [f"  missing for {text}" for text in time.missing]


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
