"""What one rank holds and sends, seen from below: every tensor's bytes while they live, every collective.

A dispatch mode sees each operation of torch, whoever asked for it, so all engines and baselines are measured by the
same eyes. It slows the step down and is therefore never open while time is taken. On CUDA the allocator itself knows
the peak and is asked instead.
"""

from __future__ import annotations

import contextlib
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from sharding.comparisons.collective_ops import collective_of


class Meter(TorchDispatchMode):
    """Counts while it is open (`with Meter() as meter`).

    Attributes:
        nbytes: bytes of all tensors alive that were made or touched since it was opened, each storage once.
        peak_nbytes: the largest `nbytes` since `begin`.
        collectives: how often each `(kind, bytes of the whole buffer)` was started since `begin`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.nbytes = self.peak_nbytes = 0
        self.collectives: Counter[tuple[str, int]] = Counter()
        self._known: dict[int, tuple[weakref.ref[torch.UntypedStorage], int]] = {}
        self._resizing = contextlib.ExitStack()

    def begin(self) -> None:
        """Forget peak and collectives: what is to be measured starts now."""
        self.peak_nbytes = self.nbytes
        self.collectives.clear()

    def look_at(self, tensors: Iterable[torch.Tensor]) -> None:
        """Count tensors that were made before."""
        for tensor in tensors:
            if type(tensor) in _PLAIN:
                self._see(tensor.untyped_storage())

    def __enter__(self) -> Meter:
        super().__enter__()
        self._resizing.enter_context(_telling_resizes(self._see))
        return self

    def __exit__(self, *exc: Any) -> None:
        self._resizing.close()
        super().__exit__(*exc)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if any(issubclass(each, FakeTensor) for each in types):
            return func(*args, **(kwargs or {}))  # DTensor trying out shapes
        if any(each not in _PLAIN for each in types):
            return NotImplemented  # a DTensor: what it is made of comes by next
        result = func(*args, **(kwargs or {}))
        found = collective_of(func, args)
        if found is not None:
            self.collectives[found] += 1
        self.look_at(leaf for leaf in tree_leaves((args, kwargs, result)) if isinstance(leaf, torch.Tensor))
        return result

    def _see(self, storage: torch.UntypedStorage) -> None:
        """Note a storage, or that its size has changed. Its address names it for as long as it lives."""
        if storage.device.type == "meta":
            return
        key, nbytes = storage._cdata, storage.nbytes()
        known = self._known.get(key)
        before = 0 if known is None else known[1]
        ref = weakref.ref(storage, lambda _: self._forget(key)) if known is None else known[0]
        self._known[key] = (ref, nbytes)
        self.nbytes += nbytes - before
        self.peak_nbytes = max(self.peak_nbytes, self.nbytes)

    def _forget(self, key: int) -> None:
        self.nbytes -= self._known.pop(key)[1]


_PLAIN = (torch.Tensor, torch.nn.Parameter)


@contextlib.contextmanager
def _telling_resizes(see: Any) -> Iterator[None]:
    """Engines free and refill a buffer through its storage, which no operation shows."""
    resize = torch.UntypedStorage.resize_

    def told(storage: torch.UntypedStorage, size: int) -> Any:
        result = resize(storage, size)
        see(storage)
        return result

    torch.UntypedStorage.resize_ = told  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield
    finally:
        del torch.UntypedStorage.resize_  # it is inherited again
