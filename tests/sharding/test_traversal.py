"""The tree: order, names, identity, and that no code of the user's runs on the way."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from oracle_graph import Graph
from strategies import CheckpointShell, CompiledShell, graph_specs
from torch import nn

from sharding.errors import PlanError
from sharding.nodes import depth_first, edges_of
from sharding.traversal import tree_of


def _worked_tree() -> nn.Module:
    model = nn.Module()
    model.submod1 = nn.Module()
    model.submod2 = nn.Module()
    model.submod2.subsubmod = nn.Module()
    return model


@given(graph_specs())
def test_nodes_follow_modules(spec):
    """Pre-order is that of `modules()`, wrappers and what they hold being one node."""
    model = spec.build()
    tree = tree_of(model)
    outermost = []
    for module in model.modules():
        node = tree.node_of(module)
        assert node is not None
        assert any(module is member for member in node.modules)
        if node not in outermost:
            outermost.append(node)
    assert outermost == tree.nodes
    assert [node.index for node in tree.nodes] == list(range(len(tree.nodes)))


@given(graph_specs())
def test_every_name_is_found(spec):
    """Each of a module's names leads to its node, and so does its path with the wrappers' names left in."""
    model = spec.build()
    tree = tree_of(model)
    for row in Graph(model).rows:
        for name in row.names:
            assert tree.find(name) is tree.node_of(row.inner)
    for name, module in model.named_modules():
        assert tree.find(name) is tree.node_of(module)


@given(graph_specs())
def test_subtree_is_a_range(spec):
    """What was first reached below a node is the range up to its `end`, and `contains` says so."""
    tree = tree_of(spec.build())
    for node in tree.nodes:
        below = tree.below(node)
        assert all(node in (other, *other.ancestors()) for other in below)
        assert [other for other in tree.nodes if node.contains(other)] == below


def test_worked_tree_in_both_directions():
    """Left to right is the order everything uses; right to left exists for contrast."""
    root = tree_of(_worked_tree()).root
    before, after = depth_first(root, lambda node: True)
    assert [node.fqn for node in before] == ["", "submod1", "submod2", "submod2.subsubmod"]
    assert [node.fqn for node in after] == ["submod1", "submod2.subsubmod", "submod2", ""]
    contrast, _ = depth_first(root, lambda node: True, from_right=True)
    assert [node.fqn for node in contrast] == ["", "submod2", "submod2.subsubmod", "submod1"]


def test_ten_thousand_deep():
    """Depth costs no Python stack: neither to walk, nor to name, nor to find."""
    root = model = nn.Module()
    for _ in range(10_000):
        model.c = nn.Module()
        model = model.c
    model.w = nn.Parameter(torch.empty(2, device="meta"))
    tree = tree_of(root)
    assert len(tree.nodes) == 10_001
    last = tree.nodes[-1]
    assert last.depth == 10_000
    assert tree.find(last.fqn) is last
    assert tree.held[id(model.w)].name == f"{last.fqn}.w"
    _take_apart(root)


def _take_apart(root: nn.Module) -> None:
    """Free a deep chain link by link: freeing it at once would recurse in the interpreter."""
    chain = [root]
    while (child := chain[-1]._modules.pop("c", None)) is not None:
        chain.append(child)


def test_shared_module_is_one_node():
    """A layer used three times is one node with three names."""
    lin = nn.Linear(2, 2)
    tree = tree_of(nn.Sequential(lin, nn.ReLU(), lin, nn.Tanh(), lin))
    assert [node.fqn for node in tree.nodes] == ["", "0", "1", "3"]
    assert tree.names(tree.nodes[1]) == ("0", "2", "4")
    assert tree.root.references == [("2", tree.nodes[1], "shared"), ("4", tree.nodes[1], "shared")]
    assert [node.fqn for node in edges_of(tree.root)] == ["0", "1", "0", "3", "0"]


def test_nested_sharing_stays_small():
    """Sharing inside sharing doubles the paths at every level; names are capped, the walk is not slow."""
    level = nn.Linear(1, 1)
    for _ in range(40):
        level = nn.Sequential(level, level)
    tree = tree_of(level)
    assert len(tree.nodes) == 41
    assert len(tree.names(tree.nodes[-1])) == 64


def test_child_that_keeps_its_parent():
    """A cycle is one back reference; it is neither opened again nor a further name."""
    model = nn.Module()
    model.sub = nn.Sequential(nn.Linear(2, 2))
    model.sub.up = model
    tree = tree_of(model)
    assert [node.fqn for node in tree.nodes] == ["", "sub", "sub.0"]
    assert tree.nodes[1].references == [("up", tree.root, "back")]
    assert tree.names(tree.root) == ("",)
    assert tree.find("sub.up.sub.0") is tree.nodes[2]


def test_module_that_holds_itself():
    """The smallest cycle."""
    model = nn.Linear(1, 1)
    model.me = model
    tree = tree_of(model)
    assert len(tree.nodes) == 1
    assert tree.root.references == [("me", tree.root, "back")]


@pytest.mark.parametrize("shell", [CheckpointShell, CompiledShell])
def test_wrapper_and_inner_are_one_row(shell):
    """Names leave the wrapper out; a path typed in either form is found; the class is the inner one's."""
    model = nn.Sequential(nn.Linear(4, 4), shell(shell(nn.Sequential(nn.Linear(4, 4)))))
    tree = tree_of(model)
    assert [node.fqn for node in tree.nodes] == ["", "0", "1", "1.0"]
    node = tree.nodes[1 + 1]
    assert len(node.modules) == 3
    assert node.cls is nn.Sequential
    attr = next(iter(shell(nn.Linear(1, 1))._modules))
    for path in ("1", f"1.{attr}", f"1.{attr}.{attr}"):
        assert tree.find(path) is node
    assert tree.find(f"1.{attr}.{attr}.0") is tree.find("1.0")
    assert tree.held[id(model[1]._modules[attr]._modules[attr][0].weight)].name == "1.0.weight"


@pytest.mark.parametrize("wrapped_first", [True, False])
def test_wrapped_module_that_is_also_held_bare(wrapped_first):
    """A module held with and without its wrapper is still one node."""
    inner = nn.Linear(1, 1)
    shell = CheckpointShell(inner)
    tree = tree_of(nn.Sequential(*([shell, inner] if wrapped_first else [inner, shell])))
    assert [node.fqn for node in tree.nodes] == ["", "0"]
    assert tree.names(tree.nodes[1]) == ("0", "1")
    assert tree.node_of(shell) is tree.node_of(inner) is tree.nodes[1]


class Hostile(nn.Module):
    """Everything about it that can raise does."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(1, 1)

    def extra_repr(self):
        raise AssertionError("extra_repr was called")

    def __repr__(self):
        raise AssertionError("repr was called")

    def __eq__(self, other):
        raise AssertionError("eq was called")

    def __hash__(self):
        raise AssertionError("hash was called")

    def __bool__(self):
        raise AssertionError("bool was called")

    def __len__(self):
        raise AssertionError("len was called")

    def named_parameters(self, *args, **kwargs):
        raise AssertionError("named_parameters was called")

    def named_modules(self, *args, **kwargs):
        raise AssertionError("named_modules was called")

    def named_children(self):
        raise AssertionError("named_children was called")

    @property
    def danger(self):
        raise AssertionError("a property was read")

    def forward(self, x):
        return x


def test_no_code_of_the_user_runs():
    """Planning hostile modules, marked and unmarked, shared and not, runs none of their methods or properties."""
    from sharding.plan import Plan
    from sharding.policy import by_class

    bad = Hostile()
    model = nn.ModuleDict({"a": bad, "b": Hostile(), "again": bad})
    plan = Plan().fully_shard("a").fully_shard("b", policy=by_class("Linear")).ignore("b.l")
    layout = plan.resolve(model)
    assert [row.fqn for row in layout.modules] == ["", "a", "a.l", "b", "b.l"]
    assert layout.modules[1].cls == "Hostile"
    assert repr(layout).startswith("Layout(ModuleDict")
    assert repr(layout.units[0]).startswith("Unit(['a']")
    assert [unit.fqn for unit in layout.units] == ["a", "b"]
    twice = plan.fully_shard("again").resolve(model)
    assert [conflict.kind for conflict in twice.conflicts] == ["twice"]


def test_close_matches():
    """A misspelt name gets the names near it, or the children to start from."""
    model = nn.ModuleDict({"layers": nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1)]), "head": nn.Linear(1, 1)})
    tree = tree_of(model)
    with pytest.raises(PlanError, match=r"no module named 'layer\.0' in ModuleDict; did you mean 'layers\.0'\?"):
        tree.find("layer.0")
    with pytest.raises(PlanError, match=r"no module named 'heed' in ModuleDict; did you mean 'head'\?"):
        tree.find("heed")
    with pytest.raises(PlanError, match=r"no module named 'zzz' in ModuleDict; its children are 'layers', 'head'"):
        tree.find("zzz")
    with pytest.raises(PlanError, match=r"no module named 'q' in Linear; it has no children"):
        tree_of(nn.Linear(1, 1)).find("q")


def test_what_is_no_module():
    """A value that is no module, or one that skipped `nn.Module.__init__`, is named with what to do."""

    class Forgetful(nn.Module):
        def __init__(self):
            pass

    with pytest.raises(PlanError, match=r"expected an nn.Module, got dict; pass the model itself"):
        tree_of({})
    with pytest.raises(PlanError, match=r"Forgetful has no registered .* call super\(\)\.__init__\(\) first"):
        tree_of(Forgetful())


def test_local_class_name():
    """A class made in a function is shown without the function."""

    class Local(nn.Module):
        pass

    assert tree_of(Local()).root.cls_name == "Local"
