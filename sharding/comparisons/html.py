"""A comparison as static HTML: the picture and the table, in words that notebooks keep also where they trust nobody.

Sanitisers take `<svg>` and `<style>` out; an `<img>` with the drawing inside, and inline styles, stay.
"""

from __future__ import annotations

import base64
from html import escape

from sharding.comparisons.comparison import Comparison
from sharding.comparisons.picture import picture_of
from sharding.comparisons.text import heading_of, notes_of, table_of

_BOX = "background:#fff;color:#1a1a1a;font:13px/1.5 monospace;padding:8px;border:1px solid #c8c8c8;overflow-x:auto"
_CELL = "background:#fff;color:#1a1a1a;text-align:left;padding:2px 10px;border:1px solid #c8c8c8"


def html_of(comparison: Comparison) -> str:
    """Heading, picture, table, notes."""
    head, *rows = table_of(comparison)
    drawing = base64.b64encode(picture_of(comparison).encode()).decode()
    alt = escape("Bars of step time, peak memory and traffic; the table below has the same numbers", quote=True)
    table = "".join(f"<tr>{''.join(_cell('td', each) for each in row)}</tr>" for row in rows)
    notes = "".join(f"<li>{escape(note)}</li>" for note in notes_of(comparison))
    return (
        f'<div style="{_BOX}"><div>{escape(heading_of(comparison))}</div>'
        f'<img alt="{alt}" src="data:image/svg+xml;base64,{drawing}">'
        f'<table style="border-collapse:collapse"><tr>{"".join(_cell("th", each) for each in head)}</tr>{table}</table>'
        f'<ul style="margin:4px 0;padding-left:20px">{notes}</ul></div>'
    )


def _cell(tag: str, text: str) -> str:
    return f'<{tag} style="{_CELL}">{escape(text)}</{tag}>'
