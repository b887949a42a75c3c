"""Output of a call, looked at afterwards: as text, folded, one rank, searched, as HTML; and saved and read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch.distributed as dist
from hypothesis import given
from hypothesis import strategies as st

from sharding.errors import WorkerError
from sharding.workers import RunEvent, Workers, emit, read_events
from sharding.workers.view import Item, fold, view_of


def log(rank: int, text: str, stream: str = "stdout") -> RunEvent:
    lines = "".join(f"[rank {rank}] {line}\n" for line in text.splitlines())
    return RunEvent("log", rank, 0, 1, 1, {"stream": stream, "text": lines})


def shown(rank: int, text: str, update: bool = False, **data: str) -> RunEvent:
    values = {"data": {"text/plain": text, **data}, "display_id": "d", "update": update}
    return RunEvent("display", rank, 0, 1, 1, values)


EVENTS = [
    log(0, "start\nrank 0 has 3"),
    log(1, "start\nrank 1 has 4"),
    shown(1, "figure"),
    log(1, "end", "stderr"),
    log(0, "end", "stderr"),
    shown(1, "better figure", update=True),
]


def test_lines_that_all_ranks_print_are_folded_and_the_rest_stays_between() -> None:
    """In each rank's own order; displayed values stay where they were, an update takes the place of the first."""
    view = view_of(EVENTS, "title", (0, 1))
    assert str(view.folded()).splitlines() == [
        "[identical on all ranks ×2] start",
        "[rank 0] rank 0 has 3",
        "[rank 1] rank 1 has 4",
        "[rank 1] better figure",
        "[identical on all ranks ×2] end",
    ]
    assert str(view.rank(0)) == "[rank 0] start\n[rank 0] rank 0 has 3\n[rank 0] end"
    assert str(view.search("RANK 1")) == "[rank 1] rank 1 has 4"
    assert repr(view).startswith("title\n[rank 0] start\n")


def test_a_page_has_tabs_and_what_ranks_print_is_text_there() -> None:
    """Escaped; a picture is a picture; every line says whose it is; one body is shown without the style rules."""
    events = [log(0, "<script>alert(1)</script>"), shown(1, "p<", **{"image/png": "iVBOR"}), shown(1, "h", True)]
    page = view_of([*events, shown(0, "x", **{"text/html": "<i>own</i>"})], "<Run>", (0, 1))._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "&lt;Run&gt;" in page
    assert '<img src="data:image/png;base64,iVBOR" alt="p&lt;">' not in page  # its place was taken by the update
    assert "<i>own</i>" in page
    assert [page.count(f'class="i r{rank}"') for rank in (0, 1)] == [4, 2]  # folded, and not; ids are a rank's own
    assert page.count('class="body') - page.count('style="display:none"') == 1


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=2, max_size=3))
def test_folding_loses_and_moves_nothing(lines: list[list[str]]) -> None:
    """Of each rank's own lines."""
    items = [Item((rank,), text) for rank, mine in enumerate(lines) for text in mine]
    folded = fold(items, range(len(lines)))
    for rank, mine in enumerate(lines):
        assert [item.text for item in folded if rank in item.ranks] == mine


def test_a_run_is_viewed_saved_and_read_back(workers: Workers, tmp_path: Path) -> None:
    """Events as they were, a file of output a rank, and an error that torch elastic can read."""
    from torch.distributed.elastic.multiprocessing.errors import ProcessFailure

    def work() -> None:
        print("same")
        print("from", dist.get_rank())
        emit("metric", loss=0.5)
        dist.barrier()  # both have printed before one of them raises and the other is interrupted
        if dist.get_rank() == 1:
            raise ValueError("seven")

    run = workers.start(work)
    with pytest.raises(ValueError, match="seven"):
        run.result(60)
    files = run.save(tmp_path / "run")
    assert [file.name for file in files] == ["events.jsonl", "rank0.log", "rank1.log", "error.json"]
    assert [event.to_dict() for event in read_events(tmp_path / "run")] == [
        json.loads(json.dumps(event.to_dict())) for event in run.events
    ]
    assert (tmp_path / "run" / "rank1.log").read_text() == "same\nfrom 1\n"
    told = ProcessFailure(local_rank=1, pid=1, exitcode=1, error_file=str(files[-1]))
    assert told.message["message"].startswith("rank 1 of 2 (pid ")
    assert told.message["message"].endswith(", cpu): ValueError: seven")
    assert told.timestamp_isoformat() != "<N/A>"
    assert "identical on all ranks ×2] same" in str(run.view().folded())
    assert 'class="shw"' in run._repr_html_()


def test_a_call_on_one_rank_has_the_tab_of_that_rank(workers: Workers) -> None:
    """Whatever its number."""
    workers[1].run(print, "hello")
    assert workers.last is not None
    assert str(workers.last.view().rank(1)) == "[rank 1] hello"
    page = workers.last._repr_html_()
    assert "> rank 1</label>" in page
    assert "> rank 0</label>" not in page
    assert page.count(">[rank 1]</b> hello") == 2  # folded, and not: the tab of the rank is these lines alone


def test_what_is_no_event_is_named_by_its_line(tmp_path: Path) -> None:
    """Of another version, or no JSON."""
    file = tmp_path / "events.jsonl"
    good = json.dumps(log(0, "a").to_dict())
    file.write_text(f"{good}\nno\n")
    with pytest.raises(WorkerError, match=r"events.jsonl, line 2 is no event of a call"):
        read_events(file)
    file.write_text(good.replace('"v": 1', '"v": 9'))
    with pytest.raises(WorkerError, match="line 1 is of version 9; this program reads version 1"):
        read_events(tmp_path)
