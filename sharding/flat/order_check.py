"""Whether all ranks run the same units in the same order: asked in the first step, and where a rank departs from it.

Ranks that run different modules would meet in collectives of different sizes: a hang, or mixed weights. So in the
first training forward of a local tree, and in its first backward, each rank says what it is about to gather or reduce
and compares before it does, and says so too when its pass ends or fails. What was agreed on is remembered. A later pass
that follows it says nothing; a rank that is about to do anything else compares again from there on."""

from __future__ import annotations

from sharding.errors import RankMismatchError
from sharding.flat.agreement import compare, post
from sharding.flat.collectives import Collectives

FORWARD, BACKWARD = "forward", "backward"

Step = tuple[str, str, int]
"""What is done, for which unit, with how many elements."""

END: Step = ("end", "", 0)


class OrderCheck:
    """The comparison of one kind of pass, forward or backward, of a local tree or a replicate group.

    Attributes:
        is_active: whether such a pass is running.
    """

    def __init__(self, topic: str, ranks: Collectives, kind: str = FORWARD) -> None:
        self._kind = kind
        self._topic = topic
        self._ranks = ranks
        self._agreed: list[Step] | None = None
        self._steps: list[Step] = []
        self._asks = False
        self._num_asked = 0
        self.is_active = False

    def begin(self, *, trains: bool) -> None:
        """A pass begins."""
        self.is_active = trains and self._ranks.world_size > 1
        self._steps = []
        self._asks = False

    def compare(self, fqn: str, numel: int, verb: str = "") -> None:
        """About to speak for a unit: to gather it in forward, to do what `verb` says in backward.

        Raises:
            RankMismatchError: another rank is about to do something else; on every rank, within the time of a message,
                in the first pass. Later on the rank that departs waits for the others, who may be waiting for it.
        """
        if self.is_active:
            self._take((verb, fqn, numel))

    def end(self) -> None:
        """The pass is over."""
        if self.is_active:
            self._take(END)
            self._agreed = self._steps
            self.is_active = False

    def _take(self, step: Step) -> None:
        place = len(self._steps)
        self._steps.append(step)
        if not self._asks:
            agreed = self._agreed
            if agreed is not None and place < len(agreed) and agreed[place] == step:
                return
            self._ask()
        compare(self._place(), f"order of units in {self._kind}", [self._row(self._in_words(step))], self._ranks)

    def _ask(self) -> None:
        self._asks = True
        self._num_asked += 1

    def _in_words(self, step: Step) -> str:
        verb, fqn, numel = step
        return f"the end of {self._kind}" if step is END else f"{verb}unit {fqn!r} of {numel} elements"

    def _row(self, text: str) -> tuple[str, str]:
        return f"number {len(self._steps)}", text

    def _place(self) -> str:
        return f"{self._topic}/{self._kind}/{self._num_asked}/{len(self._steps)}"

    def failed(self, error: BaseException | None) -> None:
        """This rank's pass raised: tell the ranks that wait."""
        if self.is_active and self._agreed is None and not self._asks:
            self._ask()
        if self.is_active and self._asks and not isinstance(error, RankMismatchError):
            self._steps.append(END)
            post(self._place(), [self._row(_failure(self._kind, error))], self._ranks)
        self.is_active = False


def _failure(kind: str, error: BaseException | None) -> str:
    return f"a failed {kind}" if error is None else f"a failed {kind} ({type(error).__name__}: {error})"
