"""`emit`: how a function that runs in a worker tells whoever watches that something happened.

The rank gives this file its sender; without one (the same function called in the notebook) `emit` does
nothing, so training code need not know where it runs.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any

from sharding.errors import WorkerError

RESERVED_PREFIXES = ("call.", "rank.", "log", "hang", "display", "collective", "memory")


class _Sender:
    """Where events of this process go: set once in a rank, never in the kernel."""

    def __init__(self) -> None:
        self.send: Callable[[str, int, dict[str, Any]], None] | None = None


sender = _Sender()


def emit(kind: str, /, **values: Any) -> None:
    """Send an event to the kernel: `emit("metric", step=3, loss=loss)`.

    Does not wait for anybody to read it. Outside a worker it does nothing.

    Args:
        kind: a word of your own ("metric", "progress", ...); kinds that start with one of `RESERVED_PREFIXES` are
            taken.
        values: JSON-ready values; tensors and arrays of one element count as numbers.

    Raises:
        WorkerError: a taken kind, or a value that is neither JSON-ready nor a single number.
    """
    if not isinstance(kind, str) or kind.startswith(RESERVED_PREFIXES):
        raise WorkerError(f"emit({kind!r}, …): the kind must be a word that does not start with {RESERVED_PREFIXES}.")
    plain = {name: _plain(kind, name, value) for name, value in values.items()}
    if sender.send is not None:
        sender.send(kind, time.monotonic_ns(), plain)


def _plain(kind: str, name: str, value: Any) -> Any:
    if hasattr(value, "item") and math.prod(getattr(value, "shape", ())) == 1:
        return value.item()
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        raise WorkerError(
            f"emit({kind!r}, {name}=…) got {_describe(value)}, which is not JSON-ready: pass numbers, text, "
            f"lists or dicts (a tensor as `.item()` or `.tolist()`)."
        ) from None
    return value


def _describe(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return type(value).__name__ + ("" if shape is None else f" of shape {tuple(shape)}")
