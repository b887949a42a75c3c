"""The output of a call in a real browser: tabs, folding and search, by style rules and one line of script."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from sharding.workers import RunEvent
from sharding.workers.view import view_of

pytestmark = pytest.mark.browser


def log(rank: int, *lines: str) -> RunEvent:
    text = "".join(f"[rank {rank}] {line}\n" for line in lines)
    return RunEvent("log", rank, 0, 1, 1, {"stream": "stdout", "text": text})


def seen(page: Page) -> list[str]:
    return [line.inner_text() for line in page.query_selector_all(".i") if line.is_visible()]


def test_what_is_seen_follows_tab_checkbox_and_search(browser: Browser, tmp_path: Path) -> None:
    """One body at a time; the search looks in whatever is shown."""
    view = view_of([log(0, "same", "a0", "end"), log(1, "same", "a1", "end")], "<Run>", (0, 1))
    file = tmp_path / "view.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><body>{view._repr_html_()}")
    page = browser.new_page()
    page.goto(file.as_uri())
    same, end = "[identical on all ranks ×2] same", "[identical on all ranks ×2] end"
    assert seen(page) == [same, "[rank 0] a0", "[rank 1] a1", end]
    page.uncheck(".fold")
    assert len(seen(page)) == 6
    page.check(".t2")
    assert seen(page) == ["[rank 1] same", "[rank 1] a1", "[rank 1] end"]
    page.fill("input[type=search]", "END")
    assert seen(page) == ["[rank 1] end"]
    page.close()
