"""Models to trace: repeated blocks that behave alike in ways that are easy to get wrong, and some that do not."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

WIDTH = 8


class Block(nn.Module):
    """Attention with a mask made in forward, and a feed-forward of another dtype's norm."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.calls: list[int] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls.append(1)
        query, key, value = self.qkv(self.norm(x)).chunk(3, dim=-1)
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        scores = (query @ key.transpose(1, 2)).masked_fill(~mask, float("-inf"))
        return x + self.out(scores.softmax(-1) @ value)


class Decoder(nn.Module):
    """Tied embedding and head around blocks; it may keep what every block returned until the end."""

    def __init__(self, depth: int = 7, *, keeps_all: bool = False, checkpoints: bool = False) -> None:
        super().__init__()
        self.emb = nn.Embedding(19, WIDTH)
        blocks = [Block() for _ in range(depth)]
        self.blocks = nn.ModuleList(checkpoint_wrapper(block) if checkpoints else block for block in blocks)
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, 19, bias=False)
        self.head.weight = self.emb.weight
        self.keeps_all = keeps_all

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.emb(ids)
        kept = []
        for block in self.blocks:
            x = block(x)
            kept.append(x.detach().clone() if self.keeps_all else None)
        return self.head(self.norm(x))


class TwoStacks(nn.Module):
    """Dense layers, then others, in one list; a second list of as many; one block used between them."""

    def __init__(self) -> None:
        super().__init__()
        narrow = [nn.Linear(WIDTH, WIDTH) for _ in range(5)]
        wide = [nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)) for _ in range(6)]
        self.layers = nn.ModuleList([nn.Identity(), *narrow, *wide])
        self.mid = nn.Linear(WIDTH, WIDTH)
        self.more = nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(4)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.more(self.mid(x))


class Twice(Decoder):
    """The whole stack runs twice."""

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.emb(ids)
        for block in [*self.blocks, *self.blocks]:
            x = block(x)
        return self.head(self.norm(x))


class ByNumber(Decoder):
    """Counts its blocks in an attribute."""

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.emb(ids)
        for number in range(7):
            x = self.blocks[number](x)
        return self.head(self.norm(x))


class Looks(Decoder):
    """Decides by a value."""

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return super().forward(ids) if ids.sum().item() > 3 else self.emb(ids)
