"""The payload says what the tree and the layout say: decoded again, row for row, with nothing lost and little sent."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import torch
from explored_models import GPT, Mod, chain, experts, with_cycle
from torch import nn

from explorer import runlength, snapshot
from explorer.classes import classes_of
from explorer.folding import folding_of
from explorer.rows import rows_of
from explorer.snapshot import LETTERS, code_of, plan_state, tree_state
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
    size = len(tree.nodes)
    assert runlength.decode(payload["status"], size) == [LETTERS[row.status] for row in layout.modules]
    units = {unit["n"]: unit for unit in payload["units"]}
    for row, number in zip(layout.modules, runlength.decode(payload["unit_of"], size), strict=True):
        if row.status in ("fully_shard", "in_unit"):
            assert units[number]["fqns"][0] == row.unit
        else:
            assert number == -1
    for unit, sent in zip(layout.units, payload["units"], strict=True):
        assert sent["fqns"] == list(unit.fqns)
        assert tree.nodes[sent["index"]].fqn == unit.fqn
        assert (sent["numel"], sent["nparams"], sent["handle"]) == (
            unit.numel,
            len(unit.params),
            unit.index,
        )
    assert [each["message"] for each in payload["conflicts"]] == [each.message for each in layout.conflicts]
    assert payload["totals"]["numel"] == sum(row.numel for row in layout.params.values())
    assert (payload["rev"], payload["undo"], payload["redo"]) == (3, True, False)


def test_both_init_orders_of_the_worked_tree():
    """The composable path starts from the end, the wrapper path from the leaves."""
    plan = Plan().fully_shard("").fully_shard("submod1").fully_shard("submod2").fully_shard("submod2.subsubmod")
    units = plan_state(layout_of(plan, tree_of(Mod())), plan).to_data()["units"]
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
    units = plan_state(layout_of(plan, tree_of(GPT())), plan).to_data()["units"]
    inner = next(unit for unit in units if unit["fqns"] == ["h.1.up"])
    assert (inner["local_root"], inner["handle"], inner["init_c"], inner["init_w"]) == ("h.1.up", 0, 0, 0)


def test_remarks_point_at_the_module_that_holds_a_parameter():
    """A conflict over a tied weight names parameters; the page can jump to their modules."""
    tree = tree_of(GPT(tied=True))
    plan = Plan().fully_shard("wte").fully_shard("head")
    (conflict,) = plan_state(layout_of(plan, tree), plan).to_data()["conflicts"]
    for fqn, index in zip(conflict["fqns"], conflict["indices"], strict=True):
        assert fqn == tree.nodes[index].fqn or fqn.startswith(tree.nodes[index].fqn + ".")


def test_remarks_of_one_kind_are_a_few_and_the_others_together():
    """A thousand layers without a forward are not a thousand sentences, but every one of them can be found."""
    layout = Plan().fully_shard("*").resolve(nn.Sequential(*[nn.ModuleList() for _ in range(50)]))
    conflicts = plan_state(layout, Plan()).to_data()["conflicts"]
    assert len(conflicts) == 9
    assert conflicts[-1]["message"].endswith("(and 41 more like it)")
    assert [fqn for each in conflicts for fqn in each["fqns"]] == [str(k) for k in range(50)]


def test_a_remark_over_thousands_of_modules_names_what_holds_them():
    """Blocks that all have the remark stay alike: cutting the list would tear the folded row apart."""
    layout = Plan().fully_shard("wte").resolve(GPT(depth=600))
    large = max(layout.findings, key=lambda each: len(each.fqns))
    assert len(large.fqns) > 200
    findings = plan_state(layout, Plan()).to_data()["findings"]
    (finding,) = (each for each in findings if each["kind"] == large.kind)
    assert len(finding["indices"]) <= 200
    assert finding["fqns"] == [layout.tree.nodes[index].fqn for index in finding["indices"]]
    rows = rows_of(folding_of(layout))
    assert [row.name for row in rows if row.name.startswith("h.")] == ["h.0–599"]


@pytest.mark.parametrize("seed", range(20))
def test_runs_give_any_values_back(seed):
    """Whatever the pattern, with strides, gaps and single values."""
    chance = random.Random(seed)
    values = [chance.choice("Ffu") if chance.random() < 0.3 else "f" for _ in range(chance.randrange(1, 200))]
    assert runlength.decode(runlength.encode(values), len(values)) == values


def test_marks_that_repeat_are_one_run():
    """80 blocks of 13 modules, each with a unit: the status does not grow with the number of blocks."""
    values = ["f"] * 5 + (["F"] + ["f"] * 12) * 80
    assert runlength.encode(values) == [[0, 1045, 1, "f"], [5, 1033, 13, "F"]]


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


def test_thousands_of_local_roots_share_one_look_at_the_orders(monkeypatch):
    """Each unit of a model whose root is no unit is a root; the orders they stand in are walked once."""
    looks = []
    original = snapshot._places_in_orders
    monkeypatch.setattr(
        snapshot, "_places_in_orders", lambda layout, suffix: looks.append(suffix) or original(layout, suffix)
    )
    layout = Plan().fully_shard("*").resolve(nn.Sequential(*(nn.Linear(1, 1) for _ in range(300))))
    units = plan_state(layout, Plan()).units
    assert looks == [""]
    assert [(unit.handle, unit.init_c, unit.init_w) for unit in units[:3]] == [(0, 299, 0), (0, 298, 1), (0, 297, 2)]
