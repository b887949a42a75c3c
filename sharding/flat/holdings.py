"""What each unit or replicate group of a layout looks after beside parameters: its modules and their buffers."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn

from sharding.layout import Layout


def modules_by_owner(layout: Layout) -> dict[str, list[nn.Module]]:
    """The modules each unit or replicate group decides for, by its FQN, in pre-order."""
    found: dict[str, list[nn.Module]] = {}
    for row, node in zip(layout.modules, layout.tree.nodes, strict=True):
        if row.unit is not None and row.status not in ("ignored", "in_ignored"):
            found.setdefault(row.unit, []).extend(node.modules)
    return found


def buffers_of(modules: Iterable[nn.Module]) -> list[torch.Tensor]:
    """The buffers these modules hold themselves, each once."""
    found = {id(buffer): buffer for module in modules for buffer in module._buffers.values() if buffer is not None}
    return list(found.values())
