"""Real ranks that wait for each other: the card appears while they wait, and nothing is stopped for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
import torch
import torch.distributed as dist
from torch import nn

from sharding import fully_shard
from sharding.unit_notes import UnitNotes
from sharding.workers import RunEvent, Workers, emit


@pytest.fixture(scope="module")
def quick() -> Iterator[Workers]:
    """Ranks whose hangs are told soon, and that wait for the test's word."""
    with Workers(2, timeout=60, hang_after=0.4) as workers:
        yield workers


def late(what: str, folder: str) -> None:
    """Rank 1 comes only when the file `go` is there."""
    import os

    if dist.get_rank() == 1:
        while not os.path.exists(os.path.join(folder, "go")):
            time.sleep(0.01)
    getattr(dist, what)()


def test_the_card_appears_while_ranks_wait_and_the_call_goes_on(
    quick: Workers, tmp_path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the calling cell and as an event; then the late rank comes and all is well."""
    call = quick.start(late, "barrier", str(tmp_path))
    found: list[RunEvent] = []
    arrived = threading.Event()

    def see(event: RunEvent) -> None:
        if event.kind == "hang":
            found.append(event)
            arrived.set()

    call.on_event(see)
    assert arrived.wait(60)
    assert not call.done
    (tmp_path / "go").touch()
    assert call.follow() == [None, None]
    values = found[0].values
    assert (values["why"], values["op"], values["waiting"], values["others"]) == ("missing", "barrier", (0,), (1,))
    lines = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("still: ")]
    assert lines[0].startswith("rank 1 has not arrived at barrier #")
    assert lines[1].startswith('  rank 0 is at File "tests/workers/test_live_hangs.py", line ')
    assert lines[1].endswith("in late: getattr(dist, what)()")
    assert "in late: " in lines[2]
    assert len(lines) == 3


def test_a_hang_that_goes_on_is_told_again(quick: Workers, tmp_path) -> None:
    """In one line, when the wait has doubled; the events tell of it every time."""
    call = quick.start(late, "barrier", str(tmp_path))
    assert call._page_bell.wait_for(lambda: "still: rank 1 has not arrived at barrier #" in call.output, 60)
    (tmp_path / "go").touch()
    assert call.result(60) == [None, None]
    hangs = [event for event in call.events if event.kind == "hang"]
    assert [event.values["again"] for event in hangs[:2]] == [False, True]
    assert call.output.count("rank 1 has not arrived") <= len(hangs)


def test_the_card_names_the_unit_of_the_engine(quick: Workers, tmp_path) -> None:
    """Rank 1 is held up before the inner unit of its second forward."""

    def train(folder: str) -> None:
        import os

        model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        fully_shard(model[1])
        fully_shard(model)
        model(torch.ones(2, 4)).sum().backward()
        waits = dist.get_rank() == 1

        def hold_up(*_: object) -> None:
            while waits and not os.path.exists(os.path.join(folder, "go")):
                time.sleep(0.01)

        model[0].register_forward_hook(hold_up)
        model(torch.ones(2, 4)).sum().backward()

    call = quick.start(train, str(tmp_path))
    call.on_event(lambda event: event.kind == "hang" and (tmp_path / "go").touch())
    call.result(60)
    (hang,) = [event for event in call.events if event.kind == "hang" and not event.values["again"]]
    assert hang.values["unit"] == "1"
    assert "rank 1 has not arrived at all_gather #" in hang.values["text"]
    assert "of unit '1'; rank 0 waits" in hang.values["text"]


def test_a_mismatch_names_both_lines(quick: Workers) -> None:
    """Ranks that enter different collectives; the user stops it."""

    def different() -> None:
        x = torch.ones(4)
        if dist.get_rank() == 0:
            dist.all_reduce(x)
        else:
            dist.broadcast(x, 1)
        dist.barrier()

    call = quick.start(different)
    call.on_event(lambda event: event.kind == "hang" and call.interrupt())
    assert call.wait(60)
    text = call.output
    assert "rank 0 all_reduce #" in text
    assert "rank 1 broadcast #" in text
    assert "in different: dist.all_reduce(x)" in text
    assert quick.run(dist.get_world_size) == [2, 2]


def test_states_of_ranks_are_no_sign_of_progress() -> None:
    """A call that hangs is stopped after its silence all the same."""
    with Workers(2, timeout=0.3, hang_after=0.2) as workers:
        workers.run(int)
        with pytest.raises(Exception, match="was stopped: no rank printed, emitted or answered"):
            workers.start(time.sleep, 100).result(60)


def test_the_kind_hang_is_taken() -> None:
    """A user's event cannot be mistaken for the launcher's."""
    with pytest.raises(Exception, match="must be a word that does not start with"):
        emit("hang")


def test_notes_say_who_spoke_at_a_time() -> None:
    """Between the note and the next one; nothing is kept where nobody asked for it."""
    notes = UnitNotes()
    notes.note("early")
    assert notes.unit_at(time.time_ns()) is None
    notes.keep()
    before = time.time_ns()
    notes.note("layers.0")
    during = time.time_ns()
    notes.note(None)
    assert notes.unit_at(before - 1) is None
    assert notes.unit_at(during) == "layers.0"
    assert notes.unit_at(time.time_ns()) is None
