"""Where a long list repeats itself: found once, so that the middle need not be gone through.

Of codes that stand for what begins, happens and ends, only stretches count in which everything that begins also ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MAX_PERIOD = 64


def repeats(codes: Sequence[int], depths: Sequence[int], *, more_than: int) -> Iterator[tuple[int, int, int]]:
    """`(start, period, times)` of stretches that repeat more than so many times, from left to right.

    Args:
        codes: equal numbers for what is the same.
        depths: 1 for what begins, -1 for what ends, 0 for what happens in between.
        more_than: fewer repeats are not worth it.
    """
    at, size = 0, len(codes)
    while at < size:
        period, step = 0, _distance(codes, at)
        while step and (period := period + step) <= MAX_PERIOD and at + more_than * period < size:
            times = 1 + _matching(codes, at, period) // period
            if times > more_than and _is_whole(depths[at : at + period]):
                yield at, period, times
                at += times * period - 1
                break
            step = _distance(codes, at + period)
        at += 1


def _distance(codes: Sequence[int], at: int) -> int:
    """How far it is from here to the same code again; 0 where that is farther than any period."""
    try:
        return codes.index(codes[at], at + 1, at + 1 + MAX_PERIOD) - at
    except ValueError:
        return 0


def _matching(codes: Sequence[int], at: int, period: int) -> int:
    """How many codes from `at` on come again a period later."""
    end, last = at, len(codes) - period
    while end < last and codes[end] == codes[end + period]:
        end += 1
    return end - at


def _is_whole(depths: Sequence[int]) -> bool:
    """Whether everything that begins in a stretch ends in it, and the other way round."""
    depth = 0
    for change in depths:
        depth += change
        if depth < 0:
            return False
    return depth == 0 and depths[0] != 0
