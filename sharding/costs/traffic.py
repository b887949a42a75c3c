"""What travels in one training step: the collectives, a row for each buffer or bucket.

One training step is `accumulation_steps` forwards and backwards of which the last averages (the others run inside
`no_sync`); in each, a unit is called once, or as often as `calls` says, and every backward reaches every unit. The rows
of the forward alone are those of a forward without a backward. Checkpointed activations change nothing: a recomputed
forward finds its unit whole, which torch 2.13 and the flat engine both do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sharding.buckets import MIB
from sharding.costs.buffers import BufferCost
from sharding.costs.groups import GroupCost
from sharding.costs.setting import Setting
from sharding.costs.units import UnitCost

CollectiveKind = Literal["all_gather", "reduce_scatter", "all_reduce"]


class Collective(NamedTuple):
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

    kind: CollectiveKind
    unit: str
    phase: Literal["forward", "backward"]
    count: int  # type: ignore[assignment]
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


@dataclass
class Traffic:
    """Collectives of one kind in one phase, added up.

    Attributes:
        kind, phase: of all of them.
        count: how many a step.
        nbytes: of all their buffers together.
        largest_nbytes: of the largest buffer.
        num_small: how many carry less than 1 MiB.
        ring_nbytes: what a rank sends if they run as rings.
        num_uncertain: how many depend on what runs.
    """

    kind: CollectiveKind
    phase: Literal["forward", "backward"]
    count: int = 0
    nbytes: int = 0
    largest_nbytes: int = 0
    num_small: int = 0
    ring_nbytes: int = 0
    num_uncertain: int = 0

    def add(self, row: Collective, times: int) -> None:
        """Count a row that comes `times` times."""
        self.count += row.count * times
        self.nbytes += row.count * row.nbytes * times
        self.largest_nbytes = max(self.largest_nbytes, row.nbytes)
        self.num_small += row.count * times if row.nbytes < MIB else 0
        self.ring_nbytes += row.ring_nbytes * times
        self.num_uncertain += 0 if row.is_certain else row.count * times


def summed(rows: Iterable[tuple[Collective, int]]) -> tuple[Traffic, ...]:
    """Rows with how often each comes, added up by kind and phase."""
    sums: dict[tuple[str, str], Traffic] = {}
    for row, times in rows:
        sums.setdefault((row.kind, row.phase), Traffic(row.kind, row.phase)).add(row, times)
    order = ("all_gather", "reduce_scatter", "all_reduce")
    return tuple(sorted(sums.values(), key=lambda each: (order.index(each.kind), each.phase != "forward")))


def of_unit(unit: UnitCost, setting: Setting, calls: int) -> Iterator[Collective]:
    """The collectives of one unit whose modules are called `calls` times in a forward."""
    if not calls:
        return
    steps, torch_engine = setting.accumulation_steps, setting.engine == "torch"
    cut = [buffer for buffer in unit.buffers if buffer.gathered_nbytes]
    anew = unit.is_root and not torch_engine  # every call of a local root is a forward of its own
    forward = calls if unit.frees_after_forward or anew else 1
    for buffer in cut:
        yield Collective("all_gather", unit.fqn, "forward", steps * forward, buffer.gathered_nbytes, unit.num_shards)
    # the flat engine keeps a unit until the backward of all its calls is over, torch's frees it after each of them
    again = calls if torch_engine else 1
    if setting.reached is not None and unit.fqn not in setting.reached:
        again = 0
    for buffer in cut if again and (unit.frees_after_forward or again > 1) else ():
        yield _gathered_again(
            unit,
            buffer,
            steps * (again if unit.frees_after_forward else again - 1),
            is_known=setting.reached is not None,
        )
    for buffer in unit.buffers:
        yield from _reductions(unit, buffer)


def _gathered_again(unit: UnitCost, buffer: BufferCost, count: int, *, is_known: bool) -> Collective:
    certain = unit.trainable_numel > 0 or is_known
    if unit.kept_shards is None:
        return Collective("all_gather", unit.fqn, "backward", count, buffer.gathered_nbytes, unit.num_shards, certain)
    return Collective("all_gather", unit.fqn, "backward", count, buffer.gathered_nbytes, unit.kept_shards, certain)


def _reductions(unit: UnitCost, buffer: BufferCost) -> Iterator[Collective]:
    if buffer.scattered_nbytes:
        yield Collective("reduce_scatter", unit.fqn, "backward", 1, buffer.scattered_nbytes, unit.num_shards)
    if buffer.all_reduced_nbytes:
        yield Collective("all_reduce", unit.fqn, "backward", 1, buffer.all_reduced_nbytes, unit.num_copies)


def of_group(group: GroupCost, setting: Setting) -> Iterator[Collective]:
    """The collectives of one replicate group."""
    for bucket in group.buckets:
        yield Collective("all_reduce", group.fqn, "backward", 1, bucket.nbytes, setting.world_size)
