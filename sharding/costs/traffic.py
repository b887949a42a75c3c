"""What travels in one training step: the collectives the engine's events record, a row for each flat buffer or bucket.

One training step is one forward in which every module is called once, and a backward that reaches every unit. The
rows of the forward alone are those of a forward without a backward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sharding.costs.groups import GroupCost
from sharding.costs.units import BufferCost, UnitCost

Kind = Literal["all_gather", "reduce_scatter", "all_reduce"]


@dataclass(frozen=True)
class Collective:
    """One collective of one unit or replicate group, on every rank.

    Attributes:
        kind: as in events.
        unit: FQN of the unit or replicate group.
        phase: "forward" or "backward".
        count: how often a step.
        nbytes: bytes of the whole buffer, as in events: what an all-gather fills, a reduce-scatter reads, an
            all-reduce averages.
        num_ranks: how many ranks take part.
        is_certain: False where it depends on what runs: a unit without trainable parameters gathers again in backward
            only if a gradient goes through it.
    """

    kind: Kind
    unit: str
    phase: Literal["forward", "backward"]
    count: int
    nbytes: int
    num_ranks: int
    is_certain: bool = True

    @property
    def output_nbytes(self) -> int:
        """Bytes of one output buffer on a rank: a piece for a reduce-scatter, else `nbytes`."""
        return self.nbytes // self.num_ranks if self.kind == "reduce_scatter" else self.nbytes

    @property
    def ring_nbytes(self) -> int:
        """Bytes a rank sends in a step if the collective runs as a ring (theory: `(n-1)/n` of the buffer, twice for an
        all-reduce), rounded down."""
        passes = 2 if self.kind == "all_reduce" else 1
        return self.count * passes * self.nbytes * (self.num_ranks - 1) // self.num_ranks


def collectives_of(units: Sequence[UnitCost], groups: Sequence[GroupCost], world_size: int) -> tuple[Collective, ...]:
    """All collectives of a training step, unit by unit in pre-order, then the replicate groups."""
    rows = [row for unit in units for row in _of_unit(unit)]
    for group in groups:
        rows += [
            Collective("all_reduce", group.fqn, "backward", 1, bucket.nbytes, world_size) for bucket in group.buckets
        ]
    return tuple(rows)


def _of_unit(unit: UnitCost) -> Iterator[Collective]:
    cut = [buffer for buffer in unit.buffers if buffer.gathered_nbytes]
    for buffer in cut:
        yield Collective("all_gather", unit.fqn, "forward", 1, buffer.gathered_nbytes, unit.num_shards)
    if unit.frees_after_forward:
        certain = unit.trainable_numel > 0
        for buffer in cut:
            yield Collective("all_gather", unit.fqn, "backward", 1, buffer.gathered_nbytes, unit.num_shards, certain)
    for buffer in unit.buffers:
        yield from _reductions(unit, buffer)


def _reductions(unit: UnitCost, buffer: BufferCost) -> Iterator[Collective]:
    if buffer.scattered_nbytes:
        yield Collective("reduce_scatter", unit.fqn, "backward", 1, buffer.scattered_nbytes, unit.num_shards)
    if buffer.all_reduced_nbytes:
        yield Collective("all_reduce", unit.fqn, "backward", 1, buffer.all_reduced_nbytes, unit.num_copies)
