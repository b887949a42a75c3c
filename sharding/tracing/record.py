"""A trace: what happens in one forward and backward, in order, and how many bytes of activations are alive.

Plain data, without tensors or modules. Names are clean FQNs of the model that was traced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from sharding.errors import PlanError
from sharding.layout import Layout

EventKind = Literal["begin", "end", "gradient", "backward", "over"]


class TraceEvent(NamedTuple):
    """One thing that happens.

    Attributes:
        kind: a module's forward begins ("begin") or ends ("end"), its backward begins ("backward", gradients reached an
            output) or is over ("over", gradients came out of its inputs), or a parameter's gradient is complete.
        name: of the module or parameter.
        change: by how many bytes the activations alive have changed since the event before.
        rise: how far they rose above that event's in between.
        by_dtype: the change as `(dtype, bytes)`.
        flops: floating-point operations of matrix products, convolutions and attention since the event before.
    """

    kind: EventKind
    name: str
    change: int
    rise: int
    by_dtype: tuple[tuple[str, int], ...] = ()
    flops: int = 0


class Moment(NamedTuple):
    """An event with what is alive.

    Attributes:
        kind, name: of the event.
        nbytes: activations alive at it.
        most: the most that were alive since the event before.
    """

    kind: EventKind
    name: str
    nbytes: int
    most: int


class Saved(NamedTuple):
    """What forward leaves alive of one dtype for backward."""

    dtype: str
    nbytes: int


@dataclass(frozen=True, repr=False)
class Trace:
    """One training step of a model on its own, without any sharding.

    Attributes:
        events: what happens, in order.
        num_forward: how many of them belong to forward.
        repeats: `(name of the container, first, how many)` of the equal blocks that were run as 2 and 3; empty if the
            whole model was run.
        num_modules: of the model, those that do not run included.
        seconds: how long it took.
        made_on: whose kernels' shapes and temporaries it holds for.
    """

    events: Sequence[TraceEvent]
    num_forward: int
    repeats: tuple[tuple[str, int, int], ...]
    num_modules: int
    seconds: float
    made_on: str = "cpu kernels"

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The events with what is alive at each."""
        alive = 0
        found = []
        for kind, name, change, rise, _, _ in self.events:
            found.append(Moment(kind, name, alive + change, alive + rise))
            alive += change
        return tuple(found)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Modules in the order their forwards first began."""
        return tuple(dict.fromkeys(e.name for e in self.events[: self.num_forward] if e.kind == "begin"))

    @cached_property
    def calls(self) -> Mapping[str, int]:
        """How often forward calls each module; modules that do not run are not in it."""
        return Counter(e.name for e in self.events[: self.num_forward] if e.kind == "begin")

    @cached_property
    def saved(self) -> tuple[Saved, ...]:
        """What is alive between forward and backward, by dtype."""
        sums: Counter[str] = Counter()
        for event in self.events[: self.num_forward]:
            for dtype, nbytes in event.by_dtype:
                sums[dtype] += nbytes
        return tuple(Saved(dtype, nbytes) for dtype, nbytes in sorted(sums.items()) if nbytes)

    @property
    def activation_nbytes(self) -> int:
        """Bytes alive between forward and backward."""
        return self.moments[self.num_forward - 1].nbytes

    @property
    def flops(self) -> int:
        """Floating-point operations of matrix products, convolutions and attention, forward and backward."""
        return sum(event.flops for event in self.events)

    @property
    def forward_flops(self) -> int:
        """Those of the forward alone."""
        return sum(event.flops for event in self.events[: self.num_forward])

    @property
    def peak_activation_nbytes(self) -> int:
        """The most bytes of activations and gradients on their way that are ever alive."""
        return max(moment.most for moment in self.moments)

    def on(self, layout: Layout) -> Layout:
        """The layout with its units' order of running: `layout.orders` has "forward" then.

        Raises:
            PlanError: the trace is of another model.
        """
        unknown = next((name for name in self.order if name not in layout.tree.fqns), None)
        if unknown is not None:
            raise PlanError(f"the trace is of another model: it has {unknown!r}, which {layout!r} has not")
        if self.num_modules != len(layout.tree.nodes):
            raise PlanError(
                f"the trace is of another model: it has {self.num_modules:,} modules, {layout!r} has "
                f"{len(layout.tree.nodes):,}"
            )
        return replace(layout, ran=self.order)

    def to_text(self) -> str:
        """A few lines for a person."""
        blocks = ", ".join(f"{count} x {name or 'blocks'}" for name, _, count in self.repeats)
        how = f"of copies with 2 and 3 of {blocks}" if self.repeats else "of the whole model"
        saved = ", ".join(f"{each.nbytes:,} of {each.dtype}" for each in self.saved)
        again = {name: count for name, count in self.calls.items() if count > 1}
        lines = [
            f"One forward and backward {how}, {self.made_on}, {self.seconds:.2f} s: {len(self.order):,} modules run",
            f"alive between forward and backward: {self.activation_nbytes:,} bytes ({saved})",
            f"at most at once: {self.peak_activation_nbytes:,} bytes of activations and gradients on their way",
        ]
        if self.flops:
            lines.append(f"products and attention: {self.flops:,} FLOPs, of which {self.forward_flops:,} in forward")
        if again:
            shown = ", ".join(f"{name or '(root)'} {count}" for name, count in list(again.items())[:6])
            lines.append(f"called several times: {shown}{' ...' if len(again) > 6 else ''}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"Trace({len(self.events):,} events, {self.activation_nbytes:,} bytes of activations)"
