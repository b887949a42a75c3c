"""The tree as one static piece of HTML: what GitHub, nbconvert or an untrusted notebook shows where no page
code runs.

Inline styles only, since `<style>` and `<svg>` are taken out there; `<details>` fold; every colour comes
with its background and a letter. At most `MAX_NBYTES`, whatever the model.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from explorer.folding import Folding, folding_of
from explorer.rows import Row, Words, rows_of
from explorer.snapshot import totals_of
from explorer.text import printable, remarks_of
from sharding.layout import Layout

Bundle = dict[str, Any]
STATIC = Path(__file__).parent / "static"
LIVE_BELOW = "(with a kernel, the live view of this tree)"
MAX_NBYTES = 64 * 1024
MAX_NAME = 60
OPEN_LEVELS = 3

_SWATCHES = {
    "F": ("fully_shard", "background:#1f5fbf;color:#fff;border:2px solid #1f5fbf"),
    "f": ("in a unit", "background:#fff;color:#1f5fbf;border:2px solid #1f5fbf"),
    "R": ("replicate", "background:#b35900;color:#fff;border:2px solid #b35900"),
    "r": ("inside replicate", "background:#fff;color:#b35900;border:2px solid #b35900"),
    "I": ("ignored", "background:#5f5f5f;color:#fff;border:2px solid #5f5f5f"),
    "i": ("inside ignored", "background:#fff;color:#5f5f5f;border:2px solid #5f5f5f"),
    "u": ("unmanaged", "background:#fff;color:#1a1a1a;border:2px dotted #5f5f5f"),
}
_BOX = "background:#fff;color:#1a1a1a;font:13px/1.5 monospace;padding:8px;border:1px solid #c8c8c8;overflow-x:auto"
_GREY = "color:#5f5f5f"


def html_of(layout: Layout, *, folding: Folding | None = None, note: str = "") -> str:
    """Draw a layout as HTML.

    Args:
        layout: what to draw.
        folding: which rows are one, if that is known.
        note: a sentence to put under the tree.
    """
    folding = folding or folding_of(layout)
    max_rows = 240
    while True:
        page = _page(folding, note, max_rows)
        if len(page.encode()) <= MAX_NBYTES or max_rows <= 4:
            return page
        max_rows //= 2


def beside_widget(bundle: tuple[Bundle, Bundle]) -> list[tuple[Bundle, Bundle]]:
    """The outputs of a notebook's cell: the static form with what hides it while the widget is drawn, then the widget.

    One output would be the widget's alone where a notebook is opened again without its kernel, and that says only that
    its model is not found.

    Args:
        bundle: data and metadata of the widget's own output, with the static forms in it.

    Returns:
        Data and metadata of each output.
    """
    script = (STATIC / "standin.js").read_text(encoding="utf-8")
    data, metadata = bundle
    still = f'<div data-shx-static>{data["text/html"]}</div><script type="module">{script}</script>'
    live = {name: value for name, value in data.items() if name != "text/html"}
    return [
        ({"text/plain": data["text/plain"], "text/html": still}, {}),
        ({**live, "text/plain": LIVE_BELOW}, metadata),
    ]


def _page(folding: Folding, note: str, max_rows: int) -> str:
    layout = folding.layout
    totals = totals_of(layout)
    kinds = ("sharded", "replicated", "ignored", "unmanaged")
    split = ", ".join(f"{totals[kind]:,} {kind}" for kind in kinds if totals[kind])
    name = escape(_short(layout.tree.root.cls_name))
    head = f"<b>{name}</b>: {len(layout.modules):,} modules, {len(layout.units)} units, {totals['numel']:,} parameters"
    legend = " ".join(f"{_swatch(letter)}&nbsp;{word}" for letter, (word, _) in _SWATCHES.items())
    parts = [
        f'<div style="{_BOX}"><div>{head}{": " + split if split else ""}</div>',
        f'<div style="{_GREY};background:#fff;margin:4px 0">{legend} · u unit · # pre-order · H handle</div>',
        *_tree(rows_of(folding, max_rows=max_rows), Words.of(folding)),
        *_remarks(layout),
    ]
    if note:
        parts.append(f'<div style="{_GREY};background:#fff">{escape(note)}</div>')
    return "".join([*parts, "</div>"])


def _tree(rows: list[Row], words: Words) -> list[str]:
    """Rows as nested `<details>`, those with rows below them foldable."""
    parts: list[str] = []
    level = 0
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        parts.append("</div></details>" * (level - row.level))
        level = row.level
        text = _row(row, words)
        if after is not None and after.level > row.level:
            opened = " open" if row.level < OPEN_LEVELS else ""
            parts.append(f'<details{opened}><summary>{text}</summary><div style="margin-left:20px">')
            level = row.level + 1
        else:
            parts.append(f"<div>{text}</div>")
    return [*parts, "</div></details>" * level]


def _row(row: Row, words: Words) -> str:
    name = escape(_short(row.name))
    if row.kind == "more":
        return f"… {row.times:,} more"
    if row.kind != "module":
        target = escape(_short(row.node.fqn)) or "the root"
        sign = "↻ back to" if row.kind == "back" else "↪ same as"
        return f"<b>{name}</b> {sign} {target} (#{row.node.index})"
    cls = escape(_short(words.folding.layout.modules[row.node.index].cls))
    times = f" ×{row.times}" if row.times > 1 else ""
    marks = words.marks(row).split(" ")
    alarm = f"<b>{marks[0][0]}</b> " if marks[0][0] in "!?" else ""
    below = f" (+{row.hidden:,} below)" if row.hidden else ""
    facts = escape(" · ".join(filter(None, [" ".join(marks[1:]), words.numel(row)])))
    title = f"{alarm}{_swatch(words.letter(row))} " + (f"<b>{name}</b> " if name else "")
    return f'{title}{cls}{times} <span style="{_GREY};background:#fff">{facts}{below}</span>'


def _swatch(letter: str) -> str:
    style = _SWATCHES[letter][1]
    return f'<span style="{style};padding:0 3px">{"-" if letter == "u" else letter}</span>'


def _remarks(layout: Layout) -> list[str]:
    lines = [f"<li><b>{kind}</b> {escape(printable(text)[:600])}</li>" for kind, text in remarks_of(layout)[:20]]
    return [f'<ul style="margin:4px 0;padding-left:20px">{"".join(lines)}</ul>'] if lines else []


def _short(text: str) -> str:
    text = printable(text)
    return text if len(text) <= MAX_NAME else text[: MAX_NAME - 1] + "…"
