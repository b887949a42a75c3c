"""Noticing that a unit's modules no longer hold what they held when it was sharded.

Checked at every forward, so the usual answer must be quick: compare object identities. A wrapper put around a
submodule afterwards (activation checkpointing, `torch.compile`, this project's own) changes nothing that
matters and is accepted."""

from __future__ import annotations

from collections.abc import Iterable

from torch import nn

from sharding.errors import StateError
from sharding.flat.handle import FlatParamHandle
from sharding.traversal import WRAPPER_NAMES


class Structure:
    """What the modules of a unit held when it was made."""

    def __init__(self, modules: Iterable[nn.Module]) -> None:
        self._rows = [(module, _children(module), len(module._parameters)) for module in modules]
        self._inner = [_inner_children(module) for module, _, _ in self._rows]

    def check(self, fqn: str, handle: FlatParamHandle | None) -> None:
        """Refuse to run a unit that was changed.

        Raises:
            StateError: naming what was added or replaced and what to do.
        """
        for place, (module, children, num_params) in enumerate(self._rows):
            if len(module._parameters) != num_params:
                raise StateError(_changed(fqn, module, "has another number of parameters than when it was sharded"))
            if _children(module) != children:
                self._look_closer(place, fqn)
        replaced = None if handle is None else handle.replaced()
        if replaced is not None:
            raise StateError(
                f"parameter {replaced} of unit {fqn!r} was replaced after sharding: it would gather the old one. Copy "
                "values into the parameter in place, or sharding.remove(model), change it and shard again"
            )

    def _look_closer(self, place: int, fqn: str) -> None:
        module, _, num_params = self._rows[place]
        was, now = self._inner[place], _inner_children(module)
        if was == now:
            self._rows[place] = (module, _children(module), num_params)
            return
        names = sorted(name for name in was.keys() | now.keys() if was.get(name) != now.get(name))
        raise StateError(_changed(fqn, module, f"had {', '.join(map(repr, names))} added, removed or replaced"))


def _children(module: nn.Module) -> tuple[int, ...]:
    return tuple(map(id, module._modules.values()))


def _inner_children(module: nn.Module) -> dict[str, int]:
    """What a module holds by name, wrappers looked through."""
    inner: dict[str, int] = {}
    for name, child in module._modules.items():
        while child is not None and (key := next((k for k in child._modules if k in WRAPPER_NAMES), None)):
            child = child._modules[key]
        inner[name] = id(child)
    return inner


def _changed(fqn: str, module: nn.Module, what: str) -> str:
    return (
        f"a {type(module).__name__} in unit {fqn!r} {what}: change the model first and shard it then (or "
        "sharding.remove(model), change it, shard again)"
    )
