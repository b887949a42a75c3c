"""One training step of torch's engine (FSDP2), as changes of what is alive; default prefetching, one stream of memory.

Checked against torch 2.13. A unit is gathered into one buffer, then copied out into its parameters. In forward that
buffer is given up only when the next unit has been gathered, in backward at once. A reduction's input is kept until the
next unit reduces. Gradients stay as autograd makes them until the unit's backward is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from sharding.costs.flat_step import neighbours
from sharding.costs.ledger import Ledger
from sharding.costs.row_buffers import RowBufferCost
from sharding.costs.schedule import Item, Mark, Place, Schedule, Token
from sharding.costs.setting import Setting
from sharding.costs.units import Kind, UnitCost

GATHERED = "all-gather outputs"
CAST = "pieces cast for the all-gather"
WHOLE = "whole parameters"
KEPT = "larger pieces kept after forward"
GRADIENTS = "whole gradients"
SCATTERED = "reduce-scatter inputs"
PIECE = "reduced pieces"
AVERAGED = "averaged gradients"


def torch_step(schedule: Schedule, kinds: Sequence[Kind], setting: Setting, ledger: Ledger) -> None:
    """From the first forward to the end of backward."""
    _Step(ledger, setting).run(schedule, kinds)


class _Step:
    """The engine's state while it goes through a step.

    Attributes:
        deferred: by local tree, the unit whose all-gather output waits for the next to be gathered.
        reduced: by local tree, the unit whose reduce-scatter input waits for the next reduction.
    """

    def __init__(self, ledger: Ledger, setting: Setting) -> None:
        self.ledger = ledger
        self.setting = setting
        self.deferred: dict[str, Place] = {}
        self.reduced: dict[str, Place] = {}

    def run(self, schedule: Schedule, kinds: Sequence[Kind]) -> None:
        if self.setting.accumulation_steps > 1:
            self._keep_earlier(schedule, kinds)
        for item in _with_parameters(schedule.forward):
            self._forward(item)
        backward = _with_parameters(schedule.backward)
        backward = backward if schedule.is_traced else _without_grads_last(backward)
        ahead = neighbours(backward, "close")
        for item in backward:
            self._backward(item, ahead)
        for place in self.reduced.values():
            self.ledger.set(SCATTERED, place.number, 0)
        self.ledger.moment("end of backward")

    def _keep_earlier(self, schedule: Schedule, kinds: Sequence[Kind]) -> None:
        total = sum(kind.times * _accumulated(kind.cost) for kind in kinds)
        shown = {item.place for item in schedule.forward if isinstance(item, Token)}
        for place in shown:
            self.ledger.set(GRADIENTS, place.number, _accumulated(place.cost))
        self.ledger.set(GRADIENTS, -1, total - sum(_accumulated(place.cost) for place in shown))

    def _forward(self, item: Item) -> None:
        if not isinstance(item, Token):
            self._move(item)
            return
        self.ledger.activations(item.acts)
        if item.what == "open":
            self._gather(item.place)
            self._copy_out(item.place, defers=True)
            self.ledger.moment(f"forward of {item.place.name}")
        elif item.what == "close":
            self._after_forward(item.place)

    def _after_forward(self, place: Place) -> None:
        cost = place.cost
        if cost.frees_after_forward:
            if cost.kept_shards is not None:
                self.ledger.set(KEPT, place.number, cost.unsharded_nbytes // cost.kept_shards)
                self.ledger.moment(f"end of forward of {place.name}")
            self.ledger.set(WHOLE, place.number, 0)
        if place.is_root and place.tree in self.deferred:
            self.ledger.set(GATHERED, self.deferred.pop(place.tree).number, 0)

    def _gather(self, place: Place) -> None:
        """Gather into one buffer, unless that was done or the unit is whole."""
        ledger, number = self.ledger, place.number
        if ledger.get(WHOLE, number) or not place.cost.all_gather_nbytes or self._is_gathered(place):
            return
        ledger.set(GATHERED, number, place.cost.all_gather_nbytes)
        cast = sum(buffer.cast_nbytes for buffer in place.cost.buffers if isinstance(buffer, RowBufferCost))
        ledger.moment(f"gathering {place.name}", (CAST, cast))

    def _is_gathered(self, place: Place) -> bool:
        deferred = self.deferred.get(place.tree)
        return bool(self.ledger.get(GATHERED, place.number)) and deferred is not place

    def _copy_out(self, place: Place, *, defers: bool) -> None:
        ledger, number = self.ledger, place.number
        if ledger.get(WHOLE, number):
            return
        if defers and place.tree in self.deferred:
            last = self.deferred.pop(place.tree)
            ledger.set(GATHERED, last.number, 0 if last is not place else place.cost.all_gather_nbytes)
        ledger.set(WHOLE, number, place.cost.unsharded_nbytes)
        ledger.moment(f"copying out {place.name}")
        ledger.set(KEPT, number, 0)
        if defers and place.cost.all_gather_nbytes:
            self.deferred[place.tree] = place
        else:
            ledger.set(GATHERED, number, 0)

    def _backward(self, item: Item, ahead: dict[int, Place]) -> None:
        if not isinstance(item, Token):
            self._move(item)
            return
        self.ledger.activations(item.acts)
        if item.what == "close":
            self._gather(item.place)
            self._copy_out(item.place, defers=False)
            following = ahead.get(item.place.number)
            if following is not None:
                self._gather(following)
        elif item.what == "use":
            place = item.place
            self.ledger.set(GRADIENTS, place.number, self.ledger.get(GRADIENTS, place.number) + item.nbytes)
            self.ledger.moment(f"backward of {place.name}")
        else:
            self._reduce(item.place)

    def _reduce(self, place: Place) -> None:
        """The unit's backward is over: free, reduce, keep the averaged pieces."""
        ledger, number, cost = self.ledger, place.number, place.cost
        if not cost.buffers:
            return
        if self.setting.accumulation_steps > 1 and cost.trainable_numel:
            ledger.set(GRADIENTS, number, _accumulated(cost))
        ledger.set(WHOLE, number, 0)
        last = self.reduced.pop(place.tree, None)
        if last is not None:
            ledger.set(SCATTERED, last.number, 0)
        if not cost.trainable_numel:
            return
        ledger.set(SCATTERED, number, sum(buffer.reduced_nbytes for buffer in cost.buffers))
        ledger.moment(f"reduction of {place.name}")
        ledger.set(GRADIENTS, number, 0)
        pieces = sum(buffer.reduced_piece_nbytes for buffer in cost.buffers)
        ledger.set(PIECE, number, pieces)
        rows = [buffer for buffer in cost.buffers if isinstance(buffer, RowBufferCost)]
        casts = any(buffer.casts_gradients for buffer in rows)
        ledger.moment(f"reduction of {place.name}", (AVERAGED, cost.gradient_nbytes if casts else 0))
        keeps = casts and any(buffer.is_hybrid for buffer in rows)  # what was all-reduced, until backward is over
        ledger.set(PIECE, number, pieces if keeps else 0)
        ledger.set(AVERAGED, number, 0 if cost.offloads else cost.gradient_nbytes)
        self.reduced[place.tree] = place

    def _move(self, item: Item) -> None:
        if isinstance(item, Mark):
            self.ledger.mark()
        elif not isinstance(item, Token):
            self.ledger.jump(item.times)


def _accumulated(unit: UnitCost) -> int:
    """Bytes of whole gradients between backwards that do not reduce: in the dtype they will be reduced in."""
    return sum(
        param.numel * param.reduce_dtype.itemsize
        for buffer in unit.buffers
        if isinstance(buffer, RowBufferCost)
        for param in buffer.params
        if param.requires_grad
    )


def _with_parameters(items: Sequence[Item]) -> list[Item]:
    """Units without parameters have no group in torch's engine: nothing is done for them, or waits for them."""
    return [item for item in items if not isinstance(item, Token) or item.place.cost.buffers or item.place.is_root]


def _without_grads_last(items: Sequence[Item]) -> list[Item]:
    """Units that run before anything trainable are told of no gradient: they end after the root, from outside in."""
    found = list(items)
    at = len(found)
    while at and isinstance(item := found[at - 1], Token) and item.what == "open":
        at -= 1
    return [*found[:at], *reversed(found[at:])]
