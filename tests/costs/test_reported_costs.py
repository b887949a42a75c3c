"""Figures of reported situations: what people counted wrong, could not find out before a run, or were surprised by."""

from __future__ import annotations

import time
from collections import Counter

import pytest
import torch
from torch import nn

from sharding import Cost, Plan, by_class, cost

ROOT = Plan().fully_shard("")


def totals(asked: Cost, phase: str | None = None) -> dict[str, tuple[int, int]]:
    """`(count, bytes)` of every kind of collective."""
    count: Counter[str] = Counter()
    nbytes: Counter[str] = Counter()
    for row in asked.collectives:
        if phase is None or row.phase == phase:
            count[row.kind] += row.count
            nbytes[row.kind] += row.count * row.nbytes
    return {kind: (count[kind], nbytes[kind]) for kind in count}


class TiedModel(nn.Module):
    """Embedding and head are one parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.emb, self.body = nn.Embedding(10, 4), nn.Linear(4, 4)
        self.head = nn.Linear(4, 10, bias=False)
        self.head.weight = self.emb.weight


def test_tied_weights_are_counted_once():
    """F01: 60 elements, 240 bytes, not 100."""
    asked = cost(ROOT.resolve(TiedModel()), world_size=1)
    assert (asked.units[0].numel, asked.units[0].nbytes, asked.per_rank[0].parameters) == (60, 240, 240)


@pytest.mark.parametrize(
    ("optimizer", "parts"),
    [
        ("adam", {"exp_avg": 128, "exp_avg_sq": 128, "step": 4}),
        ("adamw", {"exp_avg": 128, "exp_avg_sq": 128, "step": 4}),
        ("sgd", {}),
        ("sgd_momentum", {"momentum_buffer": 128}),
    ],
)
def test_bytes_depend_on_the_optimizer(optimizer, parts):
    """F03: parameters 128, gradients 128, Adam 256 and one counter, SGD none, momentum 128; every part is named."""
    asked = cost(ROOT.resolve(nn.Linear(8, 8, bias=False)), world_size=2, optimizer=optimizer)
    for rank in asked.per_rank:
        assert (rank.parameters, rank.gradients, dict(rank.optimizer)) == (128, 128, parts)
        assert rank.total == 256 + sum(parts.values())
    for part in parts:
        assert f"{optimizer}: {part}" in asked.to_text()


def test_replicated_it_is_four_times_that_with_adam():
    """F03: replicate instead is 1024 on every rank, and the counter."""
    asked = cost(Plan().replicate("").resolve(nn.Linear(8, 8, bias=False)), world_size=2, optimizer="adam")
    assert [rank.total for rank in asked.per_rank] == [1024 + 4] * 2


class Layers(nn.Module):
    """Three layers, and perhaps a parameter of the root."""

    def __init__(self, root_param: bool = False) -> None:
        super().__init__()
        self.l = nn.ModuleList([nn.Linear(4, 4, bias=False) for _ in range(3)])
        self.g = nn.Parameter(torch.ones(4)) if root_param else None


def test_number_of_collectives_per_step():
    """F06: 6 and 3, a forward alone 3 and 0; the root gathers once; one unit 1 and 1; children kept 3 and 3."""
    each = ROOT.fully_shard("l.*")
    asked = cost(each.resolve(Layers()))
    assert totals(asked) == {"all_gather": (6, 384), "reduce_scatter": (3, 192)}
    assert sum(row.output_nbytes for row in asked.collectives if row.kind == "reduce_scatter") == 96
    assert totals(asked, "forward") == {"all_gather": (3, 192)}
    with_root = cost(each.resolve(Layers(root_param=True)))
    assert totals(with_root) == {"all_gather": (7, 400), "reduce_scatter": (4, 208)}
    assert totals(cost(ROOT.resolve(Layers()))) == {"all_gather": (1, 192), "reduce_scatter": (1, 192)}
    kept = ROOT.fully_shard("l.*", reshard_after_forward=False)
    assert totals(cost(kept.resolve(Layers()))) == {"all_gather": (3, 192), "reduce_scatter": (3, 192)}


def test_micro_steps_without_sync():
    """F06: four backwards of which the last averages: 24 gatherings and 3 reductions, and the whole gradients wait."""
    layout = ROOT.fully_shard("l.*").resolve(Layers())
    once, four = cost(layout), cost(layout, accumulation_steps=4)
    assert totals(four) == {"all_gather": (24, 1536), "reduce_scatter": (3, 192)}
    assert "4 forwards and backwards of which the last averages" in four.to_text()
    assert four.peak.nbytes > once.peak.nbytes
    assert "whole gradients: 3 units" in four.to_text()


def test_the_mesh_of_the_plan_is_the_default():
    """A plan meant for 2 x 4 ranks costs what it costs there, unless another number of ranks is asked for."""
    layout = ROOT.defaults(mesh_shape=(2, 4)).resolve(nn.Linear(8, 8))
    assert cost(layout).setting.mesh_shape == cost(layout, world_size=8).setting.mesh_shape == (2, 4)
    assert cost(layout, world_size=3).setting.mesh_shape == (3,)


def test_one_rank_saves_nothing_and_sends_nothing():
    """F08: no collectives, whole parameters, and the text says so."""
    asked = cost(ROOT.resolve(nn.Linear(3, 5)), world_size=1)
    assert asked.collectives == ()
    assert asked.per_rank[0].parameters == 80
    assert asked.units[0].in_effect == "whole"
    assert asked.to_text().startswith("One training step on 1 rank: no collectives, nothing saved.")


def test_a_mesh_of_n_1_replicates_in_effect():
    """F09: 1 all-reduce of 64 bytes, every rank holds all 16 elements, shown as replicated."""
    asked = cost(ROOT.resolve(nn.Linear(4, 4, bias=False)), mesh_shape=(2, 1))
    assert totals(asked) == {"all_reduce": (1, 64)}
    assert [rank.parameters for rank in asked.per_rank] == [64, 64]
    assert asked.units[0].in_effect == "replicated"
    assert "replicated" in asked.to_text()


class Buffered(nn.Module):
    """Small parameters, large buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(2, 2)
        self.register_buffer("big", torch.zeros(1000))
        self.register_buffer("tmp", torch.zeros(10), persistent=False)


def test_buffers_are_whole_on_every_rank():
    """F10: 12 bytes of parameters and 4040 of buffers on each of 2 ranks."""
    for rank in cost(ROOT.resolve(Buffered())).per_rank:
        assert (rank.parameters, rank.buffers) == (12, 4040)


def test_a_40_gb_layer_on_meta():
    """F11: exact numbers of a model that fits nowhere, within a second; a unit of 8 equal pieces a rank."""
    n = 100_000
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(n, n, bias=False), nn.Linear(n, 1))
    start = time.perf_counter()
    asked = cost(ROOT.fully_shard("0").resolve(model), world_size=8)
    text = asked.to_text()
    assert time.perf_counter() - start < 1
    root, layer = asked.units
    assert sum(unit.numel for unit in asked.units) == 10_000_100_001
    assert sum(unit.nbytes for unit in asked.units) == 40_000_400_004
    assert (layer.min_shard_nbytes, layer.max_shard_nbytes, layer.waste) == (5_000_000_000, 5_000_000_000, 0)
    assert (root.shard_nbytes, root.max_shard_nbytes, root.min_shard_nbytes) == (50_004, 50_004, 49_976)
    assert "5,000,000,000" in text


def test_a_parameter_smaller_than_the_job_leaves_ranks_empty():
    """Three elements on 8 ranks: 5 hold padding only, and the padding is more than the parameters."""
    unit = cost(ROOT.resolve(nn.Linear(3, 1, bias=False)), world_size=8).units[0]
    assert (unit.num_empty_ranks, unit.min_shard_nbytes, unit.max_shard_nbytes, unit.shard_nbytes) == (5, 0, 4, 4)
    assert unit.waste == pytest.approx(5 / 3)


def test_why_a_unit_frees_or_keeps_is_said():
    """Root, strategy and explicit choice each have their sentence."""
    model = nn.Sequential(*(nn.Sequential(nn.Linear(2, 2)) for _ in range(3)))
    plan = (
        ROOT.fully_shard("0").fully_shard("1", strategy="shard_grad_op").fully_shard("2", reshard_after_forward=False)
    )
    said = {unit.fqn: (unit.frees_after_forward, unit.reason) for unit in cost(plan.resolve(model)).units}
    assert said == {
        "": (False, "local root: kept until its backward is over"),
        "0": (True, "full_shard, not a local root"),
        "1": (False, "shard_grad_op keeps parameters for backward"),
        "2": (False, "reshard_after_forward=False"),
    }


def test_a_frozen_units_second_gathering_is_marked_as_uncertain():
    """Whether a gradient goes through a frozen unit is not known before a trace, and the row says so."""
    model = nn.Sequential(nn.Linear(2, 2).requires_grad_(False), nn.Linear(2, 2))
    asked = cost(Plan().fully_shard("", policy=by_class("Linear")).resolve(model))
    assert [row.phase for row in asked.collectives if not row.is_certain] == ["backward"]
    assert "1 of them only if a gradient goes through" in asked.to_text()


def test_a_plan_without_units_costs_what_lies_there():
    """No unit, no collective; parameters, gradients and states are whole on every rank."""
    asked = cost(Plan().resolve(nn.Linear(3, 5)), world_size=4, optimizer="sgd")
    assert (asked.units, asked.collectives) == ((), ())
    assert asked.peak.nbytes == 2 * 80
    assert [rank.total for rank in asked.per_rank] == [160] * 4


def test_a_job_of_many_ranks_is_a_few_runs():
    """16,384 ranks of which the last hold less are a handful of lines, in the text too; every rank can be asked."""
    asked = cost(ROOT.fully_shard("0").resolve(nn.Sequential(nn.Linear(300, 300), nn.Linear(7, 7))), world_size=16_384)
    assert len(asked.per_rank) == 16_384
    assert len(asked.per_rank.runs) < 8
    assert sum(rank.parameters - rank.padding for rank in asked.per_rank) == 4 * (300 * 301 + 56)
    assert asked.per_rank[-1].rank == 16_383
    assert asked.per_rank[56].padding > asked.per_rank[0].padding == 0
    assert len(asked.to_text().splitlines()) < 40


def test_equal_units_are_one_line():
    """A hundred layers are one line with their common name; the peak of all of them is not worked out one by one."""
    model = nn.Sequential(*(nn.Linear(4, 4) for _ in range(100)))
    asked = cost(ROOT.fully_shard("*").resolve(model))
    assert "0–99" in asked.to_text()
    assert [unit.fqn for unit in asked.units] == ["", *map(str, range(100))]
    assert len(asked.peak.points) < 100


@pytest.mark.parametrize("engine", ["flat", "torch"])
@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize("settings", [{}, {"strategy": "shard_grad_op"}, {"reshard_after_forward": True}], ids=str)
@pytest.mark.parametrize("marks", [["*"], ["*", "*.0"], ["*.0", "*.1", "*.2"]], ids=" ".join)
def test_what_is_left_out_of_long_runs_is_counted(engine, steps, settings, marks):
    """Few layers are gone through one by one, many are not; both lie on one line: each layer adds the same."""

    def peak(depth: int) -> int:
        blocks = (nn.Sequential(nn.Linear(4, 6), nn.Linear(6, 4), nn.Linear(4, 4)) for _ in range(depth))
        plan = ROOT
        for mark in marks:
            plan = plan.fully_shard(mark, **settings)
        layout = plan.resolve(nn.Sequential(*blocks), engine=engine)
        return cost(layout, world_size=3, accumulation_steps=steps).peak.nbytes

    few = [peak(depth) for depth in (4, 5, 6)]
    each = few[1] - few[0]
    assert few[2] - few[1] == each > 0
    assert [peak(depth) for depth in (7, 13, 60)] == [few[0] + (depth - 4) * each for depth in (7, 13, 60)]


def test_ddp_closes_a_small_first_bucket():
    """Torch's default: the first bucket is closed at 1 MiB, the others at 25; asked for 25, the first holds 25 too."""
    model = nn.Sequential(*(nn.Linear(1024, 1024, bias=False) for _ in range(16)))
    layout = Plan().replicate("").resolve(model, engine="torch")
    mib = 2**20
    for asked, sizes in (({}, [4, 28, 28, 4]), ({"bucket_cap_mb": 25}, [28, 28, 8]), ({"bucket_cap_mb": 4}, [4] * 16)):
        (group,) = cost(layout, replicate_with="ddp", **asked).groups
        assert [bucket.nbytes // mib for bucket in group.buckets] == sizes
    (group,) = cost(layout).groups
    assert [bucket.nbytes // mib for bucket in group.buckets] == [64]


def llama(num_layers: int, width: int, hidden: int, kv_width: int) -> nn.Module:
    """The parameters of a Llama 3 model, without its forward."""

    def layer() -> nn.Module:
        sizes = {"q": (width, width), "k": (width, kv_width), "v": (width, kv_width), "o": (width, width)}
        sizes |= {"gate": (width, hidden), "up": (width, hidden), "down": (hidden, width)}
        linears = {name: nn.Linear(*size, bias=False) for name, size in sizes.items()}
        return nn.ModuleDict(linears | {"norm": nn.RMSNorm(width), "post_norm": nn.RMSNorm(width)})

    layers = nn.Sequential(*(nn.Sequential(layer()) for _ in range(num_layers)))
    return nn.Sequential(nn.Embedding(128_256, width), layers, nn.RMSNorm(width), nn.Linear(width, 128_256, bias=False))


@pytest.mark.parametrize(
    ("shape", "gathered", "scattered"), [((32, 4096, 14336, 1024), 27.5, 29.5), ((80, 8192, 28672, 1024), 255, 259)]
)
def test_what_a_rank_of_a_large_job_sends(shape, gathered, scattered):
    """Llama 8B and 70B on 64 ranks of torch's engine, bfloat16 reduced in float32: GiB a rank sends in a step."""
    with torch.device("meta"):
        model = llama(*shape)
    mixed = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
    plan = ROOT.fully_shard("1.*").defaults(mixed_precision=mixed)
    asked = cost(plan.resolve(model, engine="torch"), world_size=64)
    sent = Counter()
    for each in asked.traffic:
        sent[each.kind] += each.ring_nbytes / 2**30
    assert sent["all_gather"] == pytest.approx(gathered, rel=0.005)
    assert sent["reduce_scatter"] == pytest.approx(scattered, rel=0.005)
