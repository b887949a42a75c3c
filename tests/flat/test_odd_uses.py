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


def test_compiled_submodules(ranks):
    """A compiled unit, and a compiled module inside one; names stay clean."""
    for difference in ranks.run(train_beside, TwoBlocks, compiled_units):
        assert difference.worst < 2e-6


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
