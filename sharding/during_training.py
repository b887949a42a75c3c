"""Verbs on a model that runs, whatever it runs on: each is handed to the engine the model's annotations name.

Both engines have the same functions with the same arguments; what users read about them is written once, in `flat`.
What one engine has no such thing for is refused here, with the reason.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from torch import nn

from sharding.annotations import annotation_of, engine_of
from sharding.errors import StateError
from sharding.flat import accumulation, checkpointing, clipping, forward_methods, looking, optimizer_check, removal
from sharding.flat import optimizer_state as flat_optimizer_state

P = ParamSpec("P")
R = TypeVar("R")


def engine_running(module: nn.Module) -> str:
    """The engine a module runs on: that of the first annotation at or below it, else of what its parameters are."""
    stack, met = [module], set()
    while stack:
        each = stack.pop()
        if id(each) in met:
            continue
        met.add(id(each))
        annotation = annotation_of(each)
        if annotation is not None:
            return engine_of(annotation) or "flat"
        if any(hasattr(param, "device_mesh") for param in each._parameters.values() if param is not None):
            return "torch"
        stack += [child for child in reversed(each._modules.values()) if child is not None]
    return "flat"


def _on_either(flat: Callable[P, R], file: str) -> Callable[P, R]:
    """The flat engine's verb, or the one of the same name in this file of torch's engine."""

    @functools.wraps(flat)
    def verb(*args: P.args, **kwargs: P.kwargs) -> R:
        if _engine_of_call(args, kwargs) == "flat":
            return flat(*args, **kwargs)
        home = importlib.import_module(f"sharding.native.{file}")
        return getattr(home, flat.__name__)(*args, **kwargs)

    return verb


def _on_flat_alone(flat: Callable[P, R], instead: str) -> Callable[P, R]:
    """The flat engine's verb; refused on a model that runs on torch's engine."""

    @functools.wraps(flat)
    def verb(*args: P.args, **kwargs: P.kwargs) -> R:
        if _engine_of_call(args, kwargs) != "flat":
            raise StateError(f"{flat.__name__}: this model runs on torch's engine, {instead}")
        return flat(*args, **kwargs)

    return verb


def _engine_of_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    module = args[0] if args else kwargs.get("module", kwargs.get("root"))
    return engine_running(module) if isinstance(module, nn.Module) else "flat"


_HANDLES = (
    "which has no flat parameters and no handles; plan.resolve(model, engine='torch').units says what each unit holds"
)

no_sync = _on_either(accumulation.no_sync, "accumulation")
clip_grad_norm_ = _on_either(clipping.clip_grad_norm_, "clipping")
unshard = _on_either(looking.unshard, "looking")
register_forward_method = _on_either(forward_methods.register_forward_method, "forward_methods")
check_optimizer = _on_either(optimizer_check.check_optimizer, "optimizer_check")
state_dict = _on_either(checkpointing.state_dict, "checkpointing")
load_state_dict = _on_either(checkpointing.load_state_dict, "checkpointing")
optimizer_state_dict = _on_either(flat_optimizer_state.optimizer_state_dict, "optimizer_state")
load_optimizer_state_dict = _on_either(flat_optimizer_state.load_optimizer_state_dict, "optimizer_state")
get_states = _on_flat_alone(looking.get_states, _HANDLES)
get_handles = _on_flat_alone(looking.get_handles, _HANDLES)
get_root_states = _on_flat_alone(looking.get_root_states, _HANDLES)
fully_sharded_modules_to_params = _on_flat_alone(looking.fully_sharded_modules_to_params, _HANDLES)
remove = _on_either(removal.remove, "removal")
