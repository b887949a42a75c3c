"""The explorer in Notebook 7, the other host of one page a notebook: drawn, edited, run, saved as a page."""

from __future__ import annotations

import pytest
from jupyter import LabServer, Notebook
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

HOSTS_OWN = "reading 'schema'"  # Notebook 7.6 says this of a setting of its own, with or without the explorer
LIMIT_MS = 90_000
CELL = """
import torch
from torch import nn
from explorer import explore
def build():
    return nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
ex = explore(build, example_inputs=torch.ones(3, 4))
ex
"""


def test_marking_running_and_saving_in_notebook_7(browser: Browser, tmp_path):
    """A key marks the focused module; two ranks train it; the saved page shows the plan and how the run ended."""
    server = LabServer(tmp_path, app="notebook")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        page.set_default_timeout(30_000)
        made = Notebook(server, page, "seven.ipynb", [CELL])
        made.run_all()
        widget = made.panel.locator(".shx").first
        expect(widget).to_have_attribute("data-ready", "1")
        expect(widget.locator("[data-cmd=run]")).to_be_visible()
        cells = made.cell_count()
        widget.locator('.row[data-fqn="2"]:visible').click()
        page.keyboard.press("f")
        expect(widget.locator('.row[data-fqn="2"]:visible')).to_have_attribute("data-status", "F")
        expect(widget).to_have_attribute("data-rev", "1")
        assert made.ask("[unit.fqn for unit in ex.layout.units]") == "['2']"
        widget.locator("[data-role=steps]").fill("2")
        widget.locator("[data-cmd=run]").click()
        expect(widget.locator("[data-role=phase]")).to_contain_text("Done on 2 workers", timeout=LIMIT_MS)
        assert made.ask("print(len(ex.runs[-1].losses), ex.save('seven.html').name)") == "2 seven.html"
        assert made.cell_count() == cells
        assert [error for error in made.page_errors if HOSTS_OWN not in error] == []
        page.goto((tmp_path / "seven.html").as_uri())
        expect(page.locator('.row[data-fqn="2"]:visible')).to_have_attribute("data-status", "F")
        expect(page.locator("[data-role=phase]")).to_contain_text("Done on 2 workers")
    finally:
        context.close()
        server.close()
