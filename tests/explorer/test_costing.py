"""What the plan on view costs: in Python, and as a page hears it."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
from explored_models import GPT, experts
from recording_comm import page_sends

from explorer import explore
from explorer.cost_data import progressions, thinned
from explorer.exploration import Exploration
from explorer.messages import CostsState
from sharding import ConflictError, Plan, PlanError, by_class, cost


class Page:
    """A page that asks for costs."""

    def __init__(self, ex: Exploration) -> None:
        self.ex, self.comm = ex, ex.widget.comm
        self._asked = 0

    def ask(self, **fields: Any) -> dict[str, Any]:
        """`what_if`; its reply."""
        self._asked += 1
        page_sends(self.ex.widget, {"id": self._asked, "cmd": "what_if", **fields})
        self.settle()
        (reply,) = [each for each in self.comm.posted if each["type"] == "reply" and each["id"] == self._asked]
        return reply

    def settle(self) -> None:
        """Wait until everything asked so far has been done."""
        self.ex._session.turns.ask(lambda: None)

    @property
    def costs(self) -> dict[str, Any]:
        return json.loads(self.ex.widget.costs)


@pytest.fixture
def page(recorded) -> Page:
    return Page(explore(GPT(), plan=Plan().fully_shard("", policy=by_class("Block")), view="widget"))


def test_costs_are_data_in_python():
    """`ex.cost` is what `cost` gives for the layout; `what_if` changes the question until it is changed again."""
    ex = explore(GPT(), plan=Plan().fully_shard(""), view="text")
    assert ex.cost.to_text() == cost(ex.layout).to_text() == str(ex.cost)
    assert ex.cost is ex.cost
    assert ex.what_if(world_size=8, optimizer="sgd").world_size == 8
    ex.fully_shard("h.*")
    assert ex.cost.to_text() == cost(ex.layout, world_size=8, optimizer="sgd").to_text()
    assert ex.what_if(mesh_shape=(2, 3)).setting.mesh_shape == (2, 3)
    assert ex.what_if(world_size=None, mesh_shape=None).world_size == 2
    assert ex.what_if(engine="torch").setting.engine == "torch"
    assert ex.layout.engine == "flat"


def test_a_question_that_makes_no_sense_is_refused():
    """The reason is raised, and the question before stays."""
    ex = explore(GPT(), plan=Plan().fully_shard(""), view="text")
    for fields, message in (
        ({"world_size": 0}, "world_size=0; a job has at least 1 rank"),
        ({"mesh_shape": (2, 3), "world_size": 5}, "multiplies out to 5"),
        ({"engine": "torch", "strategy": "no_shard"}, "torch's fully_shard does not have"),
        ({"nprocs": 2}, "what_if has no field 'nprocs'; it has world_size, mesh_shape"),
    ):
        with pytest.raises(PlanError, match=message):
            ex.what_if(**fields)
        assert ex.cost.world_size == 2


def test_a_plan_that_cannot_run_costs_nothing(page):
    """In Python it raises, on the page the reason stands in place of the numbers."""
    plan = Plan().fully_shard("wte").fully_shard("head").fully_shard("")
    ex = explore(GPT(tied=True), plan=plan, view="widget")
    with pytest.raises(ConflictError, match="cannot run and costs nothing yet"):
        _ = ex.cost
    page = Page(ex)
    assert page.ask()["ok"]
    assert page.costs["refused"]["detail"].startswith("the layout has 1 conflict")
    assert page.costs["units"] == []


def test_nothing_is_worked_out_before_a_page_asks(page):
    """The trait is empty through edits; once asked it follows every edit, undo included."""
    page.ex.fully_shard("wte")
    page.settle()
    assert page.ex.widget.costs == ""
    assert page.ask()["ok"]
    first = page.costs
    assert (first["rev"], first["totals"]["units"]) == (1, len(page.ex.layout.units))
    page.ex.undo()
    page.settle()
    assert (page.costs["rev"], page.costs["totals"]["units"]) == (2, len(page.ex.layout.units))


def test_the_trait_says_what_cost_says(page):
    """Equal units are one row; numbers are those of `cost`; a refused question leaves the trait alone."""
    assert page.ask(world_size=3, optimizer="sgd_momentum")["ok"]
    data, asked = page.costs, cost(page.ex.layout, world_size=3, optimizer="sgd_momentum")
    assert set(data) == {"v", *CostsState.__dataclass_fields__}
    assert data["what_if"]["world_size"] == 3
    for row in data["units"]:
        numbers = [n for start, end, step in row["runs"] for n in range(start, end, step)]
        assert len(numbers) == row["times"]
        for number in numbers:
            unit = asked.units[number]
            for name in ("numel", "shard_nbytes", "unsharded_nbytes", "largest_buffer_nbytes", "reason", "waste"):
                assert row[name] == getattr(unit, name)
    assert sum(row["times"] for row in data["units"]) == len(asked.units)
    count = sum(row["times"] * row["collectives"] for row in data["units"])
    assert count == sum(row["count"] for row in data["collectives"]) == len(asked.collectives)
    for row in data["per_rank"]:
        for rank in range(row["ranks"][0], row["ranks"][1] + 1):
            assert row["total"] == asked.per_rank[rank].total
    assert data["peak"]["nbytes"] == sum(nbytes for _, nbytes in data["peak"]["terms"])
    assert data["peak"]["nbytes"] == max(nbytes for _, nbytes in data["peak"]["timeline"])
    before = page.ex.widget.costs
    reply = page.ask(optimizer="lion")
    assert not reply["ok"]
    assert reply["error"]["detail"].startswith("optimizer='lion'; known by name are")
    assert page.ex.widget.costs == before


def test_it_stays_small_for_large_models(recorded):
    """A mixture of experts with 2,304 units of experts on 2 x 2048 ranks is a few kilobytes."""
    plan = Plan().fully_shard("model.layers.*.mlp.experts.*").fully_shard("model.layers.*").fully_shard("")
    page = Page(explore(experts(12), plan=plan, view="widget"))
    assert page.ask(mesh_shape=[2, 2048])["ok"]
    assert len(page.ex.layout.units) == 9 * 256 + 12 + 1
    assert len(page.ex.widget.costs) < 20_000


def test_runs_and_thinned_moments():
    """Runs give the numbers back; thinning keeps the largest moment and the order."""
    for numbers in ([], [3], [0, 1, 2], [1, 3, 5, 6, 7, 20], list(range(0, 100, 9)) + [101, 102]):
        assert [n for start, end, step in progressions(numbers) for n in range(start, end, step)] == numbers
    points = [(str(n), (n * 37) % 1001) for n in range(1000)]
    kept = thinned(points, 120)
    assert len(kept) == 120
    assert max(points, key=lambda point: point[1]) in kept
    assert kept == sorted(kept, key=lambda point: int(point[0]))


def test_a_trace_can_be_asked_for(page):
    """With example inputs the peak is of everything and the layout knows the order; without any it is refused."""
    assert page.ask(traced=True)["error"]["detail"].startswith("trace needs something to feed the model")
    assert page.ask()["ok"]
    assert page.costs["what_if"]["traced"] is False
    ids = torch.zeros(2, 5, dtype=torch.long)
    fed = Page(explore(GPT(), plan=page.ex.plan, example_inputs=ids, view="widget"))
    assert "forward" not in fed.ex.layout.orders
    assert fed.ask(traced=True)["ok"]
    assert "activations" in dict(fed.costs["peak"]["terms"])
    assert not any("registered" in text for _, text in fed.costs["notes"])
    assert fed.ex.layout.orders["forward"] == ["", "h.0", "h.1", "h.2", "h.3"]
    assert fed.ex.cost.peak.nbytes == fed.costs["peak"]["nbytes"]
    assert "bfloat16" not in {each.dtype for each in fed.ex.cost.trace.saved}
    assert fed.ask(mixed_precision={"param_dtype": "bfloat16"})["ok"]
    assert "bfloat16" in {each.dtype for each in fed.ex.cost.trace.saved}
    fed.ex.fully_shard("wte")
    assert fed.ex.layout.orders["forward"] == ["", "wte", "h.0", "h.1", "h.2", "h.3"]


def test_the_time_of_a_step_at_rates(page):
    """Rates are asked for like everything else; what is missing is told, a rate that is none is refused."""
    assert page.ask()["ok"]
    assert page.costs["time"] is None
    assert page.ask(bytes_per_s=1e9, latency_s=1e-5)["ok"]
    time = page.costs["time"]
    assert [each["phase"] for each in time["phases"]] == ["forward", "backward"]
    assert [each["compute_s"] for each in time["phases"]] == [None, None]
    assert sum(each["communication_s"] for each in time["phases"]) == page.ex.cost.time.communication_s
    assert any(text.startswith("compute: a trace") for text in time["missing"])
    assert (page.costs["what_if"]["bytes_per_s"], page.costs["what_if"]["flops_per_s"]) == (1e9, None)
    assert page.ask(bytes_per_s=-1)["error"]["detail"].startswith("bytes_per_s=-1; give bytes a second")
    assert page.costs["what_if"]["bytes_per_s"] == 1e9
    assert page.ask(bytes_per_s=None, latency_s=None)["ok"]
    assert page.costs["time"] is None
    assert "Time of a step" in page.ex.what_if(flops_per_s=1e12).to_text()
