"""What travels as one: a unit's parameters as an engine lays them out, cuts them, and pads them.

`flat_buffers.py` and `row_buffers.py` are the two ways; what is asked of both is said here. Over one rank nothing is
cut.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import torch

Steps = Mapping[int, int]
"""Bytes a rank holds, as changes from one shard rank to the next: `{0: 8, 3: -8}` is 8 bytes on ranks 0, 1 and 2."""


class BufferCost(ABC):
    """Parameters that travel as one.

    Attributes:
        num_shards: ranks it is cut over.
        num_copies: ranks that hold the same piece.
    """

    num_shards: int
    num_copies: int

    @property
    def is_cut(self) -> bool:
        return self.num_shards > 1

    @property
    @abstractmethod
    def dtypes(self) -> tuple[torch.dtype, ...]:
        """Dtypes its parameters rest in."""

    @property
    @abstractmethod
    def num_trainable(self) -> int:
        """How many of its parameters have gradients: those an optimizer keeps a step counter for."""

    @property
    @abstractmethod
    def numel(self) -> int:
        """Elements without padding."""

    @property
    @abstractmethod
    def trainable_numel(self) -> int: ...

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes at rest over all shards, without padding."""

    @property
    @abstractmethod
    def shard_nbytes(self) -> int:
        """Bytes every rank rests on, padding included."""

    @property
    def padded_nbytes(self) -> int:
        """Bytes at rest over all shards, padding included."""
        return self.shard_nbytes * self.num_shards

    @property
    @abstractmethod
    def whole_nbytes(self) -> int:
        """Bytes of the whole parameters while they compute; 0 where nothing is laid out for that."""

    @property
    @abstractmethod
    def gathered_nbytes(self) -> int:
        """Bytes an all-gather fills; 0 where nothing travels."""

    @property
    @abstractmethod
    def reduced_nbytes(self) -> int:
        """Bytes of all whole gradients laid out for their reduction, padding included; 0 when frozen."""

    @property
    def reduced_piece_nbytes(self) -> int:
        """Bytes of one rank's piece of them, in the dtype they are reduced in."""
        return self.reduced_nbytes // self.num_shards

    @property
    @abstractmethod
    def gradient_nbytes(self) -> int:
        """Bytes of one rank's averaged gradients as the optimizer sees them, padding included."""

    @property
    @abstractmethod
    def autograd_nbytes(self) -> int:
        """Bytes of the whole gradients as autograd makes them."""

    @property
    @abstractmethod
    def largest_gradient_nbytes(self) -> int:
        """Bytes of the largest of those."""

    @property
    def scattered_nbytes(self) -> int:
        """Bytes of the buffer a reduce-scatter reads; 0 where there is none."""
        return self.reduced_nbytes if self.is_cut else 0

    @property
    def all_reduced_nbytes(self) -> int:
        """Bytes of the piece averaged over the copies; 0 where there is one copy."""
        return self.reduced_piece_nbytes if self.num_copies > 1 else 0

    @property
    @abstractmethod
    def held(self) -> Steps:
        """Bytes of parameters every shard rank holds, without padding."""

    @property
    @abstractmethod
    def held_trainable(self) -> Steps:
        """The same of those with gradients."""

    @property
    @abstractmethod
    def num_holding(self) -> int:
        """How many shard ranks hold at least one element: the first ones."""


def add_pieces(steps: dict[int, int], size: int, piece: int, itemsize: int) -> None:
    """Add what ranks hold of something cut into equal pieces: full ones, then the rest, then nothing."""
    if not piece:
        return
    num_full, rest = divmod(size, piece)
    for rank, change in ((0, piece), (num_full, rest - piece), (num_full + 1, -rest)):
        if change:
            steps[rank] = steps.get(rank, 0) + change * itemsize
