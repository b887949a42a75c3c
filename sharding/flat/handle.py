"""The runtime object of one sharded unit: its flat parameters, and what state they are in.

    SHARDED ──unshard──▶ GATHERING ──wait──▶ UNSHARDED ──reshard──▶ SHARDED

A `FlatParamHandle` has one `FlatBuffer` per (dtype, requires_grad) of its unit and treats them as one: it is
the unit that is unsharded and resharded, while collectives are per buffer. It knows nothing of forward and
backward (`step.py`) and nothing of modules beyond their names."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import Enum, auto

import torch
from torch import nn

from sharding.errors import StateError
from sharding.flat.awaiting import wait_for
from sharding.flat.axes import Axes
from sharding.flat.collectives import Work
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.gradients import FlatGradients
from sharding.flat.lane import Lane
from sharding.flat.recording import Recorder
from sharding.flat.slot import Slot
from sharding.precision import Precision


class Residence(Enum):
    """Where a unit's parameters are."""

    SHARDED = auto()
    """Parameters show this rank's pieces; the whole buffers hold no memory."""
    GATHERING = auto()
    """All-gathers are on their way; parameters still show their pieces."""
    UNSHARDED = auto()
    """Parameters show their whole selves."""


class FlatParamHandle:
    """The flat parameters of one unit.

    Attributes:
        modules: the unit's modules (one, or those of `fully_shard([a, b])`).
        device: where its parameters are gathered and compute.
        fqn: its name, relative to the module of the last verb or looking call.
        recorder: writes its events, under its name from the outermost module a verb was applied to.
        slots: its parameters in order: module pre-order, registration order within a module.
        buffers: one flat buffer per (dtype, requires_grad), in order of first appearance.
        is_laid_out: whether any of them shows something else while it computes than at rest.
        residence: where the parameters are.
        created_ns: when it was made, on this rank's monotonic clock.
        init_index: its place in the order in which the handles of its tree were made.
        retired: `(name, parameter)` of meta parameters that were replaced by ones with memory.
    """

    def __init__(
        self,
        modules: Sequence[nn.Module],
        slots: Sequence[Slot],
        axes: Axes,
        device: torch.device,
        fqn: str,
        precision: Precision | None = None,
        *,
        offloads: bool = False,
    ) -> None:
        self.modules = tuple(modules)
        self.slots = tuple(slots)
        self.axes = axes
        self.device = device
        self.fqn = fqn
        self.recorder = Recorder(fqn, axes.rank)
        self.buffers = [
            FlatBuffer(group, axes, device, precision, offloads=offloads) for group in _groups_of(self.slots)
        ]
        self.is_laid_out = any(buffer.is_laid_out for buffer in self.buffers)
        self.gradients = [FlatGradients(buffer, self.recorder) for buffer in self.buffers if buffer.requires_grad]
        self.residence = Residence.SHARDED
        self.created_ns = time.monotonic_ns()
        self.init_index = 0
        self.retired: list[tuple[str, nn.Parameter]] = []
        self._lane = Lane()
        self._is_exact = False
        self._works: list[Work] = []
        self._before: list[list[torch.Tensor]] = []

    def run_on(self, lane: Lane) -> None:
        """Gather and reduce on this lane from now on."""
        self._lane = lane
        for gradients in self.gradients:
            gradients.lane = lane

    @property
    def module(self) -> nn.Module:
        """The unit's module; the first of several."""
        return self.modules[0]

    @property
    def param_names(self) -> tuple[str, ...]:
        """Clean names relative to `module` (for several modules: as their common tree names them)."""
        return tuple(slot.name for slot in self.slots)

    @property
    def is_cut(self) -> bool:
        """Whether ranks hold different pieces."""
        return self.axes.shard.world_size > 1

    @property
    def numel(self) -> int:
        """Elements of all its parameters, without padding."""
        return sum(buffer.partition.numel for buffer in self.buffers)

    @property
    def shard_numel(self) -> int:
        """Elements each rank rests on, padding included."""
        return sum(buffer.partition.shard_numel for buffer in self.buffers)

    def lay_out(self) -> None:
        """Cut the parameters and rest on this rank's pieces. `undo` takes it back until `settle`."""
        for buffer in self.buffers:
            self._before.append(buffer.lay_out())
        for gradients in self.gradients:
            gradients.listen()

    def settle(self) -> None:
        """Let go of the whole parameters that `undo` would need."""
        self._before.clear()

    def undo(self) -> None:
        """Take `lay_out` back, without any collective."""
        for gradients in self.gradients:
            gradients.stop()
        for buffer, before in zip(self.buffers, self._before):  # noqa: B905 (the layout may have stopped half way)
            buffer.restore(before)
        self._before.clear()

    def dissolve(self) -> None:
        """Give every parameter its whole self back, in memory of its own. Collective over the shard axis."""
        self.unshard()
        self.wait()
        for gradients in self.gradients:
            gradients.stop()
        for buffer in self.buffers:
            whole = [buffer.whole(index) for index in range(len(buffer.slots))]
            grads = [slot.param.grad for slot in buffer.slots]
            for slot in buffer.slots:
                slot.param.grad = None
            buffer.restore([tensor.clone() for tensor in whole] if buffer.is_laid_out else whole)
            if not buffer.is_cut:
                for slot, grad in zip(buffer.slots, grads, strict=True):
                    slot.param.grad = None if grad is None else grad.to(slot.param.device)

    def unshard(self, *, exact: bool = True, ahead: bool = False) -> None:
        """Call for the whole parameters without waiting for them. Collective over the shard axis when sharded.

        Args:
            exact: in the dtype they rest in, for looking; else in the one they compute in.
            ahead: another unit computes meanwhile.
        """
        start = nbytes = 0
        if self.residence is Residence.SHARDED:
            start = self.recorder.now() if self.is_laid_out else 0
            self._is_exact = exact
            if exact:
                self._lane.catch_up()
            with self._lane.gathering(self, ahead=ahead):
                nbytes = sum(self._gather(buffer, exact) for buffer in self.buffers)
            self._works.append(self._lane.arrival())
            self.residence = Residence.GATHERING
        self.recorder.write("unshard", start, nbytes)

    def _gather(self, buffer: FlatBuffer, exact: bool) -> int:
        """Start filling one buffer; how many bytes travel."""
        nbytes = buffer.num_gathered_bytes(exact=exact)
        if not nbytes:
            self._works.append(buffer.gather(exact=exact))
            return 0
        began = self.recorder.start()
        self._works.append(buffer.gather(exact=exact))
        self.recorder.end("all_gather", began, nbytes)
        return nbytes

    def wait(self) -> None:
        """Block until the whole parameters are there, and show them."""
        if self.residence is Residence.UNSHARDED:
            return
        if self.residence is Residence.SHARDED:
            raise StateError(f"unit {self.fqn!r}: waiting for parameters nobody called for")
        self._await_gathers()
        for buffer in self.buffers:
            buffer.show_full()
        self.residence = Residence.UNSHARDED

    def _await_gathers(self) -> None:
        works, self._works = self._works, []
        for work in works:
            wait_for(work, "an all-gather", self.recorder)

    def reshard(self, *, free: bool) -> None:
        """Done with the whole parameters for now; with `free`, give their memory up and show the pieces again."""
        start, freed = 0, False
        if free and self.residence is not Residence.SHARDED:
            start = self.recorder.now() if self.is_laid_out else 0
            self._await_gathers()
            done = []
            for buffer in self.buffers:
                buffer.show_pieces()
                done += buffer.let_go()
            freed = self._lane.retire(self, done)
            if self._is_exact:
                self._lane.flush()
            self.residence = Residence.SHARDED
        self.recorder.write("reshard", start, freed=freed)

    def has_to_reduce(self, *, always: bool = False) -> bool:
        """Whether `reduce` would do anything."""
        return any(self._is_reduced(gradients, always) for gradients in self.gradients)

    def reduce(self, *, always: bool = False) -> None:
        """Start averaging the gradients that arrived. Collective over all its ranks.

        Args:
            always: take part even if nothing arrived on this rank: something may have on another.
        """
        for gradients in self.gradients:
            if self._is_reduced(gradients, always):
                self._reduce_one(gradients)
        self.keep_gradients()

    def keep_gradients(self) -> None:
        """Lay down what is not to be averaged now: it waits, whole, for a later backward."""
        for gradients in self.gradients:
            gradients.lay_down()

    def _is_reduced(self, gradients: FlatGradients, always: bool) -> bool:
        wanted = gradients.has_arrived or (always and gradients.is_averaged)
        return bool(gradients.sync and wanted and gradients.buffer.partition.numel)

    def _reduce_one(self, gradients: FlatGradients) -> None:
        buffer = gradients.buffer
        if not gradients.is_averaged:
            gradients.reduce()
            return
        start = self.recorder.start()
        gradients.reduce()
        if buffer.is_cut:
            self.recorder.end("reduce_scatter", start, buffer.partition.padded_numel * buffer.reduce_dtype.itemsize)
        if self.axes.replicate.world_size > 1:
            self.recorder.end("all_reduce", start, buffer.partition.shard_numel * buffer.reduce_dtype.itemsize)

    def finish_reduce(self) -> None:
        """Wait for what `reduce` started."""
        for gradients in self.gradients:
            gradients.finish()

    def replaced(self) -> str | None:
        """Which of its parameters was replaced in the model, in words; None when all are in place."""
        for slot in self.slots:
            place = slot.replaced_at()
            if place is not None:
                module, attr = place
                return f"{slot.name!r} (attribute {attr!r} of a {type(module).__name__})"
        return None

    def __repr__(self) -> str:
        return f"FlatParamHandle({self.fqn!r}, {self.numel} elements, {self.residence.name})"


def _groups_of(slots: Sequence[Slot]) -> list[list[Slot]]:
    """The parameters of each buffer: one per (dtype, requires_grad), in order of first appearance."""
    groups: dict[tuple[torch.dtype, bool], list[Slot]] = {}
    for slot in slots:
        groups.setdefault((slot.param.dtype, slot.param.requires_grad), []).append(slot)
    return list(groups.values())
