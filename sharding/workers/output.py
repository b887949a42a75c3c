"""What ranks print: whole lines, labelled with their rank, kept in order and within bounds.

`LineAssembler` turns the bytes of one pipe into whole lines. `Transcript` keeps the text of one run: all of
it (in memory up to a limit, then in an unnamed temporary file), and beside it the part that is still to be
shown in the caller's cell. Used by `member.py` (assembling) and `call.py` (keeping, showing).
"""

from __future__ import annotations

import tempfile
import weakref
from collections import deque
from typing import TextIO

MAX_LINE_NBYTES = 64 * 1024
MEMORY_NCHARS = 1024 * 1024
PAGE_NCHARS = 1024 * 1024
PAGE_FULL = "[the ranks print more than is shown here; all of it is in `.last.output` of the Workers]\n"


class LineAssembler:
    """Bytes of one pipe in, whole labelled lines out. Of a line redrawn with carriage returns the last state
    counts.
    """

    def __init__(self, rank: int) -> None:
        self._label = f"[rank {rank}] "
        self._partial = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without line ends."""
        *whole, self._partial = (self._partial + data).split(b"\n")
        if len(self._partial) > MAX_LINE_NBYTES:
            whole.append(self._partial)
            self._partial = b""
        return [self._line(raw) for raw in whole]

    def finish(self) -> list[str]:
        """What is left when nothing more will come: an unfinished line, if there is one."""
        raw, self._partial = self._partial, b""
        return [self._line(raw)] if raw else []

    def _line(self, raw: bytes) -> str:
        return self._label + raw.rstrip(b"\r").rpartition(b"\r")[2].decode(errors="replace")


class Transcript:
    """The output of one run. Not locked: `Run` calls it under its own lock."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - lives as long as the run
            max_size=MEMORY_NCHARS, mode="w+", encoding="utf-8", newline="\n"
        )
        weakref.finalize(self, self._file.close)
        self._page: deque[tuple[str, str]] = deque()
        self._page_left = PAGE_NCHARS
        self.num_chars = 0

    def add(self, stream: str, text: str) -> None:
        """Keep `text` (whole lines), and queue it for the page while the page has room."""
        self._file.write(text)
        self.num_chars += len(text)
        if self._page_left > 0:
            self._page.append((stream, text))
            self._page_left -= len(text)
            if self._page_left <= 0:
                self._page.append(("stderr", PAGE_FULL))

    @property
    def has_page(self) -> bool:
        """Whether something waits to be shown."""
        return bool(self._page)

    def take_page(self) -> list[tuple[str, str]]:
        """What is to be shown now, as (stream, text), neighbours of one stream joined."""
        joined: list[tuple[str, list[str]]] = []
        while self._page:
            stream, text = self._page.popleft()
            if joined and joined[-1][0] == stream:
                joined[-1][1].append(text)
            else:
                joined.append((stream, [text]))
        return [(stream, "".join(texts)) for stream, texts in joined]

    def text(self) -> str:
        """Everything the ranks printed."""
        self._file.seek(0)
        whole = self._file.read()
        self._file.seek(0, 2)
        return whole


def show(pages: list[tuple[str, str]], stdout: TextIO, stderr: TextIO) -> None:
    """Write pages to the streams of the calling thread, one write each."""
    for stream, text in pages:
        target = stderr if stream == "stderr" else stdout
        target.write(text)
        target.flush()
