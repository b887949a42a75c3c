"""The widget in JupyterLab, on hand-made payloads: what is seen, what a click sends, what an answer does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from payloads import experts
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

HERE = str(Path(__file__).parent)

# A session of a few lines: marks become statuses, everything is kept in `commands`.
SESSION = f"""
import json, sys, threading, time
sys.path.insert(0, {HERE!r})
from payloads import *
from explorer.commands import read_command
from explorer.widget import ExplorerWidget

commands, marks, refuse = [], {{}}, False
LETTERS = {{"fully_shard": "F", "replicate": "R", "ignore": "I", "clear": "u"}}

def answer(command):
    commands.append((command, time.monotonic()))
    if refuse:
        return widget.reply(command, error={{"title": "PlanError", "detail": "'h' cannot be <b>sharded</b>"}})
    if command["cmd"] == "mark":
        marks.update((index, LETTERS[command["verb"]]) for index in read_command(command, 10**6).indices)
    widget.publish(plan=plan_state(marks, rev=len(commands), last=command["cmd"], undo=True))
    widget.reply(command, rev=len(commands))
"""
SHOW = """
widget = ExplorerWidget(tree=json.dumps(tree), plan=json.dumps(plan_state()))
widget.on_command(answer)
widget
"""
GPT2 = "tree = gpt2()" + SHOW


def open_widget(notebook, *cells: str) -> tuple:
    """The notebook and the drawn widget."""
    made = notebook(SESSION, *cells)
    made.run_all()
    widget = made.panel.locator(".shx").first
    expect(widget).to_have_attribute("data-ready", "1")
    return made, widget


def row(widget: Locator, fqn: str) -> Locator:
    """The row of an FQN as labelled: `h.0–11.attn`."""
    return widget.locator(f'.row[data-fqn="{fqn}"]:visible')


def last_command(made) -> dict:
    """The last command Python got, without its id."""
    command = json.loads(made.ask("print(json.dumps(commands[-1][0]))"))
    return {key: value for key, value in command.items() if key != "id"}


def test_a_click_and_a_button_mark_a_module_in_python(notebook):
    """The row changes only when Python's new plan arrives, and the status line says so."""
    made, widget = open_widget(notebook, GPT2)
    row(widget, "wte").locator("[data-cell=name]").click()
    expect(row(widget, "wte")).to_have_attribute("aria-selected", "true")
    widget.locator("[data-cmd=fully_shard]").click()
    expect(row(widget, "wte")).to_have_attribute("data-status", "F")
    expect(widget.locator("[data-role=status]")).to_have_text("mark")
    assert last_command(made) == {"cmd": "mark", "verb": "fully_shard", "indices": [1]}
    expect(row(widget, "wpe")).to_have_attribute("data-status", "u")


def test_a_folded_run_is_marked_as_a_whole_and_splits_when_one_differs(notebook):
    """Twelve equal blocks are one row; a mark on it reaches all, a mark on one tears the run."""
    made, widget = open_widget(notebook, GPT2)
    run = row(widget, "h.0–11")
    expect(run).to_contain_text("×12")
    run.locator("[data-cell=name]").click()
    widget.page.keyboard.press("f")
    expect(run).to_have_attribute("data-status", "F")
    assert last_command(made)["indices"] == [[5, 12, 12]]
    run.locator("[data-cell=times]").click()
    row(widget, "h.3").locator("[data-cell=name]").click()
    widget.page.keyboard.press("r")
    expect(row(widget, "h.3")).to_have_attribute("data-status", "R")
    row(widget, "h.4").locator("[data-cell=times]").click()
    for fqn, status in {"h.0–2": "F", "h.3": "R", "h.4–11": "F"}.items():
        expect(row(widget, fqn)).to_have_attribute("data-status", status)


def test_keys_move_fold_and_mark_and_never_reach_the_notebook(notebook):
    """Single letters insert, delete and change cells in Lab; inside the widget they do not."""
    made, widget = open_widget(notebook, GPT2)
    keyboard = widget.page.keyboard
    row(widget, "").locator("[data-cell=name]").click()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft"):
        keyboard.press(key)
    expect(row(widget, "h")).to_have_attribute("aria-expanded", "false")
    expect(row(widget, "h.0–11")).to_have_count(0)
    active = widget.get_by_role("tree").get_attribute("aria-activedescendant")
    expect(widget.locator(f"#{active}")).to_have_attribute("data-fqn", "h")
    keyboard.press("i")
    expect(row(widget, "h")).to_have_attribute("data-status", "I")
    cells = made.cell_count()
    for key in ("a", "b", "x", "d", "d", "m", "y", "z", "v", "Shift+m"):
        keyboard.press(key)
    row(widget, "h").locator("[data-cell=name]").click()  # other letters go to rows that begin with them
    keyboard.press("Shift+ArrowDown")
    keyboard.press("u")
    expect(row(widget, "h")).to_have_attribute("data-status", "u")
    assert last_command(made) == {"cmd": "mark", "verb": "clear", "indices": [4, 149]}
    assert made.cell_count() == cells


def test_a_refused_edit_says_why_and_changes_nothing(notebook):
    """Title and detail are read as text, the plan stays."""
    made, widget = open_widget(notebook, GPT2)
    made.ask("refuse = True")
    row(widget, "h").locator("[data-cell=name]").click()
    widget.locator("[data-cmd=fully_shard]").click()
    status = widget.locator("[data-role=status]")
    expect(status).to_have_attribute("data-kind", "error")
    expect(status).to_contain_text("PlanError")
    expect(status).to_contain_text("'h' cannot be <b>sharded</b>")
    expect(row(widget, "h")).to_have_attribute("data-status", "u")
    expect(widget).to_have_attribute("data-rev", "0")


def test_a_run_is_followed_live_and_read_back_after(notebook):
    """Batches grow the losses; the trait holds the truth for pages that open later."""
    made, widget = open_widget(notebook, GPT2)
    widget.locator("[data-role=steps]").fill("3")
    widget.locator("[data-cmd=run]").click()
    expect(widget.locator("[data-role=status]")).to_have_text("The run has started.")
    assert last_command(made) == {"cmd": "run", "nprocs": 2, "steps": 3}
    made.ask("widget.post('run', seq=1, id='r1', phase='running', nprocs=2, steps=3, step=1, losses=[[1, 4.5, 4.25]])")
    losses = widget.locator("[data-role=losses]")
    expect(losses).to_have_text("step 1: rank 0 4.5000, rank 1 4.2500")
    expect(widget.locator("[data-cmd=run]")).to_be_disabled()
    made.ask("widget.post('run', seq=2, id='r1', step=2, losses=[[2, 3.5, float('nan')]], reference=[4.4, 3.6])")
    expect(losses).to_have_text("step 2: rank 0 3.5000, rank 1 not finite; unsharded 3.6000")
    failed = "{'id': 'r1', 'phase': 'failed', 'error': {'title': 'WorkerError', 'detail': 'rank 1: boom'}}"
    made.ask(f"widget.publish(run={failed})")
    expect(widget.locator("[data-role=run-error]")).to_contain_text("rank 1: boom")
    expect(widget.locator("[data-role=status]")).to_have_text("Failed")
    expect(widget.locator("[data-cmd=run]")).to_be_enabled()


def test_two_views_of_one_model_stay_in_step(notebook):
    """The plan reaches both; the answer to a click only the view that asked."""
    made, first = open_widget(notebook, GPT2, "widget")
    second = made.panel.locator(".shx").nth(1)
    expect(second).to_have_attribute("data-ready", "1")
    row(first, "wpe").locator("[data-cell=name]").click()
    first.locator("[data-cmd=replicate]").click()
    expect(row(second, "wpe")).to_have_attribute("data-status", "R")
    expect(first.locator("[data-role=status]")).to_have_text("mark")
    expect(second.locator("[data-role=status]")).to_contain_text("Select modules")


def test_a_page_opened_later_reads_the_last_state(notebook, lab):
    """A reload gets plan, run and selection from the kernel, also what was only sent as batches before."""
    server, page = lab
    made, widget = open_widget(notebook, GPT2)
    row(widget, "wpe").locator("[data-cell=name]").click()
    widget.locator("[data-cmd=ignore]").click()
    expect(row(widget, "wpe")).to_have_attribute("data-status", "I")
    made.ask("widget.remember(run={'id': 'r1', 'seq': 9, 'phase': 'running', 'losses': [[7, 1.25]]})")
    made.save()
    later = page.context.new_page()
    try:
        later.goto(server.url(made.path.name))
        again = later.locator(".jp-NotebookPanel:visible .shx")
        expect(again).to_have_attribute("data-ready", "1", timeout=60_000)
        expect(row(again, "wpe")).to_have_attribute("data-status", "I")
        expect(row(again, "wpe")).to_have_attribute("aria-selected", "true")
        expect(again.locator("[data-role=losses]")).to_have_text("step 7: rank 0 1.2500")
    finally:
        later.close()


def test_a_command_is_answered_while_a_cell_is_busy(notebook):
    """Stop must work during a long cell, also when a thread keeps publishing from the main shell."""
    made, widget = open_widget(notebook, GPT2)
    expect(widget).to_have_attribute("data-kernel", "alive")
    made.ask("began = threading.Event()")
    busy = "began.set(); widget.publish(run={'id': 'r1'}); time.sleep(4); ended = time.monotonic()"
    widget.page.evaluate(
        """(code) => { window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel
            .requestExecute({ code, store_history: false }); }""",
        busy,
    )
    widget.page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.status === 'busy'"
    )
    row(widget, "wte").locator("[data-cell=name]").click()
    widget.locator("[data-cmd=fully_shard]").click()
    expect(row(widget, "wte")).to_have_attribute("data-status", "F")
    assert made.ask("print(commands[-1][1] < ended)") == "True"


def test_a_narrow_page_keeps_the_names(notebook):
    """Columns give way one after the other; name, status and DFS number stay, and nothing is cut off."""
    _, widget = open_widget(notebook, GPT2)
    named, hidden = row(widget, "h.0–11").locator("[data-cell=name]"), row(widget, "h").locator("[data-cell=total]")
    expect(hidden).to_be_visible()
    widget.evaluate("(element) => { element.style.width = '280px'; }")
    expect(hidden).to_be_hidden()
    expect(row(widget, "h.0–11").locator("[data-cell=dfs]")).to_have_text("#5+12k")
    cells = [named, row(widget, "h.0–11").locator("[data-cell=dfs]"), widget.locator("[data-tab=code]")]
    frame = widget.bounding_box()
    for box in [cell.bounding_box() for cell in cells]:
        assert box["width"] > 10
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]


def test_names_that_are_markup_are_shown_as_text(notebook):
    """Class and attribute names come from anybody's model."""
    nasty = "tree = gpt2(); tree['name'] = '<img src=x onerror=alert(1)>'; tree['classes'][-1][0] = '<i>GPT</i>'"
    _, widget = open_widget(notebook, nasty + SHOW)
    expect(widget.locator("[data-role=title]")).to_have_text("<img src=x onerror=alert(1)>")
    expect(row(widget, "").locator("[data-cell=type]")).to_have_text("<i>GPT</i>")
    assert widget.locator("img, i").count() == 0


def test_python_selects_a_row_in_the_page(notebook):
    """The session writes the view; the row is opened and brought into sight."""
    made, widget = open_widget(notebook, "tree = experts()" + SHOW)
    widget.locator("[data-cmd=close_all]").click()
    expect(row(widget, "layers.3–60")).to_have_count(0)
    made.ask("widget.publish(view={'selected': 39})")
    expect(row(widget, "layers.3–60")).to_have_attribute("aria-selected", "true")


def test_seventy_five_thousand_modules_stay_a_few_hundred_elements(notebook):
    """All open, split and scrolled to the end: the page holds what is seen, not what exists."""
    _, widget = open_widget(notebook, "tree = experts()" + SHOW)
    expect(widget.locator("[data-role=totals]")).to_contain_text(f"{75_151:,} modules")
    widget.locator("[data-cmd=open_all]").click()
    row(widget, "layers.3–60.mlp").locator("[data-cell=name]").click()
    for tab in ("orders", "findings", "code", "run"):
        widget.locator(f"[data-tab={tab}]").click()
    widget.get_by_role("tree").focus()
    widget.page.keyboard.press("End")
    expect(row(widget, "head")).to_have_attribute("aria-selected", "true")
    assert widget.locator("*").count() <= 600
    assert len(json.dumps(experts())) < 4_000
