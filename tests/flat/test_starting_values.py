"""What a sharded model starts from: meta tensors given memory a unit at a time, rank 0's values, ranks that agree."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.distributed as dist
from small_models import WIDTH, Block, Tied, TwoBlocks
from torch import nn

import sharding
from sharding import RankMismatchError, StateError, by_class, fully_shard, record_events, replicate


def filled(module: nn.Module) -> None:
    """Give a module's own tensors memory and the value 2; notes what was alive."""
    module.to_empty(device="cpu", recurse=False)
    for tensor in (*module.parameters(recurse=False), *module.buffers(recurse=False)):
        nn.init.constant_(tensor, 2.0)


def from_meta(build: Callable[[], nn.Module]) -> dict[str, Any]:
    with torch.device("meta"):
        model = build()
    alive: list[int] = []

    def noting(module: nn.Module) -> None:
        filled(module)
        whole = [p for p in model.parameters() if not p.is_meta and p.dim() > 1]
        alive.append(sum(p.numel() for p in whole))

    fully_shard(model, policy=by_class(Block), param_init_fn=noting)
    state = model.state_dict()
    tied = getattr(model, "head", None) is not None and model.head.weight is model.emb.weight
    return {"alive": max(alive), "values": {float(t.float().mean()) for t in state.values()}, "tied": tied}


@pytest.mark.parametrize("build", [TwoBlocks, Tied])
def test_meta_model_gets_memory_one_unit_at_a_time(ranks, build):
    """At most one unit's whole parameters are alive; ties hold; the values are the initialiser's."""
    block = 3 * WIDTH * WIDTH
    for got in ranks.run(from_meta, build):
        assert got["alive"] <= block
        assert got["values"] == {2.0}
        assert got["tied"] == (build is Tied)


def own_initialiser() -> dict[str, Any]:
    torch.manual_seed(dist.get_rank())
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    old = list(model.parameters())
    early = torch.optim.SGD(old, lr=0.1)
    fully_shard(model, policy=by_class(nn.Linear), sync_module_states=True)
    model(torch.randn(4, 3)).sum().backward()
    said = []
    for check in (lambda: sharding.check_optimizer(model, early), early.step):
        with pytest.raises(StateError) as caught:
            check()
        said.append(str(caught.value))
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    return {"state": {k: v.float().tolist() for k, v in model.state_dict().items()}, "said": said}


def test_reset_parameters_is_the_default_and_rank_0_decides(ranks):
    """Modules that can initialise themselves do; afterwards all ranks hold rank 0's values, buffers too.

    The optimizer made before holds the meta parameters: found when asked and at its first step.
    """
    first, second = ranks.run(own_initialiser)
    assert first["state"]["0.weight"] == second["state"]["0.weight"]
    for said in first["said"]:
        assert "SGD" in said
        assert "'1.weight' of unit ''" in said
        assert "after sharding" in said


def differing(verb: str, sync: bool) -> list[float]:
    """Ranks that start from different values; what each then holds."""
    model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    with torch.no_grad():
        for tensor in (*model.parameters(), *model.buffers()):
            tensor.fill_(dist.get_rank() + 1)
    with record_events() as log:
        if verb == "replicate":
            replicate(model, sync_module_states=sync)
        else:
            fully_shard(model, sync_module_states=sync)
    values = [model[1].running_mean.mean().item(), float(model[1].num_batches_tracked)]
    with sharding.unshard(model):
        values += [model[0].weight[0, 0].item(), model[1].bias[-1].item()]
    return [*values, float(len(log.of("broadcast")))]


def test_rank_0s_parameters_and_buffers_overwrite_the_others(ranks):
    """`replicate` does it unless told not to, `fully_shard` when asked: one broadcast a dtype."""
    assert ranks.run(differing, "replicate", True) == [[1.0, 1.0, 1.0, 1.0, 2.0]] * 2
    assert ranks.run(differing, "replicate", False) == [[1.0, 1.0, 1.0, 1.0, 0.0], [2.0, 2.0, 2.0, 2.0, 0.0]]
    assert ranks.run(differing, "fully_shard", True) == [[1.0, 1.0, 1.0, 1.0, 2.0]] * 2
    assert ranks.run(differing, "fully_shard", False) == [[1.0, 1.0, 1.0, 2.0, 0.0], [2.0, 2.0, 1.0, 2.0, 0.0]]


def other_shape() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 8 if dist.get_rank() == 0 else 4))


def other_dtype() -> nn.Module:
    return nn.Linear(4, 4).to(torch.float64 if dist.get_rank() else torch.float32)


def other_training() -> nn.Module:
    return nn.Linear(4, 4).requires_grad_(dist.get_rank() == 0)


def fewer_layers() -> nn.Module:
    return nn.Sequential(*(nn.Linear(2, 2) for _ in range(2 + dist.get_rank())))


def disagreement(build: Callable[[], nn.Module], verb: str) -> tuple[str, float, int, int]:
    model = build()
    start = time.monotonic()
    with record_events() as log, pytest.raises(RankMismatchError) as caught:
        {"replicate": replicate, "fully_shard": fully_shard}[verb](model)
    took = time.monotonic() - start
    return str(caught.value), took, len(log), len(sharding.applied_apis(model))


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
@pytest.mark.parametrize(
    ("build", "words"),
    [
        (other_shape, ("1.weight", "(8, 4)", "(4, 4)", "on rank 0", "on rank 1", "unit ''")),
        (other_dtype, ("weight", "float32", "float64")),
        (other_training, ("weight", "trainable", "frozen")),
        (fewer_layers, ("2.weight", "nothing")),
    ],
)
def test_ranks_that_built_different_models(ranks, build, words, verb):
    """Every rank gets the error within 2 s, naming parameter, values and ranks; no collective was spent."""
    for text, took, num_events, num_marks in ranks.run(disagreement, build, verb):
        for word in words:
            assert word in text
        assert took < 2
        assert (num_events, num_marks) == (0, 0)


def optimizer_with_old_state() -> tuple[str, bool]:
    model = TwoBlocks()
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(2, WIDTH)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    fresh = torch.optim.AdamW(model.parameters())
    fully_shard(model, policy=by_class(Block))
    model(torch.ones(2, WIDTH)).sum().backward()
    with pytest.raises(StateError) as caught:
        optimizer.step()
    sharding.check_optimizer(model, fresh)
    fresh.step()
    return str(caught.value), all(name for name in caught.value.args)


def test_an_optimizer_made_before_sharding(ranks):
    """Without state it goes on working, the parameters being the same objects; with whole-sized state it is refused."""
    for text, _ in ranks.run(optimizer_with_old_state):
        assert "AdamW" in text
        assert "'exp_avg' of shape (5, 5)" in text
        assert "make the optimizer after sharding" in text


def optimizer_hooks_after_removal() -> tuple[int, int, int]:
    from torch.optim import optimizer

    gc.collect()
    sharding.remove(fully_shard(TwoBlocks()))  # takes away what trees that were merely dropped have left
    before = len(optimizer._global_optimizer_pre_hooks)
    model = TwoBlocks()
    fully_shard(model.u1)
    fully_shard(model)
    during = len(optimizer._global_optimizer_pre_hooks)
    sharding.remove(model)
    return before, during, len(optimizer._global_optimizer_pre_hooks)


def test_one_optimizer_hook_a_local_tree_and_none_after_removal(ranks):
    """An inner tree's hook goes when an outer tree takes it over."""
    for before, during, after in ranks.run(optimizer_hooks_after_removal):
        assert during == before + 1
        assert after == before
