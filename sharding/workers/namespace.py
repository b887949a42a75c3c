"""Named values that live in a rank between calls: what `push` put there and what functions assigned with
`global`.

A function shipped from a notebook brings its own copy of the globals it names. Before it runs, the names that
live here are laid over that copy; after it ran, the names it assigned are kept. Functions of importable
modules are left alone: their globals are the module's. Runs in the rank.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from sharding.errors import WorkerError


class Namespace:
    """The values of one rank."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def call(self, fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run `fn` with the named values in its globals, and keep what it assigned to globals."""
        scope = _shipped_globals(fn)
        if scope is None:
            return fn(*args, **kwargs)
        scope.update(self.values)
        before = dict(scope)
        try:
            return fn(*args, **kwargs)
        finally:
            for name, value in scope.items():
                if not name.startswith("__") and before.get(name, _MISSING) is not value:
                    self.values[name] = value


_MISSING = object()
namespace = Namespace()


def remember(values: Mapping[str, Any]) -> list[str]:
    """Put `values` into this rank's namespace; returns the names it holds now."""
    namespace.values.update(values)
    return _held()


remember.__name__ = "push"  # what users called, in messages and events


def recall(name: str) -> Any:
    """The value called `name` in this rank."""
    if name not in namespace.values:
        close = difflib.get_close_matches(name, namespace.values, n=3)
        hint = f" Did you mean {', '.join(map(repr, close))}?" if close else ""
        held = ", ".join(_held()) or "nothing"
        raise WorkerError(f"this rank has no value {name!r}; it holds {held}.{hint}")
    return namespace.values[name]


recall.__name__ = "pull"


def _held() -> list[str]:
    return sorted(name for name in namespace.values if not name.startswith("__"))


def _shipped_globals(fn: Callable[..., Any]) -> dict[str, Any] | None:
    """The globals that travelled with `fn`, or None when they belong to an imported module."""
    fn = getattr(fn, "func", fn)
    fn = getattr(fn, "__func__", fn)
    if not isinstance(fn, FunctionType):
        return None
    module = sys.modules.get(fn.__globals__.get("__name__", ""))
    return None if module is not None and vars(module) is fn.__globals__ else fn.__globals__
