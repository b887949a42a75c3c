"""Models small enough to train on five engines in a second, and the batches they are fed."""

from __future__ import annotations

import torch
from torch import nn

WIDTH = 6


class Block(nn.Module):
    """A residual block: the unit of the plans here."""

    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(WIDTH, 2 * WIDTH)
        self.down = nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(torch.relu(self.up(x)))


class Net(nn.Module):
    """Two blocks between a stem and a head."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Linear(WIDTH, WIDTH)
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(WIDTH, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class Unused(Net):
    """A layer that no forward calls."""

    def __init__(self) -> None:
        super().__init__()
        self.spare = nn.Linear(WIDTH, WIDTH)


def batches(rank: int, step: int) -> torch.Tensor:
    """Different for every rank and step."""
    return torch.randn(4, WIDTH, generator=torch.Generator().manual_seed(100 * step + rank))
