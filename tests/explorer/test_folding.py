"""Neighbours share a row exactly when nothing a reader could see tells them apart."""

from __future__ import annotations

import oracles
import pytest
from explored_models import GPT, Named
from llm_shapes import shape
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

from explorer.classes import classes_of
from explorer.folding import folding_of
from explorer.rows import progression, rows_of
from sharding.plan import Plan
from sharding.traversal import tree_of


def names(model: nn.Module, plan: Plan, *, max_rows: int | None = None) -> list[str]:
    """The names of the rows at the level of the blocks."""
    rows = rows_of(folding_of(plan.resolve(model)), max_rows=max_rows)
    return [row.name for row in rows if row.name.startswith("h.")]


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (Plan(), ["h.0–5"]),
        (Plan().fully_shard("").fully_shard("h.*"), ["h.0–5"]),
        (Plan().fully_shard("").fully_shard("h.*").replicate("h.3"), ["h.0–2", "h.3", "h.4–5"]),
        (Plan().fully_shard("").fully_shard("h.2.up"), ["h.0–1", "h.2", "h.3–5"]),
        (
            Plan().fully_shard("h.*").fully_shard("h.1", strategy="shard_grad_op"),
            ["h.0", "h.1", "h.2–5"],
        ),
        (Plan().fully_shard("h.*").fully_shard("h.4", cpu_offload=True), ["h.0–3", "h.4", "h.5"]),
        (Plan().fully_shard("").ignore("h.0"), ["h.0", "h.1–5"]),
        (Plan().fully_shard("").fully_shard(["h.0", "h.1"]), ["h.0", "h.1", "h.2–5"]),
    ],
)
def test_a_difference_in_the_plan_splits_the_run(plan, expected):
    """Status, unit settings and unit membership of every descendant count."""
    assert names(GPT(depth=6), plan) == expected


def test_units_of_several_modules_inside_each_block_still_fold():
    """The owner lies at the same place of each block, so the blocks look the same."""
    plan = Plan().fully_shard("")
    for k in range(6):
        plan = plan.fully_shard([f"h.{k}.up", f"h.{k}.down"])
    assert names(GPT(depth=6), plan) == ["h.0–5"]


def test_a_difference_in_the_module_splits_the_run():
    """Another shape, a frozen parameter, another class: no fold."""
    model = GPT(depth=6)
    model.h[2].up.weight.requires_grad_(False)
    assert names(model, Plan()) == ["h.0–1", "h.2", "h.3–5"]
    model = GPT(depth=3)
    model.h.append(GPT(depth=1, width=4).h[0])
    assert names(model, Plan()) == ["h.0–2", "h.3"]


def test_names_must_follow_one_another():
    """Equal neighbours with names of their own stay two rows: q_proj is not k_proj."""
    model = Named(q=nn.Linear(2, 2), k=nn.Linear(2, 2))
    model.add_module("5", nn.ReLU())
    model.add_module("6", nn.ReLU())
    model.add_module("8", nn.ReLU())
    rows = rows_of(folding_of(Plan().resolve(model)))
    assert [row.name for row in rows] == ["", "q", "k", "5–6", "8"]


def test_a_shared_module_keeps_its_block_apart():
    """Blocks that refer to different things outside are not the same."""
    model = GPT(depth=4)
    model.h[1].add_module("extra", model.h[0].up)
    model.h[2].add_module("extra", model.h[0].up)
    model.h[3].add_module("extra", model.wte)
    assert names(model, Plan()) == ["h.0", "h.1–2", "h.3"]


def test_members_of_a_row_are_all_the_modules_it_stands_for():
    """A row inside a folded run stands for that module in every block."""
    model = GPT(depth=3)
    layout = Plan().resolve(model)
    rows = rows_of(folding_of(layout))
    up = next(row for row in rows if row.name == "up")
    assert [layout.modules[index].fqn for index in up.members] == ["h.0.up", "h.1.up", "h.2.up"]


@pytest.mark.parametrize(
    ("name", "num_modules", "num_rows"),
    [
        ("gpt2", 164, 21),
        ("llama8b", 423, 20),
        ("llama70b", 1_047, 20),
        ("mixtral", 391, 19),
        ("deepseek_v3", 1_215, 43),
        ("moe12k", 12_575, 46),
        ("deepseek_v3_lists", 75_396, 46),
    ],
)
def test_language_models_fold_to_a_screenful(name, num_modules, num_rows):
    """Fixed points, everything open and no plan."""
    layout = Plan().resolve(shape(name))
    assert (len(layout.modules), len(rows_of(folding_of(layout)))) == (num_modules, num_rows)


@pytest.mark.parametrize("name", ["llama8b", "llama70b"])
@pytest.mark.parametrize("plan", [Plan(), Plan().fully_shard("")])
def test_a_unit_a_layer_adds_no_row(name, plan):
    """Eighty units, with or without a root, are still one row."""
    layout = plan.fully_shard("model.layers.*").resolve(shape(name))
    assert len(rows_of(folding_of(layout))) == 20


def test_too_many_rows_show_whole_levels_and_say_what_is_below():
    """The first levels say more than the first thousand rows."""
    rows = rows_of(folding_of(Plan().resolve(GPT(depth=4))), max_rows=5)
    assert [(row.name, row.hidden) for row in rows] == [
        ("", 0),
        ("wte", 0),
        ("h", 0),
        ("h.0–3", 3),
        ("head", 0),
    ]
    wide = nn.Sequential(*[nn.Linear(1, 1 + k) for k in range(50)])
    rows = rows_of(folding_of(Plan().resolve(wide)), max_rows=10)
    assert [row.kind for row in rows] == ["module"] * 9 + ["more"]
    assert rows[-1].times == 42


@pytest.mark.parametrize(
    ("values", "text"), [([7], "7"), ([5, 18, 31], "5+13k"), ([2, 3, 4], "2+k"), ([4, 4], "4"), ([1, 2, 9], "1…")]
)
def test_numbers_of_a_folded_row(values, text):
    """A rule where there is one, the smallest and three dots where not."""
    assert progression(values) == text


@pytest.mark.parametrize("case", oracles.read("folds")["cases"], ids=lambda case: case["model"])
def test_rows_are_those_that_the_page_draws(case):
    """Labels and numbers of all rows, worked out by hand; the page's fold rule answers the same file."""
    layout, payload = oracles.layout_and_payload(oracles.FOLDS[case["model"]])
    assert payload == oracles.read("folds")["models"][case["model"]], "run tests/explorer/oracles.py"
    rows = oracles.labelled(rows_of(folding_of(layout)))
    assert [[label, row.times] for label, row in rows] == case["rows"]
    for label, fqns in case.get("members", {}).items():
        row = dict(rows)[label]
        assert [layout.modules[index].fqn for index in row.members] == fqns


def test_checkpointed_blocks_say_so_and_do_not_fold_with_others():
    """A wrapper of activation checkpointing is no row of its own; the class of what it holds wears a mark."""
    model = GPT(depth=6)
    for number in (4, 5):
        model.h[number] = checkpoint_wrapper(model.h[number])
    assert names(model, Plan()) == ["h.0–3", "h.4–5"]
    classes = classes_of(tree_of(model))
    marked = [index for index, number in enumerate(classes.of) if len(classes.rows[number]) == 4]
    assert [tree_of(model).nodes[index].fqn for index in marked] == ["h.4", "h.5"]
    assert {classes.rows[classes.of[index]][0] for index in marked} == {"Block"}
