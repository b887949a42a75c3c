"""One flat parameter: the parameters of a unit that share dtype and `requires_grad`, end to end in one buffer.

Each rank rests on its piece (`shard`). `gather` fills the whole buffer (`full`) straight from every rank's
piece and `show_full` points the parameters at views of it; `show_pieces` points them back and `free` gives
the memory up. The whole buffer is one tensor for life whose storage is emptied and filled again: what
autograd saved from a forward are views of that storage, so they are valid exactly while the unit is
unsharded.

Over a shard axis of size one nothing is laid out: parameters keep their own memory and shape, and every call
is a no-op. Gradients live in `gradients.py`, when to do what is decided by `handle.py` and `step.py`."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from sharding.errors import StateError
from sharding.flat.axes import Axes
from sharding.flat.collectives import DONE, Work
from sharding.flat.slot import Slot
from sharding.partition import FlatPartition
from sharding.sizes import UNSHARDED_SHAPE


class FlatBuffer:
    """Owner of the memory of some parameters of one unit.

    Attributes:
        slots: its parameters, in order.
        axes: the ranks it is cut and copied over.
        partition: where everything lies.
        shard: this rank's piece, 1-D, padding included (None when nothing is cut).
        full: the whole buffer; its storage is empty while the unit rests (None when nothing is cut).
    """

    def __init__(self, slots: Sequence[Slot], axes: Axes, device: torch.device) -> None:
        self.slots = tuple(slots)
        self.axes = axes
        self.device = device
        self.dtype = slots[0].param.dtype
        self.requires_grad = slots[0].param.requires_grad
        self.partition = FlatPartition(tuple(slot.numel for slot in slots), axes.shard.world_size)
        self.pieces = self.partition.pieces(axes.shard.rank)
        self.shard: torch.Tensor | None = None
        self.full: torch.Tensor | None = None
        self._resting: list[torch.Tensor] = []
        self._addresses: list[int] = []
        self._views: list[torch.Tensor] = []

    @property
    def is_cut(self) -> bool:
        """Whether ranks hold different pieces."""
        return self.axes.shard.world_size > 1

    @property
    def nbytes(self) -> int:
        """Bytes of the whole buffer, padding included."""
        return self.partition.padded_numel * self.dtype.itemsize

    @property
    def num_gathered_bytes(self) -> int:
        """Bytes an all-gather of this buffer fills; 0 when nothing travels."""
        return self.nbytes if self.is_cut else 0

    @torch.no_grad()
    def lay_out(self) -> list[torch.Tensor]:
        """Copy this rank's pieces out of the whole parameters and rest on them.

        Returns:
            What the parameters showed before, for undoing.
        """
        before = [slot.param.data for slot in self.slots]
        if not self.is_cut:
            for slot, data in zip(self.slots, before, strict=True):
                if data.device != self.device:
                    slot.param.data = data.to(self.device)
            return before
        shard = torch.zeros(self.partition.shard_numel, dtype=self.dtype, device=self.device)
        for index, (data, piece) in enumerate(zip(before, self.pieces, strict=True)):
            shard.narrow(0, piece.shard_start, piece.numel).copy_(self.piece_of(index, data))
        self.shard = shard
        self._resting = [shard.narrow(0, piece.shard_start, piece.numel) for piece in self.pieces]
        self._addresses = [piece.data_ptr() for piece in self._resting]
        self._make_whole_buffer()
        for slot in self.slots:
            setattr(slot.param, UNSHARDED_SHAPE, slot.shape)
        self.show_pieces()
        return before

    def _make_whole_buffer(self) -> None:
        full = torch.empty(self.partition.padded_numel, dtype=self.dtype, device=self.device)
        self._views = [
            full.narrow(0, offset, slot.numel).view(slot.shape)
            for offset, slot in zip(self.partition.offsets, self.slots, strict=True)
        ]
        self.full = full
        self.free()

    def restore(self, tensors: Sequence[torch.Tensor]) -> None:
        """Point the parameters at these whole tensors and forget the buffer."""
        for slot, tensor in zip(self.slots, tensors, strict=True):
            slot.param.data = tensor
            vars(slot.param).pop(UNSHARDED_SHAPE, None)
        self.shard = self.full = None
        self._resting, self._views = [], []

    def gather(self) -> Work:
        """Start filling the whole buffer; the parameters still show their pieces."""
        if self.full is None or self.shard is None or not self.full.numel():
            return DONE
        self._absorb_changes()
        self.full.untyped_storage().resize_(self.nbytes)
        return self.axes.shard.all_gather(self.full, self.shard)

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
        for slot, view in zip(self.slots, self._views):  # noqa: B905 (no views where nothing is cut)
            slot.param.data = view

    def show_pieces(self) -> None:
        """Point the parameters at this rank's pieces."""
        for slot, piece in zip(self.slots, self._resting):  # noqa: B905
            slot.param.data = piece

    def free(self) -> bool:
        """Give the memory of the whole buffer up; whether there was any."""
        if self.full is None:
            return False
        storage = self.full.untyped_storage()
        if storage.size() == 0:
            return False
        storage.resize_(0)
        return True

    @torch.no_grad()
    def write_back(self) -> None:
        """Copy this rank's part of the gathered buffer, as it is now, into the piece it rests on."""
        if self.full is not None and self.shard is not None:
            size = self.partition.shard_numel
            self.shard.copy_(self.full.narrow(0, self.axes.shard.rank * size, size))

    def piece_of(self, index: int, whole: torch.Tensor) -> torch.Tensor:
        """This rank's piece of a whole tensor shaped like parameter `index`; all of it where nothing is cut."""
        if not self.is_cut:
            return whole
        piece = self.pieces[index]
        return whole.reshape(-1).narrow(0, piece.param_start, piece.numel)

    def whole(self, index: int) -> torch.Tensor:
        """The whole parameter `index`; the buffer must be gathered."""
        return self._views[index] if self._views else self.slots[index].param.data
