"""Real processes to run functions on, from a notebook: live ranks, one-shot runs, events.

The picture, the rules and the traps are in README.md beside this file. Importing it starts and opens nothing; each name
loads its part when it is first used, so a rank does not carry the kernel's.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sharding.workers.call import Run
    from sharding.workers.emission import emit
    from sharding.workers.one_shot import run
    from sharding.workers.pool import Workers
    from sharding.workers.record import RunEvent
    from sharding.workers.saving import read_events

__all__ = ["Run", "RunEvent", "Workers", "emit", "read_events", "run"]

_HOME = {
    "Run": "call",
    "RunEvent": "record",
    "Workers": "pool",
    "emit": "emission",
    "read_events": "saving",
    "run": "one_shot",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
