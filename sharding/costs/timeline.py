"""What is alive when: one training step of the engine, as allocations, frees and moments.

The order is the one `flat/README.md` documents, run on the module tree: units begin in pre-order, in forward a unit
ends with the last module below it, and backward is the mirror image of forward. Steady state: optimizer states and
buckets exist already, old gradients are gone. A unit's whole gradients are counted from the start of its backward, and
beside them the largest gradient autograd hands over; two reductions may be on their way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sharding.costs.units import BufferCost, UnitCost
from sharding.layout import Layout

MAX_REDUCING = 1
"""As the engine: reductions left on their way while the next unit's backward computes."""


class Change(NamedTuple):
    """Memory that appears (or, with 0 bytes, is given up)."""

    key: tuple[str, int]
    label: str
    nbytes: int


class Moment(NamedTuple):
    """A point of the step worth looking at; `passing` is alive only here."""

    name: str
    passing: Change | None = None


Step = Change | Moment


@dataclass(frozen=True)
class Place:
    """A unit in the order of the step.

    Attributes:
        number: its place among all units, in pre-order.
        cost: what it costs.
        tree: FQN of its local root.
        prefetch: its backward prefetch.
        forward_prefetch: whether it calls for the unit after it in forward.
        begin: pre-order number of its first module.
        end: one after that of the last module below any of its modules.
    """

    number: int
    cost: UnitCost
    tree: str
    prefetch: str | None
    forward_prefetch: bool
    begin: int
    end: int

    @property
    def name(self) -> str:
        return self.cost.fqn or "the root"


def places_of(layout: Layout, units: Sequence[UnitCost]) -> list[Place]:
    """Units that hold parameters, with where they begin and end."""
    found = []
    for number, (unit, cost) in enumerate(zip(layout.units, units, strict=True)):
        nodes = [layout.tree.fqns[fqn] for fqn in unit.fqns]
        options = unit.annotation.options
        begin, end = min(node.index for node in nodes), max(node.end for node in nodes)
        prefetch, ahead = options.backward_prefetch, options.forward_prefetch
        found.append(Place(number, cost, unit.local_root, prefetch, ahead, begin, end))
    return found


def timeline(places: Sequence[Place]) -> Iterator[Step]:
    """The step, from the first forward to the end of backward."""
    order = _openings_and_closings(places)
    yield from _forward(order)
    yield from _backward(order)


def _openings_and_closings(places: Sequence[Place]) -> list[tuple[bool, Place]]:
    """`(opens, unit)` in forward order: an inner unit ends before the one around it."""
    events = [(place.begin, 1, place.number, True, place) for place in places]
    events += [(place.end, 0, -place.number, False, place) for place in places]
    return [(opens, place) for *_, opens, place in sorted(events, key=lambda event: event[:3])]


def _forward(order: Sequence[tuple[bool, Place]]) -> Iterator[Step]:
    following = _next_opening(order)
    for opens, place in order:
        if opens:
            yield _unsharded(place)
            after = following.get(place.number)
            if place.forward_prefetch and after is not None:
                yield _unsharded(after)
            yield Moment(f"forward of {place.name}")
        elif place.cost.frees_after_forward:
            yield _freed(place)


def _next_opening(order: Sequence[tuple[bool, Place]]) -> dict[int, Place]:
    """The unit of the same local tree that begins after each."""
    last: dict[str, Place] = {}
    following: dict[int, Place] = {}
    for opens, place in order:
        if opens:
            if place.tree in last:
                following[last[place.tree].number] = place
            last[place.tree] = place
    return following


def _backward(order: Sequence[tuple[bool, Place]]) -> Iterator[Step]:
    ended_before = _ended_before(order)
    reducing: dict[str, list[Place]] = {}
    for opens, place in reversed(order):
        ahead = ended_before.get(place.number)
        if not opens:  # the mirror image: what closed last opens first
            yield _unsharded(place)
            if place.prefetch == "pre" and ahead is not None:
                yield _unsharded(ahead)
            yield from _whole_gradients(place)
            yield _moment_of_backward(place)
            continue
        yield _moment_of_backward(place)
        yield _freed(place)
        if place.prefetch == "post" and ahead is not None:
            yield _unsharded(ahead)
        yield from _reduce(place, reducing.setdefault(place.tree, []))
    for waiting in reducing.values():
        for place in waiting:
            yield from _reduced(place)
    yield Moment("end of backward")


def _ended_before(order: Sequence[tuple[bool, Place]]) -> dict[int, Place]:
    """The unit of the same local tree that ended before each in forward."""
    last: dict[str, Place] = {}
    before: dict[int, Place] = {}
    for opens, place in order:
        if not opens:
            if place.tree in last:
                before[place.number] = last[place.tree]
            last[place.tree] = place
    return before


def _unsharded(place: Place) -> Change:
    return Change(("whole", place.number), f"{place.name}: whole parameters", place.cost.unsharded_nbytes)


def _freed(place: Place) -> Change:
    return Change(("whole", place.number), "", 0)


def _moment_of_backward(place: Place) -> Moment:
    largest = max(
        (
            max(buffer.partition.numels, default=0) * buffer.compute_dtype.itemsize
            for buffer in place.cost.buffers
            if buffer.requires_grad
        ),
        default=0,
    )
    passing = Change(("passing", place.number), f"{place.name}: its largest gradient, from autograd", largest)
    return Moment(f"backward of {place.name}", passing if _is_taken(place.cost) and largest else None)


def _is_taken(unit: UnitCost) -> bool:
    """Whether gradients are moved into flat buffers, rather than left to autograd."""
    casts = any(buffer.compute_dtype != buffer.dtype for buffer in unit.buffers if buffer.requires_grad)
    return unit.num_shards * unit.num_copies > 1 or unit.offloads or casts


def _whole_gradients(place: Place) -> Iterator[Step]:
    nbytes = sum(buffer.reduced_nbytes for buffer in place.cost.buffers)
    yield Change(("gradients", place.number), f"{place.name}: whole gradients", nbytes)


def _reduce(place: Place, reducing: list[Place]) -> Iterator[Step]:
    """Start averaging, then wait for all but the latest reduction."""
    if not place.cost.trainable_numel or not _is_taken(place.cost):
        return
    pieces = sum(buffer.reduced_piece_nbytes for buffer in place.cost.buffers if buffer.is_cut)
    yield Change(("piece", place.number), f"{place.name}: its piece of the gradients", pieces)
    yield Moment(f"reduction of {place.name}")
    reducing.append(place)
    while len(reducing) > MAX_REDUCING:
        yield from _reduced(reducing.pop(0))


def _reduced(place: Place) -> Iterator[Step]:
    """The averaged piece stays, in the dtype it rests in; the whole gradients are given up."""
    unit = place.cost
    kept = 0 if unit.offloads else sum(_kept_nbytes(buffer) for buffer in unit.buffers)
    yield Change(("gradients", place.number), "", 0)
    yield Change(("piece", place.number), f"{place.name}: averaged gradients", kept)


def _kept_nbytes(buffer: BufferCost) -> int:
    return buffer.shard_nbytes if buffer.requires_grad else 0
