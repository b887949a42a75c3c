"""A comparison as one picture: three columns of bars that share their rows, one row an engine.

Step times carry the middle half of their ratios as a line; traffic is stacked by kind, told apart by hatching as well
as colour. Bytes are rounded to three digits.
Plain SVG text without styles, scripts or fonts of its own, so that it may stand inside an `<img>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from sharding.comparisons.comparison import Comparison, Row

WIDTH, ROW, TOP, NAME, GAP = 860, 34, 46, 70, 30
COLUMN = (WIDTH - NAME - 3 * GAP) // 3
LABEL = 96
"""Room for the number behind the longest bar."""
_FILLS = {
    "all_gather": ("#1f5fbf", ""),
    "reduce_scatter": ("#b35900", "6 3"),
    "all_reduce": ("#2b7a4b", "2 2"),
}
_OTHER = ("#5f5f5f", "1 3")


def picture_of(comparison: Comparison) -> str:
    """The drawing as SVG text."""
    kinds = list(comparison.kinds)
    height = TOP + ROW * len(comparison.rows) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="monospace" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *_heads(comparison),
        *_names(comparison),
        *_times(comparison),
        *_peaks(comparison),
        *_traffic(comparison),
        *_legend(kinds, height - 12),
        "</svg>",
    ]
    return "".join(parts)


def _left(column: int) -> int:
    return NAME + GAP + column * (COLUMN + GAP)


def _top(number: int) -> int:
    return TOP + number * ROW


def _heads(comparison: Comparison) -> Iterator[str]:
    unit = f"step time / {comparison.base}" if comparison.base else "step time (not taken)"
    for column, text in enumerate((unit, "peak a rank, largest rank", "bytes in collectives a step")):
        yield _text(_left(column), 24, text, weight="bold")


def _names(comparison: Comparison) -> Iterator[str]:
    for number, row in enumerate(comparison.rows):
        yield _text(8, _top(number) + 16, row.engine, weight="bold")
        if row.outcome != "ran":
            yield _text(_left(0), _top(number) + 16, f"{row.outcome}: {_short(row.why)}", fill="#5f5f5f")


def _times(comparison: Comparison) -> Iterator[str]:
    ratios = {row.engine: comparison.ratio(row.engine) for row in comparison.rows}
    scale = _scale(max((each.high for each in ratios.values() if each is not None), default=0))
    for number, row in enumerate(comparison.rows):
        ratio = ratios[row.engine]
        if ratio is None:
            continue
        x, y = _left(0), _top(number)
        yield _bar(x, y, ratio.median * scale, "#1a1a1a")
        low, high = x + ratio.low * scale, x + ratio.high * scale
        yield f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y + 12}" y2="{y + 12}" stroke="#b35900" stroke-width="3"/>'
        yield _text(max(x + ratio.median * scale, high) + 6, y + 16, f"{ratio.median:.2f}")


def _peaks(comparison: Comparison) -> Iterator[str]:
    scale = _scale(max((max(row.peak_nbytes, default=0) for row in comparison.rows), default=0))
    for number, row in enumerate(comparison.rows):
        if row.peak_nbytes:
            width = max(row.peak_nbytes) * scale
            yield _bar(_left(1), _top(number), width, "#5f5f5f")
            yield _text(_left(1) + width + 6, _top(number) + 16, _short_bytes(max(row.peak_nbytes)))


def _traffic(comparison: Comparison) -> Iterator[str]:
    scale = _scale(max((_sent(row) for row in comparison.rows), default=0))
    for number, row in enumerate(comparison.rows):
        if row.outcome != "ran":
            continue
        x = float(_left(2))
        for each in row.collectives:
            yield _bar(x, _top(number), each.nbytes * scale, *_FILLS.get(each.kind, _OTHER))
            x += each.nbytes * scale
        count = sum(each.count for each in row.collectives)
        yield _text(x + 6, _top(number) + 16, f"{_short_bytes(_sent(row))} in {count}" if count else "none")


def _sent(row: Row) -> int:
    return sum(each.nbytes for each in row.collectives)


def _short_bytes(nbytes: float) -> str:
    """Three digits: a picture shows sizes, the table has every byte."""
    for unit in ("B", "kB", "MB", "GB"):
        if nbytes < 1000:
            return f"{nbytes:.3g} {unit}"
        nbytes /= 1000
    return f"{nbytes:,.3g} TB"


def _legend(kinds: list[str], y: int) -> Iterator[str]:
    x = _left(0)
    for kind in kinds:
        yield _bar(x, y - 12, 14, *_FILLS.get(kind, _OTHER), height=12)
        yield _text(x + 18, y, kind)
        x += 32 + 8 * len(kind)


def _scale(largest: float) -> float:
    return (COLUMN - LABEL) / largest if largest else 0.0


def _bar(x: float, y: float, width: float, fill: str, dashes: str = "", *, height: int = 20) -> str:
    """A bar; `dashes` draws a pattern along its middle, which colour alone would not tell."""
    bar = f'<rect x="{x:.1f}" y="{y + 2}" width="{max(width, 1):.1f}" height="{height}" fill="{fill}"/>'
    if not dashes or width < 4:
        return bar
    middle = y + 2 + height / 2
    return bar + (
        f'<line x1="{x:.1f}" x2="{x + width:.1f}" y1="{middle}" y2="{middle}" stroke="#ffffff" stroke-width="3" '
        f'stroke-dasharray="{dashes}"/>'
    )


def _text(x: float, y: float, text: str, *, weight: str = "normal", fill: str = "#1a1a1a") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-weight="{weight}" fill="{fill}">{escape(text)}</text>'


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:89] + "…"
