"""The wrapper path: `FullyShardedDataParallel(module)` holds the module and is called in its place.

Underneath it is the same engine: units, handles and hooks hang on the held modules. The wrapper adds nothing
but itself: names carry no prefix, attributes and indexing pass through. Its policy wraps matched submodules
where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import nn

from sharding.flat.settings import engine_settings, unit_options
from sharding.flat.sharding_verb import shard
from sharding.flat.state_dict_hooks import clean_name
from sharding.traversal import tree_of

HELD = "_fsdp_wrapped_module"


class FullyShardedDataParallel(nn.Module):
    """A module whose parameters are sharded over the ranks, wrapped.

    Args:
        module: the module to wrap.
        auto_wrap_policy: which submodules become wrapped units of their own.
        settings: as for `fully_shard`.

    Every rank must make it with the same arguments; it compares notes with them and blocks until all have.

    Raises:
        AnnotationError, ConflictError, PlanError, RankMismatchError: as `fully_shard`.
    """

    def __init__(
        self,
        module: nn.Module,
        *,
        auto_wrap_policy: Any = None,
        ignored_modules: Iterable[nn.Module] | None = None,
        ignored_params: Iterable[nn.Parameter] | None = None,
        mesh: Any = None,
        strategy: str = "full_shard",
        reshard_after_forward: bool | None = None,
        mixed_precision: Any = None,
        backward_prefetch: Any = "pre",
        forward_prefetch: bool = False,
        limit_all_gathers: bool = True,
        cpu_offload: Any = False,
        param_init_fn: Callable[[nn.Module], Any] | None = None,
        sync_module_states: bool = False,
        device: Any = None,
    ) -> None:
        options = unit_options(
            strategy=strategy,
            mixed_precision=mixed_precision,
            backward_prefetch=backward_prefetch,
            forward_prefetch=forward_prefetch,
            limit_all_gathers=limit_all_gathers,
            cpu_offload=cpu_offload,
            reshard_after_forward=reshard_after_forward,
        )
        settings = engine_settings(
            strategy, mesh=mesh, param_init_fn=param_init_fn, sync_module_states=sync_module_states, device=device
        )
        units = shard((module,), "wrapper", auto_wrap_policy, ignored_modules, ignored_params, options, settings)
        super().__init__()
        self.training = module.training
        wrap_in_place(module, [unit.modules[0] for unit in units if unit.modules[0] is not module])
        self._modules[HELD] = module
        self.register_state_dict_post_hook(_clean_keys)
        self.register_load_state_dict_pre_hook(_prefix_keys)

    @property
    def module(self) -> nn.Module:
        """The module inside."""
        held = self._modules[HELD]
        assert held is not None
        return held

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.__dict__["_modules"][HELD], name)

    def __getitem__(self, key: Any) -> Any:
        return self.module[key]  # type: ignore[index]

    def __len__(self) -> int:
        return len(self.module)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.module)  # type: ignore[arg-type,call-overload]

    def __bool__(self) -> bool:
        return True

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, nn.Parameter]]:
        for name, param in super().named_parameters(prefix, recurse, remove_duplicate):
            yield clean_name(name), param

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, torch.Tensor]]:
        for name, buffer in super().named_buffers(prefix, recurse, remove_duplicate):
            yield clean_name(name), buffer


def wrap_in_place(root: nn.Module, modules: Iterable[nn.Module]) -> None:
    """Put a wrapper around each of these modules, wherever below `root` it hangs."""
    shells = {id(module): _shell(module) for module in modules}
    for node in tree_of(root).nodes:
        for holder in node.modules:
            for name, held in holder._modules.items():
                if id(held) in shells:
                    holder._modules[name] = shells[id(held)]


def _shell(module: nn.Module) -> FullyShardedDataParallel:
    """A wrapper around a module that is a unit already."""
    shell = FullyShardedDataParallel.__new__(FullyShardedDataParallel)
    nn.Module.__init__(shell)
    shell.training = module.training
    shell._modules[HELD] = module
    shell.register_state_dict_post_hook(_clean_keys)
    shell.register_load_state_dict_pre_hook(_prefix_keys)
    return shell


def unwrap(module: nn.Module) -> nn.Module:
    """Take every wrapper of this project at and below `module` out of the tree."""
    for node in tree_of(module).nodes:
        for holder in node.modules:
            for name, held in holder._modules.items():
                if isinstance(held, FullyShardedDataParallel) and name != HELD:
                    holder._modules[name] = held.module
    return module.module if isinstance(module, FullyShardedDataParallel) else module


def _clean_keys(module: nn.Module, state: dict[str, Any], prefix: str, metadata: Any) -> None:
    """After the state dict of what is inside was written: take the wrapper's own name out of its keys."""
    _rename(state, f"{prefix}{HELD}.", prefix)
    entries = getattr(state, "_metadata", None)
    if entries is not None:
        outer = prefix.removesuffix(".")
        entries.pop(outer, None)
        _rename(entries, f"{prefix}{HELD}.", prefix)
        _rename(entries, f"{prefix}{HELD}", outer)


def _prefix_keys(module: nn.Module, state: dict[str, Any], prefix: str, *rest: Any) -> None:
    """Before what is inside is loaded: put the wrapper's own name back into the keys."""
    if not any(key.startswith(f"{prefix}{HELD}.") for key in state):
        _rename(state, prefix, f"{prefix}{HELD}.")


def _rename(entries: dict[str, Any], old: str, new: str) -> None:
    """Replace the start of every key that starts with `old`, keeping the order."""
    items = list(entries.items())
    entries.clear()
    entries.update((new + key[len(old) :] if key.startswith(old) else key, value) for key, value in items)
