"""The explorer as one HTML file: opens anywhere, asks no kernel and no network, folds and searches like the page.

It holds both modules of the page in one, packed, the states they draw, and the static form (`html.py`), which is what
is seen until the page runs, where scripts may not run, and in print.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

STATIC = Path(__file__).parent / "static"

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title}</title>
<style>
:root{{color-scheme:light dark}}
body{{margin:8px;font-family:system-ui,sans-serif}}
@media print{{#page{{display:none}}}}
</style>
<div id="page"></div>
<div id="static">{static}</div>
<script type="application/json" id="saved">{saved}</script>
<script type="module">{script}</script>
</html>
"""


def standalone_page(states: Mapping[str, str], *, title: str, static: str) -> str:
    """One HTML file.

    Args:
        states: the widget's traits as texts: "tree", "plan", and what else is there.
        title: of the document.
        static: the static form.
    """
    saved = json.dumps(
        {"states": dict(states), "page": _packed("exported.js")},
        separators=(",", ":"),
    )
    script = (STATIC / "saved.js").read_text(encoding="utf-8")
    return _PAGE.format(title=escape(title), static=static, saved=saved.replace("<", "\\u003c"), script=script)


def _packed(name: str) -> str:
    return base64.b64encode(gzip.compress((STATIC / name).read_bytes(), 9, mtime=0)).decode("ascii")
