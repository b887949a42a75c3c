"""The books of a simulated step: what is alive now, by role and unit, and when that is most.

An engine's timeline writes into it and calls `moment` wherever memory may be largest. Nothing is drawn from it until
the step is over; `at_largest` is then found by going through the step once more up to that moment.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sharding.costs.schedule import Place

ACTIVATIONS = "activations"


@dataclass
class Ledger:
    """What is alive.

    Attributes:
        stop_at: number of the moment to stop at; None for the whole step.
        sizes: bytes by role and unit.
        roles: bytes by role, also of units that a jump passed over.
        total: all of it.
        points: name and bytes of every moment so far.
        passing: what lives at the last moment only.
    """

    stop_at: int | None = None
    sizes: dict[tuple[str, int], int] = field(default_factory=dict)
    roles: Counter[str] = field(default_factory=Counter)
    total: int = 0
    points: list[tuple[str, int]] = field(default_factory=list)
    passing: tuple[tuple[str, int], ...] = ()
    _marked: dict[str, int] = field(default_factory=dict)

    def set(self, role: str, number: int, nbytes: int) -> None:
        """A unit has so many bytes of this role now."""
        key = (role, number)
        change = nbytes - self.sizes.get(key, 0)
        if change:
            self.sizes[key] = nbytes
            self.roles[role] += change
            self.total += change

    def get(self, role: str, number: int) -> int:
        return self.sizes.get((role, number), 0)

    def moment(self, name: str, *passing: tuple[str, int]) -> None:
        """A point worth looking at; `passing` is alive only here.

        Raises:
            Reached: it is the one to stop at.
        """
        extra = sum([nbytes for _, nbytes in passing]) if passing else 0
        if self.stop_at == len(self.points):
            self.passing = passing
            raise Reached
        self.points.append((name, self.total + extra))

    def activations(self, acts: tuple[int, int]) -> None:
        """Activations alive now, and the most that were alive since they were told last."""
        alive, most = acts
        if most:
            name = self.points[-1][0] if self.points else "between steps"
            self.moment(name, (ACTIVATIONS, most - self.get(ACTIVATIONS, -2)))
            self.set(ACTIVATIONS, -2, alive)

    def mark(self) -> None:
        """A repeat begins that `jump` will multiply."""
        self._marked = dict(self.roles)

    def jump(self, times: int) -> None:
        """What changed since the mark happens so many times more."""
        for role, nbytes in list(self.roles.items()):
            change = (nbytes - self._marked.get(role, 0)) * times
            self.roles[role] += change
            self.total += change


class Reached(Exception):  # noqa: N818
    """The moment a ledger was to stop at."""


@dataclass(frozen=True)
class Largest:
    """The largest moment of a step.

    Attributes:
        name: of the moment.
        terms: `(role, names of units, bytes)` of what is alive then.
        points: every moment with its bytes.
    """

    name: str
    terms: tuple[tuple[str, tuple[str, ...], int], ...]
    points: tuple[tuple[str, int], ...]


def largest_of(run: Callable[[Ledger], None], places: Sequence[Place]) -> Largest:
    """Go through a step, find its largest moment, and look at that."""
    whole = Ledger()
    run(whole)
    at = max(range(len(whole.points)), key=lambda index: whole.points[index][1])
    there = Ledger(stop_at=at)
    with contextlib.suppress(Reached):
        run(there)
    names: dict[str, list[str]] = {}
    listed: Counter[str] = Counter()
    for (role, number), nbytes in there.sizes.items():
        if nbytes and number >= 0:
            names.setdefault(role, []).append(places[number].name)
            listed[role] += nbytes
    terms = [
        (role, tuple(names.get(role, ())) if listed[role] == nbytes else (), nbytes)
        for role, nbytes in there.roles.items()
        if nbytes
    ]
    terms += [(role, (), nbytes) for role, nbytes in there.passing if nbytes]
    acts = sum(nbytes for role, _, nbytes in terms if role == ACTIVATIONS)
    if acts:
        terms = [term for term in terms if term[0] != ACTIVATIONS] + [(ACTIVATIONS, (), acts)]
    return Largest(whole.points[at][0], tuple(terms), tuple(whole.points))
