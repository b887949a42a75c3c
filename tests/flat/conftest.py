"""Two live gloo ranks shared by the tests of a file; every test leaves them as it found them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sharding.workers import Workers


@pytest.fixture(scope="module")
def ranks() -> Iterator[Workers]:
    """Two CPU ranks with a gloo process group."""
    with Workers(2, backend="gloo", timeout=60) as workers:
        yield workers
