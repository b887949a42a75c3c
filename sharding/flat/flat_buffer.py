"""One flat parameter: the parameters of a unit that share dtype and `requires_grad`, end to end in one buffer.

Each rank rests on its piece (`shard`). `gather` fills the whole buffer straight from every rank's piece and
`show_full` points the parameters at views of it; `show_pieces` points them back, and `let_go` hands its memory over
to the lane that frees it.

A buffer may compute in another dtype (mixed precision) or on another device (CPU offload) than it rests in. Then
this rank's piece is *staged*: copied once, right into its place in the whole buffer, and gathered from there. An
*exact* gather, for looking, state dicts and removal, keeps the dtype the pieces rest in.

Over a shard axis of size one nothing is cut: parameters rest on their own memory and shape, and unless they
are staged every call is a no-op. Gradients live in `gradients.py`, when to do what is decided by
`handle.py` and `step.py`."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from sharding.errors import StateError
from sharding.flat.axes import Axes
from sharding.flat.casting import computes_in, reduces_in
from sharding.flat.collectives import DONE, Work
from sharding.flat.slot import Slot
from sharding.flat.whole_buffer import WholeBuffer
from sharding.parameters import UNSHARDED_SHAPE
from sharding.partition import FlatPartition
from sharding.precision import Precision


class Copied:
    """A copy from a device to the CPU, on its way."""

    def __init__(self, source: torch.Tensor) -> None:
        self._source: torch.Tensor | None = source
        self._event = torch.cuda.Event()
        self._event.record()

    def wait(self) -> None:
        """Block this thread until the copy has arrived."""
        self._event.synchronize()
        self._source = None


class FlatBuffer:
    """Owner of the memory of some parameters of one unit.

    Attributes:
        slots: its parameters, in order.
        axes: the ranks it is cut and copied over.
        device: where parameters are gathered and compute.
        dtype: what the pieces rest in and the optimizer steps on.
        compute_dtype: what parameters are gathered and computed in.
        reduce_dtype: what gradients are reduced in.
        offloads: whether the pieces rest on the CPU.
        partition: where everything lies.
        shard: this rank's piece, 1-D, padding included (None when nothing is cut).
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        axes: Axes,
        device: torch.device,
        precision: Precision | None = None,
        *,
        offloads: bool = False,
    ) -> None:
        self.slots = tuple(slots)
        self.axes = axes
        self.device = device
        self.offloads = offloads
        self.dtype = slots[0].param.dtype
        self.compute_dtype = computes_in(precision, self.dtype)
        self.reduce_dtype = reduces_in(precision, self.dtype)
        self.requires_grad = slots[0].param.requires_grad
        self.partition = FlatPartition(tuple(slot.numel for slot in slots), axes.shard.world_size)
        self.pieces = self.partition.pieces(axes.shard.rank)
        self.shard: torch.Tensor | None = None
        self._resting: list[torch.Tensor] = []
        self._addresses: list[int] = []
        self._computing: WholeBuffer | None = None
        self._gathered: WholeBuffer | None = None

    @property
    def is_cut(self) -> bool:
        """Whether ranks hold different pieces."""
        return self.axes.shard.world_size > 1

    @property
    def casts(self) -> bool:
        """Whether parameters compute in another dtype than they rest in."""
        return self.compute_dtype != self.dtype

    @property
    def is_laid_out(self) -> bool:
        """Whether parameters show something else while they compute than at rest."""
        return self.is_cut or self.casts or self.offloads

    @property
    def resting(self) -> Sequence[torch.Tensor]:
        """What each parameter rests on; none where they show the same all the time."""
        return self._resting

    @property
    def rest_device(self) -> torch.device:
        """Where the pieces are between uses."""
        return torch.device("cpu") if self.offloads else self.device

    @property
    def full(self) -> torch.Tensor | None:
        """The whole buffer parameters compute from; its storage is empty while the unit rests."""
        return None if self._computing is None else self._computing.tensor

    @torch.no_grad()
    def lay_out(self) -> list[torch.Tensor]:
        """Copy this rank's pieces out of the whole parameters and rest on them.

        Returns:
            What the parameters showed before, for undoing.
        """
        before = [slot.param.data for slot in self.slots]
        self._resting = self._cut(before) if self.is_cut else [self._at_rest(data) for data in before]
        self.show_pieces()
        if self.is_laid_out:
            self._addresses = [piece.data_ptr() for piece in self._resting]
            self._computing = self._whole_buffer(self.compute_dtype)
        else:
            self._resting = []
        return before

    def _cut(self, whole: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """This rank's pieces of whole tensors, in memory of their own."""
        shard = torch.zeros(self.partition.shard_numel, dtype=self.dtype, device=self.rest_device)
        self.shard = shard = self._at_rest(shard)
        for index, (data, piece) in enumerate(zip(whole, self.pieces, strict=True)):
            shard.narrow(0, piece.shard_start, piece.numel).copy_(self.piece_of(index, data))
            setattr(self.slots[index].param, UNSHARDED_SHAPE, self.slots[index].shape)
        return [shard.narrow(0, piece.shard_start, piece.numel) for piece in self.pieces]

    def _at_rest(self, tensor: torch.Tensor) -> torch.Tensor:
        """`tensor` where pieces rest; in pinned memory where a copy from it can run beside the computation."""
        tensor = tensor.to(self.rest_device)
        return tensor.pin_memory() if self.offloads and self.device.type == "cuda" else tensor

    def _whole_buffer(self, dtype: torch.dtype) -> WholeBuffer:
        return WholeBuffer(self.partition, [slot.shape for slot in self.slots], dtype, self.device)

    def restore(self, tensors: Sequence[torch.Tensor]) -> None:
        """Point the parameters at these whole tensors and forget the buffer."""
        for slot, tensor in zip(self.slots, tensors, strict=True):
            slot.param.data = tensor
            vars(slot.param).pop(UNSHARDED_SHAPE, None)
        self.shard = self._computing = self._gathered = None
        self._resting = []

    def num_gathered_bytes(self, *, exact: bool) -> int:
        """Bytes an all-gather of this buffer fills; 0 when nothing travels."""
        dtype = self.dtype if exact else self.compute_dtype
        return self.partition.padded_numel * dtype.itemsize if self.is_cut else 0

    def gather(self, *, exact: bool = True) -> Work:
        """Start filling the whole buffer; the parameters still show their pieces.

        Args:
            exact: in the dtype the pieces rest in, instead of the one parameters compute in.
        """
        whole = self._computing
        if whole is None or not self.partition.padded_numel:
            return DONE
        self._absorb_changes()
        if exact and self.casts:
            whole = self._whole_buffer(self.dtype)
        whole.allocate()
        self._gathered = whole
        return self._fill(whole)

    def _fill(self, whole: WholeBuffer) -> Work:
        ranks, shard = self.axes.shard, self.shard
        if shard is None:
            for view, piece in zip(whole.views, self._resting, strict=True):
                view.copy_(piece, non_blocking=True)
            return DONE
        if whole.tensor.dtype != self.dtype or self.offloads:
            staged = whole.tensor.narrow(0, ranks.rank * shard.numel(), shard.numel())
            staged.copy_(shard, non_blocking=True)
            shard = staged
        return ranks.all_gather(whole.tensor, shard)

    def _absorb_changes(self) -> None:
        """Take over what somebody made a parameter show (`param.data = ...`, `model.to(...)`) in place of its piece.

        Raises:
            StateError: it is of another shape, dtype or device than the piece.
        """
        for slot, piece, address in zip(self.slots, self._resting, self._addresses, strict=True):
            data = slot.param.data
            if data.data_ptr() == address:
                continue
            if (data.shape, data.dtype, data.device) != (piece.shape, piece.dtype, piece.device):
                raise StateError(
                    f"parameter {slot.name!r} shows {data.dtype}, {tuple(data.shape)}, {data.device}; its piece is "
                    f"{piece.dtype}, {tuple(piece.shape)}, {piece.device}. Convert or move a model before "
                    "sharding it (or sharding.remove(model), convert it, shard again)"
                )
            piece.copy_(data)

    def show_full(self) -> None:
        """Point the parameters at their whole selves, in the gathered buffer."""
        if self._gathered is not None:
            for slot, view in zip(self.slots, self._gathered.views, strict=True):
                slot.param.data = view
        elif self._computing is not None:  # no elements, nothing to gather
            for slot, view in zip(self.slots, self._computing.views, strict=True):
                slot.param.data = view

    def show_pieces(self) -> None:
        """Point the parameters at what they rest on."""
        for slot, piece in zip(self.slots, self._resting):  # noqa: B905 (empty where they never show anything else)
            slot.param.data = piece

    def let_go(self) -> list[WholeBuffer]:
        """The gathered buffer, if any, whose memory the computation no longer needs."""
        gathered, self._gathered = self._gathered, None
        return [] if gathered is None else [gathered]

    @torch.no_grad()
    def write_back(self) -> None:
        """Copy this rank's part of the gathered buffer, as it is now, into what it rests on."""
        gathered = self._gathered
        if gathered is None:
            return
        if self.shard is not None:
            size = self.partition.shard_numel
            self.shard.copy_(gathered.tensor.narrow(0, self.axes.shard.rank * size, size))
            return
        for piece, view in zip(self._resting, gathered.views, strict=True):
            piece.copy_(view)

    def to_rest(self, tensor: torch.Tensor) -> tuple[torch.Tensor, Work]:
        """`tensor` where the pieces rest, and what to wait for before it is read there."""
        if tensor.device == self.rest_device:
            return tensor, DONE
        home = torch.empty(tensor.shape, dtype=tensor.dtype, device=self.rest_device, pin_memory=True)
        home.copy_(tensor, non_blocking=True)
        return home, Copied(tensor)

    def piece_of(self, index: int, whole: torch.Tensor) -> torch.Tensor:
        """This rank's piece of a whole tensor shaped like parameter `index`; all of it where nothing is cut."""
        if not self.is_cut:
            return whole
        piece = self.pieces[index]
        return whole.reshape(-1).narrow(0, piece.param_start, piece.numel)

    def whole(self, index: int) -> torch.Tensor:
        """The whole parameter `index`; the buffer must be gathered."""
        shown = self._gathered or self._computing
        return self.slots[index].param.data if shown is None else shown.views[index]
