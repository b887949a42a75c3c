"""Payload and folding on random module graphs and random plans, against a slow and obvious reading of the same."""

from __future__ import annotations

import itertools
import json

from explored_models import Named
from hypothesis import given, settings
from hypothesis import strategies as st
from paged import PagedPlan
from torch import nn

from explorer.areas import LETTERS
from explorer.folding import folding_of
from explorer.rows import rows_of
from explorer.snapshot import plan_state, tree_state
from sharding.layout import Layout
from sharding.nodes import Node
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of

LEAVES = (lambda: nn.Linear(1, 1), lambda: nn.Linear(1, 2), nn.ReLU)
EDITS = ("fully_shard", "replicate", "ignore")


@st.composite
def models(draw: st.DrawFn) -> nn.Module:
    """Small trees with repeated, numbered children, now and then a shared module, a tied weight or a cycle."""
    made: list[nn.Module] = []

    def module(depth: int) -> nn.Module:
        if depth == 0 or draw(st.integers(0, 3)) == 0:
            new = draw(st.sampled_from(LEAVES))()
        else:
            new = Named()
            names = draw(st.sampled_from((("a", "b"), ("0", "1", "2"), ("0", "2", "3", "4"), ("x", "0", "1"))))
            repeated = draw(st.booleans())
            seed = draw(st.integers(0, 2)) if repeated else 0
            for name in names:
                new.add_module(name, LEAVES[seed]() if repeated else module(depth - 1))
        made.append(new)
        return new

    root = Named(body=module(3), tail=nn.Sequential(*[nn.Linear(1, 1) for _ in range(3)]))
    holders = [each for each in made if isinstance(each, Named)]
    if holders and draw(st.integers(0, 3)) == 0:
        draw(st.sampled_from(holders)).add_module("again", draw(st.sampled_from([*made, root])))
    if draw(st.integers(0, 3)) == 0:
        linears = [each for each in root.modules() if isinstance(each, nn.Linear)]
        root.tail[1].weight = draw(st.sampled_from(linears)).weight
    return root


@st.composite
def layouts(draw: st.DrawFn) -> tuple[Layout, Plan]:
    """A random model with up to four marks by name."""
    tree = tree_of(draw(models()))
    plan = Plan()
    for _ in range(draw(st.integers(0, 4))):
        name = draw(st.sampled_from([node.fqn for node in tree.nodes]))
        plan = getattr(plan, draw(st.sampled_from(EDITS)))(name)
    return layout_of(plan, tree), plan


def seen(layout: Layout, block: Node, node: Node, alarm: int) -> tuple:
    """All a reader could tell of a module, with what lies in its block named from the block."""

    def place(other: Node) -> tuple:
        return ("inside", other.index - block.index) if block.contains(other) else ("outside", other.index)

    def tie(param: nn.Parameter) -> tuple:
        holders = [(other, attr) for other in layout.tree.nodes for attr, each, _ in other.params if each is param]
        inside = tuple((other.index - block.index, attr) for other, attr in holders if block.contains(other))
        return inside, None if len(inside) == len(holders) else id(param)

    row = layout.modules[node.index]
    unit = layout.unit_of.get(node.fqn)
    facts = None if unit is None else (unit.strategy, len(unit.params), len(unit.fqns))
    owner = None if row.unit is None else place(layout.tree.fqns[row.unit])
    references = [(attr, kind, place(target)) for attr, target, kind in node.references]
    ties = [(attr, tie(param)) for attr, param, _ in node.params]
    return row.status, owner, facts, references, ties, alarm


@settings(max_examples=150, deadline=None)
@given(layouts())
def test_neighbours_fold_exactly_when_they_look_alike(made):
    """Class, names below, status, owner, unit, references, ties and remarks, module by module."""
    layout, _ = made
    folding = folding_of(layout)
    for parent in layout.tree.nodes:
        for one, other in zip(parent.children, list(parent.children)[1:], strict=False):
            pairs = list(zip(layout.tree.below(one), layout.tree.below(other), strict=False))
            alike = one.end - one.index == other.end - other.index and all(
                folding.classes.of[a.index] == folding.classes.of[b.index]
                and seen(layout, one, a, folding.alarm[a.index]) == seen(layout, other, b, folding.alarm[b.index])
                for a, b in pairs
            )
            assert (folding.blocks[one.index] == folding.blocks[other.index]) == alike


@settings(max_examples=150, deadline=None)
@given(layouts())
def test_every_module_is_in_exactly_one_row(made):
    """The folded tree shows all modules, and the edges to those listed elsewhere."""
    layout, _ = made
    rows = rows_of(folding_of(layout))
    members = [index for row in rows for index in row.members]
    assert sorted(members) == list(range(len(layout.modules)))
    assert rows[0].level == 0
    assert all(after.level <= row.level + 1 for row, after in itertools.pairwise(rows))


@settings(max_examples=150, deadline=None)
@given(layouts())
def test_the_payload_is_json_that_gives_tree_and_layout_back(made):
    """As the page reads it: instances numbered by pre-order, runs applied in order."""
    layout, plan = made
    tree = json.loads(json.dumps(tree_state(layout.tree).to_data()))
    state = json.loads(json.dumps(plan_state(layout, plan).to_data()))
    names = []
    stack = [("", tree["root"])]
    while stack:
        name, number = stack.pop()
        names.append((name, tree["classes"][number][0]))
        below = []
        for start, end, kid in tree["classes"][number][2]:
            keys = [start] if end is None else [str(k) for k in range(int(start), int(end) + 1)]
            below += [(f"{name}.{key}" if name else key, kid) for key in keys]
        stack += reversed(below)
    assert names == [(row.fqn, row.cls) for row in layout.modules]
    paged = PagedPlan(state, layout.tree)
    assert paged.status == [LETTERS[row.status] for row in layout.modules]
    assert [paged.units[n]["fqns"][0] if n >= 0 else None for n in paged.unit_of] == [
        row.unit if row.status in ("fully_shard", "in_unit") else None for row in layout.modules
    ]
    assert [unit["fqns"] for unit in paged.units] == [list(unit.fqns) for unit in layout.units]
    for root in [None, *{unit["local_root"] for unit in paged.units if unit["apart"]}]:
        suffix = "" if root is None else f":{paged.units[root]['fqns'][0]}"
        for name in ("handles", "init_composable", "init_wrapper"):
            assert paged.order(name, root) == layout.orders[name + suffix]


@settings(max_examples=150, deadline=None)
@given(layouts())
def test_one_module_asked_for_by_itself_says_what_its_row_says(made):
    """The status of a module does not need the rows of all others, nor do the orders the walk over all modules."""
    layout, _ = made
    assert [layout.status(node) for node in layout.tree.nodes] == [(row.status, row.unit) for row in layout.modules]
