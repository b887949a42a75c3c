"""A `View` as HTML for a notebook: a tab for all ranks and one for each, equal lines folded or not, a field to search.

In two pieces, a bar of controls and the lines, so that the lines of a call that runs can be replaced while the bar, and
with it the tab, the folding and the search that the reader chose, stays (`live_tabs.py`). What is seen follows the bar
by style rules alone, so it works without a script and after the notebook was saved; the search needs one line of script
that writes one more rule. What ranks printed goes in as text, escaped.
"""

from __future__ import annotations

import html
import uuid
from collections.abc import Sequence

from sharding.workers.view import Item, View

MAX_LINES = 5000
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d00", "#666666")

_SEARCH = (
    "const q=this.value;this.nextElementSibling.textContent=q?"
    "'#{name}-lines .i:not([data-t*=&quot;'+CSS.escape(q)+'&quot; i]){{display:none!important}}':''"
)


def page(view: View) -> str:
    """The whole element."""
    name = new_name()
    return f'<div id="{name}">{bar(name, view.ranks, f"#{name}")}{lines(name, view)}</div>'


def new_name() -> str:
    """What the ids of one element start with."""
    return f"shw{uuid.uuid4().hex[:8]}"


def bar(name: str, ranks: Sequence[int], scope: str = "body") -> str:
    """Tabs, folding and search, and the rules by which the lines of this name follow them.

    `scope`: selects what holds both.
    """
    tabs = ["all", *(f"rank {rank}" for rank in ranks)]
    inputs = "".join(_tab(name, number, text) for number, text in enumerate(tabs))
    return (
        f'<div class="shw" id="{name}-bar"><style>{_style(name, ranks, scope)}</style>{inputs}'
        '<label><input type="checkbox" class="fold" checked> identical lines once</label> '
        '<input type="search" placeholder="search" aria-label="search the output" '
        f'oninput="{_SEARCH.format(name=name)}"><style></style></div>'
    )


def lines(name: str, view: View, *, is_tail: bool = False) -> str:
    """The lines, folded and not. `is_tail`: seen from their end, as those of a call that runs."""
    bodies = _body("folded", view.folded().items) + _body("plain", view.items)
    tail = " tail" if is_tail else ""
    return f'<div class="shw{tail}" id="{name}-lines"><div>{html.escape(view.title)}</div>{bodies}</div>'


def _tab(name: str, number: int, text: str) -> str:
    checked = "" if number else " checked"
    return f'<label><input type="radio" name="{name}" class="t{number}"{checked}> {text}</label> '


def _style(name: str, ranks: Sequence[int], scope: str) -> str:
    chosen, below = f"{scope}:has(#{name}-bar .t%d:checked)", f"#{name}-lines"
    folds = f":has(#{name}-bar .fold:checked)"
    shown = [f"{chosen % 0}{folds} {below} .folded", f"{chosen % 0}:not({folds}) {below} .plain"]
    shown += [f"{chosen % tab} {below} .plain" for tab in range(1, len(ranks) + 1)]
    others = [f"{chosen % tab} {below} .i:not(.r{rank})" for tab, rank in enumerate(ranks, 1)]
    colours = "".join(f"{below} .c{index}{{color:{colour}}}" for index, colour in enumerate(COLOURS))
    return (
        f"{below} .body{{display:none!important;flex-direction:column;max-height:40em;overflow:auto;margin:.4em 0}}"
        f"{','.join(shown)}{{display:flex!important}}{','.join(others)}{{display:none!important}}"
        f"{below}.tail .body{{flex-direction:column-reverse}}#{name}-bar label{{margin-right:.6em}}"
        f"{below} pre{{margin:0;white-space:pre-wrap;font-size:inherit}}{below} .stderr{{opacity:.75}}"
        f"{below} .body img{{max-width:100%}}{colours}"
    )


def _body(kind: str, items: Sequence[Item]) -> str:
    left_out = len(items) - MAX_LINES
    note = f"<div>{left_out:,} earlier lines are not shown</div>" if left_out > 0 else ""
    # where a page drops the style rules, one body is seen and not all
    hidden = "" if kind == "folded" else ' style="display:none"'
    return f'<div class="body {kind}"{hidden}><div>{note}{"".join(map(_line, items[-MAX_LINES:]))}</div></div>'


def _line(item: Item) -> str:
    colour = f"c{item.ranks[0] % len(COLOURS)}" if len(item.ranks) == 1 else ""
    label = f'<b class="{colour}">{html.escape(item.label)}</b> '
    if item.data is None:
        shown = f'<pre class="{item.stream}">{label}{html.escape(item.text)}</pre>'
    else:
        shown = label + _displayed(item)
    whose = " ".join(f"r{rank}" for rank in item.ranks)
    return f'<div class="i {whose}" data-t="{html.escape(f"{item.label} {item.text}")}">{shown}</div>'


def _displayed(item: Item) -> str:
    """The richest form that a page can hold. HTML and SVG are the user's own, as in any cell."""
    data = item.data or {}
    for mime in ("image/png", "image/jpeg"):
        if mime in data:
            return f'<img src="data:{mime};base64,{html.escape(data[mime])}" alt="{html.escape(item.text)}">'
    for mime in ("text/html", "image/svg+xml"):
        if mime in data:
            return data[mime]
    return f"<pre>{html.escape(item.text)}</pre>"
