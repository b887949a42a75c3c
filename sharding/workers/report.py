"""What a rank tells about an exception: its class, its text, and the frames of the user's own code with their
source.

Frames of torch, of the standard library and of this project are folded into one line a stretch. The exception
itself travels as (class, args, attributes), which works for classes whose `__init__` takes something else
than `args`. Runs in the rank; the kernel's half is `failure.py`.
"""

from __future__ import annotations

import os
import sysconfig
import time
import traceback
from collections.abc import Mapping
from typing import Any

from sharding.workers import shipping

MAX_USER_FRAMES = 8
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_EXPLORER = os.path.join(os.path.dirname(_OURS), "explorer", "")
_LIBRARY = tuple(
    {os.path.join(sysconfig.get_paths()[name], "") for name in ("stdlib", "platstdlib", "purelib", "platlib")}
) + (os.path.join(_OURS, ""), _EXPLORER, "<frozen")


def describe(error: BaseException, labels: Mapping[str, str]) -> tuple[dict[str, Any], bytes]:
    """JSON fields and the pickled exception (empty when it cannot travel). `labels` names cells by their file
    name.
    """
    fields = {
        "type_name": type(error).__qualname__,
        "text": _text(error),
        "frames": "\n".join(frame_lines(error, labels)),
        "cause": _cause(error),
        "time_ns": time.monotonic_ns(),
        "is_exception": isinstance(error, Exception),
    }
    return fields, _pickled(error)


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as problem:
        return f"<its text cannot be shown: {type(problem).__name__}>"


def _cause(error: BaseException) -> str:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "" if cause is None else f"{type(cause).__qualname__}: {_text(cause)}".split("\n", 1)[0]


def _pickled(error: BaseException) -> bytes:
    for state in (dict(error.__dict__), {}):
        try:
            return b"".join(shipping.dumps((type(error), error.args, state)))
        except Exception:
            continue
    return b""


def frame_lines(error: BaseException, labels: Mapping[str, str]) -> list[str]:
    """The traceback, user's frames with source, everything else folded."""
    frames = list(traceback.extract_tb(error.__traceback__))
    while frames and frames[0].filename.startswith(os.path.join(_OURS, "workers")):
        frames.pop(0)
    lines: list[str] = []
    folded: list[traceback.FrameSummary] = []
    users = [index for index, frame in enumerate(frames) if not is_library(frame.filename)]
    shown = set(users[: MAX_USER_FRAMES // 2] + users[-MAX_USER_FRAMES // 2 :])
    for index, frame in enumerate(frames):
        if index in shown or (not users and index == len(frames) - 1):
            lines += _folded_line(folded) + _user_lines(frame, labels)
            folded = []
        else:
            folded.append(frame)
    return lines + _folded_line(folded)


def is_library(filename: str) -> bool:
    """Whether a frame of this file is folded."""
    return filename.startswith(_LIBRARY)


def one_line(frame: traceback.FrameSummary, labels: Mapping[str, str]) -> str:
    """A frame as "Cell In[3], line 4, in train: dist.all_reduce(x)"."""
    return ": ".join(part.strip() for part in _user_lines(frame, labels))


def _user_lines(frame: traceback.FrameSummary, labels: Mapping[str, str]) -> list[str]:
    place = labels.get(frame.filename) or _short(frame.filename)
    source = [f"    {frame.line}"] if frame.line else []
    return [f"  {place}, line {frame.lineno}, in {frame.name}", *source]


def _folded_line(folded: list[traceback.FrameSummary]) -> list[str]:
    if not folded:
        return []
    last = folded[-1]
    count = "1 frame" if len(folded) == 1 else f"{len(folded)} frames"
    kind = "of library code" if is_library(last.filename) else "more"
    return [f"  … {count} {kind}, last {_library_name(last.filename)}:{last.lineno} in {last.name}"]


def _short(filename: str) -> str:
    if filename.startswith("Cell In["):  # a cell of `%%ranks`
        return filename
    relative = os.path.relpath(filename) if os.path.isabs(filename) else filename
    return f'File "{filename if relative.startswith("..") else relative}"'


def _library_name(filename: str) -> str:
    for root in sorted(_LIBRARY, key=len, reverse=True):
        if filename.startswith(root):
            return filename[len(root) :]
    return filename
