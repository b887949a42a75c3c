"""The trace of a whole model from those of two short copies of it.

In the copy with three repeats of a block the second is what all others between first and last are like: its stretch of
events comes again, once for each block left out. The copy with two repeats says whether that is so: without the middle
stretches both must be the same events in the same order. Where an event elsewhere has other bytes with a third block (a
cache that is dropped at the end), those are taken to grow by as much with every further one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sharding.errors import PlanError
from sharding.tracing.record import TraceEvent
from sharding.tracing.shadow import Run


@dataclass(frozen=True)
class ShortTrace:
    """What one copy gave.

    Attributes:
        events: named as in the whole model, of its first blocks.
        num_forward: how many of them belong to forward.
    """

    events: Sequence[TraceEvent]
    num_forward: int


def stretched(two: ShortTrace, three: ShortTrace, runs: Sequence[Run]) -> tuple[list[TraceEvent], int]:
    """Events of the whole model, and how many belong to forward.

    Raises:
        PlanError: the blocks are not alike in what they do, or do not run one after the other.
    """
    events = _grown(two, three, runs)
    forward, backward = events[: three.num_forward], events[three.num_forward :]
    for run in runs:
        forward = _with_repeats(forward, run, "begin", range(1, run.count - 1))
        backward = _with_repeats(backward, run, "backward", range(run.count - 2, 0, -1))
    return [*forward, *backward], len(forward)


def _grown(two: ShortTrace, three: ShortTrace, runs: Sequence[Run]) -> list[TraceEvent]:
    """The events of three repeats, with the bytes they would have among all repeats."""
    places = list(enumerate(three.events))
    forward, backward = places[: three.num_forward], places[three.num_forward :]
    for run in runs:
        forward = _without_middle(forward, run, "begin")
        backward = _without_middle(backward, run, "backward")
    left = [*forward, *backward]
    _check_same(left, two.events)
    events = list(three.events)
    counts = {run.count for run in runs}
    for (place, event), other in zip(left, two.events, strict=True):
        if event[2:] == other[2:]:
            continue
        if len(counts) > 1:
            raise PlanError(
                f"the model cannot be shortened: {event.kind} of {event.name!r} depends on how many blocks there are, "
                f"and there are {len(runs)} runs of blocks of different lengths; {ADVICE}"
            )
        more = max(counts) - 3
        change = event.change + more * (event.change - other.change)
        rise = max(event.rise + more * (event.rise - other.rise), change, 0)
        by_dtype = _grown_by_dtype(dict(event.by_dtype), dict(other.by_dtype), more)
        flops = event.flops + more * (event.flops - other.flops)
        events[place] = events[place]._replace(change=change, rise=rise, by_dtype=by_dtype, flops=flops)
    return events


def _grown_by_dtype(three: dict[str, int], two: dict[str, int], more: int) -> tuple[tuple[str, int], ...]:
    grown = {
        dtype: three.get(dtype, 0) + more * (three.get(dtype, 0) - two.get(dtype, 0))
        for dtype in sorted({*three, *two})
    }
    return tuple((dtype, nbytes) for dtype, nbytes in grown.items() if nbytes)


def _check_same(left: Sequence[tuple[int, TraceEvent]], shorter: Sequence[TraceEvent]) -> None:
    for (_, one), other in zip(left, shorter, strict=False):
        if (one.kind, one.name) != (other.kind, other.name):
            raise PlanError(
                f"the model cannot be shortened: with three blocks there is {one.kind} of {one.name!r} where with two "
                f"there is {other.kind} of {other.name!r}; {ADVICE}"
            )
    if len(left) != len(shorter):
        raise PlanError(f"the model cannot be shortened: a third block changes what other modules do; {ADVICE}")


ADVICE = "trace(..., shorten=False) runs the whole model"


def _block(run: Run, place: int) -> str:
    name = str(run.first + place)
    return f"{run.container}.{name}" if run.container else name


def _is_in(name: str, block: str) -> bool:
    return name == block or name.startswith(f"{block}.")


def _stretch(events: Sequence[TraceEvent], run: Run, kind: str, place: int) -> tuple[int, int]:
    """Where the events of one block begin, and where those of what follows it do."""
    block = _block(run, place)
    following = _block(run, place + 1 if kind == "begin" else place - 1)
    starts = [index for index, e in enumerate(events) if e.kind == kind and _is_in(e.name, block)]
    ends = [index for index, e in enumerate(events) if e.kind == kind and _is_in(e.name, following)]
    own = [index for index in starts if events[index].name == block]
    if len(own) > 1:
        raise PlanError(f"the model cannot be shortened: {block!r} runs {len(own)} times in one forward; {ADVICE}")
    if not starts or not ends or not starts[0] < ends[0] or starts[-1] > ends[0]:
        what = "forward" if kind == "begin" else "backward"
        raise PlanError(
            f"the model cannot be shortened: {block!r} and {following!r} do not run one after the other in {what}; "
            f"{ADVICE}"
        )
    return starts[0], ends[0]


def _with_repeats(events: list[TraceEvent], run: Run, kind: str, places: range) -> list[TraceEvent]:
    """The stretch of the middle block once for each of `places`, and the last block by its true number.

    A stretch goes from after a block's beginning to the beginning of the next: what the first of two neighbours leaves
    behind on the way differs, as what was there before the first block may be kept by others.
    """
    start, end = _stretch(events, run, kind, 1)
    step = places.step
    middle, after_it, last = _block(run, 1), _block(run, 1 + step), _block(run, 2)
    true_last = _block(run, run.count - 1)
    repeats = []
    for place in places:
        here, there = _block(run, place), _block(run, place + step)
        for event in events[start + 1 : end + 1]:
            name = event.name
            new = _renamed(name, middle, here) if _is_in(name, middle) else _renamed(name, after_it, there)
            repeats.append(event._replace(name=new))
    before, after = (
        [event._replace(name=_renamed(event.name, last, true_last)) for event in each]
        for each in (events[: start + 1], events[end + 1 :])
    )
    if step < 0:  # the middle block that is begun here is the one before the last
        before[-1] = events[start]._replace(name=_renamed(events[start].name, middle, _block(run, run.count - 2)))
    return [*before, *repeats, *after]


def _without_middle(places: list[tuple[int, TraceEvent]], run: Run, kind: str) -> list[tuple[int, TraceEvent]]:
    """Without one block: what begins in its place is the next one."""
    start, end = _stretch([event for _, event in places], run, kind, 1)
    at, first = places[start]
    last, second = _block(run, 2), _block(run, 1)
    if kind != "begin":
        first = first._replace(name=places[end][1].name)
    left = [*places[:start], (at, first), *places[end + 1 :]]
    return [(place, event._replace(name=_renamed(event.name, last, second))) for place, event in left]


def _renamed(name: str, block: str, other: str) -> str:
    return other + name[len(block) :] if _is_in(name, block) else name
