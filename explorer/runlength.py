"""One value a module, written as few strided runs `[start, end, step, value]`.

Runs are applied in order: the first covers everything with the commonest value, later ones paint over it.
So a status that repeats every 13 modules is one run, however many blocks there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any


def encode(values: Sequence[Any]) -> list[list[Any]]:
    """The runs that give `values` back when applied in order."""
    if not values:
        return []
    background = Counter(values).most_common(1)[0][0]
    runs: list[list[Any]] = [[0, len(values), 1, background]]
    positions: dict[Any, list[int]] = {}
    for index, value in enumerate(values):
        if value != background:
            positions.setdefault(value, []).append(index)
    for value, indices in positions.items():
        runs += ([start, end, step, value] for start, end, step in _progressions(indices))
    return runs


def decode(runs: Sequence[Sequence[Any]], size: int) -> list[Any]:
    """The values that `encode` was given."""
    values: list[Any] = [None] * size
    for start, end, step, value in runs:
        for index in range(start, end, step):
            values[index] = value
    return values


def _progressions(indices: Sequence[int]) -> list[tuple[int, int, int]]:
    """Ascending numbers as maximal arithmetic progressions, greedily from the left."""
    runs: list[tuple[int, int, int]] = []
    at = 0
    while at < len(indices):
        start = indices[at]
        step = indices[at + 1] - start if at + 1 < len(indices) else 1
        stop = at + 1
        while stop < len(indices) and indices[stop] - indices[stop - 1] == step:
            stop += 1
        runs.append((start, indices[stop - 1] + 1, step))
        at = stop
    return runs
