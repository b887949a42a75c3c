"""Uses that are legal and unusual: compiled units, inference mode, eval with a backward, cycles, changed views."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs, train_beside
from small_models import WIDTH, Block, TwoBlocks
from torch import nn

import sharding
from sharding import StateError, by_class, fully_shard


def compiled_units(m: nn.Module) -> None:
    m.u1 = torch.compile(m.u1, backend="aot_eager")
    m.u2.seq = torch.compile(m.u2.seq, backend="aot_eager")
    fully_shard(m, policy=by_class(Block))


def compiled_in_place(m: nn.Module) -> None:
    """A unit before and one after it was marked, and a module inside, by `module.compile()`."""
    m.u1.compile(backend="aot_eager")
    m.u2.seq.compile(backend="aot_eager")
    fully_shard(m, policy=by_class(Block))
    m.u2.compile(backend="aot_eager")


@pytest.mark.parametrize("mark", [compiled_units, compiled_in_place])
def test_compiled_submodules(ranks, mark):
    """By `torch.compile(module)` and by `module.compile()`: units, and a module inside one."""
    for difference in ranks.run(train_beside, TwoBlocks, mark, steps=3):
        assert difference.worst < 2e-6
        assert difference.num_gradients == 3 * 15


def evaluated_first() -> list[float]:
    torch.manual_seed(0)
    model = TwoBlocks()
    twin = copy.deepcopy(model)
    fully_shard(model, policy=by_class(Block))
    x, worst = inputs(0, dist.get_rank()), []
    with torch.inference_mode():
        worst.append((model(x) - twin(x)).abs().max().item())
    for m in (model, twin):
        m.eval()
    output = model(x)
    freed = all(state.rests for state in sharding.get_states(model))
    output.square().mean().backward()
    torch.stack([twin(inputs(0, other)).square().mean() for other in range(2)]).mean().backward()
    handle = sharding.get_handles(model)[1]
    for index, slot in enumerate(handle.slots):
        want = handle.buffers[0].piece_of(index, twin.u1.get_parameter(slot.name).grad)
        worst.append((slot.param.grad - want).abs().max().item() if want.numel() else 0.0)
    return [max(worst), float(freed)]


def test_inference_mode_and_a_backward_in_eval_mode(ranks):
    """Nothing made in inference mode stays; eval frees the root after forward, a backward gathers it again."""
    for worst, freed in ranks.run(evaluated_first):
        assert worst < 1e-6
        assert freed


def compiled_state() -> list[Any]:
    torch.manual_seed(0)
    model = TwoBlocks()
    want = {key: value + 1 for key, value in copy.deepcopy(model).state_dict().items()}
    compiled_units(model)
    keys = list(sharding.state_dict(model)) == list(want)
    sharding.load_state_dict(model, want)
    got = sharding.state_dict(model)
    return [keys, all(torch.equal(got[key], want[key]) for key in want)]


def test_state_dict_of_compiled_submodules_is_clean(ranks):
    """`sharding.state_dict` has no wrapper names, and `load_state_dict` takes it back."""
    assert ranks.run(compiled_state) == [[True, True]] * 2


class ChangedView(nn.Module):
    """A unit returns a view that is changed in place afterwards, which drops the view's own hooks."""

    def __init__(self) -> None:
        super().__init__()
        self.l, self.inner, self.o = nn.Linear(WIDTH, WIDTH), Flattening(), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.inner(self.l(x))
        y += 1
        y.mul_(2)
        return self.o(y.view_as(x))


class Flattening(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lin(x).flatten()


def inner_and_root(m: nn.Module) -> None:
    fully_shard(m.inner)
    fully_shard(m)


def test_an_output_that_is_a_view_changed_in_place(ranks):
    """The unit is gathered for its backward all the same."""
    for difference in ranks.run(train_beside, ChangedView, inner_and_root):
        assert difference.worst < 2e-6


class Parental(nn.Module):
    """A child that keeps its parent."""

    def __init__(self) -> None:
        super().__init__()
        self.child = nn.Linear(WIDTH, WIDTH)
        self.child.parent = self
        self.own = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.own(self.child(x))


def cyclic() -> dict[str, Any]:
    model = Parental()
    fully_shard(model.own)
    fully_shard(model)
    model(inputs(0, 0)).sum().backward()
    with pytest.raises(StateError) as caught:
        sharding.state_dict(model)
    grads = [p.grad is not None for p in model.parameters()]
    sharding.remove(model)
    return {"grads": grads, "text": str(caught.value)}


def test_a_child_that_keeps_its_parent(ranks):
    """Shards and trains; only what must recurse inside torch is refused, by name."""
    for got in ranks.run(cyclic):
        assert got["grads"] == [True] * 4
        assert "'child.parent'" in got["text"]


def zeroed_between() -> list[float]:
    """`zero_grad` between forward and backward, and gradients zeroed in place instead of dropped."""
    torch.manual_seed(0)
    model = TwoBlocks()
    fully_shard(model, policy=by_class(Block))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    found = []
    for to_none in (True, False, False):
        loss = model(inputs(0, dist.get_rank())).square().mean()
        optimizer.zero_grad(set_to_none=to_none)
        loss.backward()
        found.append(torch.cat([p.grad for p in model.parameters()]).norm().item())
    return found


def test_zero_grad_between_forward_and_backward(ranks):
    """The gradients are those of the one backward each time."""
    for found in ranks.run(zeroed_between):
        assert found == pytest.approx([found[0]] * 3, rel=1e-6)


def memory_of_a_step() -> dict[str, Any]:
    model = TwoBlocks()
    fully_shard(model, policy=by_class(Block))
    before = {name: p.data_ptr() for name, p in model.named_parameters()}
    model(inputs(0, 0)).sum().backward()
    return {
        "same memory": before == {name: p.data_ptr() for name, p in model.named_parameters()},
        "alive": sum(b.full.untyped_storage().size() for h in sharding.get_handles(model) for b in h.buffers),
    }


def test_after_a_step_only_pieces_hold_memory(ranks):
    """Whole buffers are empty and the pieces are where they were."""
    for got in ranks.run(memory_of_a_step):
        assert got == {"same memory": True, "alive": 0}


class Holding:
    """An output of a class of the user's own."""

    def __init__(self, y: torch.Tensor) -> None:
        self.y = y


class Hiding(nn.Module):
    """Gives its result away in an object, or in a function that nobody can look into."""

    def __init__(self, *, deep: bool) -> None:
        super().__init__()
        self.lin = nn.Linear(WIDTH, WIDTH)
        self.w = nn.Parameter(torch.ones(WIDTH))
        self.deep = deep

    def forward(self, x: torch.Tensor) -> Any:
        y = self.lin(x) * self.w
        return (lambda: y) if self.deep else Holding(y)


def hidden_output(deep: bool) -> float:
    torch.manual_seed(0)
    model = Hiding(deep=deep)
    twin = copy.deepcopy(model)
    fully_shard(model)

    def loss(m: nn.Module, step: int, rank: int) -> torch.Tensor:
        output = m(inputs(step, rank))
        return (output() if deep else output.y).square().mean()

    for step in range(2):
        if deep:
            model.zero_grad()
            twin.zero_grad()
        loss(model, step, dist.get_rank()).backward()
        torch.stack([loss(twin, step, other) for other in range(2)]).mean().backward()
    buffer = sharding.get_handles(model)[0].buffers[0]
    wants = [buffer.piece_of(index, p.grad) for index, p in enumerate([twin.w, twin.lin.weight, twin.lin.bias])]
    return max((s.param.grad - w).abs().max().item() for s, w in zip(buffer.slots, wants, strict=True) if w.numel())


@pytest.mark.parametrize("deep", [False, True])
def test_an_output_nobody_can_look_into(ranks, deep):
    """Tensors in an object's attributes are found; gradients of a root are averaged even if no output was."""
    assert max(ranks.run(hidden_output, deep)) < 1e-6


class Choosing(nn.Module):
    """One of two branches inside one unit, by rank; on rank 1 a whole unit passes its input through."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.maybe = Maybe()
        self.block = Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.maybe(self.l(x)))


class Maybe(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.even, self.odd = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 1.0 if dist.get_rank() else self.even(x)


def branches(verb: str) -> dict[str, Any]:
    torch.manual_seed(0)
    model = Choosing()
    if verb == "fully_shard":
        fully_shard(model, policy=by_class(Block, Maybe))
    else:
        sharding.replicate(model, bucket_cap_mb=1e-5)
    losses = []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = model(inputs(step, dist.get_rank())).square().mean()
        loss.backward()
        none = [name for name, p in model.named_parameters() if p.grad is None and p.numel()]
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return {"none": none, "sum": sum(value.sum().item() for value in sharding.state_dict(model).values())}


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_branches_that_differ_by_rank_inside_a_unit(ranks, verb):
    """Collectives stay in step; a parameter that got a gradient anywhere is updated everywhere, the others nowhere."""
    first, second = ranks.run(branches, verb)
    assert first["sum"] == second["sum"]
    assert {*first["none"], *second["none"]} == {"maybe.odd.weight", "maybe.odd.bias"}


class Penalised(nn.Module):
    """Takes a gradient inside its own forward."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block()
        self.o = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.detach().requires_grad_()
        with torch.enable_grad():
            (slope,) = torch.autograd.grad(self.block(x).square().sum(), x)
        return self.o(self.block(x)) + self.o(slope.detach())


def block_and_root(m: nn.Module) -> None:
    fully_shard(m, policy=by_class(Block))


def test_a_gradient_taken_inside_forward(ranks):
    """The inner backward frees nothing that the running forward still needs."""
    for difference in ranks.run(train_beside, Penalised, block_and_root):
        assert difference.worst < 2e-6


def unrelated_optimizer() -> bool:
    """An optimizer of another model steps inside a forward of this one."""
    other = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
    model = TwoBlocks()
    fully_shard(model, policy=by_class(Block))
    model.u1.register_forward_hook(lambda *args: optimizer.step())
    model(inputs(0, 0)).sum().backward()
    return model.p.grad is not None


def test_an_unrelated_optimizer_does_not_disturb(ranks):
    """Only optimizers of this model's parameters put it to rest."""
    assert ranks.run(unrelated_optimizer) == [True, True]
