"""Moves in a drawn page, each from its event until what it changed is laid out; scrolling by its frames."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from playwright.sync_api import Locator
from table import Figure

TEXTS = ("type:weighted", "params>10", "up_proj")


def measure_moves(size: str, widget: Locator, repeats: int) -> Iterator[Figure]:
    """Fold and open with all rows open, open and close all, search, scroll."""

    def keys(*keys: str, times: int) -> list[float]:
        return widget.evaluate("(w, given) => moves.keys(w, given)", {"keys": keys, "repeats": times})

    keys("+", "Home", "ArrowDown", times=1)
    yield Figure("toggle", size, keys("ArrowLeft", "ArrowRight", times=repeats))
    yield Figure("expand", size, keys("-", "+", times=repeats))
    yield Figure("search", size, widget.evaluate("(w, given) => moves.search(w, given)", {"texts": TEXTS}))
    frames = widget.evaluate("(w, given) => moves.scroll(w, given)", {"frames": 120})
    yield Figure("scroll", size, [round(statistics.median(frames), 1)])
    yield Figure("scroll_worst", size, [max(frames)])
