"""The example runs as it is written, in an interpreter without a notebook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_the_example_session():
    """Text before and after, losses that agree with the unsharded model, and the plan as code."""
    script = Path(__file__).with_name("example_session.py")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", script], capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert "│   └── h.0–2  Block ×3  [- #3+4k]  296 each" in lines
    assert "│   ├── h.1  Block  [R #7]  296" in lines
    steps = [line.replace(",", "").split() for line in lines if line.startswith("step ")]
    assert [mean for _, _, _, mean, _, _ in steps] == [whole for *_, whole in steps]
    assert len(steps) == 5
    assert lines[-1] == "Plan().fully_shard('').fully_shard('h.*').replicate('h.1')"
