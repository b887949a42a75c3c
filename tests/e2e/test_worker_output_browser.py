"""The output of a call in a real browser: tabs, folding and search, by style rules and one line of script; and live,
in a real JupyterLab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from jupyter import Notebook
from playwright.sync_api import Browser, Page, expect

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


LIVE = """
import pathlib, threading, time
import torch.distributed as dist
from sharding.workers import Workers

def steps(folder):
    for step in range(1000):
        print("both at", step)
        print("mine at", step, "of", dist.get_rank())
        if (pathlib.Path(folder) / f"end{step // 40}").exists():
            return step
        time.sleep(0.01)

w = Workers(2, view="tabs")
"""


def test_tab_and_search_stay_while_lines_come(notebook: Callable[..., Notebook], tmp_path: Path) -> None:
    """The reader looks at one rank and searches while the call runs: the lines change, the choice does not."""
    made = notebook(LIVE, f"print(w.run(steps, {str(tmp_path)!r})[0] >= 0)")
    made.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    panel = made.panel
    shown = panel.locator(".shw .i:visible")
    expect(shown.first).to_contain_text("[", timeout=90_000)  # torch is imported first
    panel.locator(".shw input.t2").check()
    panel.locator(".shw input[type=search]").fill("MINE")
    before = shown.last.inner_text()
    assert before.startswith("[rank 1] mine at")
    expect(shown.last).not_to_have_text(before)
    texts = shown.all_inner_texts()
    assert texts
    assert all(text.startswith("[rank 1] mine at") for text in texts)
    for number in range(25):  # whichever it gets to next
        (tmp_path / f"end{number}").touch()
    expect(panel.locator(".jp-OutputArea-output", has_text="True").last).to_be_visible()
    assert panel.locator(".shw input.t2").is_checked()
    assert "done" in panel.locator(".shw >> text=<Run").inner_text()
    panel.locator(".shw input.t0").check()
    panel.locator(".shw input[type=search]").fill("")
    expect(shown.filter(has_text="[identical on all ranks ×2] both at 0")).to_have_count(1)
    assert panel.locator(".shw").count() == 2  # one bar, one body of lines, however often they were replaced
