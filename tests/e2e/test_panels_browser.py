"""The panels in JupyterLab against a real session: what a reader sees in each, on one notebook for all tests.

Every test leaves the plan as it found it: a unit at the root and one a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from jupyter import LabServer, Notebook
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

CELL = """
import torch
from torch import nn
from explorer import explore
from sharding import Plan

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.up, self.down = nn.Linear(8, 32), nn.Linear(32, 8)
    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(16, 8)
        self.h = nn.ModuleList(Block() for _ in range(4))
        self.norm = nn.LayerNorm(8)
        self.head = nn.Linear(8, 16, bias=False)
        self.head.weight = self.embed.weight
    def forward(self, ids):
        x = self.embed(ids)
        for block in self.h:
            x = block(x)
        return self.head(self.norm(x))

plan = Plan().fully_shard("").fully_shard("h.*")
ex = explore(Net, plan=plan, example_inputs=torch.zeros(2, 3, dtype=torch.int64))
ex
"""
AS_IT_WAS = "while ex.plan != plan: ex.undo()"


@pytest.fixture(scope="module")
def made(lab: tuple[LabServer, Page]) -> Iterator[Notebook]:
    """The notebook, run once."""
    server, page = lab
    opened = Notebook(server, page, "panels.ipynb", [CELL])
    opened.run_all()
    yield opened
    errors = opened.page_errors
    opened.close()
    assert not errors, f"the page reported: {errors}"


@pytest.fixture
def widget(made: Notebook) -> Iterator[Locator]:
    """The explorer with its panels there, all rows folded as at the start, the root focused."""
    found = made.panel.locator(".shx").first
    expect(found).to_have_attribute("data-ready", "1")
    expect(found.locator("[role=tab]").first).to_be_visible()
    yield found
    made.ask(AS_IT_WAS)
    found.locator("[data-role=find]").fill("")
    found.locator("[data-role='colour-by']").select_option("status")


def row(widget: Locator, fqn: str) -> Locator:
    return widget.locator(f'.row[data-fqn="{fqn}"]:visible')


def focus(widget: Locator, fqn: str) -> None:
    row(widget, fqn).locator("[data-cell=name]").click()
    expect(row(widget, fqn)).to_have_attribute("aria-selected", "true")


def said(widget: Locator, role: str) -> Locator:
    return widget.locator(f"[data-role={role}]")


def open_inspector(widget: Locator) -> None:
    toggle = widget.locator("[data-cmd=inspector]")
    if toggle.get_attribute("aria-expanded") != "true":
        toggle.click()


def place_in(widget: Locator, cell: str, fqn: str) -> str:
    return row(widget, fqn).locator(f"[data-cell={cell}]").inner_text()


def test_the_inspector_says_why_who_and_what_a_rank_holds(widget):
    """A module below a unit: its reason, its owner to go to, its parameters in pieces, the code that does it."""
    open_inspector(widget)
    focus(widget, "h.0–3.up")
    expect(said(widget, "inspected")).to_have_text(re.compile(r"^h\.0\.up · Linear · #\d+$"))
    expect(said(widget, "why")).to_contain_text("h.0")
    params = said(widget, "params")
    expect(params.locator("li")).to_have_count(2)
    expect(params).to_contain_text("weight [32, 8] float32, 256 elements")
    expect(params).to_contain_text("unit of h.0; rank 0 of 2 holds elements 0 to 256")
    expect(said(widget, "inspected-code")).to_contain_text("fully_shard('h.*')")
    said(widget, "belongs").get_by_role("button", name="Go to h.0").click()
    expect(row(widget, "h.0–3")).to_have_attribute("aria-selected", "true")
    expect(said(widget, "inspected")).to_have_text(re.compile(r"^h\.0 · Block · #\d+, the first of 4 alike$"))


def test_the_inspector_says_what_is_wrong_with_a_module(widget, made):
    """A tied weight, one name of which is replicated, stands there as a finding or conflict of the row itself."""
    open_inspector(widget)
    focus(widget, "head")
    params = said(widget, "params")
    expect(params).to_contain_text("embed.weight")
    made.ask("ex.replicate('norm')")
    focus(widget, "norm")
    expect(said(widget, "why")).to_contain_text("Replicated: it is marked so")


def test_the_player_walks_step_by_step_by_buttons_keys_and_scrubbing(widget):
    """Step, step back, keys, a place on the slider, playing to the end: sentence, stack and product follow."""
    widget.locator("[data-tab=player]").click()
    said(widget, "walk").select_option("composable")
    expect(said(widget, "said")).to_contain_text("Next: Visit (root) (Net)")
    widget.locator("[data-cmd=step]").click()
    expect(said(widget, "step")).to_have_text(re.compile(r"^step 1 of "))
    widget.locator("[data-cmd=step]").focus()
    widget.page.keyboard.press(".")
    expect(said(widget, "step")).to_have_text(re.compile(r"^step 2 of "))
    widget.page.keyboard.press(",")
    widget.page.keyboard.press(",")
    expect(said(widget, "step")).to_have_text(re.compile(r"^step 0 of "))
    last = int(said(widget, "scrub").get_attribute("max"))
    said(widget, "scrub").fill(str(last))
    expect(said(widget, "said")).to_contain_text("Done: handles made, 5 in all.")
    expect(widget.locator("[data-role=made] li:visible")).to_have_count(5)
    expect(widget.locator("[data-role=stack] li:visible")).to_have_count(0)
    said(widget, "scrub").fill("0")
    said(widget, "rate").select_option(index=len(said(widget, "rate").locator("option").all()) - 1)
    widget.locator("[data-cmd=play]").click()
    expect(said(widget, "said")).to_contain_text("Done: handles made, 5 in all.")
    expect(widget.locator("[data-cmd=play]")).to_have_text("▶ Play")


def test_two_orders_stand_side_by_side_with_what_differs(widget):
    """I₁ lists blocks from the last to the first, I₂ from the first: all four differ, the root does not."""
    widget.locator("[data-tab=compare]").click()
    expect(said(widget, "compare-note")).to_contain_text("I₁ vs I₂: 4 of 5 differ, 6 crossings")
    rows = said(widget, "compare").locator("[data-place]:visible")
    assert [each.inner_text().split() for each in rows.all()] == [
        ["0", "h.3", "h.0"],
        ["1", "h.2", "h.1"],
        ["2", "h.1", "h.2"],
        ["3", "h.0", "h.3"],
        ["4", "(root)", "(root)"],
    ]
    assert said(widget, "compare").locator("[data-differs]:visible").count() == 8
    said(widget, "compare-right").select_option("init_composable")
    expect(said(widget, "compare-note")).to_contain_text("0 of 5 differ")
    rows.first.locator("[data-side]").first.click()
    expect(widget.locator('.row[aria-selected="true"]:visible')).to_have_attribute("data-fqn", re.compile(r"^h\."))
    said(widget, "compare-right").select_option("init_wrapper")


def test_costs_answer_a_what_if_and_say_why_not(widget):
    """Another number of ranks changes the numbers; a mesh that is none is refused beside its field."""
    widget.locator("[data-tab=costs]").click()
    setting = said(widget, "costs-setting")
    expect(setting).to_contain_text("2 ranks")
    before = said(widget, "costs-totals").inner_text()
    ranks = widget.locator("[data-field=world_size]")
    ranks.fill("8")
    ranks.press("Enter")
    expect(setting).to_contain_text("8 ranks")
    assert said(widget, "costs-totals").inner_text() != before
    mesh = widget.locator("[data-field=mesh_shape]")
    mesh.fill("3x")
    mesh.press("Enter")
    expect(said(widget, "refusal")).to_be_visible()
    expect(mesh).to_have_attribute("aria-invalid", "true")
    expect(setting).to_contain_text("8 ranks")
    mesh.fill("2x4")
    mesh.press("Enter")
    expect(setting).to_contain_text("2 × 4")
    expect(said(widget, "refusal")).to_be_hidden()
    mesh.fill("")
    mesh.press("Enter")
    ranks.fill("2")
    ranks.press("Enter")
    expect(setting).to_contain_text("2 ranks")


def test_the_engines_tab_is_ready_to_compare(widget):
    """Before the first comparison it says what it would do; nothing runs by itself."""
    widget.locator("[data-tab=engines]").click()
    expect(said(widget, "engines")).to_be_visible()
    expect(widget.locator("[data-cmd=compare]")).to_be_enabled()
    expect(said(widget, "engines-nprocs")).to_have_value("2")


def test_a_selector_counts_before_it_marks_and_marks_all_at_once(widget, made):
    """The count follows every key; one press marks all; the code line names them."""
    box = said(widget, "find")
    box.fill("type:Linear")
    expect(said(widget, "found")).to_have_text("9 modules")
    box.fill("type:Linear params>200")
    expect(said(widget, "found")).to_have_text("8 modules")
    box.fill("params>")
    expect(said(widget, "found")).not_to_contain_text("modules")
    expect(widget.locator("[data-cmd=found_fully_shard]")).to_be_disabled()
    box.fill("h.*.up")
    expect(said(widget, "found")).to_have_text("4 modules")
    widget.locator("[data-cmd=found_replicate]").click()
    expect(row(widget, "h.0–3.up")).to_have_attribute("data-status", "R")
    assert made.ask("[group.fqn for group in ex.layout.replicate_groups]") == str([f"h.{k}.up" for k in range(4)])
    widget.locator("[data-tab=code]").click()
    expect(said(widget, "last-code")).to_have_text("ex.replicate('h.*.up')")
    expect(said(widget, "code")).to_contain_text(".replicate('h.*.up')")


def test_colours_follow_the_choice_and_the_letters_stay(widget):
    """By DFS place: a scale with numbers, another colour for another row; the status letter is in both."""
    swatch = row(widget, "norm").locator("[data-cell=swatch]")
    letter = swatch.inner_text()
    before = swatch.screenshot()
    said(widget, "colour-by").select_option("dfs")
    expect(said(widget, "scale")).to_be_visible()
    expect(said(widget, "scale")).to_contain_text("#0")
    assert swatch.inner_text() == letter
    assert swatch.screenshot() != before
    said(widget, "colour-by").select_option("bytes")
    expect(said(widget, "scale")).to_contain_text(re.compile(r"\d+ (B|KB|KiB)"))


def test_the_maps_bring_the_reader_to_a_row(widget):
    """A click at the end of the icicle reveals what lies there; the minimap takes the tree down and up."""
    icicle = said(widget, "icicle")
    box = icicle.bounding_box()
    icicle.click(position={"x": box["width"] * 0.5, "y": box["height"] - 4})
    active = widget.locator('.row[aria-selected="true"]:visible')
    expect(active).to_have_attribute("data-fqn", re.compile(r"^h\.0–3"))
    reached = active.get_attribute("data-fqn")
    icicle.press("Home")
    expect(active).not_to_have_attribute("data-fqn", reached)
    minimap = said(widget, "minimap")
    minimap.press("End")
    expect(row(widget, "head")).to_be_in_viewport()
    box = minimap.bounding_box()
    minimap.click(position={"x": box["width"] / 2, "y": 2})
    expect(row(widget, "")).to_be_in_viewport()


def test_undo_and_redo_go_back_and_forth_as_often_as_asked(widget, made):
    """Three edits by keys, three undone, one redone: rows, buttons and Python agree."""
    for fqn, key in (("embed", "i"), ("norm", "r"), ("h.0–3.norm", "r")):
        focus(widget, fqn)
        widget.page.keyboard.press(key)
        expect(widget).not_to_have_attribute("data-waiting", re.compile("."))
    expect(row(widget, "norm")).to_have_attribute("data-status", "R")
    for _ in range(2):
        widget.page.keyboard.press("Control+z")
    expect(row(widget, "norm")).not_to_have_attribute("data-status", "R")
    widget.page.keyboard.press("Control+Shift+z")
    expect(row(widget, "norm")).to_have_attribute("data-status", "R")
    expect(widget.locator("[data-cmd=redo]")).to_be_enabled()
    assert made.ask("print(ex.plan.code())").endswith(".ignore('embed').replicate('norm')")


def test_a_refused_edit_springs_back_and_keeps_its_reason(widget, made):
    """One name of a tied weight cannot be a unit of its own: the row is as before, the sentence names both."""
    before = row(widget, "head").get_attribute("data-status")
    focus(widget, "head")
    widget.page.keyboard.press("r")
    status = said(widget, "status")
    expect(status).to_have_attribute("data-kind", "error")
    expect(status).to_contain_text("embed.weight")
    expect(row(widget, "head")).to_have_attribute("data-status", before)
    assert made.ask("ex.plan == plan") == "True"
