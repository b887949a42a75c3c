"""What axe-core finds wrong with the page for people who use it by keyboard, voice or screen reader: nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "explorer/frontend/node_modules/axe-core/axe.min.js"
VIOLATIONS = """async (element) => {
    const found = await axe.run(element.getRootNode().host, { resultTypes: ['violations'] });
    const where = (violation) => violation.nodes.map((node) => node.html.slice(0, 200)).join(' | ');
    return found.violations.map((violation) => `${violation.id}: ${violation.help}; ${where(violation)}`);
}"""
THEME = "async (theme) => { await window.jupyterapp.commands.execute('apputils:change-theme', { theme }); }"
CELL = """
import torch
from torch import nn
from explorer import explore
from sharding import Plan
def build():
    blocks = [nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8)) for _ in range(4)]
    return nn.Sequential(nn.Linear(8, 8), *blocks, nn.Linear(8, 2))
ex = explore(build, plan=Plan().fully_shard("").fully_shard("1").replicate("5"), example_inputs=torch.ones(2, 8))
ex
"""


@pytest.fixture
def axe() -> str:
    """The checker's source, which comes with the front end's packages."""
    if not AXE.exists():
        reason = "no axe-core: run `npm ci` in explorer/frontend"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return AXE.read_text(encoding="utf-8")


def test_no_violations_in_any_tab_in_light_and_dark(notebook, axe):
    """The tree with every panel open in turn, under both themes of the host."""
    made = notebook(CELL)
    made.run_all()
    widget = made.panel.locator(".shx").first
    expect(widget).to_have_attribute("data-ready", "1")
    widget.locator('.row[data-fqn="5"]:visible').click()
    expect(widget.locator("[role=tab]").nth(3)).to_be_visible()
    made.page.evaluate(axe)
    found = []
    try:
        for theme in ("JupyterLab Light", "JupyterLab Dark"):
            made.page.evaluate(THEME, theme)
            for tab in widget.locator("[role=tab]").all():
                tab.click()
                expect(tab).to_have_attribute("aria-selected", "true")
                found += [f"{theme}, {tab.inner_text()}: {each}" for each in widget.evaluate(VIOLATIONS)]
    finally:
        made.page.evaluate(THEME, "JupyterLab Light")
    assert found == []
