"""Arithmetic of shards: how flat buffers and rows are cut over ranks, in elements and bytes.

Pure functions of numbers, no tensors: the engine cuts by them and the cost model predicts by them, so the two cannot
disagree. A flat buffer is cut into equal pieces, `ceil(numel / world_size)` elements each, with padding at its right
end and no other alignment; late ranks may hold padding only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate


def ceil_div(numerator: int, denominator: int) -> int:
    """`numerator / denominator`, rounded up."""
    return -(-numerator // denominator)


@dataclass(frozen=True)
class Piece:
    """The part of one parameter that one rank holds.

    Attributes:
        shard_start: where it lies in the rank's shard.
        param_start: where it lies in the flattened parameter.
        numel: elements of it; 0 where the rank holds nothing of this parameter.
    """

    shard_start: int
    param_start: int
    numel: int


@dataclass(frozen=True)
class FlatPartition:
    """Parameters laid end to end and cut into equal pieces.

    Attributes:
        numels: elements of each parameter, in the order of the flat parameter.
        world_size: number of ranks the buffer is cut over.
    """

    numels: tuple[int, ...]
    world_size: int

    def __post_init__(self) -> None:
        if self.world_size < 1 or any(numel < 0 for numel in self.numels):
            raise ValueError(f"cannot cut {self.numels} over {self.world_size} ranks")

    @cached_property
    def numel(self) -> int:
        """Elements of all parameters, without padding."""
        return sum(self.numels)

    @property
    def shard_numel(self) -> int:
        """Elements every rank holds, padding included."""
        return ceil_div(self.numel, self.world_size)

    @property
    def padded_numel(self) -> int:
        """Elements of the whole buffer: what an all-gather fills."""
        return self.shard_numel * self.world_size

    @property
    def padding(self) -> int:
        return self.padded_numel - self.numel

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each parameter starts in the whole buffer."""
        return tuple(accumulate(self.numels[:-1], initial=0)) if self.numels else ()

    def piece(self, index: int, rank: int) -> Piece:
        """What `rank` holds of parameter `index`."""
        start, end = self.offsets[index], self.offsets[index] + self.numels[index]
        first, last = rank * self.shard_numel, (rank + 1) * self.shard_numel
        low, high = min(max(start, first), last), max(min(end, last), first)
        length = max(0, high - low)
        return Piece(low - first, min(max(low - start, 0), self.numels[index]), length)

    def pieces(self, rank: int) -> tuple[Piece, ...]:
        """What `rank` holds of every parameter."""
        return tuple(self.piece(index, rank) for index in range(len(self.numels)))


def gathered_nbytes(numels: Sequence[int], world_size: int, itemsize: int) -> int:
    """Bytes of one all-gather (or reduce-scatter) buffer of these parameters; 0 where nothing travels."""
    if world_size == 1:
        return 0
    return FlatPartition(tuple(numels), world_size).padded_numel * itemsize


def rows_of_rank(rows: int, world_size: int, rank: int) -> int:
    """Rows `rank` holds when a tensor is cut on dim 0 into chunks of `ceil(rows / world_size)` (torch's FSDP2)."""
    chunk = ceil_div(rows, world_size)
    return max(0, min(rows, (rank + 1) * chunk) - min(rows, rank * chunk))
