"""One forward and backward of a copy: which modules run when, and how many bytes of activations are alive.

FLOPs are those of `flops.py`. Every storage an operator makes counts from then until it is freed, but for parameters,
buffers and inputs. A parameter's gradient counts until it is complete; then it is noted and dropped, since what becomes
of gradients depends on the plan. Storages are counted as large as they are, without an allocator's rounding.
"""

from __future__ import annotations

import functools
import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from sharding.tracing.flops import flops_of
from sharding.tracing.record import EventKind, TraceEvent


class Listener(TorchDispatchMode):
    """Counts what is alive while it is entered, and notes events.

    Attributes:
        events: what happened so far.
        alive: bytes of activations alive now.
        in_backward: whether forward is over.
    """

    def __init__(self, known: Iterable[torch.Tensor]) -> None:
        super().__init__()
        self.events: list[TraceEvent] = []
        self.alive = 0
        self.in_backward = False
        self._changes: Counter[str] = Counter()
        self._last = self._most = 0
        self._flops = 0
        self._known = [tensor.untyped_storage() for tensor in known]
        self._sizes: dict[int, tuple[int, str]] = {storage._cdata: (0, "") for storage in self._known}
        self._watches: dict[int, weakref.finalize] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self._flops += flops_of(func, args, kwargs or {}, result)
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor):
                self._count(leaf)
        return result

    def _count(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._sizes:
            return
        nbytes, dtype = storage.nbytes(), str(tensor.dtype).removeprefix("torch.")
        self._sizes[key] = (nbytes, dtype)
        self._change(nbytes, dtype)
        self._watches[key] = weakref.finalize(storage, self._forget, key)

    def _forget(self, key: int) -> None:
        nbytes, dtype = self._sizes.pop(key)
        self._watches.pop(key, None)
        self._change(-nbytes, dtype)

    def _change(self, nbytes: int, dtype: str) -> None:
        self.alive += nbytes
        self._changes[dtype] += nbytes
        self._most = max(self._most, self.alive)

    def note(self, kind: EventKind, name: str) -> None:
        """Something happened."""
        by_dtype = tuple(sorted((dtype, nbytes) for dtype, nbytes in self._changes.items() if nbytes))
        self.events.append(
            TraceEvent(kind, name, self.alive - self._last, self._most - self._last, by_dtype, self._flops)
        )
        self._changes.clear()
        self._flops = 0
        self._last = self._most = self.alive

    def close(self) -> None:
        """Stop watching what is still alive."""
        for watch in self._watches.values():
            watch.detach()
        self._watches.clear()


def listen_to_module(listener: Listener, module: nn.Module, name: str) -> None:
    """Note when the module's forwards and backwards begin and end."""
    module.register_forward_pre_hook(functools.partial(_before, listener, name), prepend=True, with_kwargs=True)
    module.register_forward_hook(functools.partial(_after, listener, name))


def listen_to_param(listener: Listener, param: nn.Parameter, name: str) -> None:
    """Note when the parameter's gradient is complete, and drop it."""

    def complete(param: nn.Parameter) -> None:
        param.grad = None
        listener.note("gradient", name)

    if param.requires_grad:
        param.register_post_accumulate_grad_hook(complete)


def _before(listener: Listener, name: str, module: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any]:
    if listener.in_backward:
        return args, kwargs  # recomputed: its unit is whole, and its memory is counted as any other
    listener.note("begin", name)
    aliases: list[torch.Tensor] = []

    def alias(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not leaf.requires_grad:
            return leaf
        aliases.append(leaf.view_as(leaf))
        return aliases[-1]

    args, kwargs = tree_map(alias, (args, kwargs))
    _when(aliases, lambda: listener.note("over", name), all_of_them=True)
    return args, kwargs


def _after(listener: Listener, name: str, module: nn.Module, args: Any, output: Any) -> None:
    if listener.in_backward:
        return
    carriers = [leaf for leaf in tree_leaves(output) if isinstance(leaf, torch.Tensor) and leaf.grad_fn is not None]
    _when(carriers, lambda: listener.note("backward", name), all_of_them=False)
    listener.note("end", name)


def _when(tensors: list[torch.Tensor], call: Callable[[], None], *, all_of_them: bool) -> None:
    """Call when gradients have reached one of these tensors, or all."""
    left = [len(tensors) if all_of_them else 1]

    def arrived(_: torch.Tensor) -> None:
        left[0] -= 1
        if left[0] == 0:
            call()

    for tensor in tensors:
        tensor.register_hook(arrived)
