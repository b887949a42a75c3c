"""Long lists of alike things at regular places, written as a few runs.

A run is `[start, *key, n1, s1, n2, s2, ...]`: the thing `key` at `start`, n1 times, s1 apart, all of that n2 times,
s2 apart, and so on. What repeats in every block of a model takes one run, however many blocks there are, and one
more number pair for blocks in blocks. Several things that take turns, up to 32 of them, are a run each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

MAX_PERIOD = 32
MAX_LEVELS = 4
LONG = 4_000
"""From so many items on, only short periods are tried."""


class Item(NamedTuple):
    """A thing at a place, and how it is repeated from there: `(times, distance)` pairs, innermost first."""

    start: int
    key: tuple[Any, ...]
    repeats: tuple[int, ...] = ()


def encode(items: Sequence[tuple[int, tuple[Any, ...]]]) -> list[list[Any]]:
    """The runs of things at ascending places."""
    level = [Item(start, key) for start, key in items]
    for _ in range(MAX_LEVELS):
        shorter = _gathered(level)
        if len(shorter) == len(level):
            break
        level = shorter
    return [[item.start, *item.key, *item.repeats] for item in level]


def decode(runs: Sequence[Sequence[Any]], key_size: int) -> list[tuple[int, tuple[Any, ...]]]:
    """What `encode` was given; a key has `key_size` parts."""
    items: list[tuple[int, tuple[Any, ...]]] = []
    for start, *rest in runs:
        starts = [start]
        for times, distance in zip(rest[key_size::2], rest[key_size + 1 :: 2], strict=True):
            starts = [each + k * distance for k in range(times) for each in starts]
        items += [(each, tuple(rest[:key_size])) for each in starts]
    return sorted(items, key=lambda item: item[0])


def encode_column(values: Sequence[Any]) -> list[Any]:
    """A value a place: the commonest of them, then the runs of the others."""
    common = Counter(values).most_common(1)[0][0] if values else None
    return [common, *encode([(place, (value,)) for place, value in enumerate(values) if value != common])]


def decode_column(column: Sequence[Any], size: int) -> list[Any]:
    """What `encode_column` was given."""
    values = [column[0]] * size
    for place, (value,) in decode(column[1:], 1):
        values[place] = value
    return values


def encode_numbers(numbers: Sequence[int | None]) -> list[Any]:
    """A number a place, some of them missing: `[slope, column]` of what is left when `slope * place` is taken off.

    The slope that leaves most places alike is taken: trying how short each gets would look for runs among thousands
    of different numbers.
    """
    slope, left = min(((slope, _without(numbers, slope)) for slope in (0, 1, -1)), key=lambda each: _num_odd(each[1]))
    return [slope, encode_column(left)]


def _without(numbers: Sequence[int | None], slope: int) -> list[int | None]:
    return [None if number is None else number - slope * place for place, number in enumerate(numbers)]


def _num_odd(values: Sequence[Any]) -> int:
    """How many are not like the commonest."""
    return len(values) - max(Counter(values).values(), default=0)


def decode_numbers(encoded: Sequence[Any], size: int) -> list[int | None]:
    """What `encode_numbers` was given."""
    slope, column = encoded
    left = decode_column(column, size)
    return [None if each is None else each + slope * place for place, each in enumerate(left)]


def _gathered(items: list[Item]) -> list[Item]:
    """Items that repeat with some period, each as one with one more pair of repeats; greedily from the left."""
    shorter: list[Item] = []
    at = 0
    while at < len(items):
        period, reach = _longest(items, at)
        if reach == 1:
            shorter.append(items[at])
        else:
            shift = items[at + period].start - items[at].start
            shorter += [_repeated(items[at + k], len(range(k, reach, period)), shift) for k in range(period)]
        at += reach
    return shorter


def _repeated(item: Item, times: int, shift: int) -> Item:
    return item if times == 1 else item._replace(repeats=(*item.repeats, times, shift))


def _longest(items: list[Item], at: int) -> tuple[int, int]:
    """Period and reach of the repetition that begins at `at`; (1, 1) if none does."""
    best = (1, 1)
    limit = MAX_PERIOD if len(items) < LONG else 8
    for period in range(1, min(limit, (len(items) - at) // 2) + 1):
        if best[1] > 1 and period % best[0] == 0:
            continue
        reach = _reach(items, at, period)
        if reach >= 2 * period and reach > best[1]:
            best = (period, reach)
            if at + reach == len(items):
                break
    return best


def _reach(items: list[Item], at: int, period: int) -> int:
    stop = at + period
    shift = items[stop].start - items[at].start
    while stop < len(items):
        one, other = items[stop - period], items[stop]
        if other.start - one.start != shift or other[1:] != one[1:]:
            break
        stop += 1
    return stop - at
