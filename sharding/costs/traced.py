"""What a trace says of the units of a layout: what runs when, how often, and how many bytes of activations are alive.

The trace knows modules and parameters; here they become units beginning, using their parameters and ending.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from sharding.costs.schedule import Place, Schedule, Token, gradient_nbytes
from sharding.costs.setting import Setting
from sharding.layout import Layout
from sharding.tracing.record import Moment, Trace


def calls_in(trace: Trace, layout: Layout) -> dict[str, int]:
    """How often a forward calls each unit, by its FQN; 0 for units that do not run.

    Raises:
        PlanError: the trace is of another model.
    """
    trace.on(layout)
    return {unit.fqn: max(trace.calls.get(fqn, 0) for fqn in unit.fqns) for unit in layout.units}


def reached_in(trace: Trace, layout: Layout) -> frozenset[str]:
    """Units through which a gradient goes, or into whose parameters."""
    names = {event.name for event in trace.events[trace.num_forward :] if event.kind == "backward"}
    return frozenset(unit.fqn for unit in layout.units if any(fqn in names for fqn in unit.fqns))


def traced(layout: Layout, places: Sequence[Place], trace: Trace, setting: Setting) -> Schedule:
    """The step as the trace has it."""
    forward = _Forward(layout, places).tokens(trace.moments[: trace.num_forward])
    backward = _Backward(layout, places, setting).tokens(trace.moments[trace.num_forward :])
    return Schedule(places, forward, backward, is_traced=True)


class _Tokens(ABC):
    """Makes tokens of moments; activations between two tokens count for the later one."""

    def __init__(self, layout: Layout, places: Sequence[Place]) -> None:
        self.layout = layout
        self.place_of: Mapping[str, Place] = {
            fqn: place for place, unit in zip(places, layout.units, strict=True) for fqn in unit.fqns
        }
        self.made: list[Token] = []
        self._most = 0

    def tokens(self, moments: Sequence[Moment]) -> list[Token]:
        for moment in moments:
            self._most = max(self._most, moment.most)
            token = self.token(moment)
            if token is not None:
                self.add(token, moment.nbytes)
        return self.made

    @abstractmethod
    def token(self, moment: Moment) -> Token | None:
        """What happens to a unit at this moment, if anything does."""

    def add(self, token: Token, nbytes: int) -> None:
        self.made.append(token._replace(acts=(nbytes, max(self._most, nbytes))))
        self._most = nbytes


class _Forward(_Tokens):
    """A unit begins with the first of its modules and ends with the last."""

    def __init__(self, layout: Layout, places: Sequence[Place]) -> None:
        super().__init__(layout, places)
        self._begun: dict[int, int] = {}
        self._ended: dict[int, int] = {}

    def token(self, moment: Moment) -> Token | None:
        place = self.place_of.get(moment.name)
        if place is None:
            return None
        members = len(self.layout.units[place.number].fqns)
        if moment.kind == "begin":
            self._begun[place.number] = self._begun.get(place.number, 0) + 1
            return Token("open", place) if members == 1 or self._begun[place.number] % members == 1 else None
        if moment.kind == "end":
            self._ended[place.number] = self._ended.get(place.number, 0) + 1
            return Token("close", place) if self._ended[place.number] % members == 0 else None
        return None


class _Backward(_Tokens):
    """A unit's backward begins where gradients reach it, and is over when they have come out of all its calls."""

    def __init__(self, layout: Layout, places: Sequence[Place], setting: Setting) -> None:
        super().__init__(layout, places)
        self._setting = setting
        self._keeps = setting.engine == "flat"  # until the backward of all calls is over
        self._owners = {row.name: (place, row) for place in places for row in layout.units[place.number].params}
        self._left: dict[int, int] = {}
        self._open: dict[int, Place] = {}

    def tokens(self, moments: Sequence[Moment]) -> list[Token]:
        for moment in moments:
            if moment.kind == "over" and (place := self.place_of.get(moment.name)) is not None:
                self._left[place.number] = self._left.get(place.number, 0) + 1
        super().tokens(moments)
        last = moments[-1].nbytes if moments else 0
        order = sorted(self._open, reverse=self._keeps)
        for number in order:
            self.add(Token("open", self._open[number]), last)
        return self.made

    def token(self, moment: Moment) -> Token | None:
        if moment.kind == "gradient":
            return self._use(moment.name)
        place = self.place_of.get(moment.name)
        if place is None:
            return None
        if moment.kind == "backward" and place.number not in self._open:
            self._open[place.number] = place
            return Token("close", place)
        if moment.kind == "over":
            self._left[place.number] -= 1
            if place.number in self._open and not (self._keeps and self._left[place.number]):
                return Token("open", self._open.pop(place.number))
        return None

    def _use(self, name: str) -> Token | None:
        owner = self._owners.get(name)
        if owner is None:
            return None
        place, row = owner
        nbytes = gradient_nbytes(row, self.layout.units[place.number], self._setting)
        return Token("use", place, nbytes, nbytes)
