"""Layouts: the worked tree, what each conflict and finding says, and who owns a parameter in the cases that matter."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from sharding import Plan, by_class
from sharding.annotations import Annotation
from sharding.layout import Layout
from sharding.parameters import UNSHARDED_SHAPE
from sharding.resolution import resolve_annotations
from sharding.traversal import tree_of


class Part(nn.Module):
    """Has a forward and whatever children it is given."""

    def __init__(self, **parts: nn.Module | nn.Parameter) -> None:
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x):
        return x


def _lin(size: int = 2, bias: bool = True) -> nn.Linear:
    return nn.Linear(size, size, bias=bias)


def _worked() -> Part:
    return Part(submod1=Part(w=_w()), submod2=Part(w=_w(), subsubmod=Part(w=_w())), w=_w())


def _w(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.empty(shape or (3,), device="meta"))


def _conflict(layout: Layout, kind: str):
    (found,) = [conflict for conflict in layout.conflicts if conflict.kind == kind]
    return found


def _finding(layout: Layout, kind: str):
    (found,) = [finding for finding in layout.findings if finding.kind == kind]
    return found


def _kinds(layout: Layout) -> list[str]:
    return [conflict.kind for conflict in layout.conflicts]


# -- the worked tree -----------------------------------------------------------------------------------------------


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
    layout = plan.resolve(_worked())
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
    layout = Plan().fully_shard("a").fully_shard("").resolve(Part(a=_lin()))
    assert layout.orders["units"] == ["", "a"]
    assert layout.orders["handles"] == ["a"]
    assert [unit.index for unit in layout.units] == [None, 0]


def test_replicate_inside_fully_shard():
    """The replicated subtree is not seen by the outer unit, but a unit inside it is its own local root."""
    model = Part(pre=_lin(), rep=Part(fc=_lin(), deep=Part(fs=Part(fc=_lin(), in_it=_lin()))), out=_lin())
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
    layout = Plan().replicate("a").replicate("").resolve(Part(a=_lin(), b=_lin()))
    assert [(group.fqn, group.param_names) for group in layout.replicate_groups] == [
        ("", ("b.weight", "b.bias")),
        ("a", ("a.weight", "a.bias")),
    ]
    assert layout.orders["units"] == []


def test_unit_of_several_modules():
    """Its place and name are the first member's, its parameters in module pre-order, whatever order was typed."""
    layout = Plan().fully_shard(["head", "emb"]).fully_shard("").resolve(Part(emb=_lin(), body=_lin(), head=_lin()))
    assert [unit.fqns for unit in layout.units] == [("",), ("emb", "head")]
    assert layout.units[1].param_names == ("emb.weight", "emb.bias", "head.weight", "head.bias")
    assert {row.fqn: row.unit for row in layout.modules} == {"": "", "emb": "emb", "body": "", "head": "emb"}


def test_units_below_any_member_of_a_local_root():
    """A local tree that starts at a unit of several modules has the units below all of them, in order."""
    model = Part(rep=Part(a=Part(w=_w(), x=_lin()), b=Part(y=_lin())))
    plan = Plan().replicate("rep").fully_shard(["rep.a", "rep.b"]).fully_shard("rep.b.y").fully_shard("rep.a.x")
    layout = plan.resolve(model)
    assert not layout.conflicts
    assert layout.orders["handles:rep.a"] == ["rep.a", "rep.a.x", "rep.b.y"]
    assert [(unit.fqn, unit.local_root, unit.index) for unit in layout.units] == [
        ("rep.a", "rep.a", 0),
        ("rep.a.x", "rep.a", 1),
        ("rep.b.y", "rep.a", 2),
    ]


# -- who owns a shared parameter -----------------------------------------------------------------------------------


def _tied(**extra: nn.Module) -> Part:
    model = Part(emb=_lin(bias=False), body=_lin(), head=_lin(bias=False), **extra)
    model.head.weight = model.emb.weight
    return model


def test_tied_inside_one_unit():
    """One parameter with two names, counted once, no remark."""
    layout = Plan().fully_shard("").resolve(_tied())
    row = layout.params["emb.weight"]
    assert (row.names, row.unit, len(row.users)) == (("emb.weight", "head.weight"), "", 2)
    assert "head.weight" not in layout.params
    assert not layout.conflicts
    assert layout.findings == ()


def test_tied_across_policy_units_goes_to_the_common_ancestor():
    """The lowest unit above all users has it, by a finding that names both and the way out."""
    model = Part(stack=Part(a=Part(w=_w()), b=Part(w=_w())), other=Part(w=_w()))
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
    found = _finding(layout, "moved_to_common_unit")
    assert found.message == (
        "'stack.a.w' and 'stack.b.w' are one parameter used in several units; it belongs to 'stack', the lowest unit "
        "above all its users, and is gathered there"
    )
    assert found.advice == "mark its users as one unit with a list if 'stack' should not hold it"


def test_common_ancestor_lies_on_every_path():
    """A unit that encloses a shared user by one path only cannot hold its parameter for the other path."""
    shared = Part(w=_w())
    model = Part(a=Part(sh=shared, w=shared.w), b=Part(sh=shared))
    layout = Plan().fully_shard("", policy=by_class("Part")).resolve(model)
    assert layout.params["a.w"].unit == ""


def test_tied_to_a_unit_marked_by_hand():
    """A conflict that names the parameter by all its names, both owners, and the two ways out."""
    conflict = _conflict(Plan().fully_shard("emb").fully_shard("").resolve(_tied()), "shared_param")
    assert conflict.fqns == ("emb.weight", "head.weight")
    assert conflict.message == (
        "'emb.weight' and 'head.weight' are one parameter, but its owners 'emb' and '' are different units and 'emb', '' "
        "were marked by hand"
    )
    assert (
        conflict.fix == "make one unit of its users, fully_shard(['emb', 'head']), or leave them to the unit above both"
    )
    assert not Plan().fully_shard(["emb", "head"]).fully_shard("").resolve(_tied()).conflicts


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan().fully_shard("emb").fully_shard("head"), "owners 'emb' and 'head' lie under different local roots"),
        (Plan().replicate("emb").fully_shard(""), "it falls to replicate on 'emb' and fully_shard on ''"),
        (Plan().fully_shard("emb"), "it falls to fully_shard on 'emb' and nobody"),
    ],
)
def test_tied_across_borders(plan, says):
    """Across local roots, the border to `replicate`, or to nobody: a conflict that says between whom."""
    assert says in _conflict(plan.resolve(_tied()), "shared_param").message


def test_tied_across_replicate_groups():
    """The first group averages it, once."""
    layout = Plan().replicate("emb").replicate("head").resolve(_tied())
    assert not layout.conflicts
    assert [(group.fqn, group.param_names) for group in layout.replicate_groups] == [
        ("emb", ("emb.weight",)),
        ("head", ()),
    ]
    assert "replicate on 'emb' averages it for all its users" in _finding(layout, "shared_by_groups").message


# -- shared modules ------------------------------------------------------------------------------------------------


def _two_parents(shared: nn.Module) -> Part:
    return Part(a=Part(own=_lin(), sh=shared), b=Part(own=_lin(), sh=shared))


def test_shared_module_in_two_units():
    """A conflict naming both paths; marking the shared module itself, or both parents as one unit, solves it."""
    plan = Plan().fully_shard("a").fully_shard("b").fully_shard("")
    conflict = _conflict(plan.resolve(_two_parents(_lin())), "shared_module")
    assert conflict.fqns == ("a.sh", "b.sh")
    assert conflict.message == (
        "'a.sh' and 'b.sh' are one Linear, but fully_shard on 'a' decides for the first and fully_shard on 'b' for the "
        "second"
    )
    assert conflict.fix == "mark 'a.sh' itself, or put both users into one unit with a list"
    layout = plan.fully_shard("b.sh").resolve(_two_parents(_lin()))
    assert not layout.conflicts
    assert [(unit.fqn, unit.numel) for unit in layout.units] == [("", 0), ("a", 6), ("a.sh", 6), ("b", 6)]
    assert not Plan().fully_shard(["a", "b"]).fully_shard("").resolve(_two_parents(_lin())).conflicts


def test_shared_module_without_parameters():
    """An activation used in many units has nothing to decide."""
    plan = Plan().fully_shard("a").fully_shard("b").fully_shard("")
    assert not plan.resolve(_two_parents(nn.ReLU())).conflicts


def test_parameters_deep_below_a_shared_module():
    """The shared module is named, also where only something far below it has parameters."""
    deep = Part(inner=Part(fc=_lin()))
    conflict = _conflict(Plan().fully_shard("a").fully_shard("b").resolve(_two_parents(deep)), "shared_module")
    assert conflict.fqns == ("a.sh", "b.sh")
    marked = Plan().fully_shard("a").fully_shard("b").fully_shard("").fully_shard("a.sh.inner")
    assert not marked.resolve(_two_parents(deep)).conflicts


@pytest.mark.parametrize("depth", ["a.sh", "a.sh.inner"])
def test_unit_under_two_local_roots(depth):
    """A unit reached by two paths must belong to one local tree."""
    deep = Part(inner=Part(fc=_lin()))
    layout = Plan().fully_shard("a").fully_shard("b").fully_shard(depth).resolve(_two_parents(deep))
    conflict = _conflict(layout, "two_local_roots")
    assert conflict.message == (
        f"'a.sh' and 'b.sh' are one module and the unit {depth!r} is reached by both, but it lies under 'a' by the first "
        "name and under 'b' by the second"
    )
    assert conflict.fix == "mark a module above both as fully_shard, outside any replicate"


# -- ignoring ------------------------------------------------------------------------------------------------------


def test_ignored_subtree_with_a_unit_inside():
    """The unit inside keeps its mark and the layout says so; the rest of the subtree has no owner, and that is told."""
    model = Part(blk=Part(fc1=_lin(), fc2=_lin()), out=_lin())
    layout = Plan().fully_shard("blk.fc1").ignore("blk").fully_shard("").resolve(model)
    assert not layout.conflicts
    assert {row.fqn: (row.status, row.within) for row in layout.modules} == {
        "": ("fully_shard", None),
        "blk": ("ignored", None),
        "blk.fc1": ("fully_shard", "ignored:blk"),
        "blk.fc2": ("in_ignored", "ignored:blk"),
        "out": ("in_unit", None),
    }
    assert layout.orders["handles"] == ["", "blk.fc1"]
    assert _finding(layout, "annotated_in_ignored").message == (
        "'blk.fc1' lies in the ignored 'blk' but is marked fully_shard itself and stays so"
    )
    left = _finding(layout, "not_averaged")
    assert left.fqns == ("blk.fc2.weight", "blk.fc2.bias")
    assert left.message == (
        "2 trainable parameters ('blk.fc2.weight', 'blk.fc2.bias'; 6 elements) have no owner: nobody averages their "
        "gradients, so they drift apart from rank to rank"
    )


def test_plan_ignore_goes_to_every_call_above():
    """Nearest annotation and all outer ones leave it out: no conflict, whichever unit would have taken it."""
    model = Part(a=Part(b=Part(fc=_lin(), w=_w()), w=_w()), w=_w())
    layout = Plan().fully_shard("a.b").fully_shard("a").fully_shard("").ignore("a.b.fc").ignore("a.b.w").resolve(model)
    assert not layout.conflicts
    assert {name: row.owner_kind for name, row in layout.params.items()} == {
        "w": "unit",
        "a.w": "unit",
        "a.b.w": "ignored",
        "a.b.fc.weight": "ignored",
        "a.b.fc.bias": "ignored",
    }


def test_ignoring_what_an_inner_unit_owns():
    """A call may not leave out what an inner unit or group has taken: named, with the call to change."""
    model = Part(b=Part(fc1=_lin(), fc2=_lin()))
    inner = Annotation("fully_shard", (model.b,))
    outer = Annotation("fully_shard", (model,), ignored_modules=(model.b.fc1,))
    conflict = _conflict(resolve_annotations(tree_of(model), [inner, outer]), "ignored_owned")
    assert conflict.message == "'' ignores 'b.fc1', but fully_shard on 'b' already owns it"
    assert conflict.fix == "ignore 'b.fc1' in the call on 'b' as well, or do not mark 'b'"
    single = Annotation("fully_shard", (model,), ignored_params=(model.b.fc2.bias,))
    layout = resolve_annotations(tree_of(model), [inner, single])
    assert _conflict(layout, "ignored_owned").message == (
        "'' ignores the parameter 'b.fc2.bias', but fully_shard on 'b' already owns it"
    )
    assert layout.params["b.fc2.bias"].unit == "b"


def test_ignored_sets_of_inner_calls_stay_ignored():
    """What the inner call left out is not taken by the outer one, nor is its tied twin outside."""
    model = Part(b=Part(fc=_lin(), w=_w()), twin=Part())
    model.twin.w = model.b.fc.weight
    inner = Annotation("fully_shard", (model.b,), ignored_modules=(model.b.fc,))
    outer = Annotation("fully_shard", (model,))
    layout = resolve_annotations(tree_of(model), [inner, outer])
    assert not layout.conflicts
    assert layout.params["b.fc.weight"].owner_kind == "ignored"
    assert _finding(layout, "ignored_everywhere").message == (
        "'b.fc.weight' and 'twin.w' are one parameter and 'b.fc' is ignored, so it is ignored under all its names: nobody "
        "averages it"
    )


def test_ignoring_outside_the_call():
    """A call may only leave out what lies inside it."""
    model = Part(a=_lin(), b=_lin())
    layout = resolve_annotations(tree_of(model), [Annotation("fully_shard", (model.a,), ignored_modules=(model.b,))])
    conflict = _conflict(layout, "ignored_outside")
    assert conflict.message == "fully_shard on 'a' is to ignore 'b', which is not inside it"
    assert conflict.fix == "ignore it in a call on a module that holds it"


def test_shared_module_in_an_ignored_subtree():
    """Ignored by one path is ignored by all, with a finding that names both."""
    layout = Plan().fully_shard("").ignore("a").resolve(_two_parents(_lin()))
    assert layout.params["a.sh.weight"].owner_kind == "ignored"
    assert _finding(layout, "ignored_everywhere").message == (
        "'a.sh' lies in the ignored 'a', so it is ignored as 'b.sh' too: nobody averages it"
    )


def test_ignored_parameter_with_two_names():
    """A single parameter left out is left out under all its names, of every call that holds one."""
    layout = Plan().fully_shard("").replicate("head").ignore("emb.weight").resolve(_tied())
    assert not layout.conflicts
    assert layout.params["emb.weight"].owner_kind == "ignored"


# -- the other conflicts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "kind", "message", "fix"),
    [
        ("fully_shard", "fully_shard", "twice", "fully_shard is applied twice to 'a', a Linear", "mark it once"),
        (
            "replicate",
            "fully_shard",
            "both_apis",
            "'a', a Linear, is marked replicate and fully_shard",
            "choose one of the two; replicate came first",
        ),
        (
            "fully_shard",
            "replicate",
            "both_apis",
            "'a', a Linear, is marked fully_shard and replicate",
            "choose one of the two; fully_shard came first",
        ),
    ],
)
def test_marked_twice(first, second, kind, message, fix):
    """The module is named with both marks, in either order."""
    plan = getattr(getattr(Plan(), first)("a"), second)("a")
    conflict = _conflict(plan.resolve(Part(a=_lin())), kind)
    assert (conflict.fqns, conflict.message, conflict.fix) == (("a",), message, fix)


def test_marked_twice_by_two_names():
    """A second mark under another name of a shared module says which module that is."""
    lin = _lin()
    model = nn.Sequential(lin, nn.ReLU(), lin)
    assert _conflict(Plan().fully_shard("0").fully_shard("2").resolve(model), "twice").message == (
        "fully_shard is applied twice to '0' (also named '2'), a Linear"
    )
    assert "the root ''" in _conflict(Plan().fully_shard("").fully_shard("").resolve(model), "twice").message


class BareList(nn.ModuleList):
    pass


class Head(nn.ModuleDict):
    def forward(self, x):
        return x


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
@pytest.mark.parametrize(
    ("container", "fix"),
    [
        (nn.ModuleList([_lin(), _lin()]), "mark its children instead: 'c.0', 'c.1'"),
        (BareList([_lin() for _ in range(5)]), "mark its children instead: 'c.0', 'c.1', 'c.2', 'c.3', ..."),
        (nn.ModuleDict({"x": _lin()}), "mark its children instead: 'c.x'"),
        (nn.ParameterList([_w()]), "mark the module that uses it"),
        (nn.ParameterDict({"w": _w()}), "mark the module that uses it"),
    ],
)
def test_bare_containers(verb, container, fix):
    """Nobody calls a container: refused by name and class, with its children proposed, for both verbs."""
    conflict = _conflict(getattr(Plan(), verb)("c").resolve(Part(c=container)), "container")
    assert conflict.message == (
        f"{verb} on 'c': a {type(container).__name__} has no forward, so nothing would ever gather or average its parameters"
    )
    assert conflict.fix == fix


def test_container_with_a_forward():
    """A container class that can be called is a module like any other."""
    layout = Plan().fully_shard("h").fully_shard("").resolve(Part(h=Head({"a": _lin(), "b": _lin()}), o=_lin()))
    assert not layout.conflicts
    assert [unit.numel for unit in layout.units] == [6, 12]
    assert layout.findings == ()


def test_holder_without_forward():
    """Accepted, with a warning that nothing gathers it and what to mark instead."""

    class Holder(nn.Module):
        def __init__(self):
            super().__init__()
            self.l = _lin()

    layout = Plan().fully_shard("h").fully_shard("").resolve(Part(h=Holder(), o=_lin()))
    assert not layout.conflicts
    found = _finding(layout, "no_forward")
    assert (found.severity, found.message) == (
        "warn",
        "'h', a Holder, has no forward: nothing will gather its parameters",
    )
    assert found.advice == "mark its children instead: 'h.l'"
    own = Holder()
    own.forward = lambda x: x
    assert "no_forward" not in {f.kind for f in Plan().fully_shard("h").resolve(Part(h=own)).findings}


def test_nested_members():
    """Members of one unit may not contain one another, by any path; one sentence, no second complaint."""
    layout = Plan().fully_shard(["a", "a.x"]).fully_shard("").resolve(Part(a=Part(x=_lin())))
    assert _kinds(layout) == ["nested_members"]
    conflict = _conflict(layout, "nested_members")
    assert conflict.message == "one unit is to hold 'a' and 'a.x', but the second lies inside the first"
    assert conflict.fix == "leave 'a.x' out of the list: it travels with 'a' anyway"
    assert "nested_members" in _kinds(Plan().fully_shard(["a.sh", "b"]).resolve(_two_parents(_lin())))


def test_members_under_different_local_roots():
    """A unit lives in one local tree."""
    layout = Plan().fully_shard(["a", "r.x"]).replicate("r").fully_shard("").resolve(Part(a=_lin(), r=Part(x=_lin())))
    conflict = _conflict(layout, "split_group")
    assert conflict.message == "one unit is to hold 'a', 'r.x', but they lie under different local roots"
    assert conflict.fix == "make separate units of them, or mark a module above all of them as fully_shard"


class Stub(torch.Tensor):
    """A tensor subclass with nothing behind it; showing it raises."""

    @staticmethod
    def __new__(cls, data):
        return torch.Tensor._make_wrapper_subclass(cls, data.shape, dtype=data.dtype, device=data.device)

    def __init__(self, data):
        self.data_inside = data

    def __repr__(self):
        raise AssertionError("repr was called")

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        if function is torch.ops.aten.detach.default:
            return Stub(args[0].data_inside.detach())
        raise NotImplementedError(f"Stub has no {function}")


@pytest.mark.parametrize(
    ("param", "message", "fix"),
    [
        (
            nn.Parameter(torch.tensor(1.0)),
            "'q' is a scalar of shape (), so fully_shard cannot take it",
            "give it the shape (1,), or ignore it (its gradient is then not averaged over the ranks)",
        ),
        (
            nn.UninitializedParameter(),
            "'q' is lazy and has no shape yet, so fully_shard cannot take it",
            "run one forward of the unmarked model on example inputs first, so that it gets its shape",
        ),
        (
            nn.Parameter(Stub(torch.ones(4, 2)), requires_grad=False),
            "'q' is a Stub, a tensor subclass that this engine cannot cut (it has no plain storage to view), so fully_shard "
            "cannot take it",
            "ignore it: ignored_params=[...], or plan.ignore('q')",
        ),
    ],
)
def test_parameters_that_cannot_be_cut(param, message, fix):
    """Named with what is wrong and the change to make; ignored, they are no obstacle."""
    model = Part(q=param, l=_lin())
    layout = Plan().fully_shard("").resolve(model)
    conflict = _conflict(layout, "unshardable_param")
    assert (conflict.fqns, conflict.message, conflict.fix) == (("q",), message, fix)
    assert layout.params["q"].numel in (0, 1, 8)
    assert not Plan().fully_shard("").ignore("q").resolve(model).conflicts


def test_replicate_takes_scalars_but_no_lazy_ones():
    """A whole parameter of any shape can be averaged; one without a shape cannot be compared between ranks."""
    assert not Plan().replicate("").resolve(Part(q=nn.Parameter(torch.tensor(1.0)))).conflicts
    lazy = Plan().replicate("").resolve(Part(q=nn.UninitializedParameter()))
    assert (
        "'q' is lazy and has no shape yet, so replicate cannot take it" in _conflict(lazy, "unshardable_param").message
    )


@pytest.mark.parametrize("dtype", [torch.int8, torch.float8_e4m3fn, torch.complex64, torch.bfloat16])
def test_other_dtypes_are_no_obstacle(dtype):
    """Several dtypes, integers, float8 and frozen parameters may share a unit."""
    odd = nn.Parameter(
        torch.empty(4, device="meta", dtype=dtype), requires_grad=dtype.is_floating_point or dtype.is_complex
    )
    layout = Plan().fully_shard("").resolve(Part(odd=odd, l=_lin()))
    assert not layout.conflicts
    assert layout.units[0].param_names == ("odd", "l.weight", "l.bias")


# -- the other findings --------------------------------------------------------------------------------------------


def test_no_common_root():
    """Local roots side by side are told, with what to mark."""
    layout = Plan().fully_shard("a").fully_shard("b").resolve(Part(a=_lin(), b=_lin()))
    found = _finding(layout, "no_common_root")
    assert found.fqns == ("a", "b")
    assert found.message.startswith(
        "2 local roots ('a', 'b') and nothing above them: each is gathered from its forward"
    )
    assert found.advice == "mark the module above them as fully_shard as well"


def test_root_inside_replicate():
    """A local root inside a replicated subtree is told."""
    found = _finding(Plan().fully_shard("r.x").replicate("r").resolve(Part(r=Part(x=_lin()))), "root_inside_replicate")
    assert found.message.startswith("'r.x' lies inside the replicated 'r' and is its own local root")


def test_giant_unit():
    """One unit with nearly everything is told, with the repeated class worth marking."""

    class Blk(Part):
        pass

    model = Part(layers=nn.ModuleList([Blk(fc=_lin(16)) for _ in range(3)]), out=_lin())
    found = _finding(Plan().fully_shard("").resolve(model), "giant_unit")
    assert (
        found.message == "the unit '' holds 822 of 822 sharded elements (100 %): nearly everything is gathered at once"
    )
    assert found.advice == "make units of the 3 Blk modules: policy=by_class('Blk')"


def test_empty_units():
    """Units left without parameters are told; a root without any of its own is ordinary."""
    layout = Plan().fully_shard("a").fully_shard("a.x").fully_shard("").resolve(Part(a=Part(x=_lin())))
    assert _finding(layout, "empty_unit").message == ("1 units have no parameters of their own ('a') and get no handle")


# -- live models ---------------------------------------------------------------------------------------------------


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
    model = _tied()
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
    layout = Plan().fully_shard("").replicate("a").resolve(Part(a=_lin(), b=_lin()))
    assert repr(layout) == "Layout(Part: 3 modules, 4 parameters, 1 units, 1 replicate groups, 0 conflicts)"
    assert repr(layout.units[0]) == "Unit([''], 2 parameters, 6 elements, full_shard)"
    assert repr(layout.replicate_groups[0]) == "ReplicateGroup('a', 2 parameters, 6 elements)"
    assert repr(layout.params["b.bias"]) == "ParamRow('b.bias', (2,), torch.float32, unit '')"
