"""What containers bring about: little shared memory, the OOM killer, and a rank that nothing can kill.

They need a cgroup to write to and a mount of their own (root, as in most containers of CI); elsewhere they are skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sharding.errors import WorkerError
from sharding.workers import Workers, emit

REPO = Path(__file__).parents[2]
ROOT = Path("/sys/fs/cgroup")
LIMIT_NBYTES = 1_500_000_000


def new_group(controller: str) -> Path:
    """A cgroup of this test's own below the one it runs in."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            folder = ROOT / controller / path.lstrip("/") / f"sharding-test-{os.getpid()}"
            break
    else:
        folder = ROOT / f"sharding-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as problem:
        pytest.skip(f"no {controller} cgroup can be made here: {problem}")
    return folder


def remove(folder: Path) -> None:
    """Empty it first: what is left in it ends in a moment."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            folder.rmdir()
            return
        except OSError:
            os.sched_yield()


@pytest.fixture
def limited_memory() -> Iterator[Path]:
    folder = new_group("memory")
    limit = next((folder / name for name in ("memory.max", "memory.limit_in_bytes") if (folder / name).exists()), None)
    if limit is None:
        folder.rmdir()
        pytest.skip("the memory controller is not on for new cgroups here")
    limit.write_text(str(LIMIT_NBYTES))
    yield folder
    remove(folder)


@pytest.fixture
def freezer() -> Iterator[Path]:
    folder = new_group("freezer")
    if not (folder / "freezer.state").exists():
        folder.rmdir()
        pytest.skip("only the freezer of cgroups version 1 keeps a process from being killed")
    yield folder
    (folder / "freezer.state").write_text("THAWED")
    remove(folder)


SCRIPT = """
    import sys, torch
    from sharding.workers import Workers

    def fill():
        import torch.distributed as dist
        if dist.get_rank() == 1:
            return torch.ones(1_000_000_000).sum().item()
        dist.barrier()

    big = torch.ones(10_000_000)
    with Workers(2) as workers:
        print([tensor.sum().item() for tensor in workers.run(lambda: big + 1)])
        try:
            workers.run(fill)
        except Exception as error:
            print(str(error).splitlines()[0])
        print(workers.run(int))
"""


def test_little_shared_memory_is_enough_and_the_oom_killer_is_named(limited_memory: Path) -> None:
    """A kernel and its ranks in a cgroup with a limit and 64 kB of /dev/shm: 40 MB travel; the group heals."""
    inner = 'mount -t tmpfs -o size=64k tmpfs /dev/shm && echo $$ > "$0/cgroup.procs" && exec "$@"'
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("no mount namespace can be made here")
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT)]
    inside = ["unshare", "-m", "sh", "-c", inner, str(limited_memory), *command]
    done = subprocess.run(inside, capture_output=True, text=True, timeout=300, cwd=REPO)
    assert done.returncode == 0, done.stderr
    sums, said, healed = done.stdout.splitlines()
    assert sums == "[20000000.0, 20000000.0]"
    assert said.startswith("rank 1 of 2 (pid ")
    assert "died: killed by the OOM killer (SIGKILL; the memory limit was reached" in said
    assert healed == "[0, 0]"


def test_a_rank_that_cannot_be_killed_is_reported_and_left(freezer: Path) -> None:
    """As in uninterruptible sleep: the call ends all the same, and the group goes on without it."""

    def be_there() -> None:
        emit("there")
        time.sleep(100)

    with Workers(2, grace=0.2) as workers:
        pids = workers.run(os.getpid)
        run = workers.start(be_there)
        while sum(event.kind == "there" for event in run.events) < 2:
            run.events_since(len(run.events), 60)
        (freezer / "cgroup.procs").write_text(str(pids[1]))
        (freezer / "freezer.state").write_text("FROZEN")
        run.interrupt()
        with pytest.raises(WorkerError, match=rf"rank 1 of 2 \(pid {pids[1]}, cpu\): could not be killed; it was left"):
            run.result(60)
        assert workers.run(os.getpid)[1] != pids[1]
