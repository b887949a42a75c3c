"""The boundary of units, one level up or down: one edit, undone at once, refused where there is no such level."""

from __future__ import annotations

import pytest
from explored_models import GPT
from recording_comm import page_sends

from explorer import boundaries, edits, explore
from sharding.errors import PlanError
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of

TREE = tree_of(GPT(depth=4))


def moved(plan: Plan, way: boundaries.Way, *fqns: str) -> edits.Edit:
    return boundaries.move(plan, layout_of(plan, TREE), way, [TREE.find(fqn).index for fqn in fqns])


def units(plan: Plan) -> list[str]:
    return [unit.fqn for unit in layout_of(plan, TREE).units]


BLOCKS = ("h.0", "h.1", "h.2", "h.3")
PARTS = [child.fqn for block in BLOCKS for child in TREE.find(block).children if child.params or child.children]


def test_down_marks_every_child_with_parameters_and_clears_the_blocks() -> None:
    """The code of the edit repeats it, one pattern for each kind of child."""
    edit = moved(Plan().fully_shard("h.*"), "down", *BLOCKS)
    assert units(edit.plan) == PARTS
    assert edit.code.startswith("ex.clear('h.*'); ex.fully_shard('h.*.")


def test_up_goes_past_a_module_list() -> None:
    """`h` is a ModuleList, which torch cannot shard: the boundary of blocks moves to the model."""
    assert units(moved(Plan().fully_shard("h.*"), "up", *BLOCKS).plan) == [""]


def test_down_from_the_model_goes_past_a_module_list() -> None:
    """Its blocks are the level below, not the list that holds them."""
    below = units(moved(Plan().fully_shard(""), "down", "").plan)
    assert set(BLOCKS) <= set(below)
    assert not {"h", ""} & set(below)


def test_down_and_up_again_is_the_plan_before() -> None:
    """What went down comes back up as it was, settings included."""
    plan = Plan().fully_shard("h.*", strategy="shard_grad_op")
    down = moved(plan, "down", *BLOCKS).plan
    assert {unit.annotation.options.strategy for unit in layout_of(down, TREE).units} == {"shard_grad_op"}
    assert moved(down, "up", *PARTS).plan == plan


@pytest.mark.parametrize(
    ("plan", "way", "fqns", "reason"),
    [
        (Plan(), "up", ("h.0",), "'h.0' is no unit"),
        (Plan().fully_shard(""), "up", ("",), "as high as it goes"),
        (Plan().fully_shard("").fully_shard("h.0"), "up", ("h.0",), "the root module is a unit already"),
        (Plan().fully_shard(["h.0", "h.1"]), "down", ("h.0",), "is one unit with 1 more"),
        (
            Plan().fully_shard("h.0", strategy="no_shard").fully_shard("h.1"),
            "down",
            ("h.0", "h.1"),
            "different settings",
        ),
        (Plan().fully_shard("h.0.up"), "down", ("h.0.up",), "nothing below 'h.0.up'"),
        (Plan().fully_shard("h.0", ignored="h.0.up"), "down", ("h.0",), "leaves modules or parameters out"),
    ],
)
def test_a_boundary_that_cannot_move_says_why(
    plan: Plan, way: boundaries.Way, fqns: tuple[str, ...], reason: str
) -> None:
    """Nothing is half moved."""
    with pytest.raises(PlanError, match=reason):
        moved(plan, way, *fqns)


def test_one_command_is_one_edit_one_undo_and_code_that_repeats_it(recorded: object) -> None:
    """The page gets one new plan, and the line under it makes the same plan by hand."""
    ex, again = explore(GPT(depth=4), view="widget"), explore(GPT(depth=4), view="widget")
    for each in (ex, again):
        each.fully_shard("h.*")
    before = ex.plan
    page_sends(ex.widget, {"id": 1, "cmd": "boundary", "way": "down", "indices": [TREE.find("h.1").index]})
    ex._session.turns.ask(lambda: None)
    assert ex._session.state.rev == 2
    exec(ex._session.state.last, {"ex": again})
    assert units(again.plan) == units(ex.plan) != units(before)
    ex.undo()
    assert ex.plan == before
