"""The parts of the page that are sent when somebody first opens them, once a page and not with every widget.

A page asks with the digests it has already (of other widgets, perhaps of other kernels); the text travels
only if none of them is the one on disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parent / "static"
NAMES = ("extras",)


def chunk_reply(asked: Mapping[str, Any]) -> dict[str, str | None]:
    """The value of the reply to `{"cmd": "chunk", "name": ..., "have": [digest, ...]}`.

    Returns:
        `{"digest", "text"}`; `text` is None if the page has it.

    Raises:
        ValueError: there is no such part.
        FileNotFoundError: the installation lacks its file.
    """
    name = asked.get("name")
    if name not in NAMES:
        raise ValueError(f"the page asked for its part {name!r}; known are {', '.join(NAMES)}")
    text = (STATIC / f"{name}.js").read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    have = asked.get("have")
    known = isinstance(have, list) and digest in have
    return {"digest": digest, "text": None if known else text}
