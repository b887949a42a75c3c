"""The parameter-side peak: the moment of a step at which parameters, gradients and optimizer states need most.

An estimate: the order in which modules run is not known before a trace, so it is taken to be the order they are
registered in, each called once. Given that order every term is exact but two upper bounds, which `ESTIMATED` names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sharding.costs.groups import GroupCost
from sharding.costs.resting import RankCost, Whole
from sharding.costs.timeline import Change, Moment, Place, Step, timeline

LEFT_OUT = (
    "activations and inputs",
    "what operators and optimizer steps need while they run",
    "the allocator's rounding and cache",
    "the communication library's own buffers and gloo's copies",
    "the CUDA context",
    "further calls of a module, and activation checkpointing",
)
ESTIMATED = (
    "units run in the order they are registered in, each once, and backward is the mirror image of it",
    "a unit's whole gradients are alive from the start of its backward, with the largest of its gradients beside them",
    "gradients of ignored, unmanaged and replicated parameters are there from the start of backward",
    "casts lent to replicate groups live from the start of forward to the end of backward",
)


@dataclass(frozen=True)
class Term:
    """One layer of the stack.

    Attributes:
        label: whose memory it is.
        nbytes: how much.
    """

    label: str
    nbytes: int


@dataclass(frozen=True)
class Peak:
    """The largest moment of a training step on the rank that holds most.

    Attributes:
        moment: when, in words.
        terms: what is alive then, largest first.
        is_estimate: always True so far; `estimated` says in what.
        estimated: what is assumed or bounded.
        left_out: what is not counted.
    """

    moment: str
    terms: tuple[Term, ...]
    is_estimate: bool = True
    estimated: tuple[str, ...] = ESTIMATED
    left_out: tuple[str, ...] = LEFT_OUT

    @property
    def nbytes(self) -> int:
        return sum(term.nbytes for term in self.terms)


def peak_of(places: Sequence[Place], groups: Sequence[GroupCost], whole: Whole, ranks: Sequence[RankCost]) -> Peak:
    """The peak on the first rank, which holds most."""
    base = _base(places, groups, whole, ranks[0])
    steps = [Moment("between steps"), *_around(groups, whole, list(timeline(places)))]
    at, passing = _largest(steps)
    alive = {term.label: term.nbytes for term in base}
    for label, nbytes in _alive_at(steps, at):
        alive[label] = alive.get(label, 0) + nbytes
    if passing is not None:
        alive[passing.label] = passing.nbytes
    terms = sorted((Term(label, nbytes) for label, nbytes in alive.items() if nbytes), key=lambda term: -term.nbytes)
    moment = steps[at]
    assert isinstance(moment, Moment)
    return Peak(moment.name, tuple(terms))


def _base(places: Sequence[Place], groups: Sequence[GroupCost], whole: Whole, rank: RankCost) -> list[Term]:
    """What is there all the time in steady state; offloaded pieces and states are not on the device."""
    away = sum(place.cost.shard_nbytes for place in places if place.cost.offloads)
    gradients_away = sum(
        buffer.shard_nbytes
        for place in places
        if place.cost.offloads
        for buffer in place.cost.buffers
        if buffer.requires_grad
    )
    return [
        Term("parameters at rest", rank.parameters - away),
        Term("optimizer states", rank.states - (rank.offloaded - away - gradients_away)),
        Term("registered buffers", whole.buffers),
        Term("buckets of replicate groups", sum(bucket.nbytes for group in groups for bucket in group.buckets)),
    ]


def _around(groups: Sequence[GroupCost], whole: Whole, steps: list[Step]) -> list[Step]:
    """What lies beside units in a step: casts lent to groups, gradients that lie in no flat buffer or bucket."""
    in_buckets = sum(
        bucket.numel * bucket.dtype.itemsize for group in groups for bucket in group.buckets if bucket.holds_gradients
    )
    casts = Change(("casts", 0), "replicate groups: casts lent", sum(group.cast_nbytes for group in groups))
    loose = Change(("loose", 0), "gradients outside flat buffers and buckets", whole.gradients - in_buckets)
    start = next((at for at, step in enumerate(steps) if _starts_backward(step)), len(steps))
    return [casts, *steps[:start], loose, *steps[start:], Change(("casts", 0), "", 0), Moment("optimizer step")]


def _starts_backward(step: Step) -> bool:
    return isinstance(step, Moment) and step.name.startswith(("backward", "end of backward"))


def _largest(steps: Sequence[Step]) -> tuple[int, Change | None]:
    """Place of the largest moment, and what passes there."""
    sizes: dict[tuple[str, int], int] = {}
    total = best = best_at = 0
    passing: Change | None = None
    for at, step in enumerate(steps):
        if isinstance(step, Change):
            total += step.nbytes - sizes.get(step.key, 0)
            sizes[step.key] = step.nbytes
            continue
        here = total + (step.passing.nbytes if step.passing else 0)
        if here > best:
            best, best_at, passing = here, at, step.passing
    return best_at, passing


def _alive_at(steps: Sequence[Step], at: int) -> list[tuple[str, int]]:
    alive: dict[tuple[str, int], Change] = {}
    for step in steps[:at]:
        if isinstance(step, Change):
            alive[step.key] = step
    return [(change.label, change.nbytes) for change in alive.values() if change.nbytes]
