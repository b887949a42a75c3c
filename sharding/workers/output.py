"""What ranks print: whole lines, labelled with their rank, kept in order and within bounds.

`LineAssembler` turns the bytes of one pipe into whole lines. `Transcript` keeps the text of one run: all of
it (in memory up to a limit, then in an unnamed temporary file), and beside it the part that is still to be
shown in the caller's cell. Used by `member.py` (assembling) and `call.py` (keeping, showing).
"""

from __future__ import annotations

import os
import tempfile
import weakref
from collections import deque
from typing import BinaryIO, TextIO

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
    """The output of one run, written by one thread and read by any; see [Note: interrupts and locks] in
    `bell.py`.
    """

    def __init__(self) -> None:
        self._head: list[str] = []
        self._head_left = MEMORY_NCHARS
        self._tail: BinaryIO | None = None
        self._page: deque[tuple[str, str]] = deque()
        self._page_left = PAGE_NCHARS

    def add(self, stream: str, text: str) -> None:
        """Keep `text` (whole lines), and queue it for the page while the page has room."""
        self._keep(text)
        if self._page_left > 0:
            self._page.append((stream, text))
            self._page_left -= len(text)
            if self._page_left <= 0:
                self._page.append(("stderr", PAGE_FULL))

    def _keep(self, text: str) -> None:
        """The first part in memory, the rest in an unnamed file that goes with this object."""
        if self._head_left > 0:
            self._head.append(text)
            self._head_left -= len(text)
            return
        if self._tail is None:
            self._tail = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            weakref.finalize(self, self._tail.close)
        self._tail.write(text.encode())

    def text(self) -> str:
        """Everything the ranks printed so far."""
        head, tail = "".join(self._head), self._tail
        if tail is None:
            return head
        return head + os.pread(tail.fileno(), os.fstat(tail.fileno()).st_size, 0).decode()

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


def show(pages: list[tuple[str, str]], stdout: TextIO, stderr: TextIO) -> None:
    """Write pages to the streams of the calling thread, one write each."""
    for stream, text in pages:
        target = stderr if stream == "stderr" else stdout
        target.write(text)
        target.flush()
