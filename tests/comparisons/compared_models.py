"""Models small enough to train on five engines in a second, and the batches they are fed."""

from __future__ import annotations

import traceback

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


class Unwrappable(Net):
    """Its forward raises where it is called by a wrapper around it, as in DDP."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if any(each.filename.endswith("parallel/distributed.py") for each in traceback.extract_stack()):
            print("about to fail")
            raise RuntimeError("called by a wrapper")
        return super().forward(x)


def batches(rank: int, step: int) -> torch.Tensor:
    """Different for every rank and step."""
    return torch.randn(4, WIDTH, generator=torch.Generator().manual_seed(100 * step + rank))
