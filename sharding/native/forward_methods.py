"""Methods that count as a forward, on torch's engine: torch's own `register_fsdp_forward_method`, checked."""

from __future__ import annotations

from torch import nn
from torch.distributed.fsdp import register_fsdp_forward_method

from sharding.errors import StateError
from sharding.native.torch_private import FSDPModule


def register_forward_method(module: nn.Module, name: str) -> None:
    """See `sharding.register_forward_method`."""
    if not isinstance(module, FSDPModule):
        raise StateError(
            f"register_forward_method({name!r}): this {type(module).__name__} is not a unit, and torch would ignore "
            "the call; mark it as fully_shard in the plan"
        )
    if not callable(getattr(module, name, None)):
        raise StateError(f"register_forward_method: a {type(module).__name__} has no method {name!r}")
    register_fsdp_forward_method(module, name)
