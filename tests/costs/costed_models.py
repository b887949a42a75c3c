"""Small models whose costs are compared with what ran: uneven, tied, frozen, of several dtypes, with buffers."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

WIDTH = 5
"""Odd on purpose: no parameter here is a multiple of the number of ranks."""


class Cell(nn.Module):
    """Two layers, so that a unit may lie in a unit."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(WIDTH, WIDTH)
        self.seq = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.seq(self.lin(x))


class Chain(nn.Module):
    """A layer, three cells, and a parameter used last: every unit's input carries a gradient but the root's."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.cells = nn.ModuleList(Cell() for _ in range(3))
        self.p = nn.Parameter(torch.randn(WIDTH, WIDTH) / WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.l(x)
        for cell in self.cells:
            x = cell(x)
        return torch.mm(x, self.p)


class Looped(nn.Module):
    """One cell run three times, between two parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.cell = Cell()
        self.p = nn.Parameter(torch.randn(WIDTH, WIDTH) / WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.l(x)
        for _ in range(3):
            x = self.cell(x)
        return torch.mm(x, self.p)


class Checkpointed(Chain):
    """The chain with the activations of every cell recomputed in backward."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.ModuleList(checkpoint_wrapper(cell) for cell in self.cells)


class Tied(nn.Module):
    """A head that is also the embedding, around a cell."""

    def __init__(self) -> None:
        super().__init__()
        self.emb = nn.Linear(WIDTH, 7, bias=False)
        self.emb.weight = nn.Parameter(torch.randn(7, WIDTH))
        self.cell = Cell()
        self.head = nn.Linear(WIDTH, 7, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.cell(self.emb(x)[:, :WIDTH]))


class Patchwork(nn.Module):
    """What one model may hold at once: frozen beside trainable, three dtypes, one element, none, buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.frozen = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
        self.pre = nn.Linear(WIDTH, WIDTH)
        self.mid = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
        self.lora = nn.Linear(WIDTH, 1, bias=False)
        self.wide = nn.Linear(WIDTH, WIDTH, dtype=torch.float64)
        self.norm = nn.BatchNorm1d(WIDTH)
        self.one = nn.Parameter(torch.ones(1))
        self.none = nn.Parameter(torch.ones(0, 3), requires_grad=False)
        self.table = nn.Parameter(torch.arange(3), requires_grad=False)
        self.register_buffer("mask", torch.ones(11), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.mid(self.pre(x)) + self.frozen(x).sum() + self.lora(x)
        y = self.norm(y.to(self.norm.weight.dtype))
        return self.wide(y.to(self.wide.weight.dtype)).float() * self.one + self.table.sum()


class Frozen(nn.Module):
    """What torch's engine takes in one unit: frozen of other dtypes beside trainable of one, one row, none, buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.pre = nn.Linear(WIDTH, WIDTH)
        self.mid = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
        self.lora = nn.Linear(WIDTH, 1, bias=False)
        self.norm = nn.LayerNorm(WIDTH)
        self.one = nn.Parameter(torch.ones(1))
        self.none = nn.Parameter(torch.ones(0, 3), requires_grad=False)
        self.table = nn.Parameter(torch.ones(3, 2, dtype=torch.float16), requires_grad=False)
        self.register_buffer("mask", torch.ones(11), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.mid(self.pre(x)) + self.lora(x)
        return self.norm(y) * self.one + self.table.sum()


class Sides(nn.Module):
    """Branches for one verb each: sharded, replicated, ignored, and a replicated one with a sharded inside."""

    def __init__(self) -> None:
        super().__init__()
        self.shard = Cell()
        self.copy = Cell()
        self.skip = nn.Linear(WIDTH, WIDTH)
        self.nest = Cell()
        self.wide = nn.Linear(WIDTH, WIDTH, dtype=torch.float64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.nest(self.skip(self.copy(self.shard(x))))
        return self.wide(y.to(self.wide.weight.dtype)).float()
