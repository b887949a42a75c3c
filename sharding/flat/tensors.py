"""Finding tensors in what a forward takes and gives: tuples, lists, dicts, dataclasses, nested.

Of any other object only the attributes are looked at, not what they hold in turn, and it is never rebuilt.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import nn


def tensors_in(value: Any, *, attributes: bool = True) -> Iterator[torch.Tensor]:
    """Every tensor in `value`, in order; with `attributes`, also those in attributes of an object of any class."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from tensors_in(item, attributes=attributes)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_in(item, attributes=attributes)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for entry in dataclasses.fields(value):
            yield from tensors_in(getattr(value, entry.name, None), attributes=attributes)
    elif attributes and hasattr(value, "__dict__") and not isinstance(value, (type, nn.Module)):
        for item in vars(value).values():
            yield from tensors_in(item, attributes=False)


def map_tensors(change: Callable[[torch.Tensor], torch.Tensor], value: Any) -> Any:
    """`value` with every tensor replaced by `change(tensor)`; what nothing changed in is returned as it is."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (tuple, list)):
        return _map_sequence(change, value)
    if isinstance(value, Mapping):
        return _map_items(change, value, list(value.items()), _set_item)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        named = [(entry.name, getattr(value, entry.name, None)) for entry in dataclasses.fields(value)]
        return _map_items(change, value, named, object.__setattr__)
    return value


def _map_sequence(change: Callable[[torch.Tensor], torch.Tensor], value: Any) -> Any:
    items = [map_tensors(change, item) for item in value]
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    if hasattr(value, "_fields"):
        return type(value)(*items)
    return type(value)(items)


def _map_items(
    change: Callable[[torch.Tensor], torch.Tensor],
    value: Any,
    items: list[tuple[Any, Any]],
    put: Callable[[Any, Any, Any], None],
) -> Any:
    changed = [(key, new) for key, old in items if (new := map_tensors(change, old)) is not old]
    if not changed:
        return value
    twin = copy.copy(value)
    for key, new in changed:
        put(twin, key, new)
    return twin


def _set_item(mapping: Any, key: Any, value: Any) -> None:
    mapping[key] = value
