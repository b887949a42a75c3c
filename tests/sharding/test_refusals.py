"""Marks and parameters that cannot run, each with what it says and how to go on."""

from __future__ import annotations

import pytest
import torch
from parts import Part, conflict, finding, kinds, lin, two_parents, w
from torch import nn

from sharding import Plan


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
    refused = conflict(plan.resolve(Part(a=lin())), kind)
    assert (refused.fqns, refused.message, refused.fix) == (("a",), message, fix)


def test_marked_twice_by_two_names():
    """A second mark under another name of a shared module says which module that is."""
    layer = lin()
    model = nn.Sequential(layer, nn.ReLU(), layer)
    assert conflict(Plan().fully_shard("0").fully_shard("2").resolve(model), "twice").message == (
        "fully_shard is applied twice to '0' (also named '2'), a Linear"
    )
    assert "the root" in conflict(Plan().fully_shard("").fully_shard("").resolve(model), "twice").message


class BareList(nn.ModuleList):
    pass


class Head(nn.ModuleDict):
    def forward(self, x):
        return x


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
@pytest.mark.parametrize(
    ("container", "fix"),
    [
        (nn.ModuleList([lin(), lin()]), "mark its children instead: 'c.0', 'c.1'"),
        (BareList([lin() for _ in range(5)]), "mark its children instead: 'c.0', 'c.1', 'c.2', 'c.3', ..."),
        (nn.ModuleDict({"x": lin()}), "mark its children instead: 'c.x'"),
        (nn.ParameterList([w()]), "mark the module that uses it"),
        (nn.ParameterDict({"w": w()}), "mark the module that uses it"),
    ],
)
def test_bare_containers(verb, container, fix):
    """Nobody calls a container: refused by name and class, with its children proposed, for both verbs."""
    refused = conflict(getattr(Plan(), verb)("c").resolve(Part(c=container)), "container")
    assert refused.message == (
        f"{verb} on 'c': a {type(container).__name__} has no forward, so nothing would ever gather or average "
        "its parameters"
    )
    assert refused.fix == fix


def test_container_with_a_forward():
    """A container class that can be called is a module like any other."""
    layout = Plan().fully_shard("h").fully_shard("").resolve(Part(h=Head({"a": lin(), "b": lin()}), o=lin()))
    assert not layout.conflicts
    assert [unit.numel for unit in layout.units] == [6, 12]
    assert layout.findings == ()


def test_holder_without_forward():
    """Accepted, with a warning that nothing gathers it and what to mark instead."""

    class Holder(nn.Module):
        def __init__(self):
            super().__init__()
            self.l = lin()

    layout = Plan().fully_shard("h").fully_shard("").resolve(Part(h=Holder(), o=lin()))
    assert not layout.conflicts
    found = finding(layout, "no_forward")
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
    layout = Plan().fully_shard(["a", "a.x"]).fully_shard("").resolve(Part(a=Part(x=lin())))
    assert kinds(layout) == ["nested_members"]
    refused = conflict(layout, "nested_members")
    assert refused.message == "one unit is to hold 'a' and 'a.x', but the second lies inside the first"
    assert refused.fix == "leave 'a.x' out of the list: it travels with 'a' anyway"
    assert "nested_members" in kinds(Plan().fully_shard(["a.sh", "b"]).resolve(two_parents(lin())))


def test_members_under_different_local_roots():
    """A unit lives in one local tree."""
    layout = Plan().fully_shard(["a", "r.x"]).replicate("r").fully_shard("").resolve(Part(a=lin(), r=Part(x=lin())))
    refused = conflict(layout, "split_group")
    assert refused.message == "one unit is to hold 'a', 'r.x', but they lie under different local roots"
    assert refused.fix == "make separate units of them, or mark a module above all of them as fully_shard"


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
            "'q' is a Stub, a tensor subclass that this engine cannot cut (it has no plain storage to view), so "
            "fully_shard "
            "cannot take it",
            "ignore it: ignored_params=[...], or plan.ignore('q')",
        ),
    ],
)
def test_parameters_that_cannot_be_cut(param, message, fix):
    """Named with what is wrong and the change to make; ignored, they are no obstacle."""
    model = Part(q=param, l=lin())
    layout = Plan().fully_shard("").resolve(model)
    refused = conflict(layout, "unshardable_param")
    assert (refused.fqns, refused.message, refused.fix) == (("q",), message, fix)
    assert layout.params["q"].numel in (0, 1, 8)
    assert not Plan().fully_shard("").ignore("q").resolve(model).conflicts


def test_replicate_takes_scalars_but_no_lazy_ones():
    """A whole parameter of any shape can be averaged; one without a shape cannot be compared between ranks."""
    assert not Plan().replicate("").resolve(Part(q=nn.Parameter(torch.tensor(1.0)))).conflicts
    lazy = Plan().replicate("").resolve(Part(q=nn.UninitializedParameter()))
    assert (
        "'q' is lazy and has no shape yet, so replicate cannot take it" in conflict(lazy, "unshardable_param").message
    )


@pytest.mark.parametrize("dtype", [torch.int8, torch.float8_e4m3fn, torch.complex64, torch.bfloat16])
def test_other_dtypes_are_no_obstacle(dtype):
    """Several dtypes, integers, float8 and frozen parameters may share a unit."""
    odd = nn.Parameter(
        torch.empty(4, device="meta", dtype=dtype), requires_grad=dtype.is_floating_point or dtype.is_complex
    )
    layout = Plan().fully_shard("").resolve(Part(odd=odd, l=lin()))
    assert not layout.conflicts
    assert layout.units[0].param_names == ("odd", "l.weight", "l.bias")
