"""Names and patterns typed by a user."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from sharding.errors import PlanError
from sharding.patterns import as_names, compile_pattern, escape, find_nodes, find_params
from sharding.traversal import tree_of


def _model() -> nn.Module:
    def block() -> nn.Module:
        return nn.ModuleDict({"attn": nn.Linear(2, 2), "mlp": nn.Sequential(nn.Linear(2, 2))})

    return nn.ModuleDict({"layers": nn.ModuleList([block(), block()]), "head": nn.Linear(2, 2)})


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("layers.*", ["layers.0", "layers.1"]),
        ("*", ["layers", "head"]),
        ("layers.*.attn", ["layers.0.attn", "layers.1.attn"]),
        ("**.attn", ["layers.0.attn", "layers.1.attn"]),
        ("layers.**", [f"layers.{i}{rest}" for i in (0, 1) for rest in ("", ".attn", ".mlp", ".mlp.0")]),
        ("**.0", ["layers.0", "layers.0.mlp.0", "layers.1.mlp.0"]),
        ("layers.[01].m?p", ["layers.0.mlp", "layers.1.mlp"]),
        ("layers.[1].*", ["layers.1.attn", "layers.1.mlp"]),
        ("he*", ["head"]),
        ("l**d", []),
    ],
)
def test_patterns(pattern, found):
    """`*` stays inside one component, `**` crosses them; matches come in pre-order; the root is no match."""
    tree = tree_of(_model())
    if not found:
        with pytest.raises(PlanError, match="matches no module in ModuleDict"):
            find_nodes(tree, pattern)
        return
    assert [node.fqn for node in find_nodes(tree, pattern)] == found


def test_root_is_the_empty_name():
    """ "" is the model itself."""
    tree = tree_of(_model())
    assert find_nodes(tree, "") == [tree.root]


def test_exact_name_beats_pattern():
    """A module really called `a*` is meant by that text, not everything that starts with a."""
    model = nn.ModuleDict({"ab": nn.Linear(1, 1), "a*": nn.Linear(1, 1)})
    tree = tree_of(model)
    assert [node.fqn for node in find_nodes(tree, "a*")] == ["a*"]
    assert [node.fqn for node in find_nodes(tree, escape("a*"))] == ["a*"]


@given(st.text("ab*?[]!-^\\ é<", min_size=1, max_size=8))
def test_escape_makes_literal(name):
    """An escaped name matches itself and nothing longer."""
    regex = compile_pattern(escape(name))
    assert regex.fullmatch(name)
    assert not regex.fullmatch(name + "x")


def test_shared_module_is_matched_by_any_name():
    """A pattern may hit a shared module by its second name; it is found once."""
    shared = nn.Linear(1, 1)
    tree = tree_of(nn.ModuleDict({"a": shared, "list": nn.ModuleList([shared])}))
    assert [node.fqn for node in find_nodes(tree, "list.*")] == ["a"]
    assert [node.fqn for node in find_nodes(tree, "**")] == ["a", "list"]


def test_below_a_start_shared_modules_count():
    """Relative to a module, what it holds counts, also when it was listed elsewhere first."""
    shared = nn.Linear(1, 1)
    tree = tree_of(nn.ModuleDict({"a": shared, "b": nn.ModuleDict({"x": shared, "y": nn.Linear(1, 1)})}))
    assert [node.fqn for node in find_nodes(tree, "*", start=tree.find("b"))] == ["a", "b.y"]


def test_nothing_matches():
    """The message says what `*` does and what is near."""
    with pytest.raises(PlanError, match=r"the pattern 'layer\.\*' matches no module .*did you mean 'layers\.0' or"):
        find_nodes(tree_of(_model()), "layer.*")


def test_parameters_by_name_and_pattern():
    """Single parameters are named as `holder.attribute`, by any name of the holder."""
    shared = nn.Linear(1, 1)
    tree = tree_of(nn.ModuleDict({"a": shared, "b": nn.ModuleDict({"x": shared})}))
    assert [(node.fqn, attr) for node, attr in find_params(tree, "b.x.bias")] == [("a", "bias")]
    assert [(node.fqn, attr) for node, attr in find_params(tree, "b.**.bias")] == [("a", "bias")]
    assert find_params(tree, "a.wait") == []
    assert find_params(tree, "nowhere.bias") == []


def test_names_are_text():
    """A module where its name is meant, or nothing at all, is refused with what to give."""
    assert as_names("a") == ("a",)
    assert as_names(["a", "b"]) == ("a", "b")
    with pytest.raises(PlanError, match=r"names modules by text, got Linear; give the module's FQN"):
        as_names([nn.Linear(1, 1)])
    with pytest.raises(PlanError, match="names modules by text, got Linear"):
        as_names(nn.Linear(1, 1))
    with pytest.raises(PlanError, match="names modules by text, got NoneType"):
        as_names(None)
    with pytest.raises(PlanError, match="an empty list names no module"):
        as_names([])
