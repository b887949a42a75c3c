"""Engines compared from the page of a real notebook: chosen, followed, stopped; a cell shows the result too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LIMIT_MS = 90_000

MODEL = """
import torch
from torch import nn
from explorer import explore
from sharding import Plan

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4, 8), nn.Linear(8, 4)
    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))

def build():
    return nn.Sequential(Block(), Block(), nn.Linear(4, 2))

plan = Plan().fully_shard("").fully_shard(["0", "1"])
ex = explore(build, plan=plan, example_inputs=torch.ones(3, 4))
"""


def test_engines_are_compared_from_the_page_and_from_a_cell(notebook):
    """Rows appear as engines get through; a long one is stopped; a cell shows picture and table."""
    cell = "found = ex.compare(steps=1, rounds=1, engines=('flat',), backend='gloo')\nfound"
    made = notebook(MODEL, "ex", cell)
    made.run_all()
    widget = made.panel.locator(".shx").first
    expect(widget).to_have_attribute("data-ready", "1")
    expect(made.panel.locator('img[alt^="Bars of step time"]')).to_be_visible(timeout=LIMIT_MS)
    widget.locator("[data-tab=engines]").click()
    expect(widget.locator("[data-role=engines-phase]")).to_contain_text("Done in", timeout=LIMIT_MS)
    widget.locator("[data-role=engines-steps]").fill("2")
    widget.locator("[data-cmd=compare]").click()
    expect(widget.locator("[data-role=engines-phase]")).to_contain_text("of ", timeout=LIMIT_MS)
    expect(widget.locator("[data-role=engines-phase]")).to_contain_text("Done in", timeout=LIMIT_MS)
    table = widget.locator("[data-role=engines-table]")
    for engine in ("flat", "torch", "none"):
        expect(table.locator(".table-row:visible", has_text=engine)).to_have_count(1)
    widget.locator("[data-role=engines-steps]").fill("100000")
    widget.locator("[data-cmd=compare]").click()
    expect(widget.locator("[data-role=engines-phase]")).to_contain_text("alone", timeout=LIMIT_MS)
    widget.locator("[data-cmd=stop_compare]").click()
    expect(widget.locator("[data-role=engines-phase]")).to_have_text("Stopped.", timeout=LIMIT_MS)
    assert made.ask("print([each.phase for each in ex._session.comparisons])") == "['done', 'done', 'stopped']"
