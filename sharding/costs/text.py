"""Costs as tables of plain text, every number in whole bytes: for a terminal, a log, a test."""

from __future__ import annotations

from collections.abc import Sequence

from sharding.costs.groups import GroupCost
from sharding.costs.peak import Peak
from sharding.costs.resting import RankCost
from sharding.costs.setting import Setting
from sharding.costs.traffic import Collective
from sharding.costs.units import UnitCost


def as_text(
    setting: Setting,
    units: Sequence[UnitCost],
    groups: Sequence[GroupCost],
    collectives: Sequence[Collective],
    ranks: Sequence[RankCost],
    peak: Peak,
) -> str:
    """Everything, part by part."""
    parts = [
        [_heading(setting, collectives)],
        _unit_table(units),
        _group_table(groups),
        _traffic_table(collectives),
        _rank_table(ranks, setting.optimizer.name),
        _peak(peak),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _heading(setting: Setting, collectives: Sequence[Collective]) -> str:
    shape = setting.mesh_shape
    where = f"{shape[0]} x {shape[1]} (replicate, shard)" if len(shape) == 2 else f"{shape[0]}"
    ranks = "1 rank" if setting.world_size == 1 else f"{where} ranks"
    traffic = "" if collectives else ": no collectives" + ("" if setting.world_size > 1 else ", nothing saved")
    return f"One training step on {ranks}{traffic}. Bytes unless stated."


def _unit_table(units: Sequence[UnitCost]) -> list[str]:
    rows = [["unit", "elements", "trainable", "dtypes", "in effect", "a rank", "waste", "empty ranks", "after forward"]]
    for unit in units:
        dtypes = ", ".join(str(dtype).removeprefix("torch.") for dtype in unit.dtypes)
        frees = "frees" if unit.frees_after_forward else "keeps"
        rows.append(
            [
                unit.fqn or "(root)",
                f"{unit.numel:,}",
                f"{unit.trainable_numel:,}",
                dtypes or "-",
                unit.in_effect,
                f"{unit.shard_nbytes:,}",
                f"{unit.waste:.2%}",
                f"{unit.num_empty_ranks}",
                f"{frees}: {unit.reason}",
            ]
        )
    return _aligned(rows) if units else []


def _group_table(groups: Sequence[GroupCost]) -> list[str]:
    rows = [["replicate group", "elements", "a rank", "buckets"]]
    for group in groups:
        buckets = ", ".join(f"{bucket.nbytes:,}" for bucket in group.buckets)
        rows.append([group.fqn or "(root)", f"{group.numel:,}", f"{group.nbytes:,}", buckets or "-"])
    return _aligned(rows) if groups else []


def _traffic_table(collectives: Sequence[Collective]) -> list[str]:
    rows = [["collectives", "a step", "bytes", "sent by a rank if it is a ring"]]
    for kind in ("all_gather", "reduce_scatter", "all_reduce"):
        those = [row for row in collectives if row.kind == kind]
        if those:
            count = sum(row.count for row in those)
            nbytes = sum(row.count * row.nbytes for row in those)
            rows.append([kind, f"{count:,}", f"{nbytes:,}", f"{sum(row.ring_nbytes for row in those):,}"])
    if len(rows) == 1:
        return []
    unsure = sum(row.count for row in collectives if not row.is_certain)
    note = [f"{unsure} of them only if a gradient goes through a unit without trainable parameters"] if unsure else []
    return _aligned(rows) + note


def _rank_table(ranks: Sequence[RankCost], optimizer: str) -> list[str]:
    """Ranks that keep the same are one line."""
    parts = list(ranks[0].optimizer)
    rows = [["between steps, rank", "parameters", "gradients", *(f"{optimizer}: {part}" for part in parts)]]
    rows[0] += ["buffers", "buckets", "total"]
    for first, last in _runs(ranks):
        name = f"{first.rank}" if first is last else f"{first.rank}-{last.rank}"
        numbers = [first.parameters, first.gradients, *first.optimizer.values()]
        numbers += [first.buffers, first.buckets, first.total]
        rows.append([name, *(f"{number:,}" for number in numbers)])
    return _aligned(rows)


def _runs(ranks: Sequence[RankCost]) -> list[tuple[RankCost, RankCost]]:
    runs: list[tuple[RankCost, RankCost]] = []
    for rank in ranks:
        if runs and runs[-1][1].optimizer == rank.optimizer and runs[-1][1].total == rank.total:
            runs[-1] = (runs[-1][0], rank)
        else:
            runs.append((rank, rank))
    return runs


def _peak(peak: Peak) -> list[str]:
    lines = [f"Peak of parameters, gradients and states (an estimate): {peak.nbytes:,} at {peak.moment}"]
    lines += _aligned([["", f"{term.nbytes:,}", term.label] for term in peak.terms])
    lines += ["  assumed: " + "; ".join(peak.estimated), "  left out: " + "; ".join(peak.left_out)]
    return lines


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
