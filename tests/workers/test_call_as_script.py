"""A call written out for torchrun does there what it does here."""

from __future__ import annotations

import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import torch
import torch.distributed as dist

from sharding.errors import ShippingError
from sharding.workers import Workers

REPO = Path(__file__).parents[2]


def test_the_script_reproduces_the_run(workers: Workers, tmp_path: Path) -> None:
    """Function, values and seeds; and nothing of the notebook is needed for it."""
    scale = 3.0

    def draw(shift: torch.Tensor, *, times: int) -> list[float]:
        x = torch.rand(2) * scale * times + shift
        dist.all_reduce(x)
        return [round(value, 4) for value in x.tolist()]

    with Workers(2) as fresh:
        expected = fresh.run(draw, torch.ones(2), times=2)
        command = fresh.export(tmp_path, draw, torch.ones(2), times=2)
    words = shlex.split(command)
    assert words[:3] == ["torchrun", "--standalone", "--nproc-per-node=2"]
    done = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", *words[1:]],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env={"PYTHONPATH": str(REPO), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"},
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"[rank {rank}] {answer}" for rank, answer in enumerate(expected)]


def test_what_cannot_travel_is_refused(workers: Workers, tmp_path: Path) -> None:
    """Before a file is written."""
    lock = threading.Lock()
    with pytest.raises(ShippingError, match="locks belong to one process"):
        workers.export(tmp_path / "run", lambda: lock.locked())
    assert not (tmp_path / "run").exists()
