"""Models built or called in unusual ways train as they do unsharded, every inner module with parameters a unit."""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs, train_beside
from small_models import WIDTH, Block
from torch import nn
from torch.nn.utils import parametrizations, parametrize

import sharding
from sharding import by_class, fully_shard

Pair = namedtuple("Pair", "x y")


class Times(torch.autograd.Function):
    """A matrix product with a backward written by hand."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, w)
        return x @ w.t()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x, w = ctx.saved_tensors
        return grads[0] @ w, grads[0].t() @ x


class Inner(nn.Module):
    """A unit whose forward is given by a function of itself and its arguments."""

    def __init__(self, run: Callable[..., Any], width: int = WIDTH, **made: Any) -> None:
        super().__init__()
        self.l = nn.Linear(width, width)
        self.run = run
        for name, value in made.items():
            setattr(self, name, value)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(self, *args, **kwargs)


class Outer(nn.Module):
    """`l`, then an inner unit called by a function, then a block."""

    def __init__(self, inner: nn.Module, call: Callable[[nn.Module, torch.Tensor], torch.Tensor] | None = None) -> None:
        super().__init__()
        self.l, self.inner, self.block = nn.Linear(WIDTH, WIDTH), inner, Block()
        self.call = call or (lambda inner, x: inner(x))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.call(self.inner, self.l(x)))


def custom_function() -> nn.Module:
    return Outer(Inner(lambda m, x: m.l(Times.apply(x, m.w)), w=nn.Parameter(torch.randn(WIDTH, WIDTH))))


def parameter_containers() -> nn.Module:
    def run(m: Any, x: torch.Tensor) -> torch.Tensor:
        for w in m.ws:
            x = torch.tanh(x @ w)
        return m.l(x) + m.named["bias"]

    ws = nn.ParameterList([nn.Parameter(torch.randn(WIDTH, WIDTH)) for _ in range(3)])
    return Outer(Inner(run, ws=ws, named=nn.ParameterDict({"bias": nn.Parameter(torch.randn(WIDTH))})))


def weight_norm() -> nn.Module:
    return Outer(parametrizations.weight_norm(nn.Linear(WIDTH, WIDTH)))


class Symmetric(nn.Module):
    def forward(self, w: torch.Tensor) -> torch.Tensor:
        return w.triu() + w.triu(1).t()


def cached_parametrization() -> nn.Module:
    inner = nn.Linear(WIDTH, WIDTH)
    parametrize.register_parametrization(inner, "weight", Symmetric())

    def twice(inner: nn.Module, x: torch.Tensor) -> torch.Tensor:
        with parametrize.cached():
            return inner(inner(x))

    return Outer(inner, twice)


def recurrent() -> nn.Module:
    return Outer(nn.LSTM(WIDTH, WIDTH, 2, batch_first=True), lambda inner, x: inner(x.unsqueeze(1))[0].squeeze(1))


def views_as_outputs() -> nn.Module:
    inner = Inner(lambda m, x: m.l(x.repeat(1, 2)).chunk(2, -1), 2 * WIDTH)

    def call(inner: nn.Module, x: torch.Tensor) -> torch.Tensor:
        a, b = inner(x)
        return a * b

    return Outer(inner, call)


def input_changed_in_place() -> nn.Module:
    return Outer(Inner(lambda m, x: m.l(x.add_(1.0))), lambda inner, x: inner(x * 1.0) + x)


def input_passed_through() -> nn.Module:
    return Outer(Inner(lambda m, x, y: (m.l(x), y)), lambda inner, x: sum(inner(x, x * 2.0)))


def generators_and_keywords() -> nn.Module:
    def run(m: Any, *, parts: Any, scale: float, more: dict[str, list[torch.Tensor]]) -> torch.Tensor:
        a, b = parts
        return m.l(a) * scale + b + more["z"][0]

    return Outer(Inner(run), lambda inner, x: inner(parts=(t for t in (x, x * 2)), scale=2.0, more={"z": [x]}))


def nested_outputs() -> nn.Module:
    inner = Inner(lambda m, x: OrderedDict(a=(Pair(m.l(x[0][0]), 3), None), b="text"))
    return Outer(inner, lambda inner, x: inner([[x, None], 7])["a"][0].x)


def buffers_made_in_forward() -> nn.Module:
    def run(m: Any, x: torch.Tensor) -> torch.Tensor:
        if not hasattr(m, "mask"):
            m.register_buffer("mask", torch.ones(WIDTH))
        return m.l(x) * m.mask

    return Outer(Inner(run))


def detached_half_way() -> nn.Module:
    return Outer(Inner(lambda m, x: m.l(x.detach())), lambda inner, x: inner(x) + x)


def scalar_output() -> nn.Module:
    return Outer(Inner(lambda m, x: m.l(x).square().mean()), lambda inner, x: x * inner(x))


def hooks_of_the_user() -> nn.Module:
    model = Outer(Inner(lambda m, x: m.l(x)))
    model.inner.register_forward_pre_hook(lambda m, args: (args[0] * 2,))
    model.inner.register_forward_hook(lambda m, args, output: output * 3)
    model.block.register_full_backward_pre_hook(lambda m, grads: (grads[0] * 0.5,))
    model.block.register_full_backward_hook(lambda m, grads, _: (grads[0] * 2,))
    return model


def saved_tensors_moved() -> nn.Module:
    def call(inner: nn.Module, x: torch.Tensor) -> torch.Tensor:
        with torch.autograd.graph.save_on_cpu():
            return inner(x)

    return Outer(Inner(lambda m, x: m.l(x).tanh()), call)


def autocast() -> nn.Module:
    def call(inner: nn.Module, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return inner(x).float()

    return Outer(Inner(lambda m, x: m.l(x)), call)


def complex_weight() -> nn.Module:
    w = nn.Parameter(torch.randn(WIDTH, WIDTH, dtype=torch.complex64))
    return Outer(Inner(lambda m, x: (torch.complex(m.l(x), x) @ m.w).abs(), w=w))


def memory_formats() -> nn.Module:
    conv = nn.Conv2d(1, WIDTH, 3, padding=1).to(memory_format=torch.channels_last)
    return Outer(conv, lambda inner, x: inner(x[:, None, :, None]).mean((2, 3)))


def one_module_by_two_names() -> nn.Module:
    inner = Inner(lambda m, x: m.l(x))
    model = Outer(inner, lambda inner, x: inner(inner(x).tanh()))
    model.again = inner
    model.block.seq[2] = model.block.seq[0]
    return model


def every_unit(model: nn.Module) -> None:
    fully_shard(model, policy=by_class(Block, type(model.inner)))


MODELS = [
    custom_function,
    parameter_containers,
    weight_norm,
    cached_parametrization,
    recurrent,
    views_as_outputs,
    input_changed_in_place,
    input_passed_through,
    generators_and_keywords,
    nested_outputs,
    buffers_made_in_forward,
    detached_half_way,
    scalar_output,
    hooks_of_the_user,
    saved_tensors_moved,
    autocast,
    complex_weight,
    memory_formats,
    one_module_by_two_names,
]


@pytest.mark.parametrize("build", MODELS)
def test_parity(ranks, build):
    """Loss, gradients and weights after three steps."""
    for difference in ranks.run(train_beside, build, every_unit, steps=3):
        assert difference.worst < 1e-5, difference


class Attention(nn.Module):
    """The projection of attention is a Linear nobody calls."""

    def __init__(self) -> None:
        super().__init__()
        self.l, self.inner, self.o = nn.Linear(WIDTH, 8), nn.MultiheadAttention(8, 2), nn.Linear(8, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.l(x)
        return self.o(self.inner(x, x, x, need_weights=False)[0])


def linears_and_attention(model: nn.Module) -> None:
    fully_shard(model, policy=by_class(nn.Linear, nn.MultiheadAttention))


def test_attention(ranks):
    """A policy of Linears leaves the projection to its attention module."""
    for difference in ranks.run(train_beside, Attention, linears_and_attention, steps=1):
        assert max(difference.loss, difference.gradient) < 1e-6


class Nested(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.below = Nested(depth - 1) if depth else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + 0.1 * self.l(x).tanh()
        return x if self.below is None else self.below(x)


def nested() -> nn.Module:
    return Nested(40)


def every_level(model: nn.Module) -> None:
    fully_shard(model, policy=by_class(Nested))


def test_units_in_units(ranks):
    """Forty levels, each gathered while all below run."""
    for difference in ranks.run(train_beside, nested, every_level, steps=2):
        assert difference.worst < 1e-5


class OldNorm(nn.Module):
    """torch's older weight norm: the weight is a plain attribute that a hook computes before each forward."""

    def __init__(self) -> None:
        super().__init__()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.inner = nn.utils.weight_norm(nn.Linear(WIDTH, WIDTH))
        self.block = Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.inner(x))


def old_norm() -> float:
    models = []
    for _ in range(2):
        torch.manual_seed(0)
        models.append(OldNorm())
    sharded, twin = models
    every_unit(sharded)
    sharded(inputs(0, dist.get_rank())).square().mean().backward()
    torch.stack([twin(inputs(0, rank)).square().mean() for rank in range(2)]).mean().backward()
    handle = next(handle for handle in sharding.get_handles(sharded) if handle.fqn == "inner")
    (buffer,) = handle.buffers
    wanted = [
        buffer.piece_of(index, twin.inner.get_parameter(slot.name).grad) for index, slot in enumerate(buffer.slots)
    ]
    return max((s.param.grad - w).abs().max().item() for s, w in zip(buffer.slots, wanted, strict=True) if w.numel())


def test_hooks_that_read_parameters_run_while_they_are_whole(ranks):
    """The unit is gathered before the user's own hooks, whenever they were registered."""
    assert max(ranks.run(old_norm)) < 1e-6
