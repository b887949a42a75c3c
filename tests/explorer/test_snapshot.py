"""The payload says what the tree and the layout say: decoded again, row for row, with nothing lost and little sent."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import torch
from explored_models import GPT, Mod, chain, experts, with_cycle
from paged import PagedPlan
from torch import nn

from explorer import runlength
from explorer.areas import LETTERS
from explorer.classes import classes_of
from explorer.folding import folding_of
from explorer.rows import rows_of
from explorer.snapshot import code_of, plan_state, tree_state
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.policy import by_class
from sharding.traversal import tree_of


def decoded(payload: dict[str, Any]) -> list[tuple[str, str, list[Any]]]:
    """(FQN, type, own) of every module in pre-order, read from the payload as the page reads it."""
    rows = []
    stack = [("", payload["root"])]
    while stack:
        name, number = stack.pop()
        cls, own, kids = payload["classes"][number]
        rows.append((name, cls, own))
        children = []
        for start, end, kid in kids:
            names = [start] if end is None else [str(k) for k in range(int(start), int(end) + 1)]
            children += [(f"{name}.{each}" if name else each, kid) for each in names]
        stack += reversed(children)
    return rows


MODELS = {
    "worked": Mod,
    "gpt": GPT,
    "tied": lambda: GPT(tied=True),
    "cycle": with_cycle,
    "chain": lambda: chain(3000),
    "sequential": lambda: nn.Sequential(*[nn.Linear(2, 2 + k % 3) for k in range(12)]),
    "frozen": lambda: nn.Sequential(nn.Linear(2, 2).requires_grad_(False), nn.BatchNorm1d(2)),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_tree_payload_gives_every_module_back(name):
    """Names, classes, parameters and buffers of every module, in pre-order."""
    model = MODELS[name]()
    tree = tree_of(model)
    payload = json.loads(json.dumps(tree_state(tree).to_data()))
    rows = decoded(payload)
    assert [(fqn, cls) for fqn, cls, _ in rows] == [(node.fqn, node.cls_name) for node in tree.nodes]
    for node, (_, _, own) in zip(tree.nodes, rows, strict=True):
        params = {attr: (shape, dtype) for attr, shape, dtype, flags in own if "b" not in flags}
        assert params == {attr: (list(p.shape), str(p.dtype).removeprefix("torch.")) for attr, p, _ in node.params}
        buffers = {attr for attr, _, _, flags in own if "b" in flags}
        assert buffers == {attr for attr, buffer in node.module._buffers.items() if buffer is not None}
        frozen = {attr for attr, _, _, flags in own if "f" in flags}
        assert frozen == {attr for attr, p, _ in node.params if not p.requires_grad}


def test_tied_parameters_are_flagged_and_count_once():
    """The page adds up every parameter without the flag s: that is the number of elements of the model."""
    model = GPT(tied=True)
    payload = tree_state(tree_of(model)).to_data()
    assert payload["ties"] == [["wte.weight", "head.weight"]]
    owns = [each for _, _, own in decoded(payload) for each in own]
    counted = sum(torch.Size(shape).numel() for _, shape, _, flags in owns if not set(flags) & set("bs"))
    assert counted == sum(p.numel() for p in model.parameters())


def test_shared_and_back_references_name_both_ends():
    """A module object under two names is one row; the other mention and the cycle are references."""
    payload = tree_state(tree_of(with_cycle())).to_data()
    assert sorted(payload["refs"]) == [[0, "b", 1, "shared"], [1, "owner", 0, "back"]]


def test_names_that_only_look_like_numbers_are_no_range():
    """`00` after `0` would come back as another name."""
    model = nn.Module()
    for name in ("00", "01", "2", "3", "²", "10", "9"):
        model.add_module(name, nn.ReLU())
    payload = tree_state(tree_of(model)).to_data()
    (_, _, kids) = payload["classes"][payload["root"]]
    assert [(start, end) for start, end, _ in kids] == [
        ("00", None),
        ("01", None),
        ("2", "3"),
        ("²", None),
        ("10", None),
        ("9", None),
    ]


def paged_plan(model: nn.Module, plan: Plan) -> PagedPlan:
    layout = plan.resolve(model)
    return PagedPlan(json.loads(json.dumps(plan_state(layout, plan).to_data())), layout.tree)


PLANS = {
    "nothing": Plan(),
    "root": Plan().fully_shard(""),
    "policy": Plan().fully_shard("", policy=by_class("Block")),
    "mixed": Plan().fully_shard("").fully_shard("h.*").replicate("h.2").ignore("h.1.up"),
    "group": Plan().fully_shard("").fully_shard(["h.0", "h.3"]),
    "conflict": Plan().fully_shard("h"),
    "replicate": Plan().replicate("").fully_shard("h.1", strategy="shard_grad_op", cpu_offload=True),
}


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("tied", [False, True])
def test_the_plan_payload_gives_every_row_of_the_layout_back(name, tied):
    """Status, owner, places in the orders: what the page paints is what `resolve` decided."""
    tree = tree_of(GPT(tied=tied))
    layout = layout_of(PLANS[name], tree)
    payload = json.loads(json.dumps(plan_state(layout, PLANS[name], rev=3, undo=True).to_data()))
    paged = PagedPlan(payload, tree)
    assert paged.status == [LETTERS[row.status] for row in layout.modules]
    for row, number in zip(layout.modules, paged.unit_of, strict=True):
        assert (paged.units[number]["fqns"][0] if number >= 0 else None) == (
            row.unit if row.status in ("fully_shard", "in_unit") else None
        )
    for unit, sent in zip(layout.units, paged.units, strict=True):
        assert sent["fqns"] == list(unit.fqns)
        assert (sent["numel"], sent["nparams"], sent["handle"]) == (unit.numel, len(unit.params), unit.index)
        assert (sent["strategy"], sent["within"]) == (unit.strategy, unit.within)
        assert (sent["local_root"] == paged.units.index(sent)) == unit.is_root
    assert [each["message"] for each in payload["conflicts"]] == [each.message for each in layout.conflicts]
    assert payload["totals"]["numel"] == sum(row.numel for row in layout.params.values())
    assert (payload["rev"], payload["undo"], payload["redo"]) == (3, True, False)


def test_both_init_orders_of_the_worked_tree():
    """The composable path starts from the end, the wrapper path from the leaves."""
    plan = Plan().fully_shard("").fully_shard("submod1").fully_shard("submod2").fully_shard("submod2.subsubmod")
    units = paged_plan(Mod(), plan).units
    places = {unit["fqns"][0]: (unit["handle"], unit["init_c"], unit["init_w"]) for unit in units}
    assert places == {
        "": (None, None, None),
        "submod1": (0, 1, 0),
        "submod2": (None, None, None),
        "submod2.subsubmod": (1, 0, 1),
    }


def test_units_inside_replicate_have_their_places_in_their_own_local_root():
    """The walk from the outer root does not see them, their own root does."""
    plan = Plan().fully_shard("").replicate("h.1").fully_shard("h.1.up")
    units = paged_plan(GPT(), plan).units
    (inner,) = (unit for unit in units if unit["fqns"] == ["h.1.up"])
    assert (units[inner["local_root"]], inner["apart"]) == (inner, 1)
    assert (inner["handle"], inner["init_c"], inner["init_w"]) == (0, 0, 0)


def test_remarks_point_at_the_module_that_holds_a_parameter():
    """A conflict over a tied weight names parameters; the page can jump to their modules."""
    model, plan = GPT(tied=True), Plan().fully_shard("wte").fully_shard("head")
    conflict = next(each for each in paged_plan(model, plan).remarks if "fix" in each)
    (said,) = plan.resolve(model).conflicts
    assert sorted(conflict["fqns"]) == sorted(said.fqns)
    assert "wte.weight" in conflict["fqns"]


def test_remarks_of_one_kind_are_a_few_and_the_others_together():
    """A thousand layers without a forward are not a thousand sentences, but every one of them can be found."""
    model = nn.Sequential(*[nn.ModuleList() for _ in range(50)])
    conflicts = [each for each in paged_plan(model, Plan().fully_shard("*")).remarks if "fix" in each]
    assert len(conflicts) == 5
    assert conflicts[-1]["message"].endswith("(and 45 more like it)")
    assert [fqn for each in conflicts for fqn in each["fqns"]] == [str(k) for k in range(50)]


def test_a_remark_over_thousands_of_places_is_a_few_runs():
    """Every parameter of every block, in bytes that do not grow with the blocks; the blocks stay one row."""
    layout = Plan().fully_shard("wte").resolve(GPT(depth=600))
    said = max(layout.findings, key=lambda each: len(each.fqns))
    data = json.loads(json.dumps(plan_state(layout, Plan()).to_data()))
    finding = next(each for each in PagedPlan(data, layout.tree).remarks if each["kind"] == said.kind)
    assert sorted(finding["fqns"]) == sorted(said.fqns)
    assert len(said.fqns) > 3600
    assert len(finding["at"]) < 12
    rows = rows_of(folding_of(layout))
    assert [row.name for row in rows if row.name.startswith("h.")] == ["h.0–599"]


def test_a_remark_over_places_without_order_names_what_holds_them():
    """A list that cannot be written as runs would be cut; the modules above are alike for all."""
    chance = random.Random(3)
    model = nn.Sequential(*[nn.Sequential(*[nn.ReLU(), nn.Linear(2, 2)][chance.randrange(2) :]) for _ in range(900)])
    layout = Plan().fully_shard("0.0").resolve(model)
    said = max(layout.findings, key=lambda each: len(each.fqns))
    finding = next(
        each
        for each in PagedPlan(plan_state(layout, Plan()).to_data(), layout.tree).remarks
        if each["kind"] == said.kind
    )
    assert len(finding["at"]) <= 200
    assert set(finding["fqns"]) >= {fqn.partition(".")[0] for fqn in said.fqns} or finding["fqns"] == [""]


@pytest.mark.parametrize("seed", range(40))
def test_runs_give_any_values_back(seed):
    """Whatever the pattern: blocks in blocks, gaps and single values."""
    chance = random.Random(seed)
    block = [chance.choice("Ffu") for _ in range(chance.randrange(1, 9))]
    inner = [*block * chance.randrange(1, 9), *(chance.choice("Ff") for _ in range(chance.randrange(4)))]
    values = [chance.choice("Ffu") if chance.random() < 0.02 else each for each in inner * chance.randrange(1, 9)]
    assert runlength.decode_column(json.loads(json.dumps(runlength.encode_column(values))), len(values)) == values
    numbers = [None if each == "u" else place * chance.choice((0, 1)) for place, each in enumerate(values)]
    assert runlength.decode_numbers(runlength.encode_numbers(numbers), len(numbers)) == numbers


def test_what_repeats_is_one_run_however_often():
    """80 blocks of 13, each with a unit; 58 layers of 256 experts in a layer of 1,300."""
    values = ["f"] * 5 + (["F"] + ["f"] * 12) * 80
    assert runlength.encode_column(values) == ["f", [5, "F", 80, 13]]
    experts = [(7 + 1300 * layer + 5 * k, (5, "F")) for layer in range(58) for k in range(256)]
    assert runlength.encode(experts) == [[7, 5, "F", 256, 5, 58, 1300]]
    taking_turns = [(100 * layer + place, (place,)) for layer in range(40) for place in (3, 8, 21)]
    assert runlength.encode(taking_turns) == [[3, 3, 40, 100], [8, 8, 40, 100], [21, 21, 40, 100]]


def test_numbers_that_climb_with_the_place_are_one_run():
    """Handles count up, the composable order counts down, from 81 units on."""
    assert runlength.encode_numbers(list(range(81))) == [1, [0]]
    assert runlength.encode_numbers([80 - n for n in range(81)]) == [-1, [80]]
    assert runlength.encode_numbers([None, 4, 4]) == [0, [4, [0, None]]]


def test_the_code_line_makes_the_same_plan_again():
    """What the page offers to copy is the plan, long or short."""
    plan = Plan().defaults(strategy="shard_grad_op")
    for k in range(12):
        plan = plan.fully_shard(f"h.{k}")
    for each in (Plan(), Plan().replicate("h.0"), plan):
        scope: dict[str, Any] = {"Plan": Plan}
        exec(code_of(each), scope)
        assert scope["plan"] == each


def test_75_000_modules_are_a_few_classes_and_kilobytes():
    """The payload grows with what differs, not with how often it is repeated."""
    tree = tree_of(experts())
    classes = classes_of(tree)
    assert len(tree.nodes) == 75_396
    assert len(classes.rows) < 30
    assert len(json.dumps(tree_state(tree, classes).to_data())) < 4096
    plan = Plan().fully_shard("")
    assert len(json.dumps(plan_state(layout_of(plan, tree), plan).to_data())) < 2048


def test_thousands_of_local_roots_share_the_orders_of_the_model():
    """Each unit of a model whose root is no unit is a root; the walk from the model's root meets them all."""
    model = nn.Sequential(*(nn.Linear(1, 1) for _ in range(300)))
    layout = Plan().fully_shard("*").resolve(model)
    units = plan_state(layout, Plan()).units
    assert (units.handle, units.init_c, units.init_w) == ([0, [0]], [-1, [299]], [1, [0]])
    assert units.local_root == [1, [0]]
    assert units.apart is None
