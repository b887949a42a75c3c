"""The tree as text: what a terminal, a log or `print` shows of a layout, in 80 columns.

    GPT  [F u0 #0 H0]  124.4 M
    ├── wte  Embedding  [f u0 #1]  38.6 M
    └── h  ModuleList  [f u0 #4]  85.1 M
        └── h.0–11  Block ×12  [F u1–12 #5+13k H1–12]  7.1 M each

Letters: F fully_shard, f in a unit, R replicate, r inside one, I ignored, i inside one, - unmanaged; u
    unit, # place in pre-order, H place of the handle; `!` conflict, `?` warning, `=` what the engine does otherwise.
"""

from __future__ import annotations

import sys
import textwrap

from explorer.folding import Folding, folding_of
from explorer.rows import Row, Words, rows_of
from explorer.snapshot import totals_of
from sharding.layout import Layout

WIDTH = 80
MAX_GUIDES = 12

_ASCII = {
    "├── ": "|-- ",
    "└── ": "`-- ",
    "│   ": "|   ",
    "–": "-",
    "×": "x",
    "↪": "->",
    "↻": "^",
    "…": "...",
    "⋯": "..",
}


def text_of(
    layout: Layout,
    *,
    width: int = WIDTH,
    ascii_only: bool | None = None,
    max_rows: int | None = 1000,
    folding: Folding | None = None,
) -> str:
    """Draw a layout as text.

    Args:
        layout: what to draw.
        width: columns a line may take.
        ascii_only: draw without box and other characters; None for what the terminal's encoding asks.
        max_rows: at most so many rows of the tree, None for all.
        folding: which rows are one, if that is known.
    """
    folding = folding or folding_of(layout)
    words = Words.of(folding)
    guides: list[str] = []
    lines = []
    for row in rows_of(folding, max_rows=max_rows):
        del guides[max(0, row.level - 1) :]
        head = _head(guides, row)
        if row.level:
            guides.append("    " if row.last else "│   ")
        lines.append(_line(head, row, words, width))
    lines += _remarks(layout, width)
    text = "\n".join([*lines, _totals(layout)])
    return to_ascii(text) if (needs_ascii() if ascii_only is None else ascii_only) else text


def needs_ascii() -> bool:
    """Whether the terminal's encoding cannot write box characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        "├└│–×↪↻…⋯".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def to_ascii(text: str) -> str:
    """The same text in ASCII; names keep nothing that ASCII has no sign for."""
    for sign, plain in _ASCII.items():
        text = text.replace(sign, plain)
    return text.encode("ascii", "backslashreplace").decode("ascii")


def _head(guides: list[str], row: Row) -> str:
    if row.level == 0:
        return ""
    corner = "└── " if row.last else "├── "
    if len(guides) <= MAX_GUIDES:
        return "".join(guides) + corner
    return "".join(guides[:MAX_GUIDES]) + f"⋯{row.level} " + corner


def _line(head: str, row: Row, words: Words, width: int) -> str:
    name = printable(row.name)
    if row.kind == "more":
        return f"{head}… {row.times:,} more"
    if row.kind != "module":
        target = printable(row.node.fqn) or "the root"
        sign = "↻ back to" if row.kind == "back" else "↪ same as"
        return _fit(head + name, f"{sign} {target} (#{row.node.index})", "", width)
    cls = printable(words.folding.layout.modules[row.node.index].cls)
    times = f" ×{row.times}" if row.times > 1 else ""
    tail = f"  [{words.marks(row)}]"
    if numel := words.numel(row):
        tail += f"  {numel}"
    if row.hidden:
        tail += f"  (+{row.hidden:,} below)"
    return _fit(head + name, cls + times, tail, width)


def _fit(name: str, cls: str, tail: str, width: int) -> str:
    """One line of at most `width` columns: the class gives way first, then the name."""
    line = f"{name}  {cls}{tail}" if name else f"{cls}{tail}"
    over = len(line) - width
    if over <= 0:
        return line
    kept = max(6, len(cls) - over)
    cls = _cut(cls, kept)
    over = len(f"{name}  {cls}{tail}") - width
    name = _cut(name, max(12, len(name) - over)) if over > 0 else name
    return f"{name}  {cls}{tail}" if name else f"{cls}{tail}"


def _cut(text: str, size: int) -> str:
    if len(text) <= size:
        return text
    keep = size - 1
    return text[: keep - keep // 3] + "…" + text[len(text) - keep // 3 :]


def printable(text: str) -> str:
    """A name without characters that would move a terminal's cursor."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def remarks_of(layout: Layout) -> list[tuple[str, str]]:
    """Conflicts and findings as (severity, sentence), those of one kind as the first of them and how many
    more.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for conflict in layout.conflicts:
        groups.setdefault(("conflict", conflict.kind), []).append(f"{conflict.message}; {conflict.fix}")
    for finding in layout.findings:
        sentence = f"{finding.message}; {finding.advice}" if finding.advice else finding.message
        groups.setdefault((finding.severity, finding.kind), []).append(sentence)
    return [
        (severity, first + (f" (and {len(more)} more like it)" if more else ""))
        for (severity, _), (first, *more) in groups.items()
    ]


def _remarks(layout: Layout, width: int) -> list[str]:
    signs = {"conflict": "!", "error": "!", "warn": "?", "info": "i"}
    lines = [f"{signs[severity]} {printable(sentence)}" for severity, sentence in remarks_of(layout)]
    lines += [f"= on engine {layout.engine!r} {printable(fact.message)}" for fact in layout.facts]
    return [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ")]


def _totals(layout: Layout) -> str:
    totals = totals_of(layout)
    kinds = ("sharded", "replicated", "ignored", "unmanaged")
    split = ", ".join(f"{totals[kind]:,} {kind}" for kind in kinds if totals[kind])
    units = f"{len(layout.units)} unit{'' if len(layout.units) == 1 else 's'}"
    return f"{len(layout.modules):,} modules, {units}, {totals['numel']:,} parameters" + (f": {split}" if split else "")
