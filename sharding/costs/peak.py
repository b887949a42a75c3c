"""The parameter-side peak: the moment of a step at which parameters, gradients and optimizer states need most.

An estimate before a trace: the order in which modules run is not known, so it is taken to be the order they are
registered in. Given the order every term is exact but what
`Peak.estimated` names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sharding.costs import flat_step, torch_step
from sharding.costs.groups import GroupCost
from sharding.costs.ledger import Largest, Ledger, largest_of
from sharding.costs.resting import RankCost, Whole
from sharding.costs.schedule import Schedule
from sharding.costs.setting import Setting
from sharding.costs.units import Kind

LEFT_OUT = (
    "activations and inputs",
    "what operators and optimizer steps need while they run",
    "the allocator's rounding and cache",
    "the communication library's own buffers and gloo's copies",
    "the CUDA context and kernels' workspaces",
)
ORDER = (
    "units run in the order they are registered in, a module's own parameters after its children's, and backward is "
    "the mirror image of it"
)
ONCE = "a unit called several times is in memory as one called once"
ARRIVING = "beside whole gradients of earlier backwards there is the largest new one, as autograd hands it over"
LOOSE = "gradients of ignored, unmanaged and replicated parameters are there from the start of backward"
COPIES = "copies that replicate groups compute with live from the start of forward to the end of backward"
OF_THE_TRACE = "activations are those of cpu kernels, in the dtypes of the trace"
MAX_NAMED = 2


@dataclass(frozen=True)
class Term:
    """One layer of the stack.

    Attributes:
        label: what it is, and whose.
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
        points: every moment that was looked at, with its bytes; of a long run of equal units those at its ends.
        estimated: what is assumed or bounded.
        left_out: what is not counted.
        is_estimate: whether `estimated` says anything.
    """

    moment: str
    terms: tuple[Term, ...]
    points: tuple[tuple[str, int], ...]
    estimated: tuple[str, ...]
    left_out: tuple[str, ...] = LEFT_OUT

    @property
    def nbytes(self) -> int:
        return sum(term.nbytes for term in self.terms)

    @property
    def is_estimate(self) -> bool:
        return bool(self.estimated)


def peak_of(
    schedule: Schedule,
    kinds: Sequence[Kind],
    groups: Sequence[GroupCost],
    whole: Whole,
    rank: RankCost,
    setting: Setting,
) -> Peak:
    """The peak on the first rank, which holds most."""
    base = _base(kinds, groups, whole, rank)
    around = _around(groups, whole)
    step = torch_step.torch_step if setting.engine == "torch" else flat_step.flat_step

    def run(ledger: Ledger) -> None:
        ledger.total += sum(term.nbytes for term in base)
        ledger.moment("between steps")
        for role, nbytes in around.items():
            ledger.set(role, -1, nbytes)
        step(schedule, kinds, setting, ledger)
        ledger.set(_CASTS, -1, 0)
        ledger.moment("optimizer step")

    largest = largest_of(run, schedule.places)
    terms = [*base, *_terms(largest)]
    shown = sorted((term for term in terms if term.nbytes), key=lambda term: -term.nbytes)
    left_out = ("inputs", *LEFT_OUT[1:]) if schedule.is_traced else LEFT_OUT
    return Peak(largest.name, tuple(shown), largest.points, _estimated(schedule, groups, whole, setting), left_out)


def _estimated(schedule: Schedule, groups: Sequence[GroupCost], whole: Whole, setting: Setting) -> tuple[str, ...]:
    """What is assumed or bounded here."""
    said = [OF_THE_TRACE] if schedule.is_traced else [ORDER, ONCE]
    if setting.engine == "flat" and schedule.places and setting.accumulation_steps > 1:
        said.append(ARRIVING)
    if whole.gradients:
        said.append(LOOSE)
    if any(group.cast_nbytes for group in groups):
        said.append(COPIES)
    return tuple(said)


def _terms(largest: Largest) -> list[Term]:
    return [Term(_label(role, names), nbytes) for role, names, nbytes in largest.terms]


def _label(role: str, names: Sequence[str]) -> str:
    if not names:
        return role
    if len(names) <= MAX_NAMED:
        return f"{role}: {', '.join(names)}"
    return f"{role}: {len(names)} units"


def _base(kinds: Sequence[Kind], groups: Sequence[GroupCost], whole: Whole, rank: RankCost) -> list[Term]:
    """What is there all the time in steady state; offloaded pieces and states are not on the device."""
    offloaded = [kind for kind in kinds if kind.cost.offloads]
    away = sum(kind.times * kind.cost.shard_nbytes for kind in offloaded)
    gradients_away = sum(kind.times * kind.cost.gradient_nbytes for kind in offloaded)
    buckets = sum(bucket.nbytes for group in groups for bucket in group.buckets if bucket.stays)
    return [
        Term("parameters at rest", rank.parameters - away),
        Term("optimizer states", rank.states - (rank.offloaded - away - gradients_away)),
        Term("registered buffers", whole.buffers),
        Term("buckets of replicate groups", buckets),
    ]


_CASTS = "copies that replicate groups compute with"
_LOOSE = "gradients of what is not sharded"


def _around(groups: Sequence[GroupCost], whole: Whole) -> dict[str, int]:
    """What lies beside units in a step: copies of groups, gradients that lie in no flat buffer or bucket that stays."""
    in_buckets = sum(
        bucket.numel * bucket.dtype.itemsize
        for group in groups
        for bucket in group.buckets
        if bucket.holds_gradients and bucket.stays
    )
    passing = sum(bucket.nbytes for group in groups for bucket in group.buckets if not bucket.stays)
    return {
        _CASTS: sum(group.cast_nbytes for group in groups),
        _LOOSE: whole.gradients - in_buckets + passing,
    }
