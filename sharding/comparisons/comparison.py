"""`Comparison`: what engines did with the same plan, seeds and batches, as data; shown as a table and a picture.

Times are ratios to one engine, taken round by round and then put in order: the machine's moods hit both sides of a
ratio. Bytes and counts are exact. Nothing here runs anything.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from sharding.comparisons.contestants import REFERENCE
from sharding.errors import PlanError
from sharding.plan import Plan

if TYPE_CHECKING:
    from sharding.costs.duration import Rates
    from sharding.costs.report import Cost

_USUAL = ("all_gather", "reduce_scatter", "all_reduce", "broadcast")
Outcome = Literal["ran", "cannot", "failed"]


@dataclass(frozen=True)
class Traffic:
    """Collectives of one kind in one training step, as this rank started them.

    Attributes:
        kind: "all_gather", "reduce_scatter", "all_reduce", "broadcast", ...
        count: how many.
        nbytes: bytes of their whole buffers together: what all-gathers fill, reduce-scatters read, all-reduces average.
    """

    kind: str
    count: int
    nbytes: int


@dataclass(frozen=True)
class Ratio:
    """Step time beside another engine's: the median over rounds, and the quartiles around it."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """One engine or baseline.

    Attributes:
        engine: "flat", "torch", "ddp", "fsdp1" or "none" (the unsharded model on one process).
        outcome: "ran", "cannot" (the plan cannot be said with it, `why` names what), or "failed" (it raised).
        why: one line about what went wrong; also when only its time could not be taken.
        remarks: what makes it differ by its nature.
        losses: a row a step, a loss a rank; empty if the step is the user's own and reports none.
        seconds: seconds a step, one for each round, of the slowest rank.
        peak_nbytes: of each rank: the largest sum of live tensors during the second step (on CUDA what the allocator
            handed out). One entry for "none".
        collectives: of rank 0 in that step, by kind.
        output: what the ranks printed meanwhile.
        predicted: what `cost` says of that engine's step before it runs, every module called once; None where nothing
            was predicted: baselines, and a step of the user's own.
    """

    engine: str
    outcome: Outcome = "ran"
    why: str = ""
    remarks: tuple[str, ...] = ()
    losses: tuple[tuple[float, ...], ...] = ()
    seconds: tuple[float, ...] = ()
    peak_nbytes: tuple[int, ...] = ()
    collectives: tuple[Traffic, ...] = ()
    output: str = field(default="", repr=False)
    predicted: tuple[Traffic, ...] | None = None

    @property
    def step_seconds(self) -> float | None:
        """Median seconds a step; compare engines by ratios instead."""
        return statistics.median(self.seconds) if self.seconds else None


@dataclass(frozen=True, repr=False)
class Comparison:
    """What `compare` returns. `print` shows the table, a notebook the picture too.

    Attributes:
        plan: the plan of all sharded rows.
        rows: in the order asked for, the unsharded model last.
        nprocs, backend, devices: where it ran.
        steps: steps whose losses were compared; memory and collectives are those of one of them.
    """

    plan: Plan
    rows: tuple[Row, ...]
    nprocs: int
    backend: str
    devices: tuple[str, ...]
    steps: int

    def row(self, engine: str) -> Row:
        """The row of one engine.

        Raises:
            PlanError: it did not take part.
        """
        for row in self.rows:
            if row.engine == engine:
                return row
        raise PlanError(f"engine {engine!r} did not take part; {', '.join(repr(row.engine) for row in self.rows)} did")

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of collectives that any row has, the usual ones first."""
        found = dict.fromkeys(each.kind for row in self.rows for each in row.collectives)
        return (*(kind for kind in _USUAL if kind in found), *(kind for kind in found if kind not in _USUAL))

    @cached_property
    def base(self) -> str | None:
        """The engine whose step time is 1: the first one asked for that has one."""
        return next((row.engine for row in self.rows if row.seconds), None)

    def ratio(self, engine: str, *, to: str | None = None) -> Ratio | None:
        """Step time of `engine` beside that of `to` (`base` if not given); None if either has none."""
        other = to or self.base
        mine, theirs = self.row(engine).seconds, self.row(other).seconds if other else ()
        if not mine or not theirs:
            return None
        ratios = [one / two for one, two in zip(mine, theirs, strict=True)]
        if len(ratios) == 1:
            return Ratio(ratios[0], ratios[0], ratios[0])
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        return Ratio(middle, low, high)

    def loss_difference(self, engine: str) -> float | None:
        """Largest distance of any rank's loss in any step from the unsharded model's; None if one of them has none."""
        reference = next((row.losses for row in self.rows if row.engine == REFERENCE), ())
        return _largest_distance(self.row(engine).losses, reference)

    def rates(self, cost: Cost) -> Rates:
        """What arithmetic and links did here, for `cost(..., rates=...)` of other plans and numbers of ranks.

        Args:
            cost: of this plan on one of the engines that took part, with as many ranks and with a trace of the same
                batch.

        Returns:
            Arithmetic at the speed of the unsharded model's step, all of it; links as if all that the sharded step took
            longer were the sending of its bytes. None for links that took no time that could be told.

        Raises:
            PlanError: times or a trace are missing, or the costs are for another number of ranks.
        """
        from sharding.comparisons.calibration import rates_of

        return rates_of(self, cost)

    def text(self) -> str:
        """The table as plain text."""
        from sharding.comparisons.text import text_of

        return text_of(self)

    def picture(self) -> str:
        """Step times, peaks and traffic as bars: SVG text of its own, without styles or scripts."""
        from sharding.comparisons.picture import picture_of

        return picture_of(self)

    def to_data(self) -> dict[str, Any]:
        """Everything as plain JSON-ready data."""
        return {
            "plan": self.plan.code(),
            "nprocs": self.nprocs,
            "backend": self.backend,
            "devices": list(self.devices),
            "steps": self.steps,
            "base": self.base,
            "rows": [self._row_data(row) for row in self.rows],
        }

    def _row_data(self, row: Row) -> dict[str, Any]:
        ratio = self.ratio(row.engine)
        return {
            "engine": row.engine,
            "outcome": row.outcome,
            "why": row.why,
            "remarks": list(row.remarks),
            "losses": [list(each) for each in row.losses],
            "loss_difference": self.loss_difference(row.engine),
            "ratio": None if ratio is None else [ratio.median, ratio.low, ratio.high],
            "seconds": list(row.seconds),
            "peak_nbytes": list(row.peak_nbytes),
            "collectives": [[each.kind, each.count, each.nbytes] for each in row.collectives],
            "predicted": row.predicted and [[each.kind, each.count, each.nbytes] for each in row.predicted],
        }

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from sharding.comparisons.html import html_of

        return html_of(self)


def _largest_distance(losses: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> float | None:
    """Not finite against not finite of the same kind is no distance; against a number it is infinite."""
    if not losses or not others:
        return None
    pairs = [pair for one, two in zip(losses, others, strict=True) for pair in zip(one, two, strict=True)]
    return max((_distance(one, two) for one, two in pairs), default=0.0)


def _distance(one: float, two: float) -> float:
    if one == two or (math.isnan(one) and math.isnan(two)):
        return 0.0
    distance = abs(one - two)
    return math.inf if math.isnan(distance) else distance
