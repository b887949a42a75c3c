"""One JupyterLab server and one Chromium for the whole session; a notebook and a kernel for each test.

Without a browser these tests are skipped with the reason, except in CI (`CI` set), where that is a failure.
A failing test leaves a screenshot in `test-artifacts/`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jupyter import KERNEL_IS_IDLE, LabServer, Notebook, chromium, find_chromium, write_notebook
from playwright.sync_api import Browser, Page

ARTIFACTS = Path(__file__).parents[2] / "test-artifacts"
FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    executable = find_chromium()
    if executable is None:
        reason = "no chromium on the PATH (Debian: apt-get install chromium; or set CHROMIUM to its path)"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    with chromium(executable) as started:
        yield started


@pytest.fixture(scope="session")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LabServer, Page]]:
    """A loaded JupyterLab page; opening one costs seconds, a further notebook in it about one."""
    root = tmp_path_factory.mktemp("notebooks")
    write_notebook(root / "boot.ipynb", ["1"])
    server = LabServer(root)
    try:
        page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
        page.set_default_timeout(30_000)
        page.goto(server.url("boot.ipynb"))
        page.wait_for_function(KERNEL_IS_IDLE, timeout=90_000)
        yield server, page
    finally:
        server.close()


@pytest.fixture
def notebook(lab: tuple[LabServer, Page], request: pytest.FixtureRequest) -> Iterator[Callable[..., Notebook]]:
    """Opens notebooks: `notebook("cell one", "cell two")` or `notebook(path)`; closed after the test, page errors
    raised."""
    server, page = lab
    opened: list[Notebook] = []

    def open_notebook(*cells: str | Path) -> Notebook:
        given = cells[0] if isinstance(cells[0], Path) else list(cells)
        name = f"{request.node.name}-{len(opened)}.ipynb".translate(str.maketrans("[]/ ", "----"))
        opened.append(Notebook(server, page, name, given))
        return opened[-1]

    yield open_notebook
    if request.node.stash.get(FAILED, False):
        ARTIFACTS.mkdir(exist_ok=True)
        with contextlib.suppress(Exception):
            page.screenshot(path=ARTIFACTS / f"{request.node.name}.png")
    errors = [error for made in opened for error in made.page_errors]
    for made in opened:
        made.close()
    assert not errors, f"the page reported: {errors}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """Remember that the test itself failed, for the fixture that takes the picture."""
    report = yield
    if report.when == "call" and report.failed:
        item.stash[FAILED] = True
    return report
