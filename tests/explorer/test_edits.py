"""One edit: the shortest plan that says it, the line that repeats it, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from explored_models import GPT
from torch import nn

from explorer import edits
from sharding.errors import ConflictError, PlanError
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.policy import by_class
from sharding.traversal import tree_of

TREE = tree_of(GPT(depth=4))


def click(plan: Plan, verb: Any, *fqns: str) -> edits.Edit:
    """Mark modules as the page does, by their indices."""
    return edits.mark(plan, layout_of(plan, TREE), verb, [TREE.find(fqn).index for fqn in fqns])


def statuses(plan: Plan) -> list[tuple[str, str | None]]:
    return [(row.status, row.unit) for row in layout_of(plan, TREE).modules]


BLOCKS = ("h.0", "h.1", "h.2", "h.3")


@pytest.mark.parametrize(
    ("verb", "fqns", "code"),
    [
        ("fully_shard", ("",), "ex.fully_shard('')"),
        ("fully_shard", BLOCKS, "ex.fully_shard('h.*')"),
        ("fully_shard", ("h.0", "h.2"), "ex.fully_shard('h.0'); ex.fully_shard('h.2')"),
        ("replicate", ("h.0", "h.2"), "ex.replicate(['h.0', 'h.2'])"),
        ("ignore", tuple(f"{block}.up" for block in BLOCKS), "ex.ignore('h.*.up')"),
        (
            "fully_shard",
            tuple(f"{block}.{leaf}" for block in BLOCKS for leaf in ("up", "down")),
            "ex.fully_shard('h.*.up'); ex.fully_shard('h.*.down')",
        ),
    ],
)
def test_the_code_of_a_click_is_as_short_as_it_is_exact(verb, fqns, code):
    """All matches of a pattern are written as the pattern; nothing else is marked by it."""
    edit = click(Plan(), verb, *fqns)
    assert edit.code == code
    marked = {row.fqn for row in layout_of(edit.plan, TREE).modules if row.status in (verb, "ignored")}
    assert marked == set(fqns)


STARTS = {
    "pattern": Plan().fully_shard("").fully_shard("h.*"),
    "names": Plan().fully_shard("").fully_shard("h.0").fully_shard("h.1").fully_shard("h.2"),
    "policy": Plan().fully_shard("", policy=by_class("Block")),
    "replicated": Plan().fully_shard("").replicate("h.1"),
    "ignored": Plan().fully_shard("").ignore("h.1"),
    "nothing": Plan().fully_shard(""),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("verb", ["fully_shard", "replicate", "ignore"])
def test_a_mark_replaces_what_the_module_was_marked_with(start, verb):
    """Whatever was there, the module is now what was asked, its neighbours stay, and no conflict came."""
    plan = STARTS[start]
    before = statuses(plan)
    index = TREE.find("h.1").index
    status = {"ignore": "ignored"}.get(verb, verb)
    if before[index][0] == status:
        with pytest.raises(PlanError, match=r"'h\.1' is .* already"):
            click(plan, verb, "h.1")
        return
    after = click(plan, verb, "h.1").plan
    assert statuses(after)[index] == (status, "h.1")
    assert layout_of(after, TREE).conflicts == ()
    others = [at for at in range(len(TREE.nodes)) if not TREE.find("h.1").contains(TREE.nodes[at])]
    assert [statuses(after)[at] for at in others] == [before[at] for at in others]


def test_marking_back_and_forth_does_not_pile_up():
    """The plan says what is asked now, not how one came there."""
    plan = Plan().fully_shard("")
    for _ in range(3):
        for verb in ("fully_shard", "replicate", "ignore", "clear"):
            plan = click(plan, verb, *BLOCKS).plan
    assert plan == Plan().fully_shard("")


def test_one_of_a_pattern_is_an_exception_to_it():
    """An exact name wins, so nothing needs to be taken back."""
    plan = click(STARTS["pattern"], "replicate", "h.2").plan
    assert plan.code() == "Plan().fully_shard('').fully_shard('h.*').replicate('h.2')"
    assert click(plan, "clear", "h.2").plan.code() == "Plan().fully_shard('').fully_shard('h.*').clear('h.2')"


def test_of_several_only_those_that_change_are_marked():
    """Shift-selecting over a marked row is no error."""
    edit = click(Plan().fully_shard("h.1"), "fully_shard", "h.0", "h.1")
    assert edit.code == "ex.fully_shard('h.0')"


@pytest.mark.parametrize(
    ("verb", "fqn", "words"),
    [
        ("clear", "h.1", r"'h\.1' has no mark of its own; the root module decides"),
        ("fully_shard", "", "the root module is a unit already; clear it, or undo"),
    ],
)
def test_an_edit_that_changes_nothing_is_refused(verb, fqn, words):
    """It would only pile up in the history."""
    with pytest.raises(PlanError, match=words):
        click(Plan().fully_shard(""), verb, fqn)


def test_clearing_where_nothing_is_marked():
    """No owner to name."""
    with pytest.raises(PlanError, match="nothing above it has one"):
        click(Plan(), "clear", "h.1")


def test_a_unit_that_a_policy_made_says_so():
    """Marking it again by hand changes nothing; clearing it does."""
    with pytest.raises(PlanError, match="a policy made it one"):
        click(STARTS["policy"], "fully_shard", "h.1")
    after = click(STARTS["policy"], "clear", "h.1").plan
    assert statuses(after)[TREE.find("h.1").index] == ("in_unit", "")


def test_groups():
    """Members that were marked by themselves are taken over; the same group twice is refused."""
    plan = Plan().fully_shard("").fully_shard("h.0")
    indices = [TREE.find("h.0").index, TREE.find("h.3").index]
    edit = edits.group(plan, layout_of(plan, TREE), indices)
    assert edit.code == "ex.fully_shard(['h.0', 'h.3'])"
    assert [unit.fqns for unit in layout_of(edit.plan, TREE).units] == [("",), ("h.0", "h.3")]
    with pytest.raises(PlanError, match="one unit already"):
        edits.group(edit.plan, layout_of(edit.plan, TREE), indices)
    with pytest.raises(PlanError, match="at least two"):
        edits.group(plan, layout_of(plan, TREE), indices[:1])
    alone = click(edit.plan, "fully_shard", "h.3").plan
    assert [unit.fqns for unit in layout_of(alone, TREE).units] == [("",), ("h.0",), ("h.3",)]


def test_calls_take_names_patterns_lists_policies_and_settings():
    """As `Plan` does; a policy alone is one for the root."""
    start = Plan()

    def call(plan: Plan, verb: Any, target: Any, **settings: Any) -> edits.Edit:
        return edits.call(plan, layout_of(plan, TREE), verb, target, **settings)

    edit = call(start, "fully_shard", by_class("Block"))
    assert edit.code == "ex.fully_shard('', policy=by_class('Block'))"
    edit = call(start, "fully_shard", "h.*", strategy="shard_grad_op")
    assert edit.code == "ex.fully_shard('h.*', strategy='shard_grad_op')"
    again = call(edit.plan, "fully_shard", "h.1", strategy="no_shard")
    assert [unit.strategy for unit in layout_of(again.plan, TREE).units] == [
        "shard_grad_op",
        "no_shard",
        "shard_grad_op",
        "shard_grad_op",
    ]
    with pytest.raises(PlanError, match="would change nothing"):
        call(again.plan, "fully_shard", "h.1", strategy="no_shard")
    ignored = call(start.fully_shard(""), "ignore", "wte.weight")
    assert layout_of(ignored.plan, TREE).params["wte.weight"].owner_kind == "ignored"
    assert call(ignored.plan, "clear", "wte.weight").plan == start.fully_shard("")
    with pytest.raises(PlanError, match="did you mean 'h'"):
        call(start, "replicate", "hh")
    for target in (nn.Linear(1, 1), [nn.Linear(1, 1)]):
        with pytest.raises(PlanError, match="names modules by text, got Linear"):
            call(start, "fully_shard", target)


def test_only_new_conflicts_are_refused():
    """A plan that came with a conflict can be edited, and mended."""
    broken = layout_of(Plan().fully_shard("h"), TREE)
    edits.check(broken, layout_of(Plan().fully_shard("h").replicate("head"), TREE))
    with pytest.raises(ConflictError, match="mark its children instead") as caught:
        edits.check(layout_of(Plan(), TREE), broken)
    assert [each.kind for each in caught.value.conflicts] == ["container"]
