"""Small models the engine's tests train: the worked tree of two units, and what is awkward about real ones."""

from __future__ import annotations

import torch
from torch import nn

WIDTH = 5
"""Odd on purpose: no parameter here is a multiple of the number of ranks."""


class Block(nn.Module):
    """A unit with parameters of its own beside those of a child that can be marked by itself."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.seq = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.seq(self.lin(x))


class TwoBlocks(nn.Module):
    """`forward(x) = mm(u2(u1(l(x))), p)`: `l` and `p` belong to the root, `u1` and `u2` are units."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        self.l = nn.Linear(width, width)
        self.u1 = Block(width)
        self.u2 = Block(width)
        self.p = nn.Parameter(torch.randn(width, width) / width)

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
    """A frozen base with a small trainable adapter, as in LoRA."""

    def __init__(self) -> None:
        super().__init__()
        self.base = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
        self.down = nn.Linear(WIDTH, 1, bias=False)
        self.up = nn.Linear(1, WIDTH, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + self.up(self.down(x))


class Mixed(nn.Module):
    """What a unit may hold at once: two dtypes, frozen beside trainable, one element, no element, an integer."""

    def __init__(self) -> None:
        super().__init__()
        self.first = Adapted()
        self.second = Adapted()
        self.wide = nn.Linear(WIDTH, WIDTH, dtype=torch.float64)
        self.one = nn.Parameter(torch.ones(1))
        self.none = nn.Parameter(torch.ones(0, 3))
        self.table = nn.Parameter(torch.arange(3), requires_grad=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.second(self.first(x)).double()
        return self.wide(y).float() * self.one + self.table.sum()


class Twice(nn.Module):
    """One block called twice, a branch without gradient, and a layer never used."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.block = Block()
        self.aside = Block()
        self.unused = Block()

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        y = self.block(self.block(self.l(x)))
        with torch.no_grad():
            z = self.aside(y)
        return {"y": y + z, "parts": (y, z)}
