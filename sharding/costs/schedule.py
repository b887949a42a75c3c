"""What runs when in a training step: units beginning, ending and using their parameters, in order.

`assumed.py` makes such a schedule of a layout alone, `traced.py` of a trace; the engines' timelines go through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, overload

from sharding.costs.setting import Setting
from sharding.costs.units import Kind, UnitCost
from sharding.layout import Layout
from sharding.precision import computes_in
from sharding.units import ParamRow, Unit


class Place(NamedTuple):
    """A unit in a step.

    Attributes:
        number: its place among all units, in pre-order.
        kind: number of its kind; equal kinds cost the same.
        cost: what it costs.
        tree: FQN of its local root.
        is_root: whether it is that.
        prefetch: its backward prefetch.
        forward_prefetch: whether it calls for the unit after it in forward.
        name: for people.
    """

    number: int
    kind: int
    cost: UnitCost
    tree: str
    is_root: bool
    prefetch: str | None
    forward_prefetch: bool
    name: str


class Token(NamedTuple):
    """One thing that happens.

    Attributes:
        what: a unit's forward begins ("open") or ends ("close"), or modules use its own parameters in between.
        place: the unit.
        nbytes: of a use: what autograd makes of gradients there.
        largest: of a use: the largest of them.
        acts: bytes of activations alive after it, and at most since the token before it; 0 before a trace.
    """

    what: Literal["open", "use", "close"]
    place: Place
    nbytes: int = 0
    largest: int = 0
    acts: tuple[int, int] = (0, 0)


class Mark(NamedTuple):
    """Here begins the repeat that a `Jump` multiplies."""


class Jump(NamedTuple):
    """So many repeats are left out here."""

    times: int


Item = Token | Mark | Jump


@dataclass(frozen=True)
class Schedule:
    """A training step: what happens in forward, and in backward (where a unit's "close" comes before its "open").

    `is_traced` says that it is what a trace saw, and not an assumption.
    """

    places: Sequence[Place]
    forward: Sequence[Item]
    backward: Sequence[Item]
    is_traced: bool = False


class Places(Sequence[Place]):
    """Every unit with its costs, in pre-order; each is made when it is first looked at."""

    def __init__(self, layout: Layout, kinds: Sequence[Kind]) -> None:
        self._units = layout.units
        self._kinds = kinds
        self._made: dict[int, Place] = {}
        self.kind_of = [0] * len(layout.units)
        for number, kind in enumerate(kinds):
            for place in kind.numbers:
                self.kind_of[place] = number

    def cost_of(self, kind: int) -> UnitCost:
        """What units of this kind cost, by the first of them."""
        return self._kinds[kind].cost

    def __len__(self) -> int:
        return len(self._units)

    @overload
    def __getitem__(self, index: int) -> Place: ...
    @overload
    def __getitem__(self, index: slice) -> list[Place]: ...
    def __getitem__(self, index: int | slice) -> Place | list[Place]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        place = self._made.get(index)
        if place is None:
            place = self._made[index] = self._make(range(len(self))[index])
        return place

    def _make(self, number: int) -> Place:
        unit, kind = self._units[number], self.kind_of[number]
        options = unit.annotation.options
        return Place(
            number,
            kind,
            self._kinds[kind].cost,
            unit.local_root,
            unit.is_root,
            options.backward_prefetch,
            options.forward_prefetch,
            unit.fqn or "the root",
        )


def gradient_nbytes(row: ParamRow, unit: Unit, setting: Setting) -> int:
    """Bytes of a parameter's gradient as autograd makes it."""
    return row.numel * computes_in(setting.precision_of(unit.annotation), row.dtype).itemsize
