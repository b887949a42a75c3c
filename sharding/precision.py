"""Mixed precision in one plain form: the dtypes a unit computes, reduces and keeps its buffers in.

Torch has two classes for this, `MixedPrecision` (FSDP1) and `MixedPrecisionPolicy` (FSDP2); both are read here, and
so is a mapping of dtype names as plans save it. Which dtype a parameter then computes and reduces in is decided here
too, for the engine and for the costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import torch

from sharding.errors import PlanError


@dataclass(frozen=True)
class Precision:
    """Dtypes of one unit; None leaves what is there.

    Attributes:
        param_dtype: what parameters are gathered and computed in.
        reduce_dtype: what gradients are reduced in; `param_dtype` if None.
        buffer_dtype: what floating-point buffers are kept in.
        output_dtype: what the forward's floating-point outputs are cast to.
        cast_forward_inputs: whether floating-point inputs are cast to `param_dtype`.
        cast_root_forward_inputs: the same for the root only; None for what `cast_forward_inputs` says.
    """

    param_dtype: torch.dtype | None = None
    reduce_dtype: torch.dtype | None = None
    buffer_dtype: torch.dtype | None = None
    output_dtype: torch.dtype | None = None
    cast_forward_inputs: bool = True
    cast_root_forward_inputs: bool | None = None

    def to_data(self) -> dict[str, Any]:
        """JSON-ready form: dtype names without `torch.`, defaults left out."""
        data: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, torch.dtype):
                data[each.name] = str(value).removeprefix("torch.")
            elif value is not None and value != each.default:
                data[each.name] = value
        return data


def as_precision(value: Any) -> Precision | None:
    """Read any accepted form.

    Raises:
        PlanError: none of them, or an unknown dtype or field.
    """
    if value is None or isinstance(value, Precision):
        return value
    if isinstance(value, Mapping):
        return _from_mapping(value)
    known = {each.name for each in fields(Precision)}
    given = {name: getattr(value, name) for name in known if hasattr(value, name)}
    if "param_dtype" not in given:
        raise PlanError(
            f"mixed_precision takes torch's MixedPrecision or MixedPrecisionPolicy, or a mapping such as "
            f"{{'param_dtype': 'bfloat16'}}, got {type(value).__name__}"
        )
    if getattr(value, "keep_low_precision_grads", False):
        raise PlanError("keep_low_precision_grads: gradients always come back in the dtype the optimizer steps on")
    return Precision(**given)


def _from_mapping(value: Mapping[str, Any]) -> Precision:
    known = [each.name for each in fields(Precision)]
    unknown = [name for name in value if name not in known]
    if unknown:
        raise PlanError(f"mixed_precision has no field {unknown[0]!r}; it has {', '.join(known)}")
    read: dict[str, Any] = {
        name: _dtype(each, name) if "dtype" in name else _flag(each) for name, each in value.items()
    }
    return Precision(**read)


def _flag(value: Any) -> bool | None:
    return None if value is None else bool(value)


def _dtype(value: Any, name: str) -> torch.dtype | None:
    if value is None or isinstance(value, torch.dtype):
        return value
    dtype = getattr(torch, str(value).removeprefix("torch."), None)
    if not isinstance(dtype, torch.dtype):
        raise PlanError(f"{name} is {value!r}, which is no dtype; use a name such as 'bfloat16'")
    return dtype


def is_castable(dtype: torch.dtype) -> bool:
    """Whether tensors of this dtype may be cast: floating point of 16 bits or more."""
    return dtype.is_floating_point and dtype.itemsize >= 2


def computes_in(precision: Precision | None, dtype: torch.dtype) -> torch.dtype:
    """The dtype a parameter of `dtype` is gathered and computed in."""
    wanted = None if precision is None else precision.param_dtype
    return wanted if wanted is not None and is_castable(dtype) else dtype


def reduces_in(precision: Precision | None, dtype: torch.dtype) -> torch.dtype:
    """The dtype the gradients of a parameter of `dtype` are reduced in."""
    wanted = None if precision is None else precision.reduce_dtype
    return wanted if wanted is not None and is_castable(dtype) else computes_in(precision, dtype)
