"""One training step of the flat engine, as changes of what is alive.

The order is the one `flat/README.md` documents. Steady state: optimizer states and buckets exist already, old
gradients are gone. A unit's gradients wait as autograd made them until its backward is over; then they are laid down in
one flat buffer, which is reduced while the next unit's backward computes. Under `no_sync` the flat buffers of earlier
backwards are there from the start, and gradients go into them as they come.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sharding.costs.ledger import Ledger
from sharding.costs.schedule import Item, Jump, Mark, Place, Schedule, Token
from sharding.costs.setting import Setting
from sharding.costs.units import Kind, UnitCost

MAX_REDUCING = 1
"""As the engine: reductions left on their way while the next unit's backward computes."""

WHOLE = "whole parameters"
GRADIENTS = "whole gradients"
WAITING = "gradients, from autograd"
ARRIVING = "the largest gradient, from autograd"
PIECE = "pieces being averaged"
AVERAGED = "averaged gradients"


def flat_step(schedule: Schedule, kinds: Sequence[Kind], setting: Setting, ledger: Ledger) -> None:
    """From the first forward to the end of backward."""
    if setting.accumulation_steps > 1:
        _keep_earlier(schedule, kinds, ledger)
    _Forward(ledger).run(schedule.forward)
    _Backward(ledger).run(schedule.backward)


def is_taken(unit: UnitCost) -> bool:
    """Whether gradients are moved into flat buffers, rather than left to autograd."""
    return unit.num_shards * unit.num_copies > 1 or any(
        buffer.whole_nbytes for buffer in unit.buffers if buffer.trainable_numel
    )


def _keep_earlier(schedule: Schedule, kinds: Sequence[Kind], ledger: Ledger) -> None:
    """Whole gradients that wait from backwards inside `no_sync`."""
    total = sum(kind.times * _whole_gradients(kind.cost) for kind in kinds)
    shown = {item.place for item in schedule.forward if isinstance(item, Token)}
    for place in shown:
        ledger.set(GRADIENTS, place.number, _whole_gradients(place.cost))
    ledger.set(GRADIENTS, -1, total - sum(_whole_gradients(place.cost) for place in shown))


def _whole_gradients(unit: UnitCost) -> int:
    return sum(b.reduced_nbytes if is_taken(unit) else b.autograd_nbytes for b in unit.buffers)


class _Forward:
    """Units open and close from left to right."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def run(self, items: Sequence[Item]) -> None:
        following = neighbours(items, "open")
        for item in items:
            if not isinstance(item, Token):
                move(self.ledger, item)
                continue
            self.ledger.activations(item.acts)
            if item.what == "open":
                self._open(item.place, following.get(item.place.number))
            elif item.what == "close" and item.place.cost.frees_after_forward:
                self.ledger.set(WHOLE, item.place.number, 0)

    def _open(self, place: Place, after: Place | None) -> None:
        self.ledger.set(WHOLE, place.number, place.cost.unsharded_nbytes)
        if place.forward_prefetch and after is not None:
            self.ledger.set(WHOLE, after.number, after.cost.unsharded_nbytes)
        self.ledger.moment(f"forward of {place.name}")


class _Backward:
    """Units are gathered at their end, use their parameters, and are reduced at their beginning."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.ahead: dict[int, Place] = {}
        self.reducing: dict[str, list[Place]] = {}

    def run(self, items: Sequence[Item]) -> None:
        self.ahead = neighbours(items, "close")
        for item in items:
            if isinstance(item, Token):
                self.ledger.activations(item.acts)
                {"close": self._begin, "use": partial(self._use, item), "open": self._end}[item.what](item.place)
            else:
                move(self.ledger, item)
        for waiting in self.reducing.values():
            for place in waiting:
                self._averaged(place)
        self.ledger.moment("end of backward")

    def _begin(self, place: Place) -> None:
        self.ledger.set(WHOLE, place.number, place.cost.unsharded_nbytes)
        if place.prefetch == "pre":
            self._gather_ahead(place)
        self.ledger.moment(f"backward of {place.name}")

    def _gather_ahead(self, place: Place) -> None:
        ahead = self.ahead.get(place.number)
        if ahead is not None:
            self.ledger.set(WHOLE, ahead.number, ahead.cost.unsharded_nbytes)

    def _use(self, token: Token, place: Place) -> None:
        if is_taken(place.cost) and self.ledger.get(GRADIENTS, place.number):
            self.ledger.moment(f"backward of {place.name}", (ARRIVING, token.largest))
        elif is_taken(place.cost):
            self.ledger.set(WAITING, place.number, self.ledger.get(WAITING, place.number) + token.nbytes)
            self.ledger.moment(f"backward of {place.name}")
        else:
            self.ledger.set(AVERAGED, place.number, self.ledger.get(AVERAGED, place.number) + token.nbytes)
            self.ledger.moment(f"backward of {place.name}")

    def _end(self, place: Place) -> None:
        self.ledger.set(WHOLE, place.number, 0)
        if place.prefetch == "post":
            self._gather_ahead(place)
        if not place.cost.trainable_numel or not is_taken(place.cost):
            return
        reducing = self.reducing.setdefault(place.tree, [])
        while len(reducing) >= MAX_REDUCING:
            self._averaged(reducing.pop(0))
        self.ledger.set(GRADIENTS, place.number, _whole_gradients(place.cost))
        self.ledger.moment(f"reduction of {place.name}")
        self.ledger.set(WAITING, place.number, 0)
        pieces = sum([buffer.reduced_piece_nbytes for buffer in place.cost.buffers if buffer.is_cut])
        self.ledger.set(PIECE, place.number, pieces)
        self.ledger.moment(f"reduction of {place.name}")
        reducing.append(place)

    def _averaged(self, place: Place) -> None:
        """The averaged piece stays, in the dtype it rests in; the whole gradients are given up."""
        self.ledger.set(GRADIENTS, place.number, 0)
        self.ledger.set(PIECE, place.number, 0)
        self.ledger.set(AVERAGED, place.number, 0 if place.cost.offloads else place.cost.gradient_nbytes)


def neighbours(items: Sequence[Item], what: str) -> dict[int, Place]:
    """The unit of the same local tree of which the same is said next."""
    last: dict[str, Place] = {}
    following: dict[int, Place] = {}
    for item in items:
        if isinstance(item, Token) and item.what == what:
            if item.place.tree in last:
                following.setdefault(last[item.place.tree].number, item.place)
            last[item.place.tree] = item.place
    return following


def move(ledger: Ledger, item: Mark | Jump) -> None:
    """Over the middle of a long run."""
    if isinstance(item, Mark):
        ledger.mark()
    else:
        ledger.jump(item.times)
