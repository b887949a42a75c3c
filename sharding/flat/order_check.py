"""Whether all ranks run the same units in the same order, compared in the first training forward only.

Ranks that run different modules would meet in collectives of different sizes: a hang, or mixed weights. So in
the first training forward of a local tree each rank says what it is about to gather and compares before it
does, and says so too when its forward ends or fails. After that forward nothing is said any more."""

from __future__ import annotations

from sharding.errors import RankMismatchError
from sharding.flat.agreement import compare, post
from sharding.flat.collectives import Collectives

WHAT = "order of units in forward"


class OrderCheck:
    """The comparison of one local tree.

    Attributes:
        is_active: whether a first training forward is running.
    """

    def __init__(self, topic: str, ranks: Collectives) -> None:
        self._topic = topic
        self._ranks = ranks
        self._num_tries = 0
        self._done = ranks.world_size == 1
        self._num_compared = 0
        self.is_active = False

    def begin(self, *, trains: bool) -> None:
        """A forward begins."""
        self.is_active = trains and not self._done
        self._num_tries += self.is_active
        self._num_compared = 0

    def compare(self, fqn: str, numel: int) -> None:
        """About to gather a unit.

        Raises:
            RankMismatchError: another rank is about to do something else; on every rank, within the time of a message.
        """
        self._compare(f"unit {fqn!r} of {numel} elements")

    def end(self) -> None:
        """The forward is over."""
        if self.is_active:
            self._compare("the end of forward")
            self.is_active, self._done = False, True

    def _compare(self, text: str) -> None:
        self._num_compared += 1
        compare(self._place(), WHAT, [(f"number {self._num_compared}", text)], self._ranks)

    def _place(self) -> str:
        return f"{self._topic}/order/{self._num_tries}/{self._num_compared}"

    def failed(self, error: BaseException | None) -> None:
        """This rank's forward raised: tell the ranks that wait."""
        if self.is_active and not isinstance(error, RankMismatchError):
            self._num_compared += 1
            row = (f"number {self._num_compared}", f"a failed forward ({type(error).__name__}: {error})")
            post(self._place(), [row], self._ranks)
        self.is_active = False
