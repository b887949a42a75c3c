"""A comparison as a table of plain text: ratios first, exact bytes, and under it what the numbers do not say."""

from __future__ import annotations

from sharding.comparisons.comparison import Comparison, Row, Traffic
from sharding.comparisons.contestants import REFERENCE

MEASURED_ON = {
    "gloo": "bytes of all tensors alive, each storage once",
    "nccl": "bytes the CUDA allocator handed out",
}


def text_of(comparison: Comparison) -> str:
    """The table with a heading and notes."""
    rows = table_of(comparison)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([heading_of(comparison), *lines, *notes_of(comparison)])


def heading_of(comparison: Comparison) -> str:
    """One sentence about what was done."""
    devices = ", ".join(dict.fromkeys(comparison.devices))
    ranks = "1 rank" if comparison.nprocs == 1 else f"{comparison.nprocs} ranks"
    steps = "1 step" if comparison.steps == 1 else f"{comparison.steps} steps"
    rounds = max((len(row.seconds) for row in comparison.rows), default=0)
    taken = f", times in turns over {rounds} rounds" if rounds else ", no times taken"
    return f"The same plan, seeds and batches on {ranks} over {comparison.backend} ({devices}): {steps}{taken}"


def table_of(comparison: Comparison) -> list[list[str]]:
    """Header and one row an engine, every cell as text."""
    kinds = list(comparison.kinds)
    base = comparison.base
    head = ["engine", "loss difference", f"step time / {base}" if base else "step time", "peak bytes a rank", *kinds]
    return [head, *(_cells(comparison, row, kinds) for row in comparison.rows)]


def notes_of(comparison: Comparison) -> list[str]:
    """How it was measured, and what single rows have to say."""
    notes = [f"{row.engine}: {row.outcome}: {row.why}" for row in comparison.rows if row.outcome != "ran"]
    notes += [f"{row.engine}: {row.why}" for row in comparison.rows if row.outcome == "ran" and row.why]
    notes += [f"{row.engine}: {remark}" for row in comparison.rows for remark in row.remarks]
    notes += [_beside_prediction(row, row.predicted) for row in comparison.rows if row.predicted is not None]
    how = MEASURED_ON.get(comparison.backend, MEASURED_ON["gloo"])
    notes.append(f"peak: {how}, in the second step; collectives: of that step, count and bytes of whole buffers")
    if any(row.seconds for row in comparison.rows):
        notes.append(
            "step time: median of the ratios of each round, in brackets their middle half; slowest rank; "
            f"{REFERENCE!r} trains a whole copy a rank and sends nothing"
        )
    return notes


def _cells(comparison: Comparison, row: Row, kinds: list[str]) -> list[str]:
    if row.outcome != "ran":
        return [row.engine, row.outcome, "-", "-", *("-" for _ in kinds)]
    sent = {each.kind: each for each in row.collectives}
    return [
        row.engine,
        _difference(comparison, row),
        _time(comparison, row),
        peak_text(row),
        *(_sent(sent.get(kind)) for kind in kinds),
    ]


def _beside_prediction(row: Row, predicted: tuple[Traffic, ...]) -> str:
    if set(predicted) == set(row.collectives):
        return f"{row.engine}: collectives as predicted, to the byte"
    said = ", ".join(f"{each.kind} {_sent(each)}" for each in predicted) or "none"
    return f"{row.engine}: predicted, with every module called once: {said}"


def _difference(comparison: Comparison, row: Row) -> str:
    if row.engine == REFERENCE:
        return "reference"
    difference = comparison.loss_difference(row.engine)
    if difference is None:
        return "-"
    return "0" if difference == 0 else f"{difference:.1e}"


def _time(comparison: Comparison, row: Row) -> str:
    ratio = comparison.ratio(row.engine)
    if ratio is None or row.step_seconds is None:
        return "-"
    if row.engine == comparison.base:
        return f"1 ({1e3 * row.step_seconds:.3g} ms)"
    return f"{ratio.median:.2f} ({ratio.low:.2f}-{ratio.high:.2f})"


def peak_text(row: Row) -> str:
    """One number where ranks hold the same, else the range."""
    if not row.peak_nbytes:
        return "-"
    low, high = min(row.peak_nbytes), max(row.peak_nbytes)
    return f"{high:,}" if low == high else f"{low:,}-{high:,}"


def _sent(traffic: Traffic | None) -> str:
    return "0" if traffic is None else f"{traffic.count} ({traffic.nbytes:,} B)"
