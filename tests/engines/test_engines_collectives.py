"""Owners, and every collective of a step: by unit in the event log, by bytes below the engine, as the layout says."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
import torch
import torch.distributed as dist
from engine_models import NESTS, Odd, Tied, TwoBlocks
from oracle_run import Case, inputs, loss_of
from wiretap import Wiretap

import sharding
from sharding import Layout, Plan, Unit, by_class
from sharding.events import Event
from sharding.native.torch_private import pairs_of_forms
from sharding.native.walking import running_in
from sharding.partition import ceil_div
from sharding.traversal import tree_of

P = Plan()
BLOCKS = Case(TwoBlocks, P.fully_shard("", policy=by_class("Block")))
NESTED = {name: Case(TwoBlocks, plan) for name, plan in NESTS.items()}
WIRE = ("all_gather", "reduce_scatter", "all_reduce", "broadcast")


def second_step(case: Case, engine: str) -> dict[str, Any]:
    """The second of two like steps: what the log says, and what the wire carried."""
    model, _ = case.applied(engine)
    for step in range(2):
        with sharding.record_events() as log, Wiretap() as wire:
            loss_of(model(inputs(step, dist.get_rank()))).backward()
    events = list(log)
    return {
        "forward": in_words(events, "forward"),
        "backward": in_words(events, "backward"),
        "other": in_words(events, "other"),
        "told": Counter((e.kind, e.nbytes) for e in events if e.kind in WIRE),
        "units": Counter((e.kind, e.fqn, e.nbytes) for e in events if e.kind in WIRE),
        "heard": wire.heard,
        "ordered": all(e.start_ns <= e.end_ns for e in events) and _ends_ascend(events),
        "ranks": {e.rank for e in events} == {dist.get_rank()},
    }


def _ends_ascend(events: list[Event]) -> bool:
    return all(one.end_ns <= other.end_ns for one, other in pairwise(events))


def in_words(events: list[Event], phase: str) -> str:
    """The unshard and reshard calls of a phase: `*` moved bytes, `f` freed memory."""
    words = []
    for event in events:
        name = event.fqn or "root"
        if event.phase == phase and event.kind == "unshard":
            words.append(f"U {name}{'*' if event.nbytes else ''}")
        elif event.phase == phase and event.kind == "reshard":
            words.append(f"R {name}{' f' if event.freed else ''}")
    return ", ".join(words)


@pytest.mark.parametrize("name", ["blocks", *NESTED])
def test_the_log_tells_what_the_wire_carries(ranks, engine, name):
    """Every collective that leaves the process is an event with the same bytes, and no event is made up."""
    for got in ranks.run(second_step, NESTED.get(name, BLOCKS), engine):
        assert got["told"] == got["heard"]
        assert got["heard"]
        assert got["ordered"]
        assert got["ranks"]


def test_the_calls_of_a_step(ranks, engine):
    """Units are gathered, freed and prefetched in the same order on both engines."""
    for got in ranks.run(second_step, BLOCKS, engine):
        assert got["forward"] == "U root*, U u1*, R u1 f, U u2*, R u2 f, R root"
        assert got["backward"] == "U root, U u2*, U u1*, R u2 f, R u1 f, R root f"
        assert got["other"] == ""


def test_an_inner_root_is_adopted_on_torchs_engine_alone(ranks, engine):
    """Inside `replicate`, a unit is a root of its own on one engine and freed after forward on the other."""
    plan = NESTS["1fm1fm,1r1r,1fm"]
    layout = plan.resolve(TwoBlocks(), engine=engine)
    adopted = engine == "torch"
    assert layout.unit_of["u1.seq"].is_root is not adopted
    assert next(row for row in layout.modules if row.fqn == "u1.seq.0").local_root == ("" if adopted else "u1.seq")
    assert [fact.fqns for fact in layout.facts if fact.kind == "adopted"] == [("u1.seq", "u2.seq")] * adopted
    for got in ranks.run(second_step, Case(TwoBlocks, plan), engine):
        assert ("R u1.seq f" in got["forward"]) is adopted
        assert ("U u1.seq*" in got["backward"]) is adopted


def expected_nbytes(layout: Layout, unit: Unit, world_size: int, *, reduced: bool) -> list[int]:
    """Bytes of a unit's collectives: by rows a parameter on torch's engine, by flat buffer on the other."""
    rows = [row for row in unit.params if row.requires_grad or not reduced]
    if layout.engine == "torch":
        sizes = [_rows_padded(row.shape, world_size) * row.dtype.itemsize for row in rows]
        return [sum(sizes)] if rows else []
    buffers: Counter[tuple[Any, bool]] = Counter()
    for row in rows:
        buffers[row.dtype, row.requires_grad] += row.numel
    return [ceil_div(numel, world_size) * world_size * dtype.itemsize for (dtype, _), numel in buffers.items()]


def _rows_padded(shape: Any, world_size: int) -> int:
    numel = ceil_div(shape[0], world_size) * world_size
    for size in shape[1:]:
        numel *= size
    return numel


@pytest.mark.parametrize("build", [TwoBlocks, Odd, Tied])
def test_bytes_follow_from_the_layout(ranks, engine, build):
    """Odd sizes, frozen beside trainable, an integer, a tie: each unit's collectives carry what the layout implies."""
    case = Case(build, P.fully_shard("", policy=by_class("Block", "Adapted")))
    layout = case.plan.resolve(build(), engine=engine)
    for got in ranks.run(second_step, case, engine):
        for unit in layout.units:
            gathered = {key[2] for key in got["units"] if key[:2] == ("all_gather", unit.fqn)}
            reduced = {key[2] for key in got["units"] if key[:2] == ("reduce_scatter", unit.fqn)}
            assert gathered == set(expected_nbytes(layout, unit, 2, reduced=False))
            assert reduced == set(expected_nbytes(layout, unit, 2, reduced=True))


def owners_on_torch(case: Case) -> dict[str, list[str]]:
    """Names of the parameters each of torch's groups really holds, in its order."""
    model, _ = case.applied("torch")
    names = {id(param): name for name, param in model.named_parameters()}
    return {
        each.fqn: [names[id(resting)] for group in each.groups for resting, _ in pairs_of_forms(group)]
        for each in running_in(tree_of(model))
    }


@pytest.mark.parametrize("name", ["blocks", "odd", *NESTED])
def test_torch_holds_what_the_layout_says_in_its_order(ranks, name):
    """Owners and their order (a module's own parameters after its children's) are what torch really does."""
    odd = Case(Odd, P.fully_shard("", policy=by_class("Adapted")).ignore(["second.up", "one"]))
    case = {"blocks": BLOCKS, "odd": odd, **NESTED}[name]
    layout = case.plan.resolve(case.build(), engine="torch")
    wanted = {owner.fqn: list(owner.param_names) for owner in (*layout.units, *layout.replicate_groups) if owner.params}
    for got in ranks.run(owners_on_torch, case):
        assert got == wanted
    if name == "blocks":
        assert wanted["u1"][-1] == "u1.scale"
        assert next(fact for fact in layout.facts if fact.kind == "param_order").fqns == ("", "u1", "u2")


def test_hybrid_reduces_over_both_axes(four_ranks, engine):
    """On a 2 x 2 mesh a unit makes a reduce-scatter within its copy and an all-reduce of the piece between copies."""
    plan = P.defaults(mesh_shape=(2, 2), strategy="hybrid_shard").fully_shard("", policy=by_class("Block"))
    for got in four_ranks.run(second_step, Case(TwoBlocks, plan), engine):
        assert got["told"] == got["heard"]
        kinds = Counter(kind for (kind, _), count in got["heard"].items() for _ in range(count))
        assert kinds == {"all_gather": 5, "reduce_scatter": 3, "all_reduce": 3}


def without_backward(engine: str) -> str:
    """The forward of a model that learns nothing."""
    model, _ = BLOCKS.applied(engine)
    with sharding.record_events() as log, torch.no_grad():
        model(inputs(0, dist.get_rank()))
    return in_words(list(log), "forward")


def test_without_backward_the_root_is_kept_on_torchs_engine_alone(ranks, engine):
    """The layout of the engine that keeps it says so."""
    kept = engine == "torch"
    facts = [fact.fqns for fact in BLOCKS.plan.resolve(TwoBlocks(), engine=engine).facts if fact.kind == "root_kept"]
    assert facts == [("",)] * kept
    last = "R root" if kept else "R root f"
    assert ranks.run(without_backward, engine) == [f"U root*, U u1*, R u1 f, U u2*, R u2 f, {last}"] * 2


def quiet_step(engine: str) -> int:
    """Events of a step nobody listens to, seen by a log opened after it."""
    model, _ = BLOCKS.applied(engine)
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    with sharding.record_events() as log:
        pass
    return len(log)


def test_nothing_is_kept_when_nobody_listens(ranks, engine):
    """Events are off by default."""
    assert ranks.run(quiet_step, engine) == [0, 0]
