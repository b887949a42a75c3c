"""Who owns a parameter or a module that several modules use."""

from __future__ import annotations

import pytest
from parts import Part, conflict, finding, lin, tied, two_parents, w
from torch import nn

from sharding import Plan, by_class


def test_tied_inside_one_unit():
    """One parameter with two names, counted once, no remark."""
    layout = Plan().fully_shard("").resolve(tied())
    row = layout.params["emb.weight"]
    assert (row.names, row.unit, len(row.users)) == (("emb.weight", "head.weight"), "", 2)
    assert "head.weight" not in layout.params
    assert not layout.conflicts
    assert layout.findings == ()


def test_tied_across_policy_units_goes_to_the_common_ancestor():
    """The lowest unit above all users has it, by a finding that names both and the way out."""
    model = Part(stack=Part(a=Part(w=w()), b=Part(w=w())), other=Part(w=w()))
    model.stack.b.w = model.stack.a.w
    layout = Plan().fully_shard("", policy=by_class("Part")).resolve(model)
    assert not layout.conflicts
    assert layout.params["stack.a.w"].unit == "stack"
    assert [(unit.fqn, unit.numel) for unit in layout.units] == [
        ("", 0),
        ("stack", 3),
        ("stack.a", 0),
        ("stack.b", 0),
        ("other", 3),
    ]
    found = finding(layout, "moved_to_common_unit")
    assert found.message == (
        "'stack.a.w' and 'stack.b.w' are one parameter used in several units; it belongs to 'stack', the lowest unit "
        "above all its users, and is gathered there"
    )
    assert found.advice == "mark its users as one unit with a list if 'stack' should not hold it"


def test_common_ancestor_lies_on_every_path():
    """A unit that encloses a shared user by one path only cannot hold its parameter for the other path."""
    shared = Part(w=w())
    model = Part(a=Part(sh=shared, w=shared.w), b=Part(sh=shared))
    layout = Plan().fully_shard("", policy=by_class("Part")).resolve(model)
    assert layout.params["a.w"].unit == ""


def test_tied_to_a_unit_marked_by_hand():
    """A conflict that names the parameter by all its names, both owners, and the two ways out."""
    refused = conflict(Plan().fully_shard("emb").fully_shard("").resolve(tied()), "shared_param")
    assert refused.fqns == ("emb.weight", "head.weight")
    assert refused.message == (
        "'emb.weight' and 'head.weight' are one parameter, but its owners 'emb' and the root are different units, "
        "marked by hand: 'emb' and the root"
    )
    assert (
        refused.fix == "make one unit of its users, fully_shard(['emb', 'head']), or leave them to the unit above both"
    )
    assert not Plan().fully_shard(["emb", "head"]).fully_shard("").resolve(tied()).conflicts


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan().fully_shard("emb").fully_shard("head"), "owners 'emb' and 'head' lie under different local roots"),
        (Plan().replicate("emb").fully_shard(""), "it falls to replicate on 'emb' and fully_shard on the root"),
        (Plan().fully_shard("emb"), "it falls to fully_shard on 'emb' and nobody"),
    ],
)
def test_tied_across_borders(plan, says):
    """Across local roots, the border to `replicate`, or to nobody: a conflict that says between whom."""
    assert says in conflict(plan.resolve(tied()), "shared_param").message


def test_tied_across_replicate_groups():
    """The first group averages it, once."""
    layout = Plan().replicate("emb").replicate("head").resolve(tied())
    assert not layout.conflicts
    assert [(group.fqn, group.param_names) for group in layout.replicate_groups] == [
        ("emb", ("emb.weight",)),
        ("head", ()),
    ]
    assert "replicate on 'emb' averages it for all its users" in finding(layout, "shared_by_groups").message


def test_shared_module_in_two_units():
    """A conflict naming both paths; marking the shared module itself, or both parents as one unit, solves it."""
    plan = Plan().fully_shard("a").fully_shard("b").fully_shard("")
    refused = conflict(plan.resolve(two_parents(lin())), "shared_module")
    assert refused.fqns == ("a.sh", "b.sh")
    assert refused.message == (
        "'a.sh' and 'b.sh' are one Linear, but fully_shard on 'a' decides for the first and fully_shard on 'b' for the "
        "second"
    )
    assert refused.fix == "mark 'a.sh' itself, or put both users into one unit with a list"
    layout = plan.fully_shard("b.sh").resolve(two_parents(lin()))
    assert not layout.conflicts
    assert [(unit.fqn, unit.numel) for unit in layout.units] == [("", 0), ("a", 6), ("a.sh", 6), ("b", 6)]
    assert not Plan().fully_shard(["a", "b"]).fully_shard("").resolve(two_parents(lin())).conflicts


def test_shared_module_without_parameters():
    """An activation used in many units has nothing to decide."""
    plan = Plan().fully_shard("a").fully_shard("b").fully_shard("")
    assert not plan.resolve(two_parents(nn.ReLU())).conflicts


def test_parameters_deep_below_a_shared_module():
    """The shared module is named, also where only something far below it has parameters."""
    deep = Part(inner=Part(fc=lin()))
    refused = conflict(Plan().fully_shard("a").fully_shard("b").resolve(two_parents(deep)), "shared_module")
    assert refused.fqns == ("a.sh", "b.sh")
    marked = Plan().fully_shard("a").fully_shard("b").fully_shard("").fully_shard("a.sh.inner")
    assert not marked.resolve(two_parents(deep)).conflicts


@pytest.mark.parametrize("depth", ["a.sh", "a.sh.inner"])
def test_unit_under_two_local_roots(depth):
    """A unit reached by two paths must belong to one local tree."""
    deep = Part(inner=Part(fc=lin()))
    layout = Plan().fully_shard("a").fully_shard("b").fully_shard(depth).resolve(two_parents(deep))
    refused = conflict(layout, "two_local_roots")
    assert refused.message == (
        f"'a.sh' and 'b.sh' are one module and the unit {depth!r} is reached by both, but it lies under 'a' "
        "by the first "
        "name and under 'b' by the second"
    )
    assert refused.fix == "mark a module above both as fully_shard, outside any replicate"
