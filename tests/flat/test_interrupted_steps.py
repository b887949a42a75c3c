"""Steps that do not end well, or do not end: exceptions, interrupts, forwards without a backward. The model goes on."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import Block, TwoBlocks
from torch import nn

import sharding
from sharding import by_class, fully_shard, replicate
from sharding.workers import Workers


class Trouble(nn.Module):
    """Passes its input on, or raises what it is told to, in forward or backward."""

    def __init__(self) -> None:
        super().__init__()
        self.in_forward: BaseException | None = None
        self.in_backward: BaseException | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.in_forward is not None:
            raise self.in_forward
        y = x * 1.0
        if self.in_backward is not None and y.requires_grad:
            y.register_hook(self.fail)
        return y

    def fail(self, grad: torch.Tensor) -> None:
        if self.in_backward is not None:
            raise self.in_backward


def troubled() -> nn.Module:
    m = TwoBlocks()
    m.u2.seq.append(Trouble())
    return m


def after_trouble(where: str, error: type[BaseException]) -> dict[str, Any]:
    """One good step, one that raises, one more good step; the distance from a twin that had no trouble."""
    torch.manual_seed(0)
    model = troubled()
    twin = copy.deepcopy(model)
    fully_shard(model, policy=by_class(Block))
    optimizer, reference = (torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, twin))
    trouble = model.u2.seq[-1]
    rank, kind = dist.get_rank(), None
    for step in range(3):
        if step == 1:
            setattr(trouble, where, error("trouble"))
            try:
                model(inputs(step, rank)).square().mean().backward()
            except error as caught:
                kind = type(caught).__name__
            setattr(trouble, where, None)
            rests = [handle.residence.name for handle in sharding.get_handles(model)]
            optimizer.zero_grad()
            continue
        model(inputs(step, rank)).square().mean().backward()
        torch.stack([twin(inputs(step, other)).square().mean() for other in range(2)]).mean().backward()
        for each in (optimizer, reference):
            each.step()
            each.zero_grad()
    with sharding.unshard(model):
        twins = dict(twin.named_parameters())
        worst = max((p - twins[name]).abs().max().item() for name, p in model.named_parameters())
    return {"raised": kind, "rests": rests, "worst": worst}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["in_forward", "in_backward"])
def test_trouble_in_the_middle_of_a_step(ranks, where, error):
    """The exception is the user's own, the next step is as if nothing had happened."""
    for got in ranks.run(after_trouble, where, error):
        assert got["raised"] == error.__name__
        assert got["worst"] < 1e-6
        if (where, error) == ("in_forward", ValueError):
            assert got["rests"] == ["SHARDED"] * 3


def forward_without_backward() -> dict[str, Any]:
    torch.manual_seed(0)
    model = TwoBlocks()
    twin = copy.deepcopy(model)
    fully_shard(model, policy=by_class(Block))
    optimizer, reference = (torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, twin))
    rank = dist.get_rank()
    model(inputs(0, rank)).square().mean().backward()
    torch.stack([twin(inputs(0, other)).square().mean() for other in range(2)]).mean().backward()
    model(inputs(1, rank))
    kept = model.p.dim()
    optimizer.step()
    reference.step()
    rests = [handle.residence.name for handle in sharding.get_handles(model)]
    model(inputs(1, rank))
    whole = model.state_dict()["p"].clone()
    same = torch.allclose(whole, twin.p, atol=1e-6)
    distance = (model(inputs(2, rank)) - twin(inputs(2, rank))).abs().max().item()
    return {"kept": kept, "rests": rests, "same": same, "distance": distance}


def test_a_forward_without_a_backward_never_leaves_stale_parameters(ranks):
    """The root keeps its parameters; an optimizer step, a state dict and the next forward put it to rest first."""
    for got in ranks.run(forward_without_backward):
        assert got["kept"] == 2
        assert got["rests"] == ["SHARDED"] * 3
        assert got["same"]
        assert got["distance"] < 1e-6


def two_forwards() -> list[float]:
    """Two forwards before one backward, then two backwards of two forwards, then one graph twice."""
    torch.manual_seed(0)
    model = TwoBlocks()
    twin = copy.deepcopy(model)
    fully_shard(model, policy=by_class(Block))
    rank = dist.get_rank()

    def run(m: nn.Module, ranks: list[int]) -> None:
        for each in ranks:
            share = len(ranks)
            a, b = (m(inputs(step, each)).square().mean() / share for step in (0, 1))
            (a + b).backward()
            a, b = (m(inputs(step, each)).square().mean() / share for step in (2, 3))
            a.backward()
            b.backward()
            c = m(inputs(4, each)).square().mean() / share
            c.backward(retain_graph=True)
            c.backward()

    run(model, [rank])
    run(twin, [0, 1])
    worst = []
    for handle in sharding.get_handles(model):
        for buffer in handle.buffers:
            for index, slot in enumerate(buffer.slots):
                name = f"{handle.fqn}.{slot.name}" if handle.fqn else slot.name
                want = buffer.piece_of(index, dict(twin.named_parameters())[name].grad)
                if want.numel():
                    worst.append((slot.param.grad - want).abs().max().item())
    return [max(worst), float(len(worst))]


def test_several_forwards_and_backwards_in_any_order(ranks):
    """Gradients add up as they do without sharding."""
    for worst, count in ranks.run(two_forwards):
        assert worst < 2e-6
        assert count >= 8


def child_alone() -> list[float]:
    torch.manual_seed(0)
    model = TwoBlocks()
    twin = copy.deepcopy(model)
    fully_shard(model, policy=by_class(Block))
    x = inputs(0, dist.get_rank())
    before = (model.u1(x) - twin.u1(x)).abs().max().item()
    model.u1(x).sum().backward()
    model.zero_grad()
    after = (model(x) - twin(x)).abs().max().item()
    again = (model.u2(x) - twin.u2(x)).abs().max().item()
    return [before, after, again]


def test_a_childs_forward_by_itself_before_and_after_the_roots(ranks):
    """Within its local tree the outermost unit that runs is the root of that forward."""
    assert ranks.run(child_alone) == [[0.0, 0.0, 0.0]] * 2


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = Block()
        self.out = nn.Linear(5, 5)

    def encode(self, x: torch.Tensor, *, scale: float = 1.0) -> torch.Tensor:
        return self.out(x) * scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.encode(x))


def other_entrance() -> list[float]:
    torch.manual_seed(0)
    model = Encoder()
    twin = copy.deepcopy(model)
    fully_shard(model.block)
    fully_shard(model)
    sharding.register_forward_method(model, "encode")
    x = inputs(0, dist.get_rank())
    distance = (model.encode(x, scale=2.0) - twin.encode(x, scale=2.0)).abs().max().item()
    model.encode(x).sum().backward()
    distance += (model(x) - twin(x)).abs().max().item()
    return [distance, float(model.out.weight.grad is not None)]


def test_a_registered_method_gathers_as_a_forward_does(ranks):
    """`encode` alone and from inside `forward`."""
    assert ranks.run(other_entrance) == [[0.0, 1.0]] * 2


class Recursive(nn.Module):
    """Calls itself: the inner call must not free what the outer one still needs."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(5, 5)

    def forward(self, x: torch.Tensor, depth: int = 2) -> torch.Tensor:
        if depth:
            x = self(x, depth - 1)
        return self.lin(x).relu()


def calls_itself() -> float:
    torch.manual_seed(0)
    model = Recursive()
    twin = copy.deepcopy(model)
    fully_shard(model)
    x = inputs(0, dist.get_rank())
    with torch.no_grad():
        distance = (model(x) - twin(x)).abs().max().item()
    model(x).sum().backward()
    return distance + float(model.lin.weight.grad is None)


def test_a_module_that_calls_itself(ranks):
    """In eval the parameters are freed when the outermost call is over."""
    assert ranks.run(calls_itself) == [0.0, 0.0]


def replicated_after_trouble() -> float:
    torch.manual_seed(0)
    model = troubled()
    twin = copy.deepcopy(model)
    replicate(model, bucket_cap_mb=2e-4)
    trouble, rank = model.u2.seq[-1], dist.get_rank()
    trouble.in_backward = ValueError("trouble")
    with pytest.raises(ValueError, match="trouble"):
        model(inputs(0, rank)).square().mean().backward()
    trouble.in_backward = None
    model.zero_grad()
    model(inputs(1, rank)).square().mean().backward()
    torch.stack([twin(inputs(1, other)).square().mean() for other in range(2)]).mean().backward()
    twins = dict(twin.named_parameters())
    return max((p.grad - twins[name].grad).abs().max().item() for name, p in model.named_parameters())


def test_replicate_after_a_failed_backward(ranks):
    """Buckets a failed backward filled half way are filled anew."""
    assert max(ranks.run(replicated_after_trouble)) < 1e-6


def test_an_interrupt_as_the_ranks_find_that_they_agree_leaves_them_agreed(ranks: Workers) -> None:
    """One rank is done and raises, the other is interrupted before it has looked: the next calls still meet."""

    def interrupted(verb: str) -> str:
        from sharding.flat import agreement, checkpointing_agreement

        home = agreement if verb == "mark" else checkpointing_agreement
        model = nn.Linear(3, 3)
        if verb == "load":
            fully_shard(model)
            whole = sharding.state_dict(model)
        read, rank = home.read, dist.get_rank()

        def late(*args: Any, **kwargs: Any) -> str:
            read(*args, **kwargs)
            read(args[0], args[1].rpartition("/")[0] + "/0", 0)
            raise KeyboardInterrupt

        try:
            if rank == 1:
                home.read = late
            fully_shard(model) if verb == "mark" else sharding.load_state_dict(model, whole)
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            home.read = read
        return "done"

    def again() -> int:
        model = nn.Linear(3, 3)
        fully_shard(model)
        sharding.load_state_dict(model, sharding.state_dict(model))
        return len(sharding.get_handles(model))

    for verb in ("mark", "load"):
        assert ranks.run(interrupted, verb) == ["done", "interrupted"]
        assert ranks.run(again) == [1, 1]
