"""Comparing from the explorer: in Python it waits, from the page it runs in the background; both can be stopped."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
import torch
from explored_models import GPT, Block
from recording_comm import page_sends
from torch import nn

from explorer import explore
from sharding import ConflictError, Plan, PlanError, WorkerError, by_class

LIMIT_S = 60


def build() -> nn.Module:
    return GPT(depth=2)


def tokens(rank: int, step: int) -> torch.Tensor:
    """Different for every rank and step."""
    return torch.randint(0, 16, (3, 5), generator=torch.Generator().manual_seed(100 * step + rank))


PLAN = Plan().fully_shard("", policy=by_class(Block))


def states_of(widget: Any) -> list[dict[str, Any]]:
    """What the page was told, oldest first."""
    return [json.loads(update["comparison"]) for update in widget.comm.updates if "comparison" in update]


def test_it_compares_the_plan_as_it_is():
    """The Python call returns the comparison; the plan is the one on view."""
    ex = explore(build, example_inputs=tokens, view="text")
    ex.fully_shard("")
    found = ex.compare(steps=2, rounds=1, engines=("flat", "ddp"), backend="gloo")
    assert [row.engine for row in found.rows] == ["flat", "ddp", "none"]
    assert found.plan == ex.plan
    assert found.loss_difference("flat") == pytest.approx(0, abs=1e-6)
    run = ex.run(steps=2, backend="gloo")
    losses = [each["losses"] for each in run.result(LIMIT_S)]
    assert [list(each) for each in zip(*losses, strict=True)] == [list(each) for each in found.row("flat").losses]


def test_the_page_follows_a_comparison_it_started(recorded):
    """One reply at once; states with rows as they come; the whole at the end."""
    ex = explore(build, plan=PLAN, example_inputs=tokens, view="widget")
    widget = ex.widget
    page_sends(widget, {"id": "c-1", "cmd": "compare", "nprocs": 2, "steps": 2, "engines": ["flat", "fsdp1"]})
    ex._session.turns.ask(lambda: None)
    replies = [each for each in widget.comm.posted if each["type"] == "reply"]
    assert replies == [{"type": "reply", "id": "c-1", "ok": True, "rev": 0}]
    found = ex._session.comparisons[0].result()
    ex._session.turns.ask(lambda: None)
    states = states_of(widget)
    assert states[0]["phase"] == "starting"
    assert (states[0]["nprocs"], states[0]["engines"], states[0]["steps"]) == (2, ["flat", "fsdp1", "none"], 2)
    assert [each["done"] for each in states] == sorted(each["done"] for each in states)
    assert {1, 2} <= {len(each["rows"]) for each in states}
    last = states[-1]
    assert (last["phase"], last["error"], last["base"], last["id"]) == ("done", None, "flat", "c1")
    assert last["rows"] == json.loads(json.dumps(found.to_data()["rows"]))
    assert last["text"] == found.text()
    assert json.loads(widget.comparison) == last


def test_a_page_opened_later_gets_the_last_comparison(recorded):
    """It was made from Python before there was a page."""
    ex = explore(build, plan=PLAN, example_inputs=tokens, view="widget")
    ex.compare(steps=1, rounds=0, engines=("flat",), backend="gloo")
    assert json.loads(ex.widget.comparison)["phase"] == "done"


@pytest.mark.parametrize("by", ["page", "python"])
def test_stop_ends_a_comparison(recorded, by):
    """As it ends a run; the page hears that it was stopped, and a run may follow."""
    ex = explore(build, plan=PLAN, example_inputs=tokens, view="widget")
    widget = ex.widget
    page_sends(widget, {"id": "1", "cmd": "compare", "steps": 1_000_000, "engines": ["flat"]})
    ex._session.turns.ask(lambda: None)
    (comparing,) = ex._session.comparisons
    limit = time.monotonic() + LIMIT_S
    while not comparing.state().done and time.monotonic() < limit:
        assert not comparing._over.wait(0.02), comparing.error
    with pytest.raises(PlanError, match=r"comparison c1 is still going; wait for it, or stop it: ex\.stop\(\)"):
        ex.run(steps=1)
    if by == "page":
        page_sends(widget, {"id": "2", "cmd": "stop"})
    else:
        ex.stop()
    with pytest.raises(WorkerError, match="the comparison was stopped"):
        comparing.result()
    last = states_of(widget)[-1]
    assert (last["phase"], last["error"]) == ("stopped", None)
    assert not [
        thread for thread in threading.enumerate() if thread.name == "explorer-compare-c1" and thread.is_alive()
    ]
    assert ex.run(steps=1).result(LIMIT_S)


def test_what_cannot_be_compared_is_refused(recorded):
    """With a reply to the page, and an exception in Python; nothing was started."""
    ex = explore(build, plan=PLAN, view="widget")
    widget = ex.widget
    page_sends(widget, {"id": "1", "cmd": "compare"})
    ex._session.turns.ask(lambda: None)
    (reply,) = [each for each in widget.comm.posted if each["type"] == "reply"]
    assert not reply["ok"]
    assert "explore needs something to feed the model: example_inputs=x" in reply["error"]["detail"]
    ex = explore(build, plan=Plan().fully_shard("", strategy="no_shard"), example_inputs=tokens, view="text")
    with pytest.raises(ConflictError, match="none of the engines asked for can run this plan:\n- torch: "):
        ex.compare(engines=("torch",))
    with pytest.raises(PlanError, match="unknown engine 'flta'; did you mean 'flat'"):
        ex.compare(engines=("flta",))
    assert ex._session.comparisons == []


def fail(rank: int, step: int) -> torch.Tensor:
    raise ValueError("no data today")


def test_an_error_of_a_rank_reaches_page_and_caller(recorded):
    """Where no engine got through there is nothing to compare."""
    ex = explore(build, plan=PLAN, example_inputs=fail, view="widget")
    widget = ex.widget
    with pytest.raises(ValueError, match="no data today"):
        ex.compare(steps=1, engines=("flat",), backend="gloo")
    last = states_of(widget)[-1]
    assert last["phase"] == "failed"
    assert "no data today" in last["error"]["title"]
    assert "next call" not in last["error"]["detail"]
