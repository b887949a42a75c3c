"""What hangs on a sharded unit's modules: its settings, its handle, and where it is in the current step.

A `ShardingState` is made by the verbs, moved by `step.py` and grouped by `local_tree.py`. `Call` is one
forward of one of its modules that autograd may come back to; the hooks on its tensors hold it, so it
disappears with the graph."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from sharding.annotations import Annotation
from sharding.flat.axes import Axes
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.handle import FlatParamHandle, Residence
from sharding.flat.kept_buffers import KeptBuffers
from sharding.flat.live_only import LiveOnly
from sharding.flat.structure import Structure
from sharding.precision import as_precision

if TYPE_CHECKING:
    from sharding.flat.local_tree import LocalTree

_KEY = "_sharding_state"


@dataclass(eq=False)
class Call:
    """One forward of a unit's module with gradients on.

    Attributes:
        state: the unit.
        root: the call of the module that was the root of this forward (this one, if it is that).
        order: the units in the order their forwards ended, up to the next backward.
        position: this call's place in it.
    """

    state: ShardingState
    root: Call | None
    order: list[ShardingState]
    position: int = -1


class ShardingState(LiveOnly):
    """One unit at run time.

    Attributes:
        modules: its modules.
        annotation: the mark that made it; `annotation.options` are its settings.
        handle: its flat parameters; None for a unit without parameters.
        axes: the ranks it is cut and copied over.
        precision: the dtypes it computes and reduces in; None for those that are there.
        structure: what its modules held when it was made.
        buffers: its buffers, in the dtype and place they are kept in.
        fqn: its name from the outermost module a verb was applied to.
        tree: the local tree it belongs to.
        outer_owners: `(unit, name)` of tied parameters used in it that belong to units further up.
        depth: how many forwards of its modules are running.
        members_run: indices of its modules whose forward has run since it was last resharded.
        called_for: an unshard call was made ahead of use, by a prefetch.
        in_backward: an unshard call was made in this backward and no reshard call yet.
        opened: gradients reached one of its outputs in this backward.
        running: the calls whose forward is running, innermost last.
        open_calls: calls whose backward has not run.
        recomputing: for each recomputed forward that is running, whether the unit was gathered for it.
        handled: the exception that was being handled when its last forward began.
        written: keys a state dict wrote of this unit so far; None when none is being written.
        form: what a state dict makes of a whole parameter of a gathered buffer; None for a copy.
    """

    def __init__(
        self,
        modules: tuple[nn.Module, ...],
        annotation: Annotation,
        handle: FlatParamHandle | None,
        axes: Axes,
        structure: Structure,
        fqn: str,
    ) -> None:
        self.modules = modules
        self.annotation = annotation
        self.handle = handle
        self.axes = axes
        self.precision = as_precision(annotation.options.mixed_precision)
        self.fqn = fqn
        self.tree: LocalTree
        self.hooks: list[RemovableHandle] = []
        self.buffers: KeptBuffers
        self.structure = structure
        self.outer_owners: list[tuple[ShardingState, str]] = []
        self.form: Callable[[FlatBuffer, int], torch.Tensor] | None = None
        self.clear()

    def clear(self) -> None:
        """Back to rest, whatever was going on."""
        self.depth = 0
        self.members_run: set[int] = set()
        self.called_for = False
        self.in_backward = False
        self.opened = False
        self.running: list[Call | None] = []
        self.recomputing: list[bool] = []
        self.handled: BaseException | None = None
        self.written: list[tuple[str, FlatBuffer, int]] | None = None
        self.open_calls: weakref.WeakSet[Call] = weakref.WeakSet()

    @property
    def module(self) -> nn.Module:
        """The unit's module; the first of several."""
        return self.modules[0]

    @property
    def is_root(self) -> bool:
        """Whether its local tree starts here."""
        return self.tree.states[0] is self

    @property
    def strategy(self) -> str:
        return self.annotation.options.strategy

    @property
    def rests(self) -> bool:
        """Whether its parameters show this rank's pieces and nothing is on its way."""
        return self.handle is None or self.handle.residence is Residence.SHARDED

    def __repr__(self) -> str:
        return f"ShardingState({self.fqn!r}, {self.strategy})"


def state_of(module: nn.Module) -> ShardingState | None:
    """The state on this very module object, if any."""
    return module.__dict__.get(_KEY)


def attach(state: ShardingState) -> None:
    """Hang a state on its modules."""
    for module in state.modules:
        module.__dict__[_KEY] = state


def detach(state: ShardingState) -> None:
    """Take a state and its hooks off its modules."""
    for hook in state.hooks:
        hook.remove()
    state.hooks.clear()
    for module in state.modules:
        module.__dict__.pop(_KEY, None)
