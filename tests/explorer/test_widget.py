"""The widget carries texts and messages, whole and in order, and answers every command exactly once."""

from __future__ import annotations

import json
import sys
import threading

from recording_comm import RecordingComm, page_sends, page_sets

from explorer.chunks import STATIC
from explorer.widget import ExplorerWidget, answer_while_busy

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def test_the_first_state_travels_when_the_widget_opens(recorded):
    """A page that draws while its own cell still runs needs the tree in the opening message."""
    widget = ExplorerWidget(tree='{"v":1}', plan="{}")
    state = widget.comm.opened_with
    assert state["tree"] == '{"v":1}'
    assert (state["plan"], state["run"], state["view"]) == ("{}", "", "")
    assert "export{" in state["_esm"].replace(" ", "")
    assert "×" in state["_esm"]  # read as UTF-8, not as the locale's code page


def test_the_module_that_travels_is_small(recorded):
    """The page module is state of every widget and of every saved notebook: at most 40 KiB."""
    widget = ExplorerWidget()
    assert len(widget.comm.opened_with["_esm"].encode()) <= 40 * 1024


def test_publish_sends_all_its_traits_in_one_message(recorded):
    """A page must never see a new plan over an old tree."""
    widget = ExplorerWidget()
    widget.publish(tree={"v": 1, "root": 0}, plan={"v": 1, "rev": 2})
    assert widget.comm.updates == [{"tree": '{"v":1,"root":0}', "plan": '{"v":1,"rev":2}'}]


def test_publish_from_many_threads_loses_nothing(recorded):
    """Traits set by two threads at once lose updates in traitlets; behind the lock each one arrives."""
    widget = ExplorerWidget()

    def write(name: str) -> None:
        for n in range(200):
            widget.publish(**{name: {"n": n}})

    threads = [threading.Thread(target=write, args=(name,)) for name in ("plan", "run", "tree")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in ("plan", "run", "tree"):
        seen = [json.loads(state[name])["n"] for state in widget.comm.updates if name in state]
        assert seen == list(range(200))


def test_what_a_page_saves_and_what_python_publishes_do_not_meet(recorded):
    """The page's view arrives on the kernel's thread while the session writes: neither raises, none is lost."""
    widget = ExplorerWidget()
    failures = []

    def save() -> None:
        try:
            for n in range(300):
                page_sets(widget, view=json.dumps({"selected": n}))
        except Exception as failure:
            failures.append(failure)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        page = threading.Thread(target=save)
        page.start()
        for n in range(300):
            widget.publish(plan={"n": n})
        page.join()
    finally:
        sys.setswitchinterval(before)
    assert failures == []
    assert [json.loads(state["plan"])["n"] for state in widget.comm.updates if "plan" in state] == list(range(300))
    assert json.loads(widget.view) == {"selected": 299}


def test_a_remembered_run_waits_for_the_next_page(recorded):
    """Open pages had the batches; only one that opens later reads the trait."""
    widget = ExplorerWidget()
    widget.remember(run={"id": "r1", "step": 4})
    assert widget.comm.updates == []
    assert widget.get_state("run") == {"run": '{"id":"r1","step":4}'}


def test_losses_that_are_not_finite_stay_readable_json(recorded):
    """`NaN` is not JSON: one diverging loss would blank the whole page."""
    widget = ExplorerWidget()
    widget.publish(run={"losses": [[1, float("nan"), 2.5], (2, float("inf"), -1.0)]})
    widget.post("run", seq=3, losses=[[3, float("-inf")]])
    assert json.loads(widget.run) == {"losses": [[1, None, 2.5], [2, None, -1.0]]}
    assert widget.comm.posted == [{"type": "run", "seq": 3, "losses": [[3, None]]}]


def test_a_command_reaches_the_session_and_its_reply_carries_the_id(recorded):
    """Ids belong to the page and come back as they were."""
    widget = ExplorerWidget()
    heard = []
    widget.on_command(heard.append)
    page_sends(widget, {"id": "a1-7", "cmd": "mark", "verb": "fully_shard", "indices": [3]})
    assert heard == [{"id": "a1-7", "cmd": "mark", "verb": "fully_shard", "indices": [3]}]
    widget.reply(heard[0], rev=8)
    assert widget.comm.posted == [{"type": "reply", "id": "a1-7", "ok": True, "rev": 8}]


def test_a_refusal_carries_title_and_detail(recorded):
    """The page shows both as text."""
    widget = ExplorerWidget()
    error = {"title": "PlanError", "detail": "'h' is a ModuleList"}
    widget.reply({"id": 1, "cmd": "mark"}, error=error, rev=7)
    assert widget.comm.posted == [{"type": "reply", "id": 1, "ok": False, "error": error, "rev": 7}]


def test_a_failing_session_still_answers(recorded):
    """A page waits for every command it sent."""
    widget = ExplorerWidget()

    def fail(command):
        raise RuntimeError("the session thread has ended")

    widget.on_command(fail)
    page_sends(widget, {"id": 2, "cmd": "undo"})
    (reply,) = widget.comm.posted
    assert reply["ok"] is False
    assert reply["error"] == {"title": "RuntimeError", "detail": "the session thread has ended"}


def test_without_a_session_the_reply_says_what_to_do(recorded):
    """A bare widget is not silent."""
    widget = ExplorerWidget()
    page_sends(widget, {"id": 1, "cmd": "run"})
    assert widget.comm.posted[0]["error"]["detail"] == (
        "Nothing in Python listens to 'run': show the model with explore(model)."
    )


def test_what_is_not_a_command_is_not_handed_on(recorded):
    """Other senders on the comm do not reach the session."""
    widget = ExplorerWidget()
    heard = []
    widget.on_command(heard.append)
    for content in ("text", {"cmd": "run"}, {"id": 1}, {"id": 1, "cmd": 5}, None):
        page_sends(widget, content)
    assert heard == []
    assert widget.comm.posted == []


def test_the_view_of_the_page_is_not_sent_back(recorded):
    """What is open and selected belongs to one page; an echo would move the other one."""
    widget = ExplorerWidget()
    page_sets(widget, view='{"selected":4}')
    assert widget.view == '{"selected":4}'
    assert [data for _, data in widget.comm.messages if data.get("method") in ("update", "echo_update")] == []


def test_the_bundle_holds_the_fallbacks_beside_the_view(recorded):
    """Viewers without widgets show the HTML, terminals the text."""
    widget = ExplorerWidget(text=lambda: "GPT [F]", html=lambda: "<details>GPT</details>")
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == "GPT [F]"
    assert data["text/html"] == "<details>GPT</details>"
    assert data[WIDGET_VIEW]["model_id"] == widget.model_id


def test_without_fallbacks_the_bundle_is_the_usual_one(recorded):
    """No empty HTML that would hide the text."""
    data, _ = ExplorerWidget()._repr_mimebundle_()
    assert "text/html" not in data
    assert "ExplorerWidget" in data["text/plain"]


def test_the_reply_route_of_a_busy_kernel_is_switched_off_where_it_exists():
    """Kernels that have the private switch get it set; the others are left alone."""

    class WithSwitch:
        def _reply_subshell_for(self, data, default):
            return None

    class Without:
        pass

    new, old = WithSwitch(), Without()
    assert answer_while_busy(new) is True
    assert new._reply_subshell_for is None
    assert answer_while_busy(old) is False
    assert vars(old) == {}


def test_every_opened_comm_has_the_route_switched_off(recorded, monkeypatch):
    """Also the comm of a widget that was closed and opened again."""
    monkeypatch.setattr(RecordingComm, "_reply_subshell_for", lambda *_: None, raising=False)
    widget = ExplorerWidget()
    first = widget.comm
    widget.close()
    widget.open()
    assert widget.comm is not first
    assert (first._reply_subshell_for, widget.comm._reply_subshell_for) == (None, None)


def test_the_page_gets_its_second_part_once(recorded):
    """Asked for without it, the text comes with its digest; a page that has the digest gets no second copy."""
    widget = ExplorerWidget()
    page_sends(widget, {"id": "p-1", "cmd": "chunk", "name": "extras", "have": []})
    first = widget.comm.posted[0]
    assert (first["id"], first["ok"]) == ("p-1", True)
    assert first["value"]["text"] == (STATIC / "extras.js").read_text(encoding="utf-8")
    page_sends(widget, {"id": "p-2", "cmd": "chunk", "name": "extras", "have": ["0", first["value"]["digest"]]})
    assert widget.comm.posted[1]["value"] == {"digest": first["value"]["digest"], "text": None}


def test_a_part_that_is_not_there_is_refused_by_name(recorded):
    """No path of the page's choosing is ever read."""
    widget = ExplorerWidget()
    page_sends(widget, {"id": "p-1", "cmd": "chunk", "name": "../widget.py"})
    (reply,) = widget.comm.posted
    assert reply["ok"] is False
    assert reply["error"]["detail"] == "the page asked for its part '../widget.py'; known are extras"
