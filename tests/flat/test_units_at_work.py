"""Units that are not one plain module: several modules, ties, checkpointing, frozen parts, odd outputs, guards."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs, train_beside
from small_models import WIDTH, Adapted, Block, Tied, TwoBlocks
from test_step_events import in_words, second_step
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.utils.checkpoint import checkpoint

import sharding
from sharding import RankMismatchError, StateError, by_class, fully_shard, record_events, replicate


class Grouped(nn.Module):
    """`norm`, `mid` and `head` travel together; `head` is called twice, `mid` not always."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.mid = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, 4, bias=False)
        self.skip_mid = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm(x)
        if self.skip_mid:
            return self.head(x)
        return self.head(self.mid(x)) + self.head(x)


def partial() -> nn.Module:
    m = Grouped()
    m.skip_mid = True
    return m


def as_group(m: nn.Module) -> None:
    fully_shard([m.norm, m.mid, m.head])
    fully_shard(m)


@pytest.mark.parametrize("build", [Grouped, partial])
def test_a_unit_of_several_modules(ranks, build):
    """One handle; gathered at the first member, freed when all have run, else with the root."""
    for difference in ranks.run(train_beside, build, as_group):
        assert difference.worst < 2e-6


def only_a_group(m: nn.Module) -> None:
    fully_shard([m.norm, m.mid, m.head])


@pytest.mark.parametrize("build", [Grouped, partial])
def test_a_unit_of_several_modules_that_is_a_local_root(ranks, build):
    """Nothing above it: its forward ends when all members have run, or with the backward."""
    for difference in ranks.run(train_beside, build, only_a_group):
        assert difference.worst < 2e-6


def test_when_a_unit_of_several_modules_is_freed(ranks):
    """All three ran: freed; the second call of `head` gathers again and rests with the root."""
    for got in ranks.run(second_step, as_group, Grouped):
        assert got["forward"] == "U norm*, R norm f, U norm*, R norm f"
    for got in ranks.run(second_step, as_group, partial):
        assert got["forward"] == "U norm*, R norm f"


def test_names_of_a_unit_of_several_modules():
    """Relative to the local root; its place and name are the first member's."""
    m = Grouped()
    as_group(m)
    (handle,) = sharding.get_handles(m)
    assert handle.fqn == "norm"
    assert handle.param_names == ("norm.weight", "norm.bias", "mid.weight", "mid.bias", "head.weight")
    assert handle.modules == (m.norm, m.mid, m.head)


class Checkpointed(nn.Module):
    """Activation checkpointing around a unit, inside a unit, and around two units at once."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.around = checkpoint_wrapper(Block())
        self.inside = Block()
        self.pair = nn.Sequential(Block(), Block())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.inside(self.around(self.l(x)))
        return checkpoint(self.pair, x, use_reentrant=False)


def around_units(m: nn.Module) -> None:
    m.inside.seq = checkpoint_wrapper(m.inside.seq)
    fully_shard(m, policy=by_class(Block))


def around_linears(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(nn.Linear))
    m.inside.seq = checkpoint_wrapper(m.inside.seq)


def around_local_roots(m: nn.Module) -> None:
    for block in (m.around, m.inside, *m.pair):
        fully_shard(block)
    replicate(m)


@pytest.mark.parametrize("mark", [around_units, around_linears, around_local_roots])
def test_activation_checkpointing(ranks, mark):
    """Recomputed forwards are lent the parameters; a wrapper may be put on before or after sharding."""
    for difference in ranks.run(train_beside, Checkpointed, mark):
        assert difference.worst < 2e-6


class Frozen(nn.Module):
    """A frozen unit between trainable ones, and a frozen root."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = Adapted(), Block()
        self.between = Block().requires_grad_(False)
        self.own = nn.Parameter(torch.ones(WIDTH, WIDTH), requires_grad=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.between(self.first(x @ self.own)) @ self.own)


def every_unit(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Adapted, Block))


def test_frozen_units(ranks):
    """Gathered in backward for the gradients that pass through, never reduced."""
    for difference in ranks.run(train_beside, Frozen, every_unit):
        assert difference.worst < 2e-6
    for got in ranks.run(second_step, every_unit, Frozen):
        assert got["backward"] == ("U root, U last*, U between*, R last f, U first*, R between f, R first f, R root f")
        assert got["collectives"] == {"all_gather": 1 + 2 * 3 + 2, "reduce_scatter": 2}


def test_a_frozen_unit_whose_input_carries_no_gradient(ranks):
    """Nothing is gathered for it in backward."""
    for got in ranks.run(second_step, frozen_first, frozen_chain):
        assert got["backward"] == "U 1, R 1 f"


def frozen_chain() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 5).requires_grad_(False), nn.Linear(5, 5))


def frozen_first(m: nn.Module) -> None:
    sharding.Plan().fully_shard("0").fully_shard("1").apply(m)


@dataclass
class Output:
    y: torch.Tensor
    more: dict[str, Any]


class Structured(nn.Module):
    """Takes and gives tensors in dataclasses, dicts and tuples, some without gradient."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.inner = Inner()

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        x = self.l(x)
        output = self.inner(Output(x, {"again": (x, [x.detach()])}), scale={"by": x.mean()})
        return {"y": output.y + output.more["z"][0]}


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, given: Output, *, scale: dict[str, torch.Tensor]) -> Output:
        again, (plain,) = given.more["again"]
        return Output(self.a(given.y) * scale["by"], {"z": (self.b(again), plain), "n": 3})


def inner_and_root(m: nn.Module) -> None:
    fully_shard(m.inner)
    fully_shard(m)


def test_tensors_in_dataclasses_and_dicts(ranks):
    """Inputs and outputs are found wherever they are; the unit is freed when all its inputs have their gradients."""
    for difference in ranks.run(train_beside, Structured, inner_and_root):
        assert difference.worst < 2e-6


class Holder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(2, 2)


class PastHolder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.h, self.o = Holder(), nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.o(self.h.l(x))


def holder_without_forward() -> str:
    m = PastHolder()
    fully_shard(m.h)
    fully_shard(m)
    with pytest.raises(StateError) as caught:
        m(torch.ones(1, 2))
    return str(caught.value)


def test_a_unit_nothing_gathers(ranks):
    """The error names parameter and unit instead of mismatched shapes."""
    for text in ranks.run(holder_without_forward):
        assert "'l.weight' of unit 'h'" in text
        assert "Mark the Linear inside" in text


def tied_child_alone() -> str:
    m = Tied()
    fully_shard(m, policy=by_class(nn.Embedding, Block))
    m(inputs(0, 0)).sum().backward()
    with pytest.raises(StateError) as caught:
        m.emb(torch.zeros(1, dtype=torch.long))
    with sharding.unshard(m, writeback=False):
        m.emb(torch.zeros(1, dtype=torch.long))
    return str(caught.value)


def test_a_unit_whose_tied_parameter_belongs_further_up(ranks):
    """Called by itself it would run on a piece: refused, naming the owner."""
    for text in ranks.run(tied_child_alone):
        assert "unit 'emb'" in text
        assert "'emb.weight' is tied and belongs to unit ''" in text


class Divergent(nn.Module):
    """Runs its units in an order, or a number, that depends on the rank."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH, bias=False)
        self.how = how

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if dist.get_rank() == 0:
            return self.b(self.a(x))
        if self.how == "raises":
            raise ValueError("bad batch")
        return self.a(self.b(x)) if self.how == "order" else self.a(x)


def diverging(how: str) -> tuple[str, str, float]:
    m = Divergent(how)
    fully_shard(m, policy=by_class(nn.Linear))
    start = time.monotonic()
    try:
        m(inputs(0, 0))
    except (RankMismatchError, ValueError) as error:
        return type(error).__name__, str(error), time.monotonic() - start
    return "", "", 0.0


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("order", ("unit 'a' of 30 elements on rank 0", "unit 'b' of 25 elements on rank 1")),
        ("number", ("unit 'b' of 25 elements on rank 0", "the end of forward on rank 1")),
        ("raises", ("unit 'a' of 30 elements on rank 0", "a failed forward (ValueError: bad batch) on rank 1")),
    ],
)
def test_ranks_that_run_different_units(ranks, how, words):
    """In the first training forward: an error within 2 s naming units and ranks, no hang, no mixed weights."""
    first, second = ranks.run(diverging, how)
    assert first[0] == "RankMismatchError"
    assert second[0] == ("ValueError" if how == "raises" else "RankMismatchError")
    for kind, text, took in (first, second):
        assert took < 2
        if kind == "RankMismatchError":
            assert all(word in text for word in words), text


def stays_quiet(build: Callable[[], nn.Module]) -> int:
    """How many more keys the store holds after the second and third training step."""
    from sharding.flat.torch_private import store_of

    m = build()
    fully_shard(m, policy=by_class(Block))
    store, counts = store_of(dist.group.WORLD), []
    for step in range(3):
        m(inputs(step, 0)).sum().backward()
        dist.barrier()
        counts.append(store.num_keys())
    return counts[2] - counts[0]


def test_nothing_is_compared_after_the_first_training_forward(ranks):
    """Agreement costs the first iteration only."""
    assert ranks.run(stays_quiet, TwoBlocks) == [0, 0]


def no_hooks_left() -> dict[str, Any]:
    """Events of a step whose graph outlives it, and of one after `remove`."""
    m = TwoBlocks()
    twin = copy.deepcopy(m)
    fully_shard(m, policy=by_class(Block))
    kept = [m(inputs(0, 0)) for _ in range(2)]
    kept[0].sum().backward()
    sharding.remove(m)
    with record_events() as log:
        m(inputs(1, 0)).sum().backward()
    same = all(
        p.shape == q.shape and p.grad.shape == q.shape for p, q in zip(m.parameters(), twin.parameters(), strict=True)
    )
    return {"events": in_words(list(log), "forward"), "same": same, "num": len(log)}


def test_a_removed_model_is_an_ordinary_one(ranks):
    """Whole parameters and gradients, no event."""
    for got in ranks.run(no_hooks_left):
        assert got == {"events": "", "same": True, "num": 0}


def data_swapped() -> list[Any]:
    m = TwoBlocks()
    fully_shard(m)
    for param in m.parameters():
        param.data = torch.full_like(param.data, 7.0)
    m(inputs(0, 0))
    values = {value.unique().item() for value in m.state_dict().values()}
    m.double()
    with pytest.raises(StateError) as caught:
        m(inputs(0, 0))
    return [values, str(caught.value)]


def test_a_model_converted_after_sharding(ranks):
    """What a parameter was made to show is taken over if it fits its piece, refused by name if not."""
    for values, text in ranks.run(data_swapped):
        assert values == {7.0}
        assert "torch.float64" in text
        assert "before sharding" in text
