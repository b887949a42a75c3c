"""Hold Python's cyclic garbage collector back while many small objects are made at once.

Walking 10,000 modules makes some 50,000 objects in a few milliseconds and throws none away. Each such burst sets off
collections of everything torch has ever loaded, which cost several times the walk itself (`benchmarks/resolve.py`
measures both). The pause ends with the call; nothing is collected less often than before, only later.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def collector_paused(function: Callable[P, R]) -> Callable[P, R]:
    """Run a function with the collector off, if it was on; it is on again afterwards, also after an exception."""

    @functools.wraps(function)
    def paused(*args: P.args, **kwargs: P.kwargs) -> R:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return paused
