"""Whose buffers a layout's units and groups look after: for the initial broadcast and for looking."""

from __future__ import annotations

import torch

from sharding.layout import Layout


def buffers_by_owner(layout: Layout) -> dict[str, list[torch.Tensor]]:
    """The buffers of the modules each unit or replicate group decides for, by its FQN, each buffer once."""
    found: dict[str, list[torch.Tensor]] = {}
    seen: set[int] = set()
    for row, node in zip(layout.modules, layout.tree.nodes, strict=True):
        if row.unit is None or row.status in ("ignored", "in_ignored"):
            continue
        for module in node.modules:
            for buffer in module._buffers.values():
                if buffer is not None and id(buffer) not in seen:
                    seen.add(id(buffer))
                    found.setdefault(row.unit, []).append(buffer)
    return found
