"""What runs when in a training step: units beginning, ending and using their parameters, in order.

Before a trace this is an assumption: modules run in the order they are registered in, each as often as `calls` says but
at one place, and backward is the mirror image of forward. A long run of equal units is cut to a few at its ends: in
between every moment is the one before plus the same bytes, so the largest is at an end (`Jump` adds what is left out).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sharding.collector import collector_paused
from sharding.costs.setting import Setting
from sharding.costs.units import Kind, UnitCost
from sharding.layout import Layout, ParamRow, Unit
from sharding.precision import computes_in

MAX_PERIOD = 64
KEPT_AT_END = 3
"""Of a long run, so many repeats are gone through at either end."""


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


def places_of(layout: Layout, kinds: Sequence[Kind]) -> list[Place]:
    """Every unit with its costs, in pre-order."""
    kind_of = [0] * len(layout.units)
    for number, kind in enumerate(kinds):
        for place in kind.numbers:
            kind_of[place] = number
    found = []
    for number, unit in enumerate(layout.units):
        options, kind = unit.annotation.options, kind_of[number]
        found.append(
            Place(
                number,
                kind,
                kinds[kind].cost,
                unit.local_root,
                unit.is_root,
                options.backward_prefetch,
                options.forward_prefetch,
                unit.fqn or "the root",
            )
        )
    return found


@collector_paused
def assumed(layout: Layout, places: Sequence[Place], setting: Setting) -> Schedule:
    """The step as it is taken to be before a trace."""
    tokens = _in_order(layout, places, setting)
    return Schedule(places, folded(tokens), folded(tokens[::-1]))


def _in_order(layout: Layout, places: Sequence[Place], setting: Setting) -> list[Token]:
    """Forward by pre-order: an inner unit ends before the one around it, a module's own parameters come last in it."""
    fqns = layout.tree.fqns
    events: list[tuple[int, int, int, Token]] = []
    for place, unit in zip(places, layout.units, strict=True):
        if len(unit.fqns) == 1:
            node = fqns[unit.fqns[0]]
            begin, end = node.index, node.end
        else:
            nodes = [fqns[fqn] for fqn in unit.fqns]
            begin, end = min(node.index for node in nodes), max(node.end for node in nodes)
        events.append((begin, 2, place.number, Token("open", place)))
        events.append((end, 1, -place.number, Token("close", place)))
    events.sort(key=_when)
    return _with_uses(layout, setting, events)


def _when(event: tuple[int, int, int, Token]) -> tuple[int, int, int]:
    return event[:3]


def _with_uses(layout: Layout, setting: Setting, events: list[tuple[int, int, int, Token]]) -> list[Token]:
    tokens: list[Token] = []
    late: list[tuple[int, int, int, Token]] = []
    for event, after in zip(events, [*events[1:], None], strict=True):
        place = event[3].place
        if event[3].what == "open" and place.cost.trainable_numel:
            if after is not None and after[3].place is place:
                late.append((event[0], 3, place.number, _use_of_all(place)))
            else:
                late += _uses_between(layout, setting, place)
    if late:
        events = sorted([*events, *late], key=_when)
    tokens = [event[3] for event in events]
    return _joined(tokens)


def _use_of_all(place: Place) -> Token:
    buffers = place.cost.buffers
    total = sum([buffer.autograd_nbytes for buffer in buffers])
    return Token("use", place, total, max([buffer.largest_gradient_nbytes for buffer in buffers], default=0))


def _uses_between(layout: Layout, setting: Setting, place: Place) -> Iterator[tuple[int, int, int, Token]]:
    """Where a unit around others uses each of its parameters."""
    unit = layout.units[place.number]
    for row in unit.params:
        if not row.requires_grad:
            continue
        nbytes = gradient_nbytes(row, unit, setting)
        node = max((node for module, _ in row.users if (node := layout.tree.node_of(module))), key=lambda n: n.index)
        at, rank = (node.index, 3) if not node.children else (node.end, 0)
        yield at, rank, place.number, Token("use", place, nbytes, nbytes)


def gradient_nbytes(row: ParamRow, unit: Unit, setting: Setting) -> int:
    """Bytes of a parameter's gradient as autograd makes it."""
    return row.numel * computes_in(setting.precision_of(unit.annotation), row.dtype).itemsize


def _joined(tokens: list[Token]) -> list[Token]:
    """Uses of one unit that follow one another, as one."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if last is not None and token.what == last.what == "use" and token.place is last.place:
            joined[-1] = last._replace(
                nbytes=last.nbytes + token.nbytes,
                largest=max(last.largest, token.largest),
            )
        else:
            joined.append(token)
    return joined


def folded(tokens: Sequence[Token]) -> list[Item]:
    """The same without the middle of long runs of equal repeats."""
    known: dict[object, int] = {}
    codes = [known.setdefault((t[0], (p := t[1])[1], p[3], p[5], p[6], t[2]), len(known)) for t in tokens]
    items: list[Item] = []
    at = 0
    for start, period, times in _repeats(codes, tokens):
        items += tokens[at : start + (KEPT_AT_END - 1) * period]
        items.append(Mark())
        items += tokens[start + (KEPT_AT_END - 1) * period : start + KEPT_AT_END * period]
        items.append(Jump(times - 2 * KEPT_AT_END))
        at = start + (times - KEPT_AT_END) * period
    return [*items, *tokens[at:]]


def _repeats(codes: Sequence[int], tokens: Sequence[Token]) -> Iterator[tuple[int, int, int]]:
    """`(start, period, times)` of stretches long enough to be cut that repeat whole units."""
    distance = _distances(codes)
    at = 0
    while at < len(codes):
        period, step = 0, distance[at]
        while step and (period := period + step) <= MAX_PERIOD:
            times = 1 + _matching(codes, at, period) // period
            if times > 2 * KEPT_AT_END and _is_whole(tokens[at : at + period]):
                yield at, period, times
                at += times * period - 1
                break
            step = distance[at + period]
        at += 1


def _distances(codes: Sequence[int]) -> list[int]:
    """How far it is to the same code again; 0 for never."""
    following: dict[int, int] = {}
    distance = [0] * len(codes)
    for index in reversed(range(len(codes))):
        distance[index] = following.get(codes[index], index) - index
        following[codes[index]] = index
    return distance


def _matching(codes: Sequence[int], at: int, period: int) -> int:
    """How many codes from `at` on come again a period later."""
    end, last = at, len(codes) - period
    while end < last and codes[end] == codes[end + period]:
        end += 1
    return end - at


def _is_whole(tokens: Sequence[Token]) -> bool:
    """Whether every unit that begins in a stretch ends in it, and the other way round."""
    depth = 0
    step = 1 if tokens[0].what == "open" else -1
    for token in tokens:
        depth += step * ((token.what == "open") - (token.what == "close"))
        if depth < 0:
            return False
    return depth == 0 and tokens[0].what != "use"
