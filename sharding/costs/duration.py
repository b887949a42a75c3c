"""How long a step's arithmetic and its communication take by themselves, at rates that somebody gives.

Never one number: how far the two overlap, and what else takes time, nobody knows before it ran. A step takes at least
the longer of the two bars. Rates are set by hand or read off a run (`Comparison.rates`); none is assumed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sharding.costs.setting import Setting
from sharding.costs.traffic import Traffic
from sharding.errors import PlanError
from sharding.tracing.record import Trace

Phase = Literal["forward", "backward"]


@dataclass(frozen=True)
class Rates:
    """What one rank and its links are taken to do.

    Attributes:
        flops_per_s: floating-point operations of a rank; None where nobody said.
        bytes_per_s: what a rank sends, in a ring.
        latency_s: what every collective takes besides.
        source: where the numbers come from, for whoever reads the result.

    Raises:
        PlanError: a rate that is no positive number.
    """

    flops_per_s: float | None = None
    bytes_per_s: float | None = None
    latency_s: float = 0.0
    source: str = "as given"

    def __post_init__(self) -> None:
        for name, unit in (("flops_per_s", "operations a second, such as 4e14"), ("bytes_per_s", "bytes a second")):
            value = getattr(self, name)
            if value is not None and not (_is_number(value) and value > 0):
                raise PlanError(f"{name}={value!r}; give {unit}, more than 0")
        if not (_is_number(self.latency_s) and self.latency_s >= 0):
            raise PlanError(f"latency_s={self.latency_s!r}; give seconds a collective, 0 or more")

    @property
    def fields(self) -> dict[str, float | None]:
        """The numbers, as `Exploration.what_if` takes them."""
        return {"flops_per_s": self.flops_per_s, "bytes_per_s": self.bytes_per_s, "latency_s": self.latency_s}


@dataclass(frozen=True)
class PhaseTime:
    """The two bars of one phase, in seconds; None where a rate or a trace is missing.

    Attributes:
        phase: "forward" or "backward".
        compute_s: matrix products, convolutions and attention at `flops_per_s`.
        communication_s: bytes a rank sends at `bytes_per_s`, and `latency_s` a collective.
    """

    phase: Phase
    compute_s: float | None
    communication_s: float | None


@dataclass(frozen=True)
class StepTime:
    """Both phases of a training step.

    Attributes:
        rates: what was assumed.
        phases: forward, then backward.
        missing: what would have to be known for the bars that are None.
    """

    rates: Rates
    phases: tuple[PhaseTime, ...]
    missing: tuple[str, ...] = ()

    @property
    def compute_s(self) -> float | None:
        """Seconds of arithmetic in a step."""
        return _sum([phase.compute_s for phase in self.phases])

    @property
    def communication_s(self) -> float | None:
        """Seconds of communication in a step."""
        return _sum([phase.communication_s for phase in self.phases])


def step_time(traffic: Sequence[Traffic], trace: Trace | None, setting: Setting, rates: Rates) -> StepTime:
    """The bars of one training step; with accumulation all its forwards and backwards count."""
    missing = []
    if trace is None:
        missing.append("compute: a trace, which counts the operations")
    if rates.flops_per_s is None:
        missing.append("compute: flops_per_s")
    if rates.bytes_per_s is None and traffic:
        missing.append("communication: bytes_per_s")
    phases = tuple(
        PhaseTime(phase, _compute_s(trace, phase, setting, rates), _communication_s(traffic, phase, rates))
        for phase in _PHASES
    )
    return StepTime(rates, phases, tuple(missing))


_PHASES: tuple[Phase, ...] = ("forward", "backward")


def _compute_s(trace: Trace | None, phase: Phase, setting: Setting, rates: Rates) -> float | None:
    if trace is None or rates.flops_per_s is None:
        return None
    flops = trace.forward_flops if phase == "forward" else trace.flops - trace.forward_flops
    return setting.accumulation_steps * flops / rates.flops_per_s


def _communication_s(traffic: Sequence[Traffic], phase: Phase, rates: Rates) -> float | None:
    those = [each for each in traffic if each.phase == phase]
    if not those:
        return 0.0
    if rates.bytes_per_s is None:
        return None
    sent, count = sum(each.ring_nbytes for each in those), sum(each.count for each in those)
    return sent / rates.bytes_per_s + count * rates.latency_s


def _sum(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) if len(known) == len(seconds) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value and abs(value) < 1e300
