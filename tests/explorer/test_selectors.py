"""Selectors find what people who read them would expect; the page answers the same file of cases."""

from __future__ import annotations

import oracles
import pytest
from explored_models import GPT

from explorer.selectors import select, selected
from sharding.errors import PlanError
from sharding.plan import Plan

DATA = oracles.read("selectors")


@pytest.fixture(scope="module")
def layouts():
    """The layout of each model of the file, whose payloads are what is sent."""
    made = {name: oracles.layout_and_payload(each) for name, each in oracles.SELECTED.items()}
    assert {name: payload for name, (_, payload) in made.items()} == DATA["models"], "run tests/explorer/oracles.py"
    return {name: layout for name, (layout, _) in made.items()}


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: f"{case['model']}: {case['selector']}")
def test_a_selector_finds_these_modules(case, layouts):
    """First names, in pre-order, worked out by hand."""
    layout = layouts[case["model"]]
    assert [layout.modules[index].fqn for index in select(layout, case["selector"])] == case["fqns"]


@pytest.mark.parametrize("case", DATA["errors"], ids=lambda case: repr(case["selector"]))
def test_what_is_no_selector_says_which_part(case, layouts):
    """And what would be one."""
    with pytest.raises(PlanError, match="cannot read") as caught:
        select(layouts["gpt"], case["selector"])
    assert case["part"] in str(caught.value)
    assert "A selector is a name or pattern, type:…" in str(caught.value)


def test_finding_nothing_is_refused_where_something_is_to_be_marked(layouts):
    """A name says what is near, a condition only that nothing holds it."""
    with pytest.raises(PlanError, match=r"no module named 'h\.0\.upp'.*did you mean 'h\.0\.up'"):
        selected(layouts["gpt"], "h.0.upp")
    with pytest.raises(PlanError, match="the selector 'params>1T' finds no module in GPT"):
        selected(layouts["gpt"], " params>1T")


def test_brackets_hold_any_sign():
    """A child may be called anything without a dot."""
    model = GPT(depth=1)
    model.add_module("a,b c", GPT(depth=1).head)
    model.add_module("x>1", GPT(depth=1).head)
    layout = Plan().resolve(model)
    for text, fqn in {"a[,]b[ ]c": "a,b c", "x[>]1": "x>1", "name:a*c": "a,b c"}.items():
        assert [layout.modules[index].fqn for index in select(layout, text)] == [fqn]
