"""Tabs of a running call, as a page is told of them: when, how much, and what the last message holds."""

from __future__ import annotations

from typing import Any

import pytest

from sharding.errors import WorkerError
from sharding.workers import RunEvent, Workers
from sharding.workers.live_tabs import LiveTabs
from sharding.workers.output import PAGE_FULL


class Page:
    """What arrived in a notebook: the messages, and their forms."""

    def __init__(self) -> None:
        self.events: list[RunEvent] = []
        self.messages: list[tuple[dict[str, str], bool]] = []
        self.tabs = LiveTabs(self.publish, lambda: self.events, lambda: "<Run>", (0, 1))

    def publish(self, data: dict[str, str], _: Any, *, transient: dict[str, str], update: bool = False) -> None:
        self.messages.append((data, update))

    def prints(self, rank: int, *lines: str) -> None:
        text = "".join(f"[rank {rank}] {line}\n" for line in lines)
        self.events.append(RunEvent("log", rank, 0, 1, 1, {"stream": "stdout", "text": text}))
        self.tabs.show([("stdout", text)])


def test_a_call_that_prints_nothing_shows_nothing() -> None:
    """Not even a bar."""
    page = Page()
    page.tabs.bars({}, over=True)
    assert page.messages == []


def test_it_is_drawn_at_once_then_now_and_then_and_whole_at_the_end() -> None:
    """What came too soon after the last message is not forgotten, and the end is drawn once."""
    page = Page()
    page.prints(0, "one")
    page.tabs.bars({})
    assert [update for _, update in page.messages] == [False, False]  # the bar, and the lines
    page.prints(1, "two")
    page.tabs.bars({})
    assert len(page.messages) == 2
    assert page.tabs.is_behind({})
    page.tabs.bars({}, over=True)
    page.tabs.bars({}, over=True)
    (data, update) = page.messages[2]
    assert (len(page.messages), update) == (3, True)
    assert data["text/plain"] == "[rank 0] one\n[rank 1] two"


@pytest.mark.parametrize("line", ["x", "a longer line of what a rank may print", "<'>" * 30])
def test_a_message_stays_small_while_it_runs_and_below_a_megabyte_at_the_end(line: str) -> None:
    """Whatever the lines are made of; how many are left out is said in both forms."""
    page = Page()
    page.prints(0, *[line] * 30_000)
    page.prints(1, *[line] * 30_000)
    page.tabs.bars({})
    page.tabs.bars({}, over=True)
    sizes = [sum(map(len, data.values())) for data, _ in page.messages]
    assert sizes[1] < 80_000
    assert 100_000 < sizes[2] < 1_000_000
    last = page.messages[2][0]
    assert "earlier lines are in `.last.view()`" in last["text/html"]
    assert last["text/plain"].partition("\n")[0].endswith("earlier lines are in `.last.view()` of the Workers]")


def test_bars_of_progress_are_lines_at_the_end_until_it_is_over() -> None:
    """Equal ones once, as all lines."""
    page = Page()
    page.tabs.bars({1: "50%", 0: "40%"})
    assert page.messages[1][0]["text/plain"] == "[rank 0] 40%\n[rank 1] 50%"
    page.tabs.bars({}, over=True)
    assert page.messages[2][0]["text/plain"] == ""


def test_what_the_launcher_says_is_written_below(capsys: pytest.CaptureFixture[str]) -> None:
    """A hang, or that not everything is shown, is no output of a rank."""
    page = Page()
    page.tabs.show([("notice", PAGE_FULL)])
    assert capsys.readouterr().err == PAGE_FULL
    assert not page.tabs.is_behind({})


def test_without_a_notebook_tabs_are_text(workers: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    """In a terminal; and what is neither is named."""
    workers.view = "tabs"
    workers[1].run(print, "hello")
    workers.view = "text"
    assert capsys.readouterr().out == "[rank 1] hello\n"
    with pytest.raises(WorkerError, match="view='html': give 'text' or 'tabs'"):
        Workers(2, view="html")  # type: ignore[arg-type]
