"""The step as it is taken to be before a trace.

Modules run in the order they are registered in, each as often as `calls` says but at one place; an inner unit ends
before the one around it, a module with children uses its own parameters after them; backward is the mirror image of
forward. A long run of equal units is cut to a few at its ends: in between every moment is the one before plus the same
bytes, so the largest is at an end (`Jump` adds what is left out).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sharding.collector import collector_paused
from sharding.costs.repeats import repeats
from sharding.costs.schedule import Item, Jump, Mark, Places, Schedule, Token, gradient_nbytes
from sharding.costs.setting import Setting
from sharding.layout import Layout
from sharding.units import Unit

LATE_USE, CLOSE, OPEN, USE = range(4)
"""What happens at one place of pre-order, in the order it happens in."""

KEPT_AT_END = 3
"""Of a long run, so many repeats are gone through at either end."""


Step = tuple[int, int, int, int]
"""A token in the making: what happens, to which unit, and for uses the bytes of all gradients and of the largest.

There are thousands, most of which are folded away: plain tuples are several times cheaper than named ones.
"""


@collector_paused
def assumed(layout: Layout, places: Places, setting: Setting) -> Schedule:
    """The schedule of a layout without a trace."""
    steps = _in_order(layout, places, setting)
    codes = _codes(steps, layout, places)
    depths = [(what == OPEN) - (what == CLOSE) for what, _, _, _ in steps]
    forward = _folded(steps, codes, depths, places)
    backward = _folded(steps[::-1], codes[::-1], [-depth for depth in reversed(depths)], places)
    return Schedule(places, forward, backward)


def _in_order(layout: Layout, places: Places, setting: Setting) -> list[Step]:
    """Everything by its place in pre-order, sorted as whole numbers: (place, what, unit)."""
    ranges = [_range(layout, unit) for unit in layout.units]
    sizes = _all_sizes(places)
    base = len(ranges) + 1
    keys: list[int] = []
    uses: dict[int, list[int]] = {}
    alone: set[int] = set()
    for number, (begin, end) in enumerate(ranges):
        keys.append((begin * 4 + OPEN) * base + number)
        keys.append((end * 4 + CLOSE) * base + base - 1 - number)
        if not sizes[places.kind_of[number]][0]:
            continue
        if number + 1 == len(ranges) or ranges[number + 1][0] >= end:
            alone.add(number)
        else:
            for at, what, nbytes in _uses_between(layout, setting, number):
                use = uses.setdefault((at * 4 + what) * base + number, [0, 0])
                use[:] = use[0] + nbytes, max(use[1], nbytes)
    steps: list[Step] = []
    for key in sorted([*keys, *uses]):
        number = key % base
        what = key // base & 3
        if what == CLOSE:
            steps.append((CLOSE, base - 1 - number, 0, 0))
        elif what != OPEN:
            _add_use(steps, number, *uses[key])
        else:
            steps.append((OPEN, number, 0, 0))
            if number in alone:
                steps.append((USE, number, *sizes[places.kind_of[number]]))
    return steps


def _range(layout: Layout, unit: Unit) -> tuple[int, int]:
    """Pre-order number of a unit's first module, and one after that of the last module below any of its own."""
    if len(unit.fqns) == 1:
        node = layout.tree.fqns[unit.fqn]
        return node.index, node.end
    nodes = [layout.tree.fqns[fqn] for fqn in unit.fqns]
    return min(node.index for node in nodes), max(node.end for node in nodes)


def _all_sizes(places: Places) -> list[tuple[int, int]]:
    return [_sizes(places, kind) for kind in range(max(places.kind_of, default=-1) + 1)]


def _sizes(places: Places, kind: int) -> tuple[int, int]:
    """Bytes of all gradients of a unit of this kind, and of the largest."""
    buffers = places.cost_of(kind).buffers
    largest = max([buffer.largest_gradient_nbytes for buffer in buffers], default=0)
    return sum([buffer.autograd_nbytes for buffer in buffers]), largest


def _uses_between(layout: Layout, setting: Setting, number: int) -> Iterator[tuple[int, int, int]]:
    """Where a unit around others uses each of its parameters: place in pre-order, what, bytes of its gradient."""
    unit = layout.units[number]
    for row in unit.params:
        if row.requires_grad:
            nodes = [node for module, _ in row.users if (node := layout.tree.node_of(module)) is not None]
            node = max(nodes, key=lambda each: each.index)
            at, what = (node.end, LATE_USE) if node.children else (node.index, USE)
            yield at, what, gradient_nbytes(row, unit, setting)


def _add_use(steps: list[Step], number: int, nbytes: int, largest: int) -> None:
    """Uses of one unit that follow one another are one."""
    what, whose, before, largest_before = steps[-1]
    if what == USE and whose == number:
        steps[-1] = (USE, number, before + nbytes, max(largest_before, largest))
    else:
        steps.append((USE, number, nbytes, largest))


def _codes(steps: Sequence[Step], layout: Layout, places: Places) -> list[int]:
    """Equal numbers for steps that are the same but for the unit's number."""
    trees: dict[str, int] = {}
    of_unit = [
        trees.setdefault(unit.local_root, len(trees)) * (len(places) + 1) + kind
        for unit, kind in zip(layout.units, places.kind_of, strict=True)
    ]
    sizes = _all_sizes(places)
    whole = [sizes[kind][0] for kind in places.kind_of]
    uses: dict[tuple[int, int, int], int] = {}
    return [
        4 * of_unit[n] + what
        if nbytes in (0, whole[n])
        else -1 - uses.setdefault((what, of_unit[n], nbytes), len(uses))
        for what, n, nbytes, _ in steps
    ]


def _folded(steps: Sequence[Step], codes: Sequence[int], depths: Sequence[int], places: Places) -> list[Item]:
    """The tokens without the middle of long runs of equal repeats."""
    items: list[Item] = []
    at = 0
    for start, period, times in repeats(codes, depths, more_than=2 * KEPT_AT_END):
        items += _tokens(steps[at : start + (KEPT_AT_END - 1) * period], places)
        items.append(Mark())
        items += _tokens(steps[start + (KEPT_AT_END - 1) * period : start + KEPT_AT_END * period], places)
        items.append(Jump(times - 2 * KEPT_AT_END))
        at = start + (times - KEPT_AT_END) * period
    return [*items, *_tokens(steps[at:], places)]


def _tokens(steps: Sequence[Step], places: Places) -> list[Token]:
    return [
        Token("open" if what == OPEN else "close" if what == CLOSE else "use", places[number], nbytes, largest)
        for what, number, nbytes, largest in steps
    ]
