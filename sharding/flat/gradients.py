"""What becomes of a flat buffer's gradients between autograd and the optimizer.

Autograd leaves each parameter's gradient in `param.grad`; a post-accumulate hook takes it away and lets it wait.
When the unit's backward is over, and with it its activations, `reduce` lays all of them down in one flat buffer
(the only pass over them), each free again as soon as it lies there, and starts the reduce-scatter (and the
all-reduce over the axis of copies); `finish` averages this rank's piece. While a backward runs `param.grad` is
empty; `give` adds the pieces to what earlier backwards left and puts them there when it is over.

Under `no_sync` nothing is reduced and the flat buffer, whole, waits for the next backward; what comes then is
added to it at once.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from sharding.flat.awaiting import wait_for
from sharding.flat.casting import divided_before
from sharding.flat.collectives import DONE, Work
from sharding.flat.flat_buffer import FlatBuffer
from sharding.flat.lane import Lane
from sharding.flat.recording import Recorder


class FlatGradients:
    """Gradients of one trainable flat buffer.

    With one rank only and one dtype and device there is nothing to do: no hook is registered and `param.grad` is left
    to autograd.

    Attributes:
        buffer: the flat buffer.
        recorder: the voice of its unit.
        num_averaged: how many ranks' gradients are averaged.
        sync: whether backward averages them (False inside `no_sync`).
        lane: where reductions run.
        on_arrival: called at every gradient, once `param.grad` is empty again.
    """

    def __init__(self, buffer: FlatBuffer, recorder: Recorder) -> None:
        self.buffer = buffer
        self.recorder = recorder
        self.num_averaged = buffer.axes.num_gradients
        self.sync = True
        self.lane = Lane()
        self.on_arrival: Callable[[], None] = _nothing
        self._divisor = divided_before(buffer.reduce_dtype, self.num_averaged)
        self._waiting: dict[int, torch.Tensor] = {}
        self._flat: torch.Tensor | None = None
        self._arrived: set[int] = set()
        self._kept: dict[int, torch.Tensor] = {}
        self._reducing: tuple[torch.Tensor, torch.Tensor, Work, set[int]] | None = None
        self._averaged: list[tuple[torch.Tensor, set[int], Work]] = []
        self._hooks: list[torch.utils.hooks.RemovableHandle] = []

    @property
    def is_averaged(self) -> bool:
        return self.num_averaged > 1

    @property
    def is_taken(self) -> bool:
        """Whether gradients are taken from autograd: to be averaged, cast, or moved to where the pieces rest."""
        return self.is_averaged or self.buffer.casts or self.buffer.offloads

    @property
    def has_arrived(self) -> bool:
        """Whether gradients wait here for their reduction."""
        return self._flat is not None or bool(self._waiting)

    def listen(self) -> None:
        """Take every gradient as it comes."""
        if self.is_taken:
            for index, slot in enumerate(self.buffer.slots):
                hook = slot.param.register_post_accumulate_grad_hook(self._taker(index))
                self._hooks.append(hook)

    def stop(self) -> None:
        """Leave the gradients to autograd again."""
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()

    def set_aside(self) -> None:
        """Keep what `param.grad` holds from earlier backwards: autograd must not add whole gradients to pieces."""
        if not self.is_taken:
            return
        for index, slot in enumerate(self.buffer.slots):
            grad = slot.param.grad
            if grad is not None:
                self._kept[index] = grad
                slot.param.grad = None

    def _taker(self, index: int) -> Callable[[nn.Parameter], None]:
        def take(param: nn.Parameter) -> None:
            grad = param.grad
            if grad is None:
                return
            param.grad = None
            self.on_arrival()
            if grad.requires_grad:
                grad = grad.detach()
            if self._flat is None and index not in self._waiting:
                self._waiting[index] = grad
                return
            self.lay_down()  # a second gradient of this parameter: both are added where they can be added exactly
            self._put(index, grad)

        return take

    @torch.no_grad()
    def lay_down(self) -> None:
        """Move what waits into the flat buffer."""
        if self._waiting:
            self._whole()
            for index in list(self._waiting):
                self._put(index, self._waiting.pop(index))

    def _put(self, index: int, grad: torch.Tensor) -> None:
        """The one pass over a gradient: cast, divided where sums could overflow, into its place."""
        partition = self.buffer.partition
        if grad.layout is not torch.strided:
            grad = grad.to_dense()
        place = self._whole().narrow(0, partition.offsets[index], partition.numels[index]).view(grad.shape)
        if index in self._arrived:
            place.add_(grad, alpha=1 / self._divisor)
        elif self._divisor != 1:
            torch.mul(grad, 1 / self._divisor, out=place)
        else:
            place.copy_(grad)
        self._arrived.add(index)

    def _whole(self) -> torch.Tensor:
        """The flat gradient buffer; what has not arrived in it is undefined."""
        if self._flat is None:
            buffer = self.buffer
            self._flat = torch.empty(buffer.partition.padded_numel, dtype=buffer.reduce_dtype, device=buffer.device)
        return self._flat

    @torch.no_grad()
    def reduce(self) -> None:
        """Start averaging what has arrived; what has not counts as zero."""
        self.finish()
        self.lay_down()
        flat = self._whole()
        self._clear_gaps(flat)
        axes = self.buffer.axes
        piece, work = flat, DONE
        if self.buffer.is_cut:
            piece = torch.empty(self.buffer.partition.shard_numel, dtype=flat.dtype, device=flat.device)
        with self.lane.reducing():
            if self.buffer.is_cut:
                work = axes.shard.reduce_scatter(piece, flat)
            if axes.replicate.world_size > 1:
                work.wait()
                work = axes.replicate.all_reduce(piece)
        self._reducing = (piece, flat, work, self._arrived)
        self._flat, self._arrived = None, set()

    def _clear_gaps(self, flat: torch.Tensor) -> None:
        """Zero the padding and the places of parameters that got no gradient."""
        partition = self.buffer.partition
        if partition.padding:
            flat.narrow(0, partition.numel, partition.padding).zero_()
        if len(self._arrived) < len(partition.numels):
            for index, (start, numel) in enumerate(zip(partition.offsets, partition.numels, strict=True)):
                if index not in self._arrived:
                    flat.narrow(0, start, numel).zero_()

    @torch.no_grad()
    def finish(self) -> None:
        """Wait for the reduction, average, and send this rank's piece to where it rests."""
        if self._reducing is None:
            return
        reduced, _, work, arrived = self._reducing
        self._reducing = None
        wait_for(work, "a reduction", self.recorder)
        reduced = reduced.to(self.buffer.dtype)
        if self.num_averaged != self._divisor:
            reduced.mul_(self._divisor / self.num_averaged)
        piece, on_its_way = self.buffer.to_rest(reduced)
        self._averaged.append((piece, arrived, on_its_way))

    def _add_up(self, reduced: torch.Tensor, arrived: set[int]) -> None:
        """Add averaged gradients to what earlier backwards left."""
        for index, piece in enumerate(self._pieces(reduced)):
            if index not in arrived and not (self.is_averaged and _any_nonzero(piece)):
                continue
            kept = self._kept.get(index)
            if kept is None:
                self._kept[index] = piece
            else:
                kept.add_(piece)

    def _pieces(self, reduced: torch.Tensor) -> list[torch.Tensor]:
        buffer, partition = self.buffer, self.buffer.partition
        if buffer.is_cut:
            return [reduced.narrow(0, piece.shard_start, piece.numel) for piece in buffer.pieces]
        return [
            reduced.narrow(0, start, slot.numel).view(slot.shape)
            for start, slot in zip(partition.offsets, buffer.slots, strict=True)
        ]

    def give(self) -> None:
        """Put the averaged pieces where the optimizer reads them; the parameters must show their pieces."""
        if self._averaged:
            with torch.no_grad():
                for reduced, arrived, on_its_way in self._averaged:
                    on_its_way.wait()
                    self._add_up(reduced, arrived)
            self._averaged.clear()
        if self._kept:
            for index, grad in self._kept.items():
                self.buffer.slots[index].param.grad = grad
            self._kept.clear()

    def drop(self) -> None:
        """Forget what a failed backward left behind; gradients of earlier backwards are given back."""
        if self._reducing is not None:
            self._reducing[2].wait()
            self._reducing = None
        self._averaged.clear()
        self._waiting.clear()
        if self.sync:
            self._flat, self._arrived = None, set()
        for slot in self.buffer.slots:
            grad, data = slot.param.grad, slot.param.data
            if grad is not None and (grad.shape, grad.dtype, grad.device) != (data.shape, data.dtype, data.device):
                slot.param.grad = None
        self.give()


def _nothing() -> None:
    """Nobody wants to know."""


def _any_nonzero(piece: torch.Tensor) -> bool:
    """Whether another rank had a gradient for a parameter that this rank's backward never reached."""
    return bool(piece.count_nonzero())
