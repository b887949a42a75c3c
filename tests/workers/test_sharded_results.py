"""Sharded modules as results: what comes back says its plan, units and shapes, and holds every element."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import nn

from sharding import Plan, WorkerError, fully_shard, state_dict
from sharding.workers import Workers

ENGINES = ("flat", "torch")
HALF = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
NAMES = ("0.weight", "0.bias", "1.weight", "1.bias", "2.weight", "2.bias")


class Odd(nn.Sequential):
    """Odd sizes, a tied weight, buffers (one that is not saved)."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self[0](x)
        return self[3]((self[1](hidden) * self[2](hidden)).float())


def built() -> Odd:
    torch.manual_seed(0)
    model = Odd(nn.Linear(3, 5), nn.Linear(5, 2), nn.Linear(5, 2), nn.BatchNorm1d(2))
    model[2].weight = model[1].weight
    model[3].register_buffer("scratch", torch.ones(3), persistent=False)
    model.register_buffer("scale", torch.arange(2.0))
    return model


def sharded(engine: str, num_steps: int = 0, **options: Any) -> Odd:
    model = built()
    plan = Plan().fully_shard("", **options).fully_shard("0", **options).replicate("3")
    plan.apply(model, engine=engine)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(num_steps):
        trained(model, optimizer)
    return model


def trained(model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    model(torch.rand(4, 3)).square().sum().backward()
    optimizer.step()
    optimizer.zero_grad()


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return list(one) == list(other) and all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sharded_module_comes_back_as_what_each_rank_holds(workers: Workers, engine: str) -> None:
    """The whole, put together here, is what the engine's own gathering gives: names, order, values, ties."""

    def both() -> Any:
        model = sharded(engine)
        return {"model": model}, state_dict(model)

    (first, gathered), (second, _) = workers.run(both)
    mine, theirs = first["model"], second["model"]
    assert (mine.cls, mine.engine) == ("Odd", engine)
    whole = mine.full()
    assert equal(whole, gathered)
    assert equal(theirs.full(), gathered)
    assert whole["1.weight"] is whole["2.weight"]
    built().load_state_dict(whole)
    for name in ("0.weight", "0.bias"):
        assert mine.local()[name].numel() + theirs.local()[name].numel() == whole[name].numel()
        assert mine.state[name].shape == mine.shapes[name] == whole[name].shape
    assert torch.equal(mine.local()["3.weight"], theirs.local()["3.weight"])


@pytest.mark.parametrize("engine", ENGINES)
def test_it_tells_its_plan_and_its_units(workers: Workers, engine: str) -> None:
    """The plan means the same on a fresh model; units list what travels together."""
    returned, _ = workers.run(sharded, engine)
    assert [(unit.fqn, unit.param_names) for unit in returned.units] == [
        ("", ("1.weight", "1.bias", "2.bias")),
        ("0", ("0.weight", "0.bias")),
        ("3", ("3.weight", "3.bias")),
    ]
    layout = returned.plan.resolve(built())
    assert [unit.fqn for unit in layout.units] == ["", "0"]
    assert [group.fqn for group in layout.replicate_groups] == ["3"]
    assert repr(returned).splitlines() == [
        f"ShardedModule(Odd, engine {engine!r}, 3 units, 12 entries)",
        "  (root): 1.weight (2, 5), 1.bias (2,), 2.bias (2,)",
        "  0: 0.weight (5, 3), 0.bias (5,)",
        "  3: 3.weight (2,), 3.bias (2,)",
    ]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("strategy", ["full_shard", "shard_grad_op"])
def test_it_is_exact_while_the_module_still_shows_the_whole(workers: Workers, engine: str, strategy: str) -> None:
    """After steps and one more forward, some units stay gathered, in half precision: their pieces come, in full."""

    def half_way() -> Any:
        model = sharded(engine, 2, strategy=strategy, mixed_precision=HALF)
        before = {name: value.clone() for name, value in state_dict(model).items()}
        model(torch.rand(4, 3))
        return model, before

    (returned, before), _ = workers.run(half_way)
    whole = returned.full()
    assert all(torch.equal(whole[name], before[name]) for name in NAMES)
    assert returned.state["0.weight"].dtype == "torch.float32"


def test_what_torchs_own_verb_made_comes_back_too(workers: Workers) -> None:
    """Without a plan of ours; a root that torch leaves gathered after its forward is put to rest first."""

    def made() -> Any:
        from torch.distributed.fsdp import fully_shard as torch_fully_shard

        model = built()
        torch_fully_shard(model[0])
        torch_fully_shard(model)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        trained(model, optimizer)
        model(torch.rand(4, 3)).sum().backward()
        params: dict[str, Any] = dict(model.named_parameters())
        whole = {name: each.full_tensor() for name, each in params.items()}
        model(torch.rand(4, 3))
        return model, whole

    (returned, whole), _ = workers.run(made)
    assert (returned.cls, returned.engine, returned.plan) == ("Odd", "torch", None)
    assert [unit.fqn for unit in returned.units] == ["", "0"]
    assert returned.units[1].param_names == ("0.weight", "0.bias")
    made_whole = returned.full()
    assert all(torch.equal(made_whole[name], value) for name, value in whole.items())


def test_a_plain_module_with_a_sharded_one_inside_counts_as_sharded(workers: Workers) -> None:
    """And one without any travels as the module that it is."""

    def nested() -> Any:
        model = built()
        fully_shard(model[0])
        return model, built()

    (returned, plain), _ = workers.run(nested)
    assert equal(returned.full(), built().state_dict())
    assert isinstance(plain, nn.Sequential)
    assert [unit.fqn for unit in returned.units] == ["0"]


def test_the_whole_needs_every_ranks_part(workers: Workers) -> None:
    """Of what is cut; the error names the entry. What all hold alike is there with one rank."""

    def on_one() -> Any:
        model = sharded("flat")
        return model if dist.get_rank() == 0 else None

    returned, nothing = workers.run(on_one)
    assert nothing is None
    assert torch.equal(returned.local()["3.weight"], torch.ones(2))
    with pytest.raises(WorkerError, match=r"^'0.weight': this call returned 1 of the 2 parts"):
        returned.full()


def test_pushed_names_can_be_pulled_and_a_piece_costs_its_own_bytes_only(own_workers: Workers) -> None:
    """A module kept in the ranks is looked at from outside; the shard travels once, not once a parameter."""

    def keep() -> None:
        global kept
        kept = nn.Sequential(*(nn.Linear(64, 64, bias=False) for _ in range(8)))
        fully_shard(kept)

    own_workers.run(keep)
    first, second = own_workers.pull("kept")
    assert sum(each.numel() for each in (*first.local().values(), *second.local().values())) == 8 * 64 * 64
    storages = {each.untyped_storage().data_ptr(): each.untyped_storage().nbytes() for each in first.local().values()}
    assert sum(storages.values()) == 8 * 64 * 64 * 4 // 2


def test_on_a_mesh_of_two_axes_each_copy_makes_the_whole() -> None:
    """Hybrid: the ranks of one copy hold it all between them."""

    def hybrid(engine: str) -> Any:
        from torch.distributed.device_mesh import init_device_mesh

        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
        model = built()
        Plan().fully_shard("", strategy="hybrid_shard").apply(model, engine=engine, mesh=mesh)
        return model

    with Workers(4, timeout=60) as four:
        for engine in ENGINES:
            for returned in four.run(hybrid, engine):
                assert equal(returned.full(), built().state_dict())
