"""`torchrun` as people start it: real agents, on loopback, without a port that is ours."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

LIMIT_S = 150
_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent


def environment() -> dict[str, str]:
    """What the agents get: the project and the models here can be imported, gloo talks over loopback."""
    path = os.pathsep.join([str(_ROOT), str(_HERE)])
    return {**os.environ, "PYTHONPATH": path, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}


def one_machine(script: Path, nprocs: int = 2, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the command of its head."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--local-addr", "127.0.0.1"]
    command += ["--nproc-per-node", str(nprocs), *options, str(script)]
    return subprocess.run(
        command, env=environment(), cwd=script.parent, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )


def machines(script: Path, count: int = 2) -> list[tuple[int, str, str]]:
    """Run a script on `count` machines of one process each, all of them this one.

    They meet through a file, which is the one rendezvous store that needs no port.

    Returns:
        Exit status, stdout and stderr of each agent.
    """
    command = [sys.executable, "-m", "torch.distributed.run", "--nnodes", str(count), "--nproc-per-node", "1"]
    command += ["--rdzv-backend", "c10d", "--rdzv-endpoint", str(script.parent / "rendezvous"), "--rdzv-id", "here"]
    command += ["--rdzv-conf", "store_type=file", "--local-addr", "127.0.0.1", str(script)]
    with contextlib.ExitStack() as agents:
        started = [agents.enter_context(_agent(command, script.parent)) for _ in range(count)]
        ended = [each.communicate(timeout=LIMIT_S) for each in started]
        return [(each.returncode, *texts) for each, texts in zip(started, ended, strict=True)]


@contextlib.contextmanager
def _agent(command: Sequence[str], where: Path) -> Iterator[subprocess.Popen[str]]:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment(), cwd=where, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def losses_of(output: str, nprocs: int = 2) -> list[list[float]]:
    """Losses of each rank, in the order of steps, from the lines a script prints."""
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    rows.sort(key=lambda row: row["step"])
    return [[row["loss"] for row in rows if row["rank"] == rank] for rank in range(nprocs)]
