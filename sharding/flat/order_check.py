"""Whether all ranks run the same units in the same order, compared in the first training step only.

Ranks that run different modules would meet in collectives of different sizes: a hang, or mixed weights. So in
the first training forward of a local tree, and in its first backward, each rank says what it is about to
gather or reduce and compares before it does, and says so too when its pass ends or fails. After that step
nothing is said any more."""

from __future__ import annotations

from sharding.errors import RankMismatchError
from sharding.flat.agreement import compare, post
from sharding.flat.collectives import Collectives

FORWARD, BACKWARD = "forward", "backward"


class OrderCheck:
    """The comparison of one kind of pass, forward or backward, of a local tree or a replicate group.

    Attributes:
        is_active: whether the first such pass is running.
    """

    def __init__(self, topic: str, ranks: Collectives, kind: str = FORWARD) -> None:
        self._kind = kind
        self._topic = topic
        self._ranks = ranks
        self._num_tries = 0
        self._done = ranks.world_size == 1
        self._num_compared = 0
        self.is_active = False

    def begin(self, *, trains: bool) -> None:
        """A pass begins."""
        self.is_active = trains and not self._done
        self._num_tries += self.is_active
        self._num_compared = 0

    def compare(self, fqn: str, numel: int, verb: str = "") -> None:
        """About to speak for a unit: to gather it in forward, to do what `verb` says in backward.

        Raises:
            RankMismatchError: another rank is about to do something else; on every rank, within the time of a message.
        """
        if self.is_active:
            self._compare(f"{verb}unit {fqn!r} of {numel} elements")

    def end(self) -> None:
        """The pass is over."""
        if self.is_active:
            self._compare(f"the end of {self._kind}")
            self.is_active, self._done = False, True

    def _compare(self, text: str) -> None:
        self._num_compared += 1
        compare(self._place(), f"order of units in {self._kind}", [(f"number {self._num_compared}", text)], self._ranks)

    def _place(self) -> str:
        return f"{self._topic}/{self._kind}/{self._num_tries}/{self._num_compared}"

    def failed(self, error: BaseException | None) -> None:
        """This rank's pass raised: tell the ranks that wait."""
        if self.is_active and not isinstance(error, RankMismatchError):
            self._num_compared += 1
            row = (f"number {self._num_compared}", _failure(self._kind, error))
            post(self._place(), [row], self._ranks)
        self.is_active = False


def _failure(kind: str, error: BaseException | None) -> str:
    return f"a failed {kind}" if error is None else f"a failed {kind} ({type(error).__name__}: {error})"
