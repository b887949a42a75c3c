"""Buffers of a unit or group that are kept in another dtype, or on another device, than they came in.

They stay the same tensor objects. State dicts have them in the dtype they came in, and so has the model once its
annotations are removed; where they were moved to, they stay."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from sharding.flat.holdings import buffers_of
from sharding.precision import Precision, is_castable


class KeptBuffers:
    """The buffers that these modules hold themselves.

    Args:
        modules: the modules of one unit or group.
        precision: its `buffer_dtype` is what floating-point buffers are kept in; None for as they are.
        device: where they are kept; None for where they are.

    Attributes:
        hooks: what makes state dicts show the dtypes they came in.
    """

    def __init__(self, modules: Sequence[nn.Module], precision: Precision | None, device: torch.device | None) -> None:
        self._before: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._cast: dict[int, tuple[torch.Tensor, torch.dtype]] = {}
        wanted = None if precision is None else precision.buffer_dtype
        for buffer in buffers_of(modules):
            dtype = wanted if wanted is not None and is_castable(buffer.dtype) else buffer.dtype
            self._keep(buffer, dtype, device or buffer.device)
        holders = [each for each in modules if any(id(buffer) in self._cast for buffer in each._buffers.values())]
        self.hooks: list[RemovableHandle] = [
            each.register_state_dict_post_hook(functools.partial(self._write)) for each in holders
        ]

    @torch.no_grad()
    def _keep(self, buffer: torch.Tensor, dtype: torch.dtype, device: torch.device) -> None:
        if (buffer.dtype, buffer.device) != (dtype, device):
            self._before.append((buffer, buffer.data))
            if buffer.dtype != dtype:
                self._cast[id(buffer)] = (buffer, buffer.dtype)
            buffer.data = buffer.data.to(device, dtype)

    def _write(self, module: nn.Module, written: dict[str, Any], prefix: str, metadata: Any) -> None:
        for name, buffer in module._buffers.items():
            if id(buffer) in self._cast and prefix + name in written:
                written[prefix + name] = written[prefix + name].to(self._cast[id(buffer)][1])

    def undo(self) -> None:
        """As they were, without rounding, until `settle`."""
        for buffer, data in self._before:
            buffer.data = data

    def settle(self) -> None:
        """Let go of what `undo` would need."""
        self._before.clear()

    @torch.no_grad()
    def dissolve(self) -> None:
        """Back in the dtypes they came in, with the values they have now."""
        for buffer, dtype in self._cast.values():
            buffer.data = buffer.data.to(dtype)
        self._cast.clear()
