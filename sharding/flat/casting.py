"""What mixed precision means for a unit: which dtype each thing computes, reduces, travels and is kept in.

Only ordinary floating-point tensors are ever cast: integers, float8 and complex numbers stay what they are, frozen
or not. The decisions are `sharding/precision.py`'s; here they meet tensors."""

from __future__ import annotations

from typing import Any

import torch

from sharding.flat.tensors import map_tensors
from sharding.precision import Precision, computes_in, is_castable, reduces_in

__all__ = ["cast_inputs", "cast_outputs", "computes_in", "divided_before", "is_castable", "reduces_in"]


def divided_before(dtype: torch.dtype, num_ranks: int) -> float:
    """What gradients are divided by before they are summed: half of the average's way for float16, which overflows."""
    if dtype is not torch.float16:
        return 1.0
    factor = 1
    while factor * factor < num_ranks:
        factor *= 2
    return float(factor)


def cast_inputs(
    precision: Precision | None, is_root: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a forward is given, as the unit computes."""
    if precision is None or precision.param_dtype is None:
        return args, kwargs
    wanted = precision.cast_forward_inputs
    if is_root and precision.cast_root_forward_inputs is not None:
        wanted = wanted or precision.cast_root_forward_inputs
    if not wanted:
        return args, kwargs
    return _cast(precision.param_dtype, args), _cast(precision.param_dtype, kwargs)


def cast_outputs(precision: Precision | None, output: Any) -> Any:
    """What a forward returns, as the unit was asked to."""
    return output if precision is None or precision.output_dtype is None else _cast(precision.output_dtype, output)


def _cast(dtype: torch.dtype, value: Any) -> Any:
    def cast(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.to(dtype) if is_castable(tensor.dtype) else tensor

    return map_tensors(cast, value)
