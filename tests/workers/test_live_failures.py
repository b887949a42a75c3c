"""Ranks that raise, die, hang or are killed: what the caller sees, and that the next call works."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import signal
import sys
import time

import pytest
import torch
import torch.distributed as dist

from sharding.errors import ShippingError, WorkerError
from sharding.workers import Workers, run


class OwnError(Exception):
    """A class of a local module with an `__init__` of its own."""

    def __init__(self, code: int, *, where: str) -> None:
        super().__init__(f"code {code}")
        self.where = where


def all_reduce() -> float:
    x = torch.ones(1)
    dist.all_reduce(x)
    return x.item()


def raise_on_rank_1() -> None:
    """Rank 1 raises while rank 0 waits in a collective."""
    if dist.get_rank() == 1:
        raise ValueError("got 7 channels")
    dist.all_reduce(torch.ones(1))


def test_a_rank_that_raises_frees_the_others(own_workers: Workers) -> None:
    """Same class, rank and pid in the first line, user's lines with source, what was lost; and it heals."""
    own_workers.run(all_reduce)
    pids = own_workers.pids
    own_workers.push(kept="here")
    began = time.monotonic()
    with pytest.raises(ValueError, match="got 7 channels") as caught:
        own_workers.run(raise_on_rank_1)
    assert time.monotonic() - began < 20
    lines = str(caught.value).splitlines()
    assert type(caught.value) is ValueError
    assert lines[0] == f"rank 1 of 2 (pid {pids[1]}, cpu): ValueError: got 7 channels"
    assert re.fullmatch(r'  File "tests/workers/test_live_failures.py", line \d+, in raise_on_rank_1', lines[1])
    assert lines[2].strip() == 'raise ValueError("got 7 channels")'
    assert lines[3].startswith(f"also rank 0 of 2 (pid {pids[0]}, cpu): ")
    assert len(lines) <= 25
    assert own_workers.run(all_reduce) == [2.0, 2.0]
    assert own_workers[1].pull("kept") == "here"
    assert own_workers.pids[1] == pids[1]


def test_a_rank_in_a_collective_is_replaced_and_the_loss_is_told(own_workers: Workers) -> None:
    """It does not take the interrupt inside gloo, so it is killed after the grace."""

    def wait_then_raise() -> None:
        if dist.get_rank() == 0:
            dist.all_reduce(torch.ones(1))
        import socket

        socket.socketpair()[0].settimeout(0.2)
        left, _right = socket.socketpair()
        left.settimeout(0.3)
        try:
            left.recv(1)
        except TimeoutError:
            raise ValueError("after rank 0 went in") from None

    with pytest.raises(ValueError, match="after rank 0 went in") as caught:
        own_workers.run(wait_then_raise)
    text = str(caught.value)
    assert re.search(r"also rank 0 of 2 \(pid \d+, cpu\): killed: it did not take the interrupt within 0.5 s", text)
    assert "The next call starts rank 0 afresh: what it held is lost." in text
    assert "Rank 1 keeps its values" in text
    assert own_workers.run(all_reduce) == [2.0, 2.0]


@pytest.mark.parametrize("error", [KeyError("name"), FileNotFoundError(2, "none")], ids=repr)
def test_except_clauses_work_across_processes(workers: Workers, error: Exception) -> None:
    """Built-in classes and those of local modules, attributes included."""

    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        workers.run(fail)
    assert str(caught.value).startswith("rank ")
    assert getattr(caught.value, "errno", None) == getattr(error, "errno", None)


def test_exceptions_of_local_modules_keep_class_and_attributes(workers: Workers) -> None:
    """Also where `__init__` takes something else than `args`."""

    def fail() -> None:
        raise OwnError(3, where="here")

    with pytest.raises(OwnError, match="OwnError: code 3") as caught:
        workers.run(fail)
    assert caught.value.where == "here"


def test_sys_exit_in_a_rank_does_not_end_the_caller(workers: Workers) -> None:
    """It is a failure of that call."""
    with pytest.raises(WorkerError, match=r"^rank \d of 2 \(pid \d+, cpu\): SystemExit: 3"):
        workers.run(lambda: sys.exit(3))


def test_a_result_that_cannot_travel_names_its_path(workers: Workers) -> None:
    """The rank stays."""

    def bad() -> dict[str, object]:
        return {"log": (n for n in range(3))}

    with pytest.raises(ShippingError, match=r"result of rank \d → key 'log' → generator"):
        workers.run(bad)


@pytest.mark.parametrize(
    ("die", "text"),
    [
        (lambda: os._exit(3), "died: exited with status 3 before it answered"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), r"died: killed by SIGKILL \(signal 9\)"),
        (lambda: ctypes.string_at(0), r"died: killed by SIGSEGV \(signal 11\)"),
    ],
    ids=["os._exit", "SIGKILL", "SIGSEGV"],
)
def test_a_rank_that_dies_is_named_with_its_last_words(own_workers: Workers, die: object, text: str) -> None:
    """Rank, pid, how, last lines of stderr (a segfault has its Python stack there); results of nobody are invented."""

    def on_rank_1() -> None:
        if dist.get_rank() == 1:
            print("last words", file=sys.stderr)
            die()  # type: ignore[operator]
        dist.all_reduce(torch.ones(1))

    began = time.monotonic()
    with pytest.raises(WorkerError) as caught:
        own_workers.run(on_rank_1)
    message = str(caught.value)
    assert time.monotonic() - began < 20
    assert re.match(rf"rank 1 of 2 \(pid \d+, cpu\): {text}", message)
    assert "last lines of its stderr:\n  last words" in message
    assert ("in on_rank_1" in message) == ("SIGSEGV" in text)
    assert own_workers.run(all_reduce) == [2.0, 2.0]


def test_output_and_answers_that_arrived_are_kept(own_workers: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    """One rank dying loses nothing of the others."""

    def part() -> None:
        print("seen", dist.get_rank(), flush=True)
        dist.barrier()
        if dist.get_rank() == 1:
            os._exit(1)

    with pytest.raises(WorkerError, match="status 1"):
        own_workers.run(part)
    assert sorted(capsys.readouterr().out.splitlines()) == ["[rank 0] seen 0", "[rank 1] seen 1"]
    assert own_workers.last is not None
    assert [event.rank for event in own_workers.last.events if event.kind == "rank.answered"] == [0]


def test_a_user_that_ends_the_group_gets_a_new_one(own_workers: Workers) -> None:
    """Scripts made for torchrun do that at their end."""

    def script() -> float:
        x = all_reduce()
        dist.destroy_process_group()
        return x

    assert own_workers.run(script) == [2.0, 2.0]
    assert own_workers.run(script) == [2.0, 2.0]


def test_a_rank_whose_join_failed_can_join_again(own_workers: Workers) -> None:
    """Its peer dies while they find each other; torch alone would look under another name the next time."""
    own_workers.run(all_reduce)
    for _ in range(3):
        own_workers.run(dist.destroy_process_group)
        joining = own_workers.start(all_reduce)
        pid = own_workers.pids[0]
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        assert joining.wait(60)
        assert own_workers.run(all_reduce) == [2.0, 2.0]


def test_ranks_out_of_step_get_a_new_group(own_workers: Workers) -> None:
    """One more collective on one rank would make the next call pair the wrong ones."""

    def uneven() -> int:
        if dist.get_rank() == 0:
            dist.all_reduce(torch.ones(1), async_op=True)
        return os.getpid()

    pids = own_workers.run(uneven)
    assert own_workers.run(all_reduce) == [2.0, 2.0]
    assert own_workers.pids == pids


def test_a_group_of_before_can_be_let_go_of(own_workers: Workers) -> None:
    """A mesh, or a sharded model, made before ranks ran out of step: when it goes, no rank goes with it."""

    def keep() -> None:
        global of_before
        of_before = dist.group.WORLD
        if dist.get_rank() == 0:
            dist.all_reduce(torch.ones(1), async_op=True)

    def drop() -> int:
        global of_before
        of_before = None
        gc.collect()
        return os.getpid()

    own_workers.run(keep)
    own_workers.run(all_reduce)
    assert own_workers.run(drop) == own_workers.run(os.getpid)


def test_silence_is_bounded_and_shows_where_it_hangs() -> None:
    """A rank that does nothing for longer than the timeout is stopped, with its Python stack in the output."""

    def hang() -> None:
        while True:
            time.sleep(100)

    with Workers(2, timeout=0.5) as workers:
        assert workers.run(int) == [0, 0]
        hung = workers.start(hang)
        with pytest.raises(WorkerError, match=r"was stopped: no rank printed, emitted or answered anything for 2.5 s"):
            hung.result(60)
        assert "in hang" in hung.output
        assert workers.run(int) == [0, 0]


def test_ranks_that_wait_for_each_other_longer_than_the_timeout_say_so() -> None:
    """The collective itself gives up, with the user's line."""

    def one_missing() -> None:
        if dist.get_rank() == 0:
            dist.all_reduce(torch.ones(1))
        else:
            time.sleep(100)

    with Workers(2, timeout=1) as workers, pytest.raises(RuntimeError) as caught:
        workers.run(one_missing)
    assert re.match(r"rank 0 of 2 .*[Tt]imed out", str(caught.value).replace("\n", " "))
    assert "dist.all_reduce(torch.ones(1))" in str(caught.value)


def test_the_zygote_may_die(own_workers: Workers) -> None:
    """Its ranks go with it, the call says so, and the next one starts another."""
    from sharding.workers.launcher import launcher

    own_workers.run(all_reduce)
    sleeping = own_workers.start(time.sleep, 100)
    sleeping.events_since(0, 30)
    assert launcher.pid is not None
    os.kill(launcher.pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match=r"rank \d of 2 \(pid \d+, cpu\): "):
        sleeping.result(30)
    assert own_workers.run(all_reduce) == [2.0, 2.0]


def test_the_one_shot_form_raises_the_same() -> None:
    """And leaves nothing."""
    with pytest.raises(ValueError, match="rank 1 of 2"):
        run(raise_on_rank_1)
