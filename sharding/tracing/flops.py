"""How many floating-point operations an operator does: torch's own table, and what it lacks for kernels of the CPU.

A multiplication and an addition are two. Only matrix products, convolutions and attention count, as everywhere in the
field; everything else is limited by memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils.flop_counter import flop_registry, sdpa_backward_flop_count, sdpa_flop_count


def flops_of(operator: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> int:
    """Those of one call of an operator; 0 for those that do not count."""
    packet = getattr(operator, "_overloadpacket", None)
    own = _ON_CPU.get(packet)
    if own is not None:
        return own(*args)
    count = flop_registry.get(packet)
    return 0 if count is None else int(count(*args, **kwargs, out_val=result))


def _attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *_: Any) -> int:
    return int(sdpa_flop_count(query.shape, key.shape, value.shape))


def _attention_backward(
    gradient: torch.Tensor, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *_: Any
) -> int:
    return int(sdpa_backward_flop_count(gradient.shape, query.shape, key.shape, value.shape))


_ON_CPU: Mapping[Any, Any] = {
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: _attention,
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward: _attention_backward,
}
"""Attention as the CPU does it, counted as torch counts that of a GPU."""
