"""A `View` as HTML for a notebook: a tab for all ranks and one for each, equal lines folded or not, a field to search.

Tabs and folding are radio buttons, a checkbox and style rules, so they work without a script and after the notebook was
saved; the search needs one line of script and is not there without. What ranks printed goes in as text, escaped.
"""

from __future__ import annotations

import html
import uuid
from collections.abc import Sequence

from sharding.workers.view import Item, View

MAX_LINES = 5000
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d00", "#666666")

_SEARCH = (
    "const q=this.value.toLowerCase();this.closest('.shw').querySelectorAll('.i')"
    ".forEach(i=>i.hidden=!i.textContent.toLowerCase().includes(q))"
)


def page(view: View) -> str:
    """The whole element."""
    name = f"shw{uuid.uuid4().hex[:8]}"
    tabs = ["all", *(f"rank {rank}" for rank in view.ranks)]
    inputs = "".join(_tab(name, number, tab) for number, tab in enumerate(tabs))
    bodies = [_body("t0 folded", view.folded().items), _body("t0 plain", view.items)]
    bodies += [_body(f"t{tab}", view.rank(rank).items) for tab, rank in enumerate(view.ranks, 1)]
    return (
        f'<div class="shw" id="{name}"><style>{_style(name, len(tabs))}</style><div>{html.escape(view.title)}</div>'
        f'<div class="bar">{inputs}<label><input type="checkbox" class="fold" checked> identical lines once</label> '
        f'<input type="search" placeholder="search" aria-label="search the output" oninput="{html.escape(_SEARCH)}">'
        f"</div>{''.join(bodies)}</div>"
    )


def _tab(name: str, number: int, text: str) -> str:
    checked = "" if number else " checked"
    return f'<label><input type="radio" name="{name}" class="t{number}"{checked}> {text}</label> '


def _style(name: str, num_tabs: int) -> str:
    shown = [f"#{name}:has(.bar .t{tab}:checked) .body.t{tab}" for tab in range(1, num_tabs)]
    shown.append(f"#{name}:has(.bar .t0:checked):has(.fold:checked) .body.folded")
    shown.append(f"#{name}:has(.bar .t0:checked):not(:has(.fold:checked)) .body.plain")
    colours = "".join(f"#{name} .c{index}{{color:{colour}}}" for index, colour in enumerate(COLOURS))
    return (
        f"#{name} .body{{display:none!important;max-height:40em;overflow:auto;margin:.4em 0}}"
        f"{','.join(shown)}{{display:block!important}}"
        f"#{name} pre{{margin:0;white-space:pre-wrap;font-size:inherit}}#{name} .stderr{{opacity:.75}}"
        f"#{name} label{{margin-right:.6em}}#{name} .body img{{max-width:100%}}{colours}"
    )


def _body(classes: str, items: Sequence[Item]) -> str:
    left_out = len(items) - MAX_LINES
    note = f"<div>{left_out:,} earlier lines are not shown</div>" if left_out > 0 else ""
    # where a page drops the style rules, one body is seen and not all
    hidden = "" if "folded" in classes else ' style="display:none"'
    return f'<div class="body {classes}"{hidden}>{note}{"".join(map(_line, items[-MAX_LINES:]))}</div>'


def _line(item: Item) -> str:
    colour = f"c{item.ranks[0] % len(COLOURS)}" if len(item.ranks) == 1 else ""
    label = f'<b class="{colour}">{html.escape(item.label)}</b> '
    if item.data is None:
        return f'<div class="i"><pre class="{item.stream}">{label}{html.escape(item.text)}</pre></div>'
    return f'<div class="i">{label}{_displayed(item)}</div>'


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
