"""Nothing of ours stays behind or is left changed, however it ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
import pytest
import torch
import torch.distributed as dist

from sharding.errors import WorkerError
from sharding.workers import Workers, emit, run
from sharding.workers.launcher import launcher

REPO = Path(__file__).parents[2]


def collective() -> int:
    dist.all_reduce(torch.ones(1))
    return os.getpid()


def fail() -> None:
    raise ValueError("no")


def wait_until_gone(pids: Iterable[int], limit_s: float = 20) -> list[int]:
    """Pids that still live after the limit, zombies not counted; waits on the processes themselves."""
    processes = []
    for pid in pids:
        try:
            processes.append(psutil.Process(pid))
        except psutil.NoSuchProcess:
            continue
    _, alive = psutil.wait_procs(processes, limit_s)
    return [p.pid for p in alive if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def load_for_ever() -> None:
    """With a data loader, whose processes make sockets and shared memory."""
    from torch.utils.data import DataLoader

    for index, _ in enumerate(DataLoader(range(10**9), num_workers=1)):
        if index == 0:
            emit("there")


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files that nobody else uses, and a zygote that knows no other."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    launcher.shutdown()
    yield tmp_path
    launcher.shutdown()


def files_in(folder: Path) -> list[Path]:
    """All but the folder for compiled code that importing torch's compiler makes, the same for every process."""
    return [path for path in folder.rglob("*") if "torchinductor" not in str(path)]


def shared_memory_of(pids: Iterable[int]) -> list[str]:
    """Segments that torch named after one of the processes."""
    marks = [f"_{pid}_" for pid in pids]
    return [entry for entry in os.listdir("/dev/shm") if any(mark in entry for mark in marks)]


def test_many_runs_leave_nothing(own_folder: Path) -> None:
    """Good, failing, dying and interrupted ones: no rank, thread, descriptor, file or zombie."""
    run(int)
    assert launcher.pid is not None
    before = (descriptors(), threading.active_count())
    pids = []
    for _ in range(3):
        pids += run(collective)
        with pytest.raises(ValueError, match="no"):
            run(fail)
        with pytest.raises(WorkerError, match="status 3"):
            run(lambda: os._exit(3))
        with Workers(2) as workers:
            pids += workers.run(os.getpid)
            loading = workers.start(load_for_ever)
            workers.start(time.sleep, 100)
            while {event.rank for event in loading.events if event.kind == "there"} != {0, 1}:
                loading.events_since(len(loading.events), 60)
    assert (descriptors(), threading.active_count()) == before
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert psutil.Process(launcher.pid).children(recursive=True) == []
    assert shared_memory_of(pids) == []
    assert files_in(own_folder) == [Path(launcher.folder)]
    launcher.shutdown()
    assert files_in(own_folder) == []
    children = psutil.Process().children()
    assert [child.status() for child in children if child.status() == psutil.STATUS_ZOMBIE] == []


def test_shutdown_leaves_no_process_at_all() -> None:
    """The zygote is the only thing that stays between runs, and it can be sent away."""
    launcher.shutdown()  # with the ranks that other tests share, or their descriptors would count
    run(int)
    pid, before = launcher.pid, descriptors()
    assert pid is not None
    launcher.shutdown()
    assert launcher.pid is None
    assert not psutil.pid_exists(pid)
    assert descriptors() == before - 2
    assert run(int) == [0, 0]


def test_the_zygote_has_one_thread_and_no_cuda() -> None:
    """Else it could not be forked safely."""
    launcher.shutdown()
    with Workers(1) as workers:
        workers.run(int)
        hello = launcher.hello()
        assert (hello["num_threads"], hello["cuda"]) == (1, False)
        assert hello["pid"] == launcher.pid
        assert len(os.listdir(f"/proc/{launcher.pid}/task")) == 1


def test_ranks_hold_only_their_own_descriptors(workers: Workers) -> None:
    """Standard streams, control socket, store; what gloo opened besides is sockets and its event loop."""

    def mine() -> dict[str, str]:
        return {fd: os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if int(fd) < 5}

    for held in workers.run(mine):
        assert held["0"] == "/dev/null"
        assert held["1"].startswith("pipe:")
        assert held["2"].startswith("pipe:")
        assert held["3"].startswith("socket:")
        assert "sharding-store" in held["4"]


def test_nothing_listens_beyond_loopback(workers: Workers) -> None:
    """Every listening socket of kernel, zygote and ranks, read from /proc/net/tcp and tcp6."""

    def listeners() -> list[str]:
        inodes = {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _exists(fd)}
        found = []
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            for line in open(table).read().splitlines()[1:]:  # noqa: SIM115
                fields = line.split()
                if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                    found.append(fields[1].split(":")[0])
        return found

    def _exists(fd: str) -> bool:
        return os.path.lexists(f"/proc/self/fd/{fd}")

    workers.run(collective)
    loopback = {"0100007F", "00000000000000000000000001000000"}
    listening = workers.run(listeners)
    assert all(listening), "gloo listens somewhere, or this test looks at the wrong place"
    assert set().union(*listening) <= loopback


def test_the_kernel_is_as_it_was() -> None:
    """Environment, handlers, cwd, path, random state, process group; also after failures and a stop."""

    def state() -> tuple[object, ...]:
        handlers = [signal.getsignal(number) for number in range(1, 32)]
        environ, path = dict(os.environ), list(sys.path)
        return environ, handlers, os.getcwd(), path, torch.get_rng_state().tolist(), dist.is_initialized()

    before = state()
    run(collective)
    with pytest.raises(ValueError, match="no"):
        run(fail)
    with Workers(2) as workers:
        workers.start(time.sleep, 100).interrupt()
    assert state() == before


SCRIPT = """
import os, sys, time
import torch, torch.distributed as dist
from sharding.workers import Workers, emit

def busy(how):
    from torch.utils.data import DataLoader
    loader = iter(DataLoader(range(1000), num_workers=1))
    next(loader)
    children = open(f"/proc/self/task/{os.getpid()}/children").read().split()
    emit("there", pids=[os.getpid(), *map(int, children)])
    if how == "collective" and dist.get_rank() == 0:
        dist.all_reduce(torch.ones(1))
    while True:
        time.sleep(0.01 if how == "python" else 100)

if __name__ == "__main__":
    from sharding.workers.launcher import launcher
    workers = Workers(2)
    run = workers.start(busy, sys.argv[1])
    pids, seen = [], 0
    while len(pids) < 4:
        events = run.events_since(seen, 60)
        seen += len(events)
        pids += [pid for event in events if event.kind == "there" for pid in event.values["pids"]]
    print([launcher.pid, *pids], flush=True)
    if sys.argv[2] == "leave":
        sys.exit(0)
    sys.stdin.read()
"""


def start_kernel(folder: Path, state: str, then: str) -> tuple[subprocess.Popen[str], list[int]]:
    """A process of its own with two busy ranks; returns it and the pids of zygote, ranks and their loaders."""
    script = folder / "kernel.py"
    script.write_text(textwrap.dedent(SCRIPT))
    kernel = subprocess.Popen(
        [sys.executable, str(script), state, then],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        cwd=folder,
    )
    assert kernel.stdout is not None
    return kernel, json.loads(kernel.stdout.readline())


@pytest.mark.parametrize(
    ("state", "victims"),
    [("collective", "kernel"), ("python", "both"), ("sleep", "exit")],
)
def test_no_process_survives(tmp_path: Path, state: str, victims: str) -> None:
    """Kernel killed with SIGKILL, alone or with its zygote, or just over: ranks and their data loaders go too.

    The zygote alone is killed in `test_ways_of_making_ranks.py`; every state with every victim in `benchmarks/soak.py`.
    """
    kernel, pids = start_kernel(tmp_path, state, "leave" if victims == "exit" else "stay")
    with kernel:
        assert len(pids) == 5
        if victims == "both":
            os.kill(pids[0], signal.SIGKILL)
        if victims != "exit":
            kernel.kill()
        assert wait_until_gone(pids) == []
        kernel.kill()
    assert kernel.returncode == (0 if victims == "exit" else -signal.SIGKILL)


def test_daemons_of_ranks_end_with_their_group() -> None:
    """Also those that left the rank's session."""

    def leave_some() -> list[int]:
        plain = subprocess.Popen(["sleep", "1000"])
        apart = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        return [plain.pid, apart.pid]

    with Workers(1) as workers:
        (pids,) = workers.run(leave_some)
    assert wait_until_gone(pids) == []


def test_a_rank_that_died_is_not_given_work() -> None:
    """The call after its death does not fail for it."""
    with Workers(2) as workers:
        pids = workers.run(os.getpid)
        os.kill(pids[0], signal.SIGKILL)
        assert wait_until_gone(pids[:1]) == []
        new = workers.run(os.getpid)
        assert new[0] != pids[0]
        assert new[1] == pids[1]


def test_importing_starts_and_opens_nothing() -> None:
    """No thread, process, socket or CUDA context."""
    code = """
        import os, threading, torch
        before = (len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task")))
        import sharding.workers
        assert (len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))) == before
        assert threading.active_count() == 1
        assert open(f"/proc/self/task/{os.getpid()}/children").read() == ""
        assert not torch.cuda.is_initialized()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, cwd=REPO, timeout=120)


def test_two_groups_do_not_see_each_other() -> None:
    """Launched at the same time, with the same zygote, on the same loopback."""
    with Workers(2) as one, Workers(2) as two:
        runs = [one.start(collective), two.start(collective)]
        pids = [pid for run_ in runs for pid in run_.result(60)]
        assert len(set(pids)) == 4
        one.close()
        assert two.run(dist.get_world_size) == [2, 2]


def test_workers_that_nobody_holds_are_closed() -> None:
    """Forgetting `close` leaves no ranks; a run that still goes keeps them."""
    import gc

    pids = [pid for pid in Workers(1).start(os.getpid).result(60)]
    gc.collect()
    assert wait_until_gone(pids) == []


def test_a_machine_without_a_place_for_temporary_files_will_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a container whose file system is read-only: ranks put nothing anywhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    launcher.shutdown()
    try:
        assert run(int) == [0, 0]
        assert launcher.folder == ""
    finally:
        launcher.shutdown()
