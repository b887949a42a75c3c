"""Where the output of a call appears while somebody waits for it: the cell, or the terminal, of the calling thread.

Text goes to the thread's stdout and stderr, in at most one piece each a round, so a flood is a few messages to the page
and not thousands. Values that ranks display, and the bars of progress they redraw, go through IPython where a kernel of
it runs (looked up, never imported here); elsewhere their plain text does. Used by `Run.follow`.
"""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sharding.workers.output import Page

ROUND_S = 0.125  # two streams eight times a second, and the bars: at most twenty messages to the page a second
BARS_S = 0.25


class Screen:
    """The one of a call that is followed."""

    def __init__(self) -> None:
        self._publish: Any = publisher()
        self._bars_id = ""
        self._drawn: Mapping[int, str] = {}
        self._bars_at = 0.0

    def is_behind(self, bars: Mapping[int, str]) -> bool:
        """Whether these bars are not drawn yet."""
        return bars != self._drawn

    def show(self, pages: Sequence[Page]) -> None:
        """Write pieces of text and displayed values, in order."""
        for stream, content in _few_pieces(pages):
            if isinstance(content, str):
                _write(stream, content)
            else:
                self._display(content)

    def _display(self, shown: Mapping[str, Any]) -> None:
        data, label = shown["data"], f"[rank {shown['rank']}]"
        if self._publish is None:
            _write("stdout", "".join(f"{label} {line}\n" for line in _plain(data).splitlines()))
            return
        if not shown["update"]:
            _write("stdout", f"{label}\n")
        name = shown["display_id"]  # ranks may use the same one, and mean their own
        transient = {} if name is None else {"display_id": f"{name}-rank{shown['rank']}"}
        self._publish(data, {}, transient=transient, update=shown["update"])

    def bars(self, bars: Mapping[int, str], *, over: bool = False) -> None:
        """Draw the ranks' bars of progress in place, now and then; `over`: take them away."""
        bars, now = {} if over else bars, time.monotonic()
        if bars == self._drawn or (not over and now - self._bars_at < BARS_S):
            return
        self._drawn, self._bars_at = bars, now
        if self._publish is None:
            return
        text = "\n".join(f"[rank {rank}] {bars[rank]}" for rank in sorted(bars))
        first = not self._bars_id
        self._bars_id = self._bars_id or f"sharding-bars-{uuid.uuid4().hex}"
        self._publish({"text/plain": text}, {}, transient={"display_id": self._bars_id}, update=not first)


def _few_pieces(pages: Sequence[Page]) -> list[Page]:
    """As they are when they are few; else the text of each stream in one piece, up to the next displayed value."""
    if len(pages) <= 2:
        return list(pages)
    pieces: list[Page] = []
    texts: dict[str, str] = {}
    for stream, content in pages:
        if isinstance(content, str):
            texts[stream] = texts.get(stream, "") + content
        else:
            pieces += [*texts.items(), (stream, content)]
            texts = {}
    return [*pieces, *texts.items()]


def _write(stream: str, text: str) -> None:
    target = sys.stdout if stream == "stdout" else sys.stderr
    target.write(text)
    target.flush()


def _plain(data: Mapping[str, Any]) -> str:
    return str(data.get("text/plain") or f"<{', '.join(data)}>")


def publisher() -> Any:
    """IPython's way to publish forms of a value from this process, if a kernel runs in it."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell: Any = get_shell() if get_shell is not None else None
    return shell.display_pub.publish if getattr(shell, "kernel", None) is not None else None
