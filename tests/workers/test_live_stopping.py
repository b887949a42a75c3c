"""Stop: a real interrupt of the calling thread, or of a run from outside, in every state a rank can be in."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
import torch
import torch.distributed as dist

from sharding.errors import WorkerError
from sharding.workers import Run, Workers, emit
from sharding.workers.stop_button import StopButton


def in_python() -> None:
    emit("there")
    while True:
        pass


def in_sleep() -> None:
    emit("there")
    time.sleep(100)


def in_a_collective() -> None:
    """Rank 1 never comes. Rank 0 says that it is there when its main thread sleeps in C++."""
    if dist.get_rank() == 0:
        threading.Thread(target=emit_when_waiting, daemon=True).start()
        dist.all_reduce(torch.ones(1))
    emit("there")
    time.sleep(100)


def emit_when_waiting() -> None:
    main, asleep = threading.main_thread().ident or 0, 0
    while asleep < 100:
        frame = sys._current_frames()[main]
        state = open(f"/proc/self/task/{os.getpid()}/stat").read().rpartition(")")[2].split()[0]  # noqa: SIM115
        asleep = asleep + 1 if state == "S" and frame.f_code.co_name == "all_reduce" else 0
    emit("there")


def in_a_data_loader() -> None:
    """With a worker process of its own."""
    from torch.utils.data import DataLoader

    for index, _ in enumerate(DataLoader(range(10**9), num_workers=1)):
        if index == 0:
            emit("there")


def ignoring_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    emit("there")
    time.sleep(100)


def swallowing_interrupts() -> None:
    told = False
    while True:
        try:
            if not told:
                told = True
                emit("there")
            time.sleep(100)
        except KeyboardInterrupt:
            continue


def stopped() -> None:
    emit("there")
    os.kill(os.getpid(), signal.SIGSTOP)


def when_all_are_there(run: Run, action: Callable[[], object]) -> None:
    """Do `action` once every rank has emitted "there"."""
    there: set[int | None] = set()

    def on_event(event: object) -> None:
        if event.kind == "there" and not there.issuperset(run.ranks):  # type: ignore[attr-defined]
            there.add(event.rank)  # type: ignore[attr-defined]
            if there.issuperset(run.ranks):
                action()

    run.on_event(on_event)


def press_stop() -> None:
    """What the notebook's stop button does to the kernel, once the main thread waits for the ranks."""
    until = time.monotonic() + 10
    while not isinstance(getattr(signal.getsignal(signal.SIGINT), "__self__", None), StopButton):
        os.sched_yield()
        assert time.monotonic() < until, "the main thread does not wait for a run"
    os.kill(os.getpid(), signal.SIGINT)


STATES = [in_python, in_sleep, in_a_collective, in_a_data_loader, ignoring_interrupts, swallowing_interrupts, stopped]


@pytest.mark.parametrize("state", STATES, ids=lambda fn: fn.__name__)
def test_one_press_gives_one_interrupt_and_no_busy_rank(own_workers: Workers, state: Callable[[], None]) -> None:
    """Every rank has taken it or is dead, in about the grace; the next call works."""
    own_workers.run(int)
    pids = own_workers.pids
    run = own_workers.start(state)
    pressed: list[float] = []

    def press() -> None:
        while state is stopped and not all(psutil.Process(pid).status() == "stopped" for pid in pids if pid):
            os.sched_yield()
        pressed.append(time.monotonic())
        press_stop()

    when_all_are_there(run, press)
    with pytest.raises(KeyboardInterrupt) as caught:
        run.follow()
    assert time.monotonic() - pressed[0] < 15
    assert (run.done, run.status) == (True, "interrupted")
    text = str(caught.value)
    assert "was interrupted after" in text
    takes_it = "killed: it did not take the interrupt within 0.5 s" not in text
    if state is not in_a_data_loader:  # it ends its own workers first, which may or may not take longer than the grace
        assert takes_it == (state in (in_python, in_sleep))
    assert own_workers.run(dist.get_rank) == [0, 1]
    assert (own_workers.pids == pids) == takes_it


def test_a_second_press_kills_at_once() -> None:
    """However long the grace is."""
    with Workers(1, grace=500) as workers:
        run = workers.start(swallowing_interrupts)
        when_all_are_there(run, press_stop)
        again = threading.Event()
        run.on_event(lambda event: event.kind == "call.interrupt" and (again.set(), press_stop()))
        with pytest.raises(KeyboardInterrupt):
            run.follow()
        assert again.is_set()


def test_a_run_is_interrupted_from_another_thread(own_workers: Workers) -> None:
    """As the widget's stop button does; the result says so without a KeyboardInterrupt."""
    run = own_workers.start(in_sleep)
    when_all_are_there(run, run.interrupt)
    with pytest.raises(WorkerError, match=r"call \d+ \(in_sleep\) was interrupted after .* s\.\n  rank 0 of 2"):
        run.result(60)
    run.interrupt()
    assert own_workers.run(int) == [0, 0]


def test_everything_is_interrupted_at_once(own_workers: Workers) -> None:
    """Running and waiting calls alike."""
    running, waiting = own_workers.start(in_sleep), own_workers.start(in_sleep)
    when_all_are_there(running, own_workers.interrupt)
    assert running.wait(60)
    assert waiting.wait(60)
    assert (running.status, waiting.status) == ("interrupted", "interrupted")
    with pytest.raises(WorkerError, match="was interrupted before it began"):
        waiting.result()


def test_ranks_that_took_the_interrupt_keep_what_they_hold(own_workers: Workers) -> None:
    """And their process group, when they are in step."""
    own_workers.push(kept=7)
    group = own_workers._supervisor.group.generation
    run = own_workers.start(in_sleep)
    when_all_are_there(run, run.interrupt)
    assert run.wait(60)
    assert own_workers.pull("kept") == [7, 7]
    assert own_workers._supervisor.group.generation == group


def test_an_interrupt_while_the_ranks_start() -> None:
    """Nobody is there to take it yet; nothing is left."""
    with Workers(2, grace=0.05) as workers:
        run = workers.start(in_sleep)
        run.interrupt()
        assert run.wait(60)
        assert run.status == "interrupted"
        assert workers.run(dist.get_rank) == [0, 1]


def test_an_interrupt_that_comes_before_its_call_is_taken_when_the_call_begins() -> None:
    """The rank is asleep when both arrive. It is not killed for it, and the call after is left alone."""
    with Workers(1, grace=500, timeout=500) as workers:
        (pid,) = workers.run(os.getpid)
        os.kill(pid, signal.SIGSTOP)
        run = workers.start(in_sleep)
        run.interrupt()
        while not any(event.kind == "call.interrupt" for event in run.events):
            run.events_since(len(run.events), 60)
        os.kill(pid, signal.SIGCONT)
        assert run.wait(60)
        assert run.status == "interrupted"
        assert {event.kind for event in run.events if event.rank == 0} == {"memory", "rank.interrupted"}
        assert workers.run(os.getpid) == [pid]


def test_an_import_is_not_cut_in_half(tmp_path: Path) -> None:
    """The interrupt waits until it is over; the next call finds the module whole, in the same rank."""
    (tmp_path / "slow_module.py").write_text(
        "import time\nfrom sharding.workers import emit\nemit('there')\ntime.sleep(0.3)\nwhole = True\n"
    )

    def importing(folder: str) -> None:
        sys.path.insert(0, folder)
        import slow_module  # pyright: ignore[reportMissingImports]  # noqa: F401

        time.sleep(100)

    with Workers(1, grace=500, timeout=500) as workers:
        (pid,) = workers.run(os.getpid)
        run = workers.start(importing, str(tmp_path))
        when_all_are_there(run, run.interrupt)
        assert run.wait(60)
        assert run.status == "interrupted"
        assert workers.run(lambda: (os.getpid(), sys.modules["slow_module"].whole)) == [(pid, True)]


def test_a_handler_that_one_call_set_does_not_deafen_the_next(own_workers: Workers) -> None:
    """Libraries ignore SIGINT and leave it at that; Stop works in every call anew."""
    own_workers.run(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN) and None)
    pids = own_workers.pids
    run = own_workers.start(in_sleep)
    when_all_are_there(run, run.interrupt)
    assert run.wait(60)
    assert own_workers.run(os.getpid) == pids


def test_restart_makes_new_ranks(own_workers: Workers) -> None:
    """What the old ones held is gone."""
    own_workers.push(kept=7)
    pids = own_workers.pids
    own_workers.restart()
    with pytest.raises(WorkerError, match="it holds nothing"):
        own_workers.pull("kept")
    assert not set(own_workers.pids) & set(pids)


def test_close_ends_what_runs(own_workers: Workers) -> None:
    """The run says why; another call says that the workers are closed."""
    run = own_workers.start(in_sleep)
    when_all_are_there(run, lambda: None)
    own_workers.close()
    own_workers.close()
    assert run.done
    with pytest.raises(WorkerError, match="interrupted"):
        run.result(0)
    with pytest.raises(WorkerError, match="these workers are closed; make new ones"):
        own_workers.run(int)
