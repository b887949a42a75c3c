"""Small models both engines train: two units below a root, and what is awkward about real ones."""

from __future__ import annotations

import torch
from torch import nn

from sharding import Plan, by_class
from sharding.torch_limits import CANNOT_HOLD_INTEGERS

WIDTH = 5
"""Odd on purpose: nothing here divides by the number of ranks."""


class Block(nn.Module):
    """A unit with a child that can be marked by itself. Its own parameter comes after its children in torch's order."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(WIDTH))
        self.lin = nn.Linear(WIDTH, WIDTH)
        self.seq = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.seq(self.lin(x)) * self.scale


class TwoBlocks(nn.Module):
    """`forward(x) = mm(u2(u1(l(x))), p)`: `l` and `p` belong to the root, `u1` and `u2` are units."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.u1 = Block()
        self.u2 = Block()
        self.p = nn.Parameter(torch.randn(WIDTH, WIDTH) / WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.mm(self.u2(self.u1(self.l(x))), self.p)


class Tied(nn.Module):
    """An embedding whose weight is also the head's, around a block."""

    def __init__(self) -> None:
        super().__init__()
        self.emb = nn.Embedding(7, WIDTH)
        self.block = Block()
        self.head = nn.Linear(WIDTH, 7, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        index = (x * 10).long().abs().remainder(7)
        return self.head(self.block(self.emb(index)).mean(1))


class Adapted(nn.Module):
    """A frozen base with a small trainable adapter, as in LoRA; one parameter has a single row."""

    def __init__(self) -> None:
        super().__init__()
        self.base = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
        self.down = nn.Linear(WIDTH, 1, bias=False)
        self.up = nn.Linear(1, WIDTH, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + self.up(self.down(x))


class Odd(nn.Module):
    """Frozen beside trainable, a frozen integer, one element, no element at all, a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.first = Adapted()
        self.second = Adapted()
        self.one = nn.Parameter(torch.ones(1))
        self.none = nn.Parameter(torch.ones(0, 3))
        whole = torch.float32 if CANNOT_HOLD_INTEGERS else torch.int64
        self.table = nn.Parameter(torch.arange(3, dtype=whole), requires_grad=False)
        self.register_buffer("shift", torch.full((WIDTH,), 0.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.first(x)) * self.one + self.table.sum() + self.shift


class TwoDtypes(nn.Module):
    """Trainable parameters of two dtypes: one unit on one engine, two on the other."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Linear(WIDTH, WIDTH)
        self.wide = nn.Linear(WIDTH, WIDTH, dtype=torch.float64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.wide(self.narrow(x).double())


class Twice(nn.Module):
    """One block called twice, one without gradient, and one never used."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.block = Block()
        self.aside = Block()
        self.unused = Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.block(self.block(self.l(x)))
        with torch.no_grad():
            z = self.aside(y)
        return y + z


NESTS = {
    "1fm,1r": Plan().fully_shard("u1").replicate(""),
    "1r,1fm": Plan().replicate("u1").fully_shard(""),
    "1r,1fa": Plan().replicate("u1").fully_shard("", policy=by_class("Block")),
    "1r1fm,1fm": Plan().replicate("u1").fully_shard("u2").fully_shard(""),
    "1r1fa,1fm": Plan().replicate("u1").fully_shard("u2", policy=by_class("Linear")).fully_shard(""),
    "1fm1fm,1r1r,1fm": Plan()
    .fully_shard("u1.seq")
    .fully_shard("u2.seq")
    .replicate("u1")
    .replicate("u2")
    .fully_shard(""),
}
"""`replicate` in and around `fully_shard` on `TwoBlocks`: r replicate, f fully_shard, a by policy, m by hand."""
