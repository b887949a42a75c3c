"""The page in JupyterLab: from Shift+Enter to rows, and edits there and back, with what travels for them."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jupyter import KERNEL_IS_IDLE, LabServer, Notebook, write_notebook
from playwright.sync_api import Browser, Page
from saved_page import PANELS, WATCHING, WINDOW
from sizes import SIZES
from table import Figure

TESTS = Path(__file__).parents[2] / "tests/explorer"
MODEL = """
import sys
sys.path.insert(0, {tests!r})
from llm_shapes import SHAPES, distinct
from explorer import explore
from sharding import Plan
model = {code}
plan = Plan.from_json({plan!r})
"""
SHOW = "ex = explore(model, plan=plan)\nex"
RUN_FIRST = """async () => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""
BEFORE = """() => {
    const { content } = window.jupyterapp.shell.currentWidget;
    content.activeCellIndex = 1;
    content.activate();
    performance.clearMarks('rows');
    frames_seen.length = 0;
    const pressed = ({ key }) => {
        if (key !== 'Enter') return;
        performance.mark('enter');
        removeEventListener('keydown', pressed, true);
    };
    addEventListener('keydown', pressed, true);
}"""
LAB_OPENING = {"lab_rows": "ms", "lab_messages": "messages", "lab_bytes": "bytes", "lab_own_bytes": "own"}


class Lab:
    """One JupyterLab for all sizes."""

    def __init__(self, browser: Browser) -> None:
        """Start the server and load the page; the first kernel it starts is the slowest."""
        self._folder = tempfile.TemporaryDirectory(prefix="tree-view-")
        root = Path(self._folder.name)
        write_notebook(root / "boot.ipynb", ["1"])
        self.server = LabServer(root)
        self.page = browser.new_context(viewport=WINDOW).new_page()
        self.page.set_default_timeout(180_000)
        self.page.add_init_script(WATCHING)
        self.page.goto(self.server.url("boot.ipynb"))
        self.page.wait_for_function(KERNEL_IS_IDLE, timeout=90_000)

    def close(self) -> None:
        """Stop the server with its kernels."""
        self.page.context.close()
        self.server.close()
        self._folder.cleanup()

    def measure(self, size: str, *, openings: int, edits: int) -> Iterator[Figure]:
        """Every opening runs the cell in a kernel that has the model; edits are on the last one."""
        given = SIZES[size]
        model = MODEL.format(tests=str(TESTS), code=given.code, plan=given.plan.to_json())
        made = Notebook(self.server, self.page, f"{size}.ipynb", [model, SHOW])
        try:
            self.page.evaluate(RUN_FIRST)
            shown = [self._show(made) for _ in range(openings)]
            for quantity, name in LAB_OPENING.items():
                yield Figure(quantity, size, [each[name] for each in shown])
            widget = made.panel.locator(".shx").last
            asked = {"fqn": given.row, "times": edits}
            found: list[dict[str, float]] = widget.evaluate("(w, given) => moves.edits(w, given)", asked)
            yield from _edit_figures(size, found)
        finally:
            made.close()

    def _show(self, made: Notebook) -> dict[str, Any]:
        page: Page = self.page
        page.evaluate(BEFORE)
        page.keyboard.press("Shift+Enter")
        page.wait_for_function("() => performance.getEntriesByName('rows').length > 0")
        made.panel.locator(PANELS).first.wait_for()
        found = page.evaluate("moves.shown()")
        page.wait_for_function(KERNEL_IS_IDLE)
        return found


def _edit_figures(size: str, found: list[dict[str, float]]) -> Iterator[Figure]:
    times = sorted(each["ms"] for each in found)
    yield Figure("edit_paint", size, [each["paint"] for each in found])
    yield Figure("edit_median", size, [statistics.median(times)])
    yield Figure("edit_late", size, [times[int(0.95 * (len(times) - 1))]])
    yield Figure("edit_up", size, [each["up"] for each in found])
    yield Figure("edit_down", size, [each["down"] for each in found])
