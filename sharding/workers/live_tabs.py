"""The output of a call while it runs, in tabs: one display of a notebook that is replaced as lines come.

What `Workers(view="tabs")` shows in place of text. The bar of tabs is displayed once and the lines below it are
replaced, so the reader's tab, folding and search stay. A page gets few and small messages: at most four a second while
the call runs, each the last lines only, and fewer where they are big; the whole, up to a megabyte, when it is over.
Every message has the same as plain text, for whoever shows no HTML: nbconvert, papermill, a notebook opened elsewhere.
"""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sharding.workers import view_html
from sharding.workers.output import Page
from sharding.workers.record import RunEvent
from sharding.workers.view import Assembly, Item, View

ROUND_S = 0.25
PAGE_NBYTES_PER_S = 100_000
LIVE_NCHARS = 8_000  # of what is shown while it runs; with both bodies, labels and text seven times as much travels
WHOLE_NCHARS = 120_000


class LiveTabs:
    """The screen of one call (as `screen.Screen`).

    Args:
        publish: shows forms of a value in the cell, as IPython's publisher does.
        events: the call's, a list that grows.
        title: what the call is and how far, now.
        ranks: whose output it is.
    """

    def __init__(
        self, publish: Any, events: Callable[[], Sequence[RunEvent]], title: Callable[[], str], ranks: Sequence[int]
    ) -> None:
        self._publish, self._events, self._title, self._ranks = publish, events, title, tuple(ranks)
        self._assembly = Assembly()
        self._num_seen = 0
        self._bars: Mapping[int, str] = {}
        self._name = ""
        self._next_at = 0.0
        self._is_behind = self._is_whole = False

    def is_behind(self, bars: Mapping[int, str]) -> bool:
        """Whether there is something it has not drawn yet."""
        return self._is_behind or bars != self._bars

    def show(self, pages: Sequence[Page]) -> None:
        """Something was printed or displayed. What the launcher itself says is written below, as it comes."""
        for stream, content in pages:
            if stream == "notice":
                sys.stderr.write(str(content))
                sys.stderr.flush()
            else:
                self._is_behind = True

    def bars(self, bars: Mapping[int, str], *, over: bool = False) -> None:
        """Draw what is new, now and then; `over`: all of it, without bars of progress."""
        if self._is_whole or (not over and (time.monotonic() < self._next_at or not self.is_behind(bars))):
            return
        self._bars, self._is_behind, self._is_whole = {} if over else bars, False, over
        self._take_events()
        if self._assembly.items or self._bars or self._name:
            self._draw(over)

    def _take_events(self) -> None:
        events = self._events()
        for event in events[self._num_seen :]:
            self._assembly.add(event)
        self._num_seen = len(events)

    def _draw(self, over: bool) -> None:
        first = not self._name
        if first:
            self._name = view_html.new_name()
            self._publish({"text/html": view_html.bar(self._name, self._ranks), "text/plain": ""}, {}, transient={})
        data = self._forms(WHOLE_NCHARS if over else LIVE_NCHARS)
        self._publish(data, {}, transient={"display_id": self._name}, update=not first)
        nbytes = sum(map(len, data.values()))
        self._next_at = time.monotonic() + max(ROUND_S, nbytes / PAGE_NBYTES_PER_S)

    def _forms(self, nchars: int) -> dict[str, str]:
        """As HTML and as text: the last items that fit, and the bars of progress."""
        items, place = self._assembly.items, len(self._assembly.items)
        while place and (nchars := nchars - _num_chars(items[place - 1])) >= 0:
            place -= 1
        note = f"{place:,} earlier lines are in `.last.view()` of the Workers" if place else ""
        title = f"{self._title()} {note}".strip()
        bars = (Item((rank,), self._bars[rank]) for rank in sorted(self._bars))
        view = View(title, self._ranks, (*items[place:], *bars))
        text = f"[{note}]\n{view}" if note else str(view)
        return {"text/html": view_html.lines(self._name, view, is_tail=True), "text/plain": text}


def _num_chars(item: Item) -> int:
    """About a seventh of what it takes on a page."""
    return 40 + len(html.escape(item.text)) + sum(len(str(form)) for form in (item.data or {}).values())
