"""Models small enough to read: the worked tree, a GPT-2-shaped transformer, and shapes that go wrong easily."""

from __future__ import annotations

import functools

import torch
from torch import nn


class Block(nn.Module):
    """A child named like a range of blocks has everything a transformer block has for folding."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(torch.relu(self.up(self.norm(x))))


class GPT(nn.Module):
    """Embedding, blocks, and a head that shares the embedding's weight if asked to."""

    def __init__(self, depth: int = 4, width: int = 8, vocab: int = 16, *, tied: bool = False) -> None:
        super().__init__()
        self.wte = nn.Embedding(vocab, width)
        self.h = nn.ModuleList(Block(width) for _ in range(depth))
        self.head = nn.Linear(width, vocab, bias=False)
        if tied:
            self.head.weight = self.wte.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.wte(ids)
        for block in self.h:
            x = block(x)
        return self.head(x)


class Submod2(nn.Module):
    """Holds a submodule of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.subsubmod = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.subsubmod(x)


class Mod(nn.Module):
    """The worked tree: `mod: submod1, submod2(subsubmod)`."""

    def __init__(self) -> None:
        super().__init__()
        self.submod1 = nn.Linear(4, 4)
        self.submod2 = Submod2()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.submod2(self.submod1(x))


class Named(nn.Module):
    """A module with children of the names and classes given."""

    def __init__(self, **children: nn.Module) -> None:
        super().__init__()
        for name, child in children.items():
            self.add_module(name, child)


def chain(depth: int) -> nn.Module:
    """A module in a module in a module."""
    root = node = Named()
    for _ in range(depth):
        child = Named()
        node.add_module("inner", child)
        node = child
    return root


def with_cycle() -> nn.Module:
    """A child that keeps its parent, and one module under two names."""
    root = Named(a=Named(lin=nn.Linear(2, 2)))
    root.add_module("b", root.a)
    root.a.add_module("owner", root)
    return root


class Weighted(nn.Module):
    """One parameter on the meta device, the cheapest way there is."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, 64, device="meta"))


@functools.cache
def experts(layers: int = 61, num_experts: int = 256) -> nn.Module:
    """75,396 modules: three dense layers, then layers of 256 experts; on the meta device."""

    def mlp(hidden: int) -> nn.Module:
        sizes = {"gate_proj": hidden, "up_proj": hidden, "down_proj": 2 * hidden}
        return Named(**{name: Weighted(size) for name, size in sizes.items()}, act_fn=nn.SiLU())

    def moe() -> nn.Module:
        experts = nn.ModuleList(mlp(32) for _ in range(num_experts))
        return Named(experts=experts, gate=Weighted(num_experts), shared_experts=mlp(32))

    def layer(number: int) -> nn.Module:
        attn = Named(**{f"proj_{place}": Weighted(16 + place) for place in b"abcdefg"})
        feed = mlp(128) if number < 3 else moe()
        return Named(self_attn=attn, mlp=feed, input_norm=Weighted(1), post_norm=Weighted(1))

    stack = nn.ModuleList(layer(number) for number in range(layers))
    base = Named(embed_tokens=Weighted(128), layers=stack, norm=Weighted(1))
    return Named(model=base, lm_head=Weighted(128))
