"""`start`, events and output of real ranks, watched from outside."""

from __future__ import annotations

import json
import sys
import threading
import time

import pytest
import torch
import torch.distributed as dist

from sharding.errors import WorkerError
from sharding.workers import RunEvent, Workers, emit


def steps(count: int) -> int:
    """Emits one metric a step."""
    for step in range(count):
        emit("metric", step=step, loss=torch.tensor([0.5]) * step)
    return count


def test_events_have_kind_rank_time_and_call(workers: Workers) -> None:
    """In order for each rank, between the begin and the end of the call."""
    run = workers.start(steps, 3)
    assert run.result(30) == [3, 3]
    kinds = [event.kind for event in run.events]
    assert (kinds[0], kinds[-1], run.status) == ("call.begin", "call.end", "done")
    for rank in (0, 1):
        metrics = [event for event in run.events if (event.kind, event.rank) == ("metric", rank)]
        assert [event.values for event in metrics] == [{"step": s, "loss": 0.5 * s} for s in range(3)]
        assert [event.time_ns for event in metrics] == sorted(event.time_ns for event in metrics)
        assert {event.call for event in metrics} == {run.call}
    assert json.loads(json.dumps([event.to_dict() for event in run.events]))[0]["v"] == 1


def test_an_event_arrives_while_the_call_runs(workers: Workers) -> None:
    """Not with the answer: the rank waits here until its event was seen."""
    import socket

    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen(2)

        def wait_at(port: int) -> None:
            emit("waiting")
            with socket.create_connection(("127.0.0.1", port), 30) as gate:
                gate.recv(1)

        run = workers.start(wait_at, door.getsockname()[1])
        seen: list[RunEvent] = []
        while sum(event.kind == "waiting" for event in seen) < 2:
            seen += run.events_since(len(seen), timeout=30)
        delay_ms = max(time.monotonic_ns() - event.time_ns for event in seen if event.kind == "waiting") / 1e6
        assert not run.done
        assert run.wait(0) is False
        with pytest.raises(WorkerError, match="is not over after 0 s; it goes on"):
            run.result(0)
        for _ in range(2):
            door.accept()[0].close()
    assert run.result(30) == [None, None]
    assert delay_ms < 5000  # the bar of 50 ms is measured by the benchmark, on a quiet machine


def test_a_callback_hears_every_event_once(workers: Workers) -> None:
    """From the first on, however late it came; one that raises is dropped and harms nobody."""
    heard: list[RunEvent] = []
    ended = threading.Event()
    run = workers.start(steps, 50)
    run.on_event(lambda event: 1 / 0)
    run.on_event(lambda event: (heard.append(event), event.kind == "call.end" and ended.set()))
    assert run.result(30) == [50, 50]
    assert ended.wait(30)
    assert heard == run.events
    late: list[RunEvent] = []
    stop = run.on_event(late.append)
    workers.run(int)
    stop()
    assert late == run.events


def test_collectives_and_memory_are_events(workers: Workers) -> None:
    """Each collective of this call and no other, with what it was, in order and on the clock of all events."""
    workers.run(lambda: dist.barrier())

    def two() -> None:
        dist.all_reduce(torch.ones(3, 2))
        dist.broadcast(torch.ones(4, dtype=torch.int64), 0)

    run = workers.start(two)
    run.result(60)
    begin = next(event.time_ns for event in run.events if event.kind == "call.begin")
    for rank in (0, 1):
        first, second = [event for event in run.events if (event.kind, event.rank) == ("collective", rank)]
        assert (first.values["op"], first.values["sizes"], first.values["nbytes"]) == ("all_reduce", [[3, 2]], 24)
        assert (second.values["op"], second.values["nbytes"], second.values["num_missed"]) == ("broadcast", 32, 0)
        assert second.values["seq"] == first.values["seq"] + 1
        assert begin < first.time_ns < second.time_ns < time.monotonic_ns()
        *_, memory = [event for event in run.events if (event.kind, event.rank) == ("memory", rank)]
        assert 10e6 < memory.values["resident_nbytes"] < 10e9
    workers.run(int)
    assert workers.last is not None
    assert [event for event in workers.last.events if event.kind == "collective"] == []


def test_what_the_recorder_forgot_is_counted(workers: Workers) -> None:
    """It keeps the last ones only; the event after the gap says how many are missing."""

    def many() -> None:
        x = torch.ones(1)
        for _ in range(600):
            dist.all_reduce(x)

    workers.run(many)
    assert workers.last is not None
    mine = [event.values for event in workers.last.events if (event.kind, event.rank) == ("collective", 0)]
    assert len(mine) + sum(values["num_missed"] for values in mine) == 600
    assert mine[-1]["seq"] - mine[0]["seq"] + 1 + mine[0]["num_missed"] == 600


def test_many_events_are_all_kept(workers: Workers) -> None:
    """Ten thousand a rank, in order."""
    run = workers.start(steps, 10_000)
    run.result(60)
    for rank in (0, 1):
        got = [event.values["step"] for event in run.events if (event.kind, event.rank) == ("metric", rank)]
        assert got == list(range(10_000))


@pytest.mark.parametrize(
    ("kind", "values", "text"),
    [
        ("call.end", {}, "must be a word that does not start with"),
        ("metric", {"grad": torch.ones(3)}, r"grad=…\) got Tensor of shape \(3,\), which is not JSON-ready"),
        ("metric", {"fn": print}, "which is not JSON-ready"),
    ],
)
def test_what_cannot_be_an_event_is_refused(kind: str, values: dict[str, object], text: str) -> None:
    """Also where nobody listens, so the mistake shows in the notebook already."""
    with pytest.raises(WorkerError, match=text):
        emit(kind, **values)


def test_emit_outside_a_worker_does_nothing() -> None:
    """The same training code runs in the notebook."""
    emit("metric", loss=1.0)


def test_output_appears_where_the_call_was_made(workers: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole lines, labelled, stdout and stderr apart, C-level writes and unfinished lines included."""

    def talk() -> None:
        import os

        print("one")
        print("to stderr", file=sys.stderr)
        os.write(1, b"from C\n")
        os.system("echo from a child")
        print("unfinished", end="")

    workers[1].run(talk)
    shown = capsys.readouterr()
    labelled = [f"[rank 1] {line}" for line in ("one", "from C", "from a child", "unfinished")]
    assert shown.out.splitlines() == labelled
    assert shown.err == "[rank 1] to stderr\n"
    assert workers.last is not None
    assert sorted(workers.last.output.splitlines()) == sorted([*labelled, "[rank 1] to stderr"])


def test_output_of_a_started_run_is_in_the_run(workers: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is printed into a cell that does not wait for it."""
    run = workers.start(print, "hello")
    run.result(30)
    assert sorted(run.output.splitlines()) == ["[rank 0] hello", "[rank 1] hello"]
    assert {event.values["text"] for event in run.events if event.kind == "log"} == {
        "[rank 0] hello\n",
        "[rank 1] hello\n",
    }
    assert capsys.readouterr().out == ""


def test_a_flood_is_kept_whole_and_shown_in_part(workers: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    """100,000 lines a rank: all kept, in order, none torn; at most a page of them printed."""

    def flood() -> None:
        for number in range(100_000):
            print(number)

    workers.run(flood)
    shown = capsys.readouterr()
    assert len(shown.out) < 1_500_000
    assert "all of it is in `.last.output`" in shown.err
    assert workers.last is not None
    lines = workers.last.output.splitlines()
    for rank in (0, 1):
        label = f"[rank {rank}] "
        assert [line for line in lines if line.startswith(label)] == [f"{label}{n}" for n in range(100_000)]
    assert len(lines) == 200_000
