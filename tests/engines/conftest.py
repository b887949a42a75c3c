"""The same tests on both engines: `engine` runs through them, `ranks` are two live gloo ranks for a whole file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sharding.workers import Workers


@pytest.fixture(params=["flat", "torch"])
def engine(request: pytest.FixtureRequest) -> str:
    """Which engine the plan is applied with."""
    return request.param


@pytest.fixture(scope="module")
def ranks() -> Iterator[Workers]:
    """Two CPU ranks with a gloo process group."""
    with Workers(2, backend="gloo", timeout=60) as workers:
        yield workers


@pytest.fixture(scope="module")
def four_ranks() -> Iterator[Workers]:
    """Four CPU ranks with a gloo process group, for meshes of two axes."""
    with Workers(4, backend="gloo", timeout=90) as workers:
        yield workers
