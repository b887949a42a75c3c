"""What an ignored module or parameter means, for which calls, and when it comes too late."""

from __future__ import annotations

from parts import Part, conflict, finding, lin, tied, two_parents, w

from sharding import Plan
from sharding.annotations import Annotation
from sharding.resolution import resolve_annotations
from sharding.traversal import tree_of


def test_ignored_subtree_with_a_unit_inside():
    """The unit inside keeps its mark and the layout says so; the rest of the subtree has no owner, and that is told."""
    model = Part(blk=Part(fc1=lin(), fc2=lin()), out=lin())
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
    assert finding(layout, "annotated_in_ignored").message == (
        "'blk.fc1' lies in the ignored 'blk' but is marked fully_shard itself and stays so"
    )
    left = finding(layout, "not_averaged")
    assert left.fqns == ("blk.fc2.weight", "blk.fc2.bias")
    assert left.message == (
        "2 trainable parameters ('blk.fc2.weight', 'blk.fc2.bias'; 6 elements) have no owner: nobody averages their "
        "gradients, so they drift apart from rank to rank"
    )


def test_plan_ignore_goes_to_every_call_above():
    """Nearest annotation and all outer ones leave it out: no conflict, whichever unit would have taken it."""
    model = Part(a=Part(b=Part(fc=lin(), w=w()), w=w()), w=w())
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
    model = Part(b=Part(fc1=lin(), fc2=lin()))
    inner = Annotation("fully_shard", (model.b,))
    outer = Annotation("fully_shard", (model,), ignored_modules=(model.b.fc1,))
    refused = conflict(resolve_annotations(tree_of(model), [inner, outer]), "ignored_owned")
    assert refused.message == "the root ignores 'b.fc1', but fully_shard on 'b' already owns it"
    assert refused.fix == "ignore 'b.fc1' in the call on 'b' as well, or do not mark 'b'"
    single = Annotation("fully_shard", (model,), ignored_params=(model.b.fc2.bias,))
    layout = resolve_annotations(tree_of(model), [inner, single])
    assert conflict(layout, "ignored_owned").message == (
        "'' ignores the parameter 'b.fc2.bias', but fully_shard on 'b' already owns it"
    )
    assert layout.params["b.fc2.bias"].unit == "b"


def test_ignored_sets_of_inner_calls_stay_ignored():
    """What the inner call left out is not taken by the outer one, nor is its tied twin outside."""
    model = Part(b=Part(fc=lin(), w=w()), twin=Part())
    model.twin.w = model.b.fc.weight
    inner = Annotation("fully_shard", (model.b,), ignored_modules=(model.b.fc,))
    outer = Annotation("fully_shard", (model,))
    layout = resolve_annotations(tree_of(model), [inner, outer])
    assert not layout.conflicts
    assert layout.params["b.fc.weight"].owner_kind == "ignored"
    assert finding(layout, "ignored_everywhere").message == (
        "'b.fc.weight' and 'twin.w' are one parameter and 'b.fc' is ignored, so it is ignored under all its "
        "names: nobody "
        "averages it"
    )


def test_ignoring_outside_the_call():
    """A call may only leave out what lies inside it."""
    model = Part(a=lin(), b=lin())
    layout = resolve_annotations(tree_of(model), [Annotation("fully_shard", (model.a,), ignored_modules=(model.b,))])
    refused = conflict(layout, "ignored_outside")
    assert refused.message == "fully_shard on 'a' is to ignore 'b', which is not inside it"
    assert refused.fix == "ignore it in a call on a module that holds it"


def test_shared_module_in_an_ignored_subtree():
    """Ignored by one path is ignored by all, with a finding that names both."""
    layout = Plan().fully_shard("").ignore("a").resolve(two_parents(lin()))
    assert layout.params["a.sh.weight"].owner_kind == "ignored"
    assert finding(layout, "ignored_everywhere").message == (
        "'a.sh' lies in the ignored 'a', so it is ignored as 'b.sh' too: nobody averages it"
    )


def test_ignored_parameter_with_two_names():
    """A single parameter left out is left out under all its names, of every call that holds one."""
    layout = Plan().fully_shard("").replicate("head").ignore("emb.weight").resolve(tied())
    assert not layout.conflicts
    assert layout.params["emb.weight"].owner_kind == "ignored"
