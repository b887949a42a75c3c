"""Widgets without a kernel: their comms are recorded."""

from __future__ import annotations

import comm
import pytest
from recording_comm import RecordingComm


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Widgets made in the test have a `RecordingComm` as their `comm`."""
    monkeypatch.setattr(comm, "create_comm", RecordingComm)
