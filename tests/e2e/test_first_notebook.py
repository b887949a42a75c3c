"""The first notebook in a real browser, as a person would use it: run it, click a module, click Run, read in Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

FIRST = next((Path(__file__).parents[2] / "notebooks").glob("01_*.ipynb"))


def row(widget: Locator, fqn: str) -> Locator:
    """The visible row of a module."""
    return widget.locator(f'.row[data-fqn="{fqn}"]:visible')


def test_click_marks_a_module_click_runs_and_python_reads_the_result(notebook):
    """Marking by a click is the plan in Python, a refused click changes nothing, and Run trains what was clicked."""
    made = notebook(FIRST)
    made.run_all()
    widget = made.panel.locator(".shx").nth(1)
    widget.scroll_into_view_if_needed()
    expect(widget).to_have_attribute("data-ready", "1")
    expect(row(widget, "transformer.h.0–5")).to_have_attribute("data-status", "F")
    expect(row(widget, "transformer.h.0–5").locator("[data-cell=dfs]")).to_have_text("#5+10k")

    row(widget, "transformer.ln_f").locator("[data-cell=name]").click()
    widget.locator("[data-cmd=replicate]").click()
    expect(row(widget, "transformer.ln_f")).to_have_attribute("data-status", "R")
    assert made.ask("print(ex.plan.code())").endswith(".replicate('transformer.ln_f')")
    assert made.ask("print([group.fqn for group in ex.layout.replicate_groups])") == "['transformer.ln_f']"

    row(widget, "transformer.wte").locator("[data-cell=name]").click()
    before = made.ask("print(ex.plan.to_json())")
    widget.locator("[data-cmd=fully_shard]").click()
    status = widget.locator("[data-role=status]")
    expect(status).to_contain_text("'transformer.wte.weight' and 'lm_head.weight' are one parameter")
    expect(row(widget, "transformer.wte")).to_have_attribute("data-status", "f")
    assert made.ask("print(ex.plan.to_json())") == before

    widget.locator("[data-tab=run]").click()
    widget.locator("[data-role=nprocs]").fill("2")
    widget.locator("[data-role=steps]").fill("4")
    widget.locator("[data-cmd=run]").click()
    expect(widget.locator("[data-role=phase]")).to_contain_text("Done on 2 workers", timeout=60_000)
    expect(widget.locator("[data-role=losses]")).to_contain_text("step 4")
    result = json.loads(made.ask("import json; print(json.dumps([rank['losses'] for rank in ex.runs[-1].result()]))"))
    assert [len(losses) for losses in result] == [4, 4]
    assert result[0] != result[1], "the ranks saw different batches"
    shown = widget.locator("[data-role=losses]").inner_text()
    assert f"{result[0][-1]:.4f}" in shown
    assert f"{result[1][-1]:.4f}" in shown

    widget.locator("[data-cmd=undo]").click()
    expect(row(widget, "transformer.ln_f")).to_have_attribute("data-status", "f")
