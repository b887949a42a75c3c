"""The exact unshard and reshard calls of a step, and the collectives that really travelled, for every setup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import Block, TwoBlocks
from torch import nn

import sharding
from sharding import EventLog, FullyShardedDataParallel, by_class, fully_shard, record_events, replicate
from sharding.events import Event

Mark = Callable[[nn.Module], "nn.Module | None"]

FORWARD = "U root*, U u1*, R u1 f, U u2*, R u2 f, R root"
BACKWARD = "U root, U u2*, U u1*, R u2 f, R u1 f, R root f"


def in_words(events: list[Event], phase: str) -> str:
    """The unshard and reshard calls of a phase: `*` moved bytes, `f` freed memory."""
    words = []
    for event in events:
        if event.phase != phase:
            continue
        name = event.fqn or "root"
        if event.kind == "unshard":
            words.append(f"U {name}{'*' if event.nbytes else ''}")
        elif event.kind == "reshard":
            words.append(f"R {name}{' f' if event.freed else ''}")
    return ", ".join(words)


def seen(log: EventLog) -> dict[str, Any]:
    """What a log holds, in the terms of the table."""
    events = list(log)
    counts = Counter(event.kind for event in events)
    return {
        "forward": in_words(events, "forward"),
        "backward": in_words(events, "backward"),
        "other": in_words(events, "other"),
        "collectives": {kind: counts[kind] for kind in ("all_gather", "reduce_scatter", "all_reduce") if counts[kind]},
        "nbytes": {kind: sum(e.nbytes for e in events if e.kind == kind) for kind in counts},
    }


def second_step(mark: Mark, build: Callable[[], nn.Module] = TwoBlocks, *, setting: str = "train") -> dict[str, Any]:
    """The events of the second of two like steps (the first has nothing to compare prefetching with)."""
    torch.manual_seed(0)
    model = build()
    model = mark(model) or model
    if setting == "eval":
        model.eval()
    for step in range(2):
        with record_events() as log, torch.set_grad_enabled(setting != "no_grad"):
            loss = model(inputs(step, dist.get_rank())).square().mean()
            if setting == "train":
                loss.backward()
    return seen(log)


def by_hand(m: nn.Module) -> None:
    for module in (m.u1, m.u2, m):
        fully_shard(module)


def by_policy(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block))


def by_wrapper(m: nn.Module) -> nn.Module:
    return FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))


def by_plan(m: nn.Module) -> None:
    sharding.Plan().fully_shard("", policy=by_class("Block")).apply(m)


class With:
    """A policy call with one more setting."""

    def __init__(self, **settings: Any) -> None:
        self.settings = settings

    def __call__(self, m: nn.Module) -> None:
        fully_shard(m, policy=by_class(Block), **self.settings)


@pytest.mark.parametrize("mark", [by_hand, by_policy, by_wrapper, by_plan])
def test_full_shard(ranks, mark):
    """By policy, by hand, wrapped or planned: each non-root unit is freed after its forward, the root is not."""
    for got in ranks.run(second_step, mark):
        assert got["forward"] == FORWARD
        assert got["backward"] == BACKWARD
        assert got["other"] == ""
        assert got["collectives"] == {"all_gather": 5, "reduce_scatter": 3}


def test_bytes_are_those_of_the_padded_buffers(ranks):
    """Every collective carries its unit's whole buffer: numel rounded up to the ranks, times four."""
    block, root = 3 * 30, 30 + 25
    assert root % 2 == 1
    for got in ranks.run(second_step, by_policy):
        assert got["nbytes"]["all_gather"] == 4 * (root + 1 + 4 * block)
        assert got["nbytes"]["reduce_scatter"] == 4 * (root + 1 + 2 * block)


def test_prefetch_post(ranks):
    """The next unit of backward is called for after the current one was freed."""
    for got in ranks.run(second_step, With(backward_prefetch="post")):
        assert got["forward"] == FORWARD
        assert got["backward"] == "U root, U u2*, R u2 f, U u1*, R u1 f, R root f"
        assert got["collectives"] == {"all_gather": 5, "reduce_scatter": 3}


def test_prefetch_none(ranks):
    """Without prefetching each unit is called for in its own pre-backward."""
    for got in ranks.run(second_step, With(backward_prefetch=None)):
        assert got["forward"] == FORWARD
        assert got["backward"] == "U root, U u2*, R u2 f, U u1*, R u1 f, R root f"
        assert got["collectives"] == {"all_gather": 5, "reduce_scatter": 3}


def test_forward_prefetch(ranks):
    """The second step knows what comes next in forward and calls for it before the current unit computes."""
    for got in ranks.run(second_step, With(forward_prefetch=True)):
        assert got["forward"] == "U root*, U u1*, U u2*, R u1 f, R u2 f, R root"
        assert got["backward"] == BACKWARD
        assert got["collectives"] == {"all_gather": 5, "reduce_scatter": 3}


def test_shard_grad_op(ranks):
    """Nothing is freed between forward and backward, so nothing is gathered in backward."""
    for got in ranks.run(second_step, With(strategy="shard_grad_op")):
        assert got["forward"] == "U root*, U u1*, R u1, U u2*, R u2, R root"
        assert got["backward"] == "U root, U u2, U u1, R u2 f, R u1 f, R root f"
        assert got["collectives"] == {"all_gather": 3, "reduce_scatter": 3}


def test_no_shard(ranks):
    """The same calls, nothing gathered or freed, gradients all-reduced once a unit."""
    for got in ranks.run(second_step, With(strategy="no_shard")):
        assert got["forward"] == "U root, U u1, R u1, U u2, R u2, R root"
        assert got["backward"] == "U root, U u2, U u1, R u2, R u1, R root"
        assert got["collectives"] == {"all_reduce": 3}


@pytest.mark.parametrize("setting", ["eval", "no_grad"])
@pytest.mark.parametrize("strategy", ["full_shard", "shard_grad_op"])
def test_eval_and_no_grad(ranks, setting, strategy):
    """Where no backward follows everything is freed after its forward, the root too."""
    for got in ranks.run(second_step, With(strategy=strategy), setting=setting):
        assert got["forward"] == "U root*, U u1*, R u1 f, U u2*, R u2 f, R root f"
        assert got["backward"] == ""
        assert got["collectives"] == {"all_gather": 3}


def only_units(m: nn.Module) -> None:
    sharding.Plan().fully_shard("u1").fully_shard("u2").apply(m)


def test_only_u1_and_u2(ranks):
    """Without a common root each unit is its own: gathered once, kept until its backward is over."""
    for got in ranks.run(second_step, only_units):
        assert got["forward"] == "U u1*, R u1, U u2*, R u2"
        assert got["backward"] == "U u2, R u2 f, U u1, R u1 f"
        assert got["collectives"] == {"all_gather": 2, "reduce_scatter": 2}


def replicate_nest(m: nn.Module) -> None:
    fully_shard(m.u1.seq)
    fully_shard(m.u2.seq)
    replicate(m.u1)
    replicate(m.u2)
    fully_shard(m)


def test_replicate_between_two_levels_of_fully_shard(ranks):
    """Each `seq` is a local root inside a replicated block; the outer root does not see them."""
    for got in ranks.run(second_step, replicate_nest):
        assert got["forward"] == "U root*, U u1.seq*, R u1.seq, U u2.seq*, R u2.seq, R root"
        assert got["backward"] == "U root, U u2.seq, R u2.seq f, U u1.seq, R u1.seq f, R root f"
        assert got["collectives"] == {"all_gather": 3, "reduce_scatter": 3, "all_reduce": 2}


def three_links() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 5), nn.Linear(5, 5), nn.Linear(5, 5))


def last_two_links(m: nn.Module) -> None:
    fully_shard(m[1])
    fully_shard(m[2])
    fully_shard(m)


def test_the_root_comes_first_in_backward_when_its_output_is_a_childs(ranks):
    """A Sequential's output is its last child's tensor, whose hook torch fires first; the root still opens first."""
    for got in ranks.run(second_step, last_two_links, three_links):
        assert got["forward"] == "U root*, U 1*, R 1 f, U 2*, R 2 f, R root"
        assert got["backward"] == "U root, U 2*, U 1*, R 2 f, R 1 f, R root f"


def accumulated() -> tuple[dict[str, Any], dict[str, Any]]:
    """Two backwards, the first under `no_sync`."""
    torch.manual_seed(0)
    model = TwoBlocks()
    by_policy(model)
    with record_events() as held, sharding.no_sync(model):
        model(inputs(0, dist.get_rank())).square().mean().backward()
    with record_events() as synced:
        model(inputs(1, dist.get_rank())).square().mean().backward()
    return seen(held), seen(synced)


def test_no_sync_gathers_as_always_and_reduces_nothing(ranks):
    """The last, synced backward reduces the sum."""
    for held, synced in ranks.run(accumulated):
        assert (held["forward"], held["backward"]) == (FORWARD, BACKWARD)
        assert held["collectives"] == {"all_gather": 5}
        assert synced["collectives"] == {"all_gather": 5, "reduce_scatter": 3}


def unused_output() -> dict[str, Any]:
    """A backward that never reaches the last unit, with nothing freed after forward."""
    torch.manual_seed(0)
    model = TwoBlocks()
    fully_shard(model, policy=by_class(Block), strategy="shard_grad_op")
    kept = []
    model.u1.register_forward_hook(lambda module, args, output: kept.append(output))
    with record_events() as log:
        model(inputs(0, dist.get_rank()))
        kept[0].square().mean().backward()
    return {**seen(log), "rests": all(handle.residence.name == "SHARDED" for handle in sharding.get_handles(model))}


def test_a_unit_whose_output_was_not_used_rests_at_the_end(ranks):
    """`u2` ran and got no gradient: called for by prefetching only, it is freed at the end, before the root."""
    for got in ranks.run(unused_output):
        assert got["backward"] == "U root, U u2, U u1, R u1 f, R u2 f, R root f"
        assert got["collectives"] == {"all_gather": 3, "reduce_scatter": 2}
        assert got["rests"]


def no_listener() -> int:
    """How many events an earlier log got after it was closed."""
    model = TwoBlocks()
    by_policy(model)
    with record_events() as log:
        pass
    model(inputs(0, 0)).sum().backward()
    return len(log)


def test_nothing_is_recorded_when_nobody_listens(ranks):
    """Events go to open logs only."""
    assert ranks.run(no_listener) == [0, 0]
