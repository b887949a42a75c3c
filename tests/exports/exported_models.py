"""Models and batches that exported scripts import: what a project keeps in a module."""

from __future__ import annotations

import torch
from torch import nn

WIDTH = 6


class Block(nn.Module):
    """A block with a part that can be marked by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.up = nn.Linear(WIDTH, 2 * WIDTH)
        self.down = nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + nn.functional.dropout(self.down(torch.relu(self.up(self.norm(x)))), 0.1, self.training)


class Decoder(nn.Module):
    """Embedding, layers, a norm and a head; dropout, so that the random state of a step matters."""

    def __init__(self, depth: int = 4, *, tied: bool = False) -> None:
        super().__init__()
        self.embed = nn.Embedding(11, WIDTH)
        self.layers = nn.ModuleList([Block() for _ in range(depth)])
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, 11, bias=False)
        if tied:
            self.head.weight = self.embed.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


class Odd(nn.Module):
    """What has no plain path: a number in a dict, a name that is no word, a parameter by itself, a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleDict({"1": nn.Linear(WIDTH, WIDTH), "class": nn.Linear(WIDTH, WIDTH)})
        self.add_module("a-b", nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH)))
        self.scale = nn.Parameter(torch.ones(WIDTH))
        self.register_buffer("shift", torch.zeros(WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = getattr(self, "a-b")(self.parts["class"](self.parts["1"](x)))
        return x * self.scale + self.shift


def tied() -> nn.Module:
    """A builder of a model with tied weights."""
    return Decoder(2, tied=True)


def tokens(rank: int, step: int) -> torch.Tensor:
    """Different for every rank and step."""
    return torch.randint(0, 11, (3, 5), generator=torch.Generator().manual_seed(100 * step + rank))


def cross_entropy(output: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    """The loss of predicting the input."""
    return nn.functional.cross_entropy(output.flatten(0, 1), ids.flatten())


def failing(rank: int, step: int) -> torch.Tensor:
    """Inputs that rank 1 does not find in step 1."""
    if (rank, step) == (1, 1):
        raise FileNotFoundError("no shard of data for rank 1")
    return tokens(rank, step)
