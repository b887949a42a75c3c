"""`explore`: the same session through Python, through a page's messages, and from any thread."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

import pytest
import torch
from explored_models import GPT, Mod
from recording_comm import page_sends
from torch import nn

from explorer import explore
from explorer.exploration import Exploration
from sharding.errors import ConflictError, PlanError
from sharding.plan import Plan
from sharding.policy import by_class, by_name

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


class Page:
    """The page's half of a conversation over a recording comm."""

    def __init__(self, ex: Exploration) -> None:
        self.ex, self.comm = ex, ex.widget.comm
        self._asked = 0

    def send(self, cmd: Any, **fields: Any) -> dict[str, Any]:
        """Send a command as a page does and return its one reply."""
        self._asked += 1
        page_sends(self.ex.widget, {"id": self._asked, "cmd": cmd, **fields})
        self.ex._session.turns.ask(lambda: None)
        replies = [each for each in self.comm.posted if each["type"] == "reply" and each["id"] == self._asked]
        assert len(replies) == 1
        return replies[0]

    @property
    def plan(self) -> dict[str, Any]:
        return json.loads(self.ex.widget.plan)

    @property
    def notices(self) -> list[dict[str, Any]]:
        return [each for each in self.comm.posted if each["type"] == "notice"]


@pytest.fixture
def page(recorded) -> Page:
    return Page(explore(GPT(), view="widget"))


def test_importing_it_is_cheap_and_starts_nothing():
    """No torch, no notebook library, no thread, until `explore` is called."""
    code = (
        "import sys, threading, explorer; heavy = {'torch', 'anywidget', 'ipywidgets', 'graphviz'} & set(sys.modules);"
        "assert not heavy, heavy; assert threading.active_count() == 1; print(explorer.__all__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("['explore']\n", "")


def test_a_script_sees_text_and_loads_no_widget():
    """In a plain interpreter the tree is printed; there is no page to open."""
    code = (
        "import sys; from torch import nn; from explorer import explore\n"
        "ex = explore(nn.Sequential(nn.Linear(2, 2), nn.ReLU())); ex.fully_shard('0'); print(ex)\n"
        "assert set(ex._repr_mimebundle_()) == {'text/plain', 'text/html'}\n"
        "assert 'anywidget' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    assert done.stdout.split("\n")[1] in ("├── 0  Linear  [F u0 #1 H0]  6", "|-- 0  Linear  [F u0 #1 H0]  6")


def test_edits_from_python():
    """Each edit is seen in plan and layout; undo and redo go through all of them."""
    ex = explore(GPT(), view="text")
    ex.fully_shard(by_class("Block"))
    ex.replicate("h.1")
    ex.ignore("h.2.up")
    ex.clear("h.3")
    assert [unit.fqn for unit in ex.layout.units] == ["", "h.0", "h.2"]
    full = ex.plan
    for _ in range(4):
        ex.undo()
    assert ex.plan == Plan()
    with pytest.raises(PlanError, match="nothing to undo"):
        ex.undo()
    for _ in range(4):
        ex.redo()
    assert ex.plan == full
    with pytest.raises(PlanError, match="nothing to redo"):
        ex.redo()
    ex.undo()
    ex.replicate("head")
    with pytest.raises(PlanError, match="nothing to redo"):
        ex.redo()


def test_the_page_opens_with_the_state_and_gets_every_edit(page):
    """The first state travels in the opening message; edits from Python are published too."""
    opened = page.comm.opened_with
    assert json.loads(opened["tree"])["name"] == "GPT"
    assert json.loads(opened["plan"])["rev"] == 0
    page.ex.fully_shard("")
    assert (page.plan["rev"], page.plan["last"]) == (1, "ex.fully_shard('')")
    assert (page.plan["undo"], page.plan["redo"]) == (True, False)


def test_an_edit_before_the_widget_opens_is_not_lost(recorded):
    """The widget is made when it is first shown."""
    ex = explore(GPT(), view="widget")
    ex.fully_shard("h.*")
    ex.fully_shard("")
    state = json.loads(ex.widget.comm.opened_with["plan"])
    assert (state["rev"], state["units"]["num"], state["undo"]) == (2, 5, True)


def test_clicks_change_the_plan(page):
    """Marks by index arrive as names in the plan that Python sees."""
    node = page.ex.layout.tree.find
    blocks = [node(f"h.{k}").index for k in range(4)]
    assert page.send("mark", verb="fully_shard", indices=blocks) == {
        "type": "reply",
        "id": 1,
        "ok": True,
        "rev": 1,
    }
    assert page.ex.plan == Plan().fully_shard("h.*")
    assert page.send("group", indices=[node("wte").index, node("head").index])["ok"]
    assert page.send("mark", verb="replicate", indices=[node("h.2").index])["rev"] == 3
    assert [unit.fqns for unit in page.ex.layout.units] == [("wte", "head"), ("h.0",), ("h.1",), ("h.3",)]
    assert page.send("undo")["rev"] == 4
    assert page.send("redo")["rev"] == 5
    assert page.plan["rev"] == 5
    assert page.send("mark", verb="clear", indices=[node("h.2").index])["ok"]
    assert page.ex.layout.modules[node("h.2").index].status == "unmanaged"


@pytest.mark.parametrize(
    ("cmd", "fields", "title", "words"),
    [
        (
            "mark",
            {"verb": "fully_shard", "indices": [2]},
            "This mark would make a conflict",
            "mark its children",
        ),
        ("mark", {"verb": "clear", "indices": [1]}, "This cannot be done here", "nothing to clear"),
        ("mark", {"verb": "glue", "indices": [1]}, "The page sent something unreadable", "unknown verb"),
        ("mark", {"verb": "ignore", "indices": [999]}, "The page sent something unreadable", "from 0 to 19"),
        ("explode", {}, "The page sent something unreadable", "unknown command 'explode'"),
        ("undo", {}, "This cannot be done here", "nothing to undo"),
        ("run", {"steps": 1}, "This cannot be done here", "example_inputs"),
    ],
)
def test_a_refused_command_says_why_and_changes_nothing(page, cmd, fields, title, words):
    """Plan, layout, revision and what the page shows stay as they were."""
    before = page.ex.plan, page.ex.layout, page.ex.widget.plan
    reply = page.send(cmd, **fields)
    assert (reply["ok"], reply["rev"], reply["error"]["title"]) == (False, 0, title)
    assert words in reply["error"]["detail"]
    assert (page.ex.plan, page.ex.layout, page.ex.widget.plan) == before
    assert page.ex.plan is before[0]
    assert page.ex.layout is before[1]


def test_a_refused_call_raises_and_the_page_shows_it_too(page):
    """The same sentence in both places; nothing changes."""
    before = page.ex.plan
    with pytest.raises(PlanError, match=r"no module named 'h\.9'"):
        page.ex.replicate("h.9")
    with pytest.raises(ConflictError, match="mark its children instead"):
        page.ex.fully_shard("h")
    assert [notice["error"]["title"] for notice in page.notices] == [
        "This cannot be done here",
        "This mark would make a conflict",
    ]
    assert page.notices[0]["error"]["detail"].startswith("no module named 'h.9'")
    assert page.ex.plan is before
    assert page.plan["rev"] == 0


def test_a_plan_with_conflicts_is_shown_with_them_and_can_be_mended(recorded):
    """Only new conflicts are refused."""
    ex = explore(GPT(), plan=Plan().fully_shard("h"), example_inputs=torch.zeros(1, 1), view="widget")
    page = Page(ex)
    assert [each["kind"] for each in page.plan["conflicts"]] == ["container"]
    with pytest.raises(ConflictError, match="this plan cannot run"):
        ex.run()
    ex.replicate("head")
    ex.clear("h")
    assert page.plan["conflicts"] == []


def test_text_and_code_are_replies_with_a_value(page):
    """The text twin of what is shown, and the code that makes the plan."""
    page.ex.fully_shard("")
    assert page.send("text")["value"] == page.ex.text(ascii_only=False)
    assert page.send("code")["value"] == "plan = Plan().fully_shard('')"


def test_select_keeps_what_the_page_has_open(page):
    """Only the selection moves, by any of the module's names."""
    page.ex.widget.view = json.dumps({"open": [0, 2], "selected": 0})
    page.ex.select("h.1")
    assert json.loads(page.ex.widget.view) == {
        "open": [0, 2],
        "selected": page.ex.layout.tree.find("h.1").index,
    }
    assert page.send("select", index=4)["ok"]
    assert json.loads(page.ex.widget.view)["selected"] == 4
    with pytest.raises(PlanError, match="no module named"):
        page.ex.select("nowhere")


def test_commands_from_many_threads_are_each_answered_once(page):
    """Pages on a subshell thread, cells on the main one, all at once: nothing is lost, revisions do not skip."""
    ex = page.ex
    head = ex.layout.tree.find("head").index

    def click(who: int) -> None:
        for number in range(20):
            verb = "fully_shard" if number % 2 else "replicate"
            page_sends(ex.widget, {"id": f"{who}-{number}", "cmd": "mark", "verb": verb, "indices": [who + 16, head]})

    def call(who: int) -> None:
        for _ in range(10):
            ex.fully_shard(f"h.{who}.up")
            ex.clear(f"h.{who}.up")

    threads = [threading.Thread(target=click, args=(who,)) for who in range(3)]
    threads += [threading.Thread(target=call, args=(who,)) for who in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ex._session.turns.ask(lambda: None)
    replies = [each["id"] for each in page.comm.posted if each["type"] == "reply"]
    assert sorted(replies) == sorted(f"{who}-{number}" for who in range(3) for number in range(20))
    published = [json.loads(update["plan"])["rev"] for update in page.comm.updates if "plan" in update]
    assert published == list(range(1, ex._session.state.rev + 1))


def test_the_cell_output_has_the_widget_and_what_to_show_without_it(page):
    """nbconvert, GitHub and a terminal find a form they can show."""
    page.ex.fully_shard("h.*")
    data, _ = page.ex._repr_mimebundle_()
    assert set(data) == {WIDGET_VIEW, "text/plain", "text/html"}
    assert data["text/plain"] == repr(page.ex) == str(page.ex)
    assert "h.0–3" in data["text/html"]


def test_a_builder_is_called_on_the_meta_device():
    """A model too large for this machine can be planned on it."""
    ex = explore(lambda: GPT(width=1 << 20, vocab=1 << 20), view="text")
    assert all(p.is_meta for p in ex._session.source.model.parameters())
    assert "1.1 T" in ex.text()
    ex = explore(Mod, view="text")
    assert ex.layout.modules[1].fqn == "submod1"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (3, "a module or a function that builds one, got int"),
        (lambda: 3, "returned int, not a module"),
        (lambda x: GPT(), "could not be built on the meta device"),
    ],
)
def test_what_is_no_model_is_refused_in_words(given, words):
    """And says what to give instead."""
    with pytest.raises(PlanError, match=words):
        explore(given)


def test_settings_that_make_no_sense_are_refused():
    """Before anything is shown."""
    for settings, words in (
        ({"plan": "h.*"}, "plan is a sharding.Plan, got str"),
        ({"view": "picture"}, "view='picture' is none of"),
        ({"loss": 3}, "loss is a function, got int"),
        ({"loss": len, "step": len}, "step replaces loss"),
        ({"plan": Plan().fully_shard("nope")}, "no module named 'nope'"),
    ):
        with pytest.raises(PlanError, match=words):
            explore(Mod(), **settings)


def test_runs_that_cannot_start_are_refused_before_anything_starts():
    """No inputs; parameters without values; nonsense numbers."""
    with pytest.raises(PlanError, match="a run needs something to feed the model"):
        explore(Mod(), view="text").run()
    with torch.device("meta"):
        model = Mod()
    x = torch.ones(2, 4)
    with pytest.raises(
        PlanError, match=r"'submod1.weight' and 3 more parameters are on the meta device.*explore\(build\)"
    ):
        explore(model, example_inputs=x, view="text").run()
    with pytest.raises(PlanError, match="steps=0"):
        explore(Mod, example_inputs=x, view="text").run(steps=0)
    with pytest.raises(PlanError, match="unknown engine 'warp'"):
        explore(Mod, example_inputs=x, view="text").run(engine="warp")
    with pytest.raises(PlanError, match="cannot be averaged"):
        explore(Mod, step=lambda *_: {}, view="text").run(reference=True)


def test_export():
    """JSON that `Plan.from_json` reads, also for a policy that has no text of its own; or Python."""
    ex = explore(GPT(), view="text")
    ex.fully_shard("", policy=lambda module, recurse, nonwrapped_numel: recurse or type(module).__name__ == "Block")
    plan = Plan.from_json(ex.export())
    assert [unit.fqn for unit in plan.resolve(GPT()).units] == ["", "h.0", "h.1", "h.2", "h.3"]
    code = ex.export("python")
    assert eval(code, {"Plan": Plan, "by_name": by_name}).resolve(GPT()).units[1].fqn == "h.0"
    assert ex._session.plan_data()["code"] == f"plan = {code}", "what the page offers to copy is Python too"
    ex.undo()
    ex.replicate("h.*")
    assert ex.export("python") == "Plan().replicate('h.*')"
    with pytest.raises(PlanError, match="unknown kind 'svg'"):
        ex.export("svg")


def ones(rank: int, step: int) -> torch.Tensor:
    """The same for everybody."""
    return torch.ones(2, 4)


def test_scripts_are_exported_with_the_parts_of_a_run():
    """The plan on view; for torchrun what `explore` was given, and the settings of `run`."""
    ex = explore(Mod, example_inputs=ones, view="text")
    ex.fully_shard("submod1")
    assert "fully_shard(model.submod1, mesh=mesh, reshard_after_forward=" in ex.export("torch")
    text = ex.export("torchrun", steps=3, engine="torch")
    assert "PLAN = Plan().fully_shard('submod1')" in text
    assert "STEPS, LR, SEED = 3, 0.001, 0" in text
    assert "INPUTS = ones" in text
    ex.fully_shard("")
    text = ex.export("accelerate", nprocs=4)
    assert "num_processes: 4" in text
    assert "# - 'submod1' is a unit and 'submod2.subsubmod' is none, and both are a Linear" in text
    with pytest.raises(PlanError, match="the kind 'json' has no setting 'steps'; it has none"):
        ex.export("json", steps=3)
    with pytest.raises(PlanError, match="a live Mod cannot be written into it: give the function that builds it"):
        explore(Mod(), example_inputs=ones, view="text").export("torchrun")


def test_graph_and_html_show_the_current_plan():
    """All forms read the same layout."""
    ex = explore(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), view="text")
    ex.replicate("1")
    assert "[R #2]" in ex.graph().source
    assert ">R</span>" in ex.html()
    assert "[R #2]" in ex.text()


def test_a_mark_with_a_selector_reaches_what_it_finds_in_the_plan_of_that_moment(page):
    """One undoable edit, with the code of the modules found; unreadable or empty ones change nothing."""
    reply = page.send("mark", verb="fully_shard", selector="type:Block")
    assert reply["ok"]
    assert page.plan["last"] == "ex.fully_shard('h.*')"
    page.send("mark", verb="ignore", selector="unit:u1 type:LayerNorm")
    assert page.ex.layout.unit_of["h.1"].param_names == (
        "h.1.up.weight",
        "h.1.up.bias",
        "h.1.down.weight",
        "h.1.down.bias",
    )
    rev = page.plan["rev"]
    for selector, words in {
        "params>": "cannot read 'params>'",
        "h.9": "no module named 'h.9'",
        "tied": "finds no module",
    }.items():
        reply = page.send("mark", verb="clear", selector=selector)
        assert words in reply["error"]["detail"]
    assert page.plan["rev"] == rev


def test_a_page_looks_at_a_module(page):
    """The same facts as in Python, for the plan of the reply's revision."""
    page.send("mark", verb="fully_shard", selector=".")
    reply = page.send("inspect", index=1, world_size=4)
    assert reply["rev"] == 1
    assert reply["value"] == page.ex.inspect("wte", world_size=4).to_data()
    assert reply["value"]["params"][0]["piece"] == [0, 128]
    assert "rank 0 of 2 holds elements 0 to 128" in str(page.ex.inspect("wte")).replace("\n  ", " ")
    assert page.ex.find("own>=128 !h.**") == ["wte", "head"]
    with pytest.raises(PlanError, match="no module named 'wtf'"):
        page.ex.inspect("wtf")
