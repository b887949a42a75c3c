"""`run`: ranks for one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sharding.workers import shipping
from sharding.workers.call import Look
from sharding.workers.pool import DEFAULT_TIMEOUT_S, Workers


def run(
    fn: Callable[..., Any],
    /,
    *args: Any,
    nprocs: int = 2,
    backend: str = "auto",
    timeout: float = DEFAULT_TIMEOUT_S,
    view: Look = "text",
    kwargs: Mapping[str, Any] | None = None,
) -> list[Any]:
    """Run `fn(*args, **kwargs)` on `nprocs` fresh ranks and wait; returns the results in rank order. Nothing
    stays.

    Args:
        fn: the function itself; what a notebook defines travels by value.
        args: its positional arguments.
        nprocs, backend, timeout, view: as for `Workers`.
        kwargs: its keyword arguments, apart so that they cannot be mistaken for settings.

    Raises:
        As `Workers.run`.
    """
    __tracebackhide__ = True
    shipping.check_callable(fn)
    with Workers(nprocs, backend=backend, timeout=timeout, view=view) as workers:
        return workers.run(fn, *args, **(kwargs or {}))
