"""Live workers shared by the tests that leave them as they were; tests that kill ranks make their own."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from sharding.workers import Workers


@pytest.fixture(scope="session", autouse=True)
def _interrupts_are_heard() -> Iterator[None]:
    """A shell starts what runs in its background with SIGINT ignored; these tests press it."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def _shared_workers() -> Iterator[Workers]:
    with Workers(2, timeout=60) as workers:
        yield workers


@pytest.fixture
def workers(_shared_workers: Workers) -> Iterator[Workers]:
    """Two gloo ranks that answer; a test may raise in them but must not kill them."""
    before = _shared_workers.run(process_id)
    yield _shared_workers
    assert _shared_workers.run(process_id) == before, "a test killed ranks that others use"


@pytest.fixture
def own_workers() -> Iterator[Workers]:
    """Two gloo ranks of this test's own, free to be killed."""
    with Workers(2, timeout=60) as workers:
        yield workers


def process_id() -> int:
    """The pid of the rank it runs in."""
    import os

    return os.getpid()
