"""Layouts: the worked tree in all its orders, local roots, and the rows an engine works with."""

from __future__ import annotations

import pytest
from parts import Part, lin, tied, w
from torch import nn

from sharding import Plan, by_class
from sharding.parameters import UNSHARDED_SHAPE


def worked() -> Part:
    return Part(submod1=Part(w=w()), submod2=Part(w=w(), subsubmod=Part(w=w())), w=w())


@pytest.mark.parametrize(
    "plan",
    [
        Plan().fully_shard("", policy=by_class("Part")),
        Plan().fully_shard("**").fully_shard(""),
        Plan().fully_shard("submod2").fully_shard("", policy=by_class("Part")).fully_shard("submod2.subsubmod"),
    ],
)
def test_worked_tree(plan):
    """Every module a unit, by policy, by hand or mixed: the four orders are the same."""
    layout = plan.resolve(worked())
    pre = ["", "submod1", "submod2", "submod2.subsubmod"]
    assert layout.orders == {
        "dfs": pre,
        "units": pre,
        "handles": pre,
        "init_composable": ["submod2.subsubmod", "submod2", "submod1", ""],
        "init_wrapper": ["submod1", "submod2.subsubmod", "submod2", ""],
    }
    assert [(unit.fqn, unit.index, unit.is_root, unit.local_root) for unit in layout.units] == [
        ("", 0, True, ""),
        ("submod1", 1, False, ""),
        ("submod2", 2, False, ""),
        ("submod2.subsubmod", 3, False, ""),
    ]
    assert [unit.param_names for unit in layout.units] == [(f"{name}.w".lstrip("."),) for name in pre]


def test_unit_without_parameters_has_no_handle():
    """It stays a unit and a key of the walk, and takes no place among the handles."""
    layout = Plan().fully_shard("a").fully_shard("").resolve(Part(a=lin()))
    assert layout.orders["units"] == ["", "a"]
    assert layout.orders["handles"] == ["a"]
    assert [unit.index for unit in layout.units] == [None, 0]


def test_replicate_inside_fully_shard():
    """The replicated subtree is not seen by the outer unit, but a unit inside it is its own local root."""
    model = Part(pre=lin(), rep=Part(fc=lin(), deep=Part(fs=Part(fc=lin(), in_it=lin()))), out=lin())
    plan = Plan().fully_shard("rep.deep.fs").fully_shard("rep.deep.fs.in_it").replicate("rep").fully_shard("")
    layout = plan.resolve(model)
    assert {row.fqn: (row.status, row.unit, row.local_root, row.within) for row in layout.modules} == {
        "": ("fully_shard", "", "", None),
        "pre": ("in_unit", "", "", None),
        "rep": ("replicate", "rep", None, None),
        "rep.fc": ("replicated", "rep", None, "replicate:rep"),
        "rep.deep": ("replicated", "rep", None, "replicate:rep"),
        "rep.deep.fs": ("fully_shard", "rep.deep.fs", "rep.deep.fs", "replicate:rep"),
        "rep.deep.fs.fc": ("in_unit", "rep.deep.fs", "rep.deep.fs", "replicate:rep"),
        "rep.deep.fs.in_it": ("fully_shard", "rep.deep.fs.in_it", "rep.deep.fs", "replicate:rep"),
        "out": ("in_unit", "", "", None),
    }
    assert layout.orders["units"] == [""]
    assert layout.orders["handles:rep.deep.fs"] == ["rep.deep.fs", "rep.deep.fs.in_it"]
    assert layout.orders["init_composable:rep.deep.fs"] == ["rep.deep.fs.in_it", "rep.deep.fs"]
    assert layout.orders["init_wrapper:rep.deep.fs"] == ["rep.deep.fs.in_it", "rep.deep.fs"]
    assert [(unit.fqn, unit.index, unit.is_root) for unit in layout.units] == [
        ("", 0, True),
        ("rep.deep.fs", 0, True),
        ("rep.deep.fs.in_it", 1, False),
    ]
    (group,) = layout.replicate_groups
    assert group.param_names == ("rep.fc.weight", "rep.fc.bias")


def test_nested_replicate_goes_to_the_nearest():
    """An inner group keeps its parameters; the outer one has the rest."""
    layout = Plan().replicate("a").replicate("").resolve(Part(a=lin(), b=lin()))
    assert [(group.fqn, group.param_names) for group in layout.replicate_groups] == [
        ("", ("b.weight", "b.bias")),
        ("a", ("a.weight", "a.bias")),
    ]
    assert layout.orders["units"] == []


def test_unit_of_several_modules():
    """Its place and name are the first member's, its parameters in module pre-order, whatever order was typed."""
    layout = Plan().fully_shard(["head", "emb"]).fully_shard("").resolve(Part(emb=lin(), body=lin(), head=lin()))
    assert [unit.fqns for unit in layout.units] == [("",), ("emb", "head")]
    assert layout.units[1].param_names == ("emb.weight", "emb.bias", "head.weight", "head.bias")
    assert {row.fqn: row.unit for row in layout.modules} == {"": "", "emb": "emb", "body": "", "head": "emb"}


def test_units_below_any_member_of_a_local_root():
    """A local tree that starts at a unit of several modules has the units below all of them, in order."""
    model = Part(rep=Part(a=Part(w=w(), x=lin()), b=Part(y=lin())))
    plan = Plan().replicate("rep").fully_shard(["rep.a", "rep.b"]).fully_shard("rep.b.y").fully_shard("rep.a.x")
    layout = plan.resolve(model)
    assert not layout.conflicts
    assert layout.orders["handles:rep.a"] == ["rep.a", "rep.a.x", "rep.b.y"]
    assert [(unit.fqn, unit.local_root, unit.index) for unit in layout.units] == [
        ("rep.a", "rep.a", 0),
        ("rep.a.x", "rep.a", 1),
        ("rep.b.y", "rep.a", 2),
    ]


def test_a_cut_model_keeps_its_layout():
    """While data are pieces the layout still speaks of whole parameters."""
    model = Part(l=nn.Linear(4, 4, bias=False))
    whole = model.l.weight.shape
    model.l.weight.data = model.l.weight.data.flatten()[:8]
    setattr(model.l.weight, UNSHARDED_SHAPE, whole)
    layout = Plan().fully_shard("").resolve(model)
    assert (layout.params["l.weight"].shape, layout.units[0].numel) == (whole, 16)


def test_rows_hold_the_live_objects():
    """Rows keep the very parameters, holders and modules, in the order of `named_parameters`."""
    model = tied()
    layout = Plan().fully_shard("").resolve(model)
    assert list(layout.params) == [name for name, _ in model.named_parameters()]
    row = layout.params["emb.weight"]
    assert row.param is model.emb.weight
    assert [
        (holder is each, attr) for (holder, attr), each in zip(row.users, (model.emb, model.head), strict=True)
    ] == [
        (True, "weight"),
        (True, "weight"),
    ]
    assert layout.units[0].modules == (model,)


def test_reprs_are_short():
    """What a notebook shows for a layout and its rows."""
    layout = Plan().fully_shard("").replicate("a").resolve(Part(a=lin(), b=lin()))
    assert repr(layout) == "Layout(Part: 3 modules, 4 parameters, 1 units, 1 replicate groups, 0 conflicts)"
    assert repr(layout.units[0]) == "Unit([''], 2 parameters, 6 elements, full_shard)"
    assert repr(layout.replicate_groups[0]) == "ReplicateGroup('a', 2 parameters, 6 elements)"
    assert repr(layout.params["b.bias"]) == "ParamRow('b.bias', (2,), torch.float32, unit '')"
