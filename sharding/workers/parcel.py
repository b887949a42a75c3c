"""Pickled values with their big parts beside the pickle, so that those are written once and, in a rank, not
copied at all.

A parcel is a list of parts: a head with the sizes, the pickle, then one buffer for each tensor storage, each
part starting at a multiple of `ALIGN`. Storages of GPUs travel as copies on the CPU. `unpack` builds tensors
on the very memory it is given: private pages of a memory file in a rank, a fresh copy in the kernel, so
nobody ever writes into another process's tensor.
"""

from __future__ import annotations

import io
import pickle
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sharding.workers import shards

if TYPE_CHECKING:
    import torch
    from torch.storage import TypedStorage, UntypedStorage

ALIGN = 64
PROTOCOL = 5
Parts = list[bytes | memoryview]
Making = Mapping[Any, Callable[..., Any]]


def parts_of(pickled: memoryview, buffers: Sequence[pickle.PickleBuffer]) -> Parts:
    """The parts of a parcel, padded, ready to be written one after the other."""
    bodies = [pickled, *(buffer.raw() for buffer in buffers)]
    head = struct.pack(f"<{1 + len(bodies)}Q", len(bodies), *(body.nbytes for body in bodies))
    return [padded for part in (head, *bodies) for padded in _padded(part)]


class _Unpickler(pickle.Unpickler):
    """Makes what it is told to in place of some classes."""

    def __init__(
        self, data: memoryview, buffers: Sequence[memoryview], making: Mapping[Any, Callable[..., Any]]
    ) -> None:
        super().__init__(io.BytesIO(data), buffers=buffers)
        self._making = making

    def find_class(self, module: str, name: str, /) -> Any:
        found = super().find_class(module, name)
        return self._making.get(found, found) if isinstance(found, type) else found


def unpack(payload: bytes | bytearray | memoryview, making: Making | None = None) -> Any:
    """The value; its tensors live in `payload`, which must be writable when it holds any.

    `making`: for some classes the function to call in their place.
    """
    view = memoryview(payload)
    (count,) = struct.unpack_from("<Q", view)
    sizes = struct.unpack_from(f"<{count}Q", view, 8)
    start, bodies = _aligned(8 + 8 * count), []
    for size in sizes:
        bodies.append(view[start : start + size])
        start += _aligned(size)
    if making is None:
        return pickle.loads(bodies[0], buffers=bodies[1:])
    return _Unpickler(bodies[0], bodies[1:], making).load()


def num_bytes(parts: Sequence[bytes | memoryview]) -> int:
    return sum(memoryview(part).nbytes for part in parts)


def _aligned(size: int) -> int:
    return size + -size % ALIGN


def _padded(part: bytes | memoryview) -> Parts:
    padding = -memoryview(part).nbytes % ALIGN
    return [part, bytes(padding)] if padding else [part]


def _reduce_untyped(storage: UntypedStorage) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    import torch
    from torch.storage import UntypedStorage

    if storage.device.type != "cpu":
        storage = storage.cpu()
    if storage.nbytes() == 0:
        return UntypedStorage, (0,)
    array = torch.empty(0, dtype=torch.uint8).set_(storage).numpy()  # type: ignore[call-overload]
    return _untyped, (pickle.PickleBuffer(array),)  # pyright: ignore[reportArgumentType]


def _reduce_typed(storage: TypedStorage) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _typed, (storage._untyped_storage, storage.dtype)


def _untyped(buffer: Any) -> UntypedStorage:
    import torch

    return torch.frombuffer(buffer, dtype=torch.uint8).untyped_storage()


def _typed(untyped: UntypedStorage, dtype: torch.dtype) -> TypedStorage:
    from torch.storage import TypedStorage

    return TypedStorage(wrap_storage=untyped, dtype=dtype, _internal=True)


def reducers() -> dict[type, Callable[[Any], Any]]:
    """How storages and DTensors are pickled. Where torch was never
    imported there are none, and it is not imported for this.
    """
    if "torch" not in sys.modules:
        return {}
    from torch.storage import TypedStorage, UntypedStorage

    known: dict[type, Callable[[Any], Any]] = {UntypedStorage: _reduce_untyped, TypedStorage: _reduce_typed}
    tensors = sys.modules.get("torch.distributed.tensor")
    if (dtensor := getattr(tensors, "DTensor", None)) is not None:
        known[dtensor] = shards.reduce_dtensor
    return known
