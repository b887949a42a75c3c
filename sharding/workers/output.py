"""What ranks print: whole lines, labelled with their rank, kept in order and within bounds.

`LineAssembler` turns the bytes of one pipe into whole lines. `Transcript` keeps the text of one run: all of
it (in memory up to a limit, then in an unnamed temporary file), and beside it the part that is still to be
shown in the caller's cell (`screen.py`). Used by `member.py` (assembling) and `call.py` (keeping).
"""

from __future__ import annotations

import os
import tempfile
import weakref
from collections import deque
from typing import Any, BinaryIO

MAX_LINE_NBYTES = 64 * 1024
MEMORY_NCHARS = 1024 * 1024
PAGE_NCHARS = 1024 * 1024
PAGE_NDISPLAYED = 200
PAGE_FULL = (
    "[the ranks print more than is shown here; all of it is in `.last.output` of the Workers, and "
    "`.last.save('folder')` writes a file for each rank]\n"
)

# ("stdout" or "stderr", text of ranks), ("notice", text of the launcher's own), or ("display", what was displayed)
Page = tuple[str, str | dict[str, Any]]


class LineAssembler:
    """Bytes of one pipe in, whole labelled lines out. Of a line redrawn with carriage returns the last state
    counts, here and for whoever looks at `bar` meanwhile.
    """

    def __init__(self, rank: int) -> None:
        self._label = f"[rank {rank}] "
        self._partial = b""
        self._redrawn = False

    @property
    def bar(self) -> str:
        """What an unfinished line that is redrawn shows now; empty when there is none."""
        return self._last_state(self._partial) if self._redrawn else ""

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without line ends."""
        *whole, self._partial = (self._partial + data).split(b"\n")
        if whole:
            self._redrawn = False
        if b"\r" in self._partial:
            self._redrawn = True
            self._partial = self._partial[self._partial.rstrip(b"\r").rfind(b"\r") + 1 :]
        if len(self._partial) > MAX_LINE_NBYTES:
            whole.append(self._partial)
            self._partial = b""
        return [self._line(raw) for raw in whole]

    def finish(self) -> list[str]:
        """What is left when nothing more will come: an unfinished line, if there is one."""
        raw, self._partial, self._redrawn = self._partial, b"", False
        return [self._line(raw)] if raw else []

    def _line(self, raw: bytes) -> str:
        return self._label + self._last_state(raw)

    def _last_state(self, raw: bytes) -> str:
        return raw.rstrip(b"\r").rpartition(b"\r")[2].decode(errors="replace")


class Transcript:
    """The output of one run, written by one thread and read by any; see [Note: interrupts and locks] in
    `bell.py`.
    """

    def __init__(self) -> None:
        self._head: list[str] = []
        self._head_left = MEMORY_NCHARS
        self._tail: BinaryIO | None = None
        self._page: deque[Page] = deque()
        self._page_left = PAGE_NCHARS
        self._displays_left = PAGE_NDISPLAYED

    def add(self, stream: str, text: str) -> None:
        """Keep `text` (whole lines), and queue it for the page while the page has room."""
        self._keep(text)
        if self._page_left > 0:
            self._page.append((stream, text))
            self._page_left -= len(text)
            if self._page_left <= 0:
                self._page.append(("notice", PAGE_FULL))

    def notice(self, text: str) -> None:
        """Keep and queue what the launcher itself has to say; there is always room."""
        self._keep(text)
        self._page.append(("notice", text))

    def display(self, shown: dict[str, Any]) -> None:
        """Queue what a rank displayed, while there is room; an update takes none."""
        self._displays_left -= not shown["update"]
        if self._displays_left >= 0:
            self._page.append(("display", shown))
        elif self._displays_left == -1:
            self._page.append(("notice", f"[the ranks display more than {PAGE_NDISPLAYED} values; that is all]\n"))

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

    def take_page(self) -> list[Page]:
        """What is to be shown now, neighbours of one stream joined."""
        joined: list[tuple[str, list[Any]]] = []
        while self._page:
            stream, content = self._page.popleft()
            if joined and joined[-1][0] == stream != "display":
                joined[-1][1].append(content)
            else:
                joined.append((stream, [content]))
        return [(stream, parts[0] if stream == "display" else "".join(parts)) for stream, parts in joined]
