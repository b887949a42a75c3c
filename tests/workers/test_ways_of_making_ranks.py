"""The platform seam: forked ranks, and idle ones spawned beforehand, behave the same."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import psutil
import pytest
import torch
import torch.distributed as dist

from sharding.errors import WorkerError
from sharding.workers import Workers, emit
from sharding.workers.group import END_LIMIT_S
from sharding.workers.launcher import launcher
from sharding.workers.making import SETTING, WAYS, way


def all_reduce() -> float:
    x = torch.ones(1)
    dist.all_reduce(x)
    return x.item()


@pytest.fixture(scope="module", params=WAYS)
def made(request: pytest.FixtureRequest) -> Iterator[Workers]:
    """Two ranks of a zygote that makes them this way."""
    before = os.environ.get(SETTING)
    os.environ[SETTING] = request.param
    launcher.shutdown()
    with Workers(2, timeout=120) as workers:
        yield workers
    launcher.shutdown()
    os.environ.pop(SETTING)
    if before is not None:
        os.environ[SETTING] = before


def test_fork_where_it_is_safe_unless_told_otherwise() -> None:
    """The setting wins, and is checked."""
    assert [way({}, "linux"), way({}, "darwin"), way({}, "win32")] == ["fork", "spawn", "spawn"]
    assert way({SETTING: "spawn"}, "linux") == "spawn"
    with pytest.raises(WorkerError, match="SHARDING_RANKS_BY='thread' in the environment is neither"):
        way({SETTING: "thread"}, "linux")


def test_they_answer_print_and_raise(made: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    """With whole lines, own seeds, and errors as their own class with the user's line."""

    def fail() -> None:
        print("before", dist.get_rank())
        if dist.get_rank() == 1:
            raise KeyError("seven")
        dist.barrier()

    assert made.run(all_reduce) == [2.0, 2.0]
    first, second = made.run(lambda: torch.rand(1).item())
    assert first != second
    with pytest.raises(KeyError, match=r"rank 1 of 2 .*seven"):
        made.run(fail)
    assert "[rank 1] before 1\n" in capsys.readouterr().out


def test_they_lead_their_sessions_below_the_zygote_and_hold_only_their_own(made: Workers) -> None:
    """What the orphan rules rest on."""

    def self_portrait() -> tuple[int, int, int, list[str]]:
        held = [os.readlink(f"/proc/self/fd/{fd}").split(":")[0] for fd in range(4)]
        return os.getpid(), os.getsid(0), os.getppid(), held

    for pid, session, parent, held in made.run(self_portrait):
        assert session == pid
        assert parent == launcher.pid
        assert held == ["/dev/null", "pipe", "pipe", "socket"]


def test_a_dead_rank_is_replaced_and_a_stopped_call_leaves_them_alive(made: Workers) -> None:
    """Death is named, the group heals; an interrupt is taken."""
    with pytest.raises(WorkerError, match=r"rank 0 of 2 .*: died: killed by SIGKILL"):
        made.run(lambda: os.kill(os.getpid(), signal.SIGKILL) if dist.get_rank() == 0 else time.sleep(100))
    assert made.run(all_reduce) == [2.0, 2.0]
    pids = made.pids

    def sleep() -> None:
        emit("there")
        time.sleep(100)

    sleeping = made.start(sleep)
    while sum(event.kind == "there" for event in sleeping.events) < 2 and not sleeping.done:
        sleeping.events_since(len(sleeping.events), 60)
    sleeping.interrupt()
    assert sleeping.wait(60)
    assert made.pids == pids


def test_closing_is_seen_at_once(made: Workers) -> None:
    """Nobody but the zygote holds its end of the group's socket, or closing would always take its whole limit."""
    made.run(int)
    began = time.monotonic()
    made.restart()
    assert time.monotonic() - began < END_LIMIT_S


def test_all_of_them_die_with_the_zygote(made: Workers) -> None:
    """Ranks and idle processes; the last test here, it ends them."""
    made.run(all_reduce)
    assert launcher.pid is not None
    zygote = psutil.Process(launcher.pid)
    family = zygote.children(recursive=True)
    assert len(family) >= 2
    zygote.kill()
    _gone, alive = psutil.wait_procs(family, 20)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
