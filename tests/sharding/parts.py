"""Small parts that models of the core's tests are put together from, and how to pick out what a layout says."""

from __future__ import annotations

import torch
from torch import nn

from sharding.layout import Layout
from sharding.verdicts import Conflict, Finding


class Part(nn.Module):
    """Has a forward and whatever children it is given."""

    def __init__(self, **parts: nn.Module | nn.Parameter) -> None:
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x):
        return x


def lin(size: int = 2, bias: bool = True) -> nn.Linear:
    """A square linear layer."""
    return nn.Linear(size, size, bias=bias)


def w(*shape: int) -> nn.Parameter:
    """A parameter on meta, three elements by default."""
    return nn.Parameter(torch.empty(shape or (3,), device="meta"))


def conflict(layout: Layout, kind: str) -> Conflict:
    """The one conflict of this kind."""
    (found,) = [each for each in layout.conflicts if each.kind == kind]
    return found


def finding(layout: Layout, kind: str) -> Finding:
    """The one finding of this kind."""
    (found,) = [each for each in layout.findings if each.kind == kind]
    return found


def kinds(layout: Layout) -> list[str]:
    """Kinds of all conflicts."""
    return [each.kind for each in layout.conflicts]


def tied(**extra: nn.Module) -> Part:
    """An embedding whose weight is the head's."""
    model = Part(emb=lin(bias=False), body=lin(), head=lin(bias=False), **extra)
    model.head.weight = model.emb.weight
    return model


def two_parents(shared: nn.Module) -> Part:
    """One module held by two parents."""
    return Part(a=Part(own=lin(), sh=shared), b=Part(own=lin(), sh=shared))
