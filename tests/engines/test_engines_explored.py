"""The explorer on both engines: the same run from the same plan, its timeline, and the engine's facts as text."""

from __future__ import annotations

import pytest
from engine_models import NESTS, TwoBlocks, TwoDtypes
from oracle_run import inputs

from explorer import explore
from explorer.text import text_of
from sharding import ConflictError, Plan, PlanError, by_class

LIMIT_S = 90


@pytest.mark.parametrize("nest", ["blocks", "1r1fm,1fm"])
def test_a_run_on_either_engine_is_the_same_run(nest):
    """Losses are alike and are the unsharded model's, and the page gets the same unshards, reshards and collectives."""
    plan = NESTS.get(nest, Plan().fully_shard("", policy=by_class("Block")))
    ex = explore(TwoBlocks, plan=plan, example_inputs=lambda rank, step: inputs(step, rank), view="text")
    runs = {}
    for engine in ("flat", "torch"):
        runs[engine] = ex.run(nprocs=2, steps=2, engine=engine, reference=True, lr=0.01)
        runs[engine].result(LIMIT_S)
    flat, torchs = runs["flat"], runs["torch"]
    assert torchs.losses == [[step, *map(pytest.approx, row)] for step, *row in flat.losses]
    assert [sum(row[1:]) / 2 for row in torchs.losses] == pytest.approx(torchs.reference)
    for one, other in zip(torchs.events, flat.events, strict=True):
        kinds = [event[:4] for event in one]
        assert kinds == [event[:4] for event in other]
        assert any(event[2] == "G" and event[4] > 0 for event in one)


def test_a_run_that_the_engine_refuses_does_not_start():
    """The engine's own conflicts are told before any worker is."""
    ex = explore(TwoDtypes, plan=Plan().fully_shard(""), example_inputs=lambda rank, step: inputs(step, rank))
    with pytest.raises((PlanError, ConflictError), match="2 dtypes"):
        ex.run(nprocs=2, steps=1, engine="torch")
    assert not ex.runs


def test_facts_are_in_the_text():
    """What is different on this engine stands below the tree, each with its engine."""
    layout = NESTS["1fm1fm,1r1r,1fm"].resolve(TwoBlocks(), engine="torch")
    text = " ".join(text_of(layout, ascii_only=True).split())
    assert {fact.kind for fact in layout.facts} == {"param_order", "rows", "adopted", "replicate_on_fsdp2", "root_kept"}
    for fact in layout.facts:
        assert f"= on engine 'torch' {fact.message}"[:60] in text
    assert "on engine" not in text_of(NESTS["1r,1fm"].resolve(TwoBlocks()))
