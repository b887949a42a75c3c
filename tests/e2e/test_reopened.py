"""A saved notebook opened again without its kernel: the tree is there, whether the notebook is trusted or not."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CELL = """
from torch import nn
from explorer import explore
from sharding import Plan
ex = explore(nn.Sequential(*[nn.Linear(4, 4) for _ in range(6)]), plan=Plan().fully_shard("*"))
ex
"""
TREE = "[data-shx-static]"
MISSING = "model not found"


@pytest.fixture
def saved(notebook, tmp_path):
    """A notebook that was run and saved, and what was seen while its kernel lived."""
    made = notebook(CELL)
    made.run_all()
    expect(made.panel.locator(".shx")).to_have_attribute("data-ready", "1")
    expect(made.panel.locator(TREE)).to_be_hidden()
    made.save()
    path = tmp_path / "saved.ipynb"
    path.write_bytes(made.path.read_bytes())
    return path


def test_a_trusted_copy_shows_the_tree_in_place_of_the_error(notebook, saved):
    """Two outputs: the host finds no model for the second, the first stands in for it."""
    panel = notebook(saved).panel
    expect(panel.locator(TREE)).to_be_visible()
    expect(panel.locator(f"{TREE} details").first).to_contain_text("Linear ×6")
    expect(panel.get_by_text(MISSING)).to_be_hidden()


def test_an_untrusted_copy_shows_the_tree_too(notebook, saved):
    """Scripts and data attributes may be taken out by the host; what is left is read as it is."""
    changed = nbformat.read(saved, as_version=4)
    changed.cells[0].outputs[0]["data"]["text/plain"] += " "  # no longer what was signed
    nbformat.write(changed, saved)
    panel = notebook(saved).panel
    expect(panel.locator(".jp-OutputArea details").first).to_be_visible()
    expect(panel.locator(".jp-OutputArea")).to_contain_text("Linear ×6")
    expect(panel.get_by_text(MISSING)).to_have_count(0)


def test_closing_the_explorer_leaves_the_tree(notebook):
    """Where the widget was, the static form is seen again."""
    made = notebook(CELL)
    made.run_all()
    expect(made.panel.locator(".shx")).to_have_attribute("data-ready", "1")
    made.ask("ex.close()")
    expect(made.panel.locator(TREE)).to_be_visible()
