"""Methods that count as a forward: `encode`, `generate`, or whatever a model calls its other entrances."""

from __future__ import annotations

import functools
from typing import Any

from torch import nn

from sharding.errors import StateError
from sharding.flat import step
from sharding.flat.state import ShardingState, state_of

_KEY = "_sharding_methods"


def register_forward_method(module: nn.Module, name: str) -> None:
    """Have `module.<name>(...)` gather and free the module's unit as its forward does.

    Args:
        module: a fully sharded module.
        name: the method's name.

    Raises:
        StateError: the module is not fully sharded, or has no such method.
    """
    state = state_of(module)
    method = getattr(module, name, None)
    if state is None:
        raise StateError(
            f"register_forward_method({name!r}): this {type(module).__name__} is not a unit; call fully_shard on it"
        )
    if not callable(method):
        raise StateError(f"register_forward_method: a {type(module).__name__} has no method {name!r}")
    index = next(place for place, member in enumerate(state.modules) if member is module)
    module.__dict__.setdefault(_KEY, []).append(name)
    module.__dict__[name] = _as_forward(state, index, module, method)


def _as_forward(state: ShardingState, index: int, module: nn.Module, method: Any) -> Any:
    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = step.pre_forward(state, index, module, args, kwargs)
        try:
            output = method(*args, **kwargs)
        except BaseException:
            step.abandon_forward(state)
            raise
        step.post_forward(state, index, module, args, output)
        return output

    return run


def restore_methods(module: nn.Module) -> None:
    """Take the registered methods off again."""
    for name in module.__dict__.pop(_KEY, ()):
        module.__dict__.pop(name, None)
