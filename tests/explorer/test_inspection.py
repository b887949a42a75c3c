"""The inspector's facts against the layout, the engine's arithmetic and the plan that made them."""

from __future__ import annotations

import json

import pytest
import torch
from explored_models import GPT, Named
from torch import nn

from explorer.inspection import Inspection, inspection_of
from sharding.errors import PlanError
from sharding.plan import Plan
from sharding.policy import by_class


def look(model: nn.Module, plan: Plan, fqn: str, **settings: int) -> Inspection:
    layout = plan.resolve(model)
    return inspection_of(layout, plan, layout.tree.find(fqn).index, **settings)


MIXED = Plan().fully_shard("").fully_shard("h.[013]").replicate("h.2").ignore("h.1.up")
UNIT = [".fully_shard('h.[013]')"]


@pytest.mark.parametrize(
    ("fqn", "status", "why", "code"),
    [
        ("", "fully_shard", "A unit of its own: it is marked. A local tree of units starts", [".fully_shard('')"]),
        ("wte", "in_unit", "nearest mark above, nothing closer is marked", [".fully_shard('')"]),
        ("h.0", "fully_shard", "A unit of its own: it is marked.", UNIT),
        ("h.0.up", "in_unit", "Sharded in the unit of 'h.0'", UNIT),
        ("h.2", "replicate", "it is marked so; parameters stay whole", [".replicate('h.2')"]),
        ("h.2.up", "replicated", "it lies in 'h.2', which is replicated", [".replicate('h.2')"]),
        ("h.1.up", "ignored", "it is marked so, and calls above it leave out", [".ignore('h.1.up')"]),
    ],
)
def test_the_reason_and_the_code_of_each_status(fqn, status, why, code):
    """One sentence, and only the lines that matter for this module."""
    seen = look(GPT(), MIXED, fqn)
    assert seen.status == status
    assert why in seen.why
    assert seen.code == code


def test_unmanaged_modules_and_what_is_below_ignored_ones():
    """The two statuses that no mark of their own explains."""
    assert look(GPT(), Plan(), "h").why.startswith("Unmanaged: neither it nor a module above it is marked")
    assert look(GPT(), Plan(), "h").code == []
    seen = look(GPT(), Plan().fully_shard("").ignore("h"), "h.0.up")
    assert (seen.status, seen.unit_fqn) == ("in_ignored", "h")
    assert seen.why == "Ignored: it lies in 'h', which is ignored."
    assert seen.code == [".ignore('h')"]


def test_a_policy_and_a_group_are_told():
    """Who chose the unit, and who is in it beside."""
    seen = look(GPT(), Plan().fully_shard("", policy=by_class("Block")), "h.1")
    assert "the policy given at the root module chose it" in seen.why
    assert seen.code == [".fully_shard('', policy=by_class('Block'))"]
    seen = look(GPT(), Plan().fully_shard("").fully_shard(["h.0", "h.3"]), "h.3")
    assert "together with 'h.0'" in seen.why
    assert seen.unit_fqn == "h.0"
    assert seen.code == [".fully_shard(['h.0', 'h.3'])"]


def test_lines_before_a_clear_do_not_count():
    """They were taken back."""
    plan = Plan().fully_shard("").fully_shard("h.*").clear("h.1").fully_shard("h.1", strategy="shard_grad_op")
    assert look(GPT(), plan, "h.1").code == [".fully_shard('h.1', strategy='shard_grad_op')"]


@pytest.mark.parametrize("world_size", [1, 2, 3, 8])
def test_pieces_are_what_the_flat_parameter_is_cut_into(world_size):
    """Rank 0 holds the first ceil(numel / ranks) elements of the parameters laid end to end."""
    model, plan = GPT(), Plan().fully_shard("").fully_shard("h.*")
    unit = plan.resolve(model).unit_of["h.0"]
    kept = -(-unit.numel // world_size)
    found = {
        row["name"]: row
        for fqn in ("norm", "up", "down")
        for row in look(model, plan, f"h.0.{fqn}", world_size=world_size).params
    }
    offset = 0
    for row in unit.params:
        expected = max(0, min(row.numel, kept - offset))
        offset += row.numel
        piece = found[row.name]["piece"]
        if world_size == 1:
            assert piece is None
        else:
            assert piece[1] - piece[0] == expected
        assert found[row.name]["nbytes_per_rank"] == 4 * expected


def test_tied_frozen_and_whole_parameters():
    """Every name, who owns it, and that nothing is cut where nothing is sharded."""
    model = GPT(tied=True)
    model.h[0].up.bias.requires_grad_(False)
    (row,) = look(model, Plan().fully_shard("").replicate("h"), "head").params
    assert (row["name"], row["tied"], row["owner_kind"], row["owner"]) == ("wte.weight", ["head.weight"], "unit", "")
    rows = look(model, Plan().fully_shard("").replicate("h"), "h.0.up").params
    assert [row["frozen"] for row in rows] == [False, True]
    assert [row["piece"] for row in rows] == [None, None]
    assert rows[0]["nbytes_per_rank"] == 4 * 16 * 8


def test_what_is_said_against_the_module_is_there():
    """Findings and conflicts that name it or a parameter of it."""
    seen = look(GPT(), Plan().fully_shard("h.*"), "wte")
    assert [each["kind"] for each in seen.findings] == ["not_averaged"]
    assert look(GPT(), Plan().fully_shard("h.*"), "h.0.up").findings == []


def test_a_mesh_and_a_wrong_number_of_ranks():
    """Pieces follow the shard axis of the plan's mesh."""
    plan = Plan(mesh_shape=(2, 4)).fully_shard("", strategy="hybrid_shard")
    model = Named(lin=nn.Linear(8, 4, bias=False))
    assert look(model, plan, "lin").params[0]["piece"] == [0, 8]
    assert look(model, plan, "lin").world_size == 8
    with pytest.raises(PlanError, match="world_size=0: give a whole number of ranks, 1 or more"):
        look(model, plan, "lin", world_size=0)


def test_it_is_plain_data_and_text():
    """JSON for the page; 80 columns for a terminal."""
    model = GPT(tied=True)
    seen = look(model, Plan().fully_shard("h.*"), "wte")
    assert json.loads(json.dumps(seen.to_data()))["params"][0]["dtype"] == str(torch.float32).removeprefix("torch.")
    text = look(model, Plan().fully_shard("").fully_shard("h.*"), "h.0.up").to_text()
    assert text == (
        "h.0.up  Linear  (#5)\n"
        "Sharded in the unit of 'h.0': that is the nearest mark above, nothing closer is\n"
        "marked.\n"
        "- h.0.up.weight: 16×8 float32; unit of 'h.0'; rank 0 of 2 holds elements 0 to\n"
        "  128, 512 bytes\n"
        "- h.0.up.bias: 16 float32; unit of 'h.0'; rank 0 of 2 holds elements 0 to 4, 16\n"
        "  bytes\n"
        "    .fully_shard('h.*')"
    )
