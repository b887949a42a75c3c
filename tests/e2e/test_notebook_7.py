"""The explorer in Notebook 7, the other host of one page a notebook: drawn, edited, read back in Python."""

from __future__ import annotations

import pytest
from jupyter import LabServer, Notebook
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

HOSTS_OWN = "reading 'schema'"  # Notebook 7.6 says this of a setting of its own, with or without the explorer
CELL = """
from torch import nn
from explorer import explore
ex = explore(nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2)))
ex
"""


def test_marking_in_notebook_7(browser: Browser, tmp_path):
    """A key marks the focused module; Python has the plan, the page its status, the notebook no new cell."""
    server = LabServer(tmp_path, app="notebook")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        page.set_default_timeout(30_000)
        made = Notebook(server, page, "seven.ipynb", [CELL])
        made.run_all()
        widget = made.panel.locator(".shx").first
        expect(widget).to_have_attribute("data-ready", "1")
        cells = made.cell_count()
        widget.locator('.row[data-fqn="2"]:visible').click()
        page.keyboard.press("f")
        expect(widget.locator('.row[data-fqn="2"]:visible')).to_have_attribute("data-status", "F")
        expect(widget).to_have_attribute("data-rev", "1")
        assert made.ask("[unit.fqn for unit in ex.layout.units]") == "['2']"
        assert made.cell_count() == cells
        assert [error for error in made.page_errors if HOSTS_OWN not in error] == []
    finally:
        context.close()
        server.close()
