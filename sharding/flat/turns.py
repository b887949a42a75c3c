"""The order in which replicate groups average that lie in no local tree and share a process group.

Each group has its own hooks and knows nothing of others: they may have been made by separate calls, in separate models.
When a bucket is full depends on which gradients a rank gets, so groups that averaged as they please could meet in each
other's collectives. So they take turns: what is left when backward ends goes out in the order the groups were made,
and a bucket goes out earlier only where the last backward, compared with the other ranks', was of its group alone."""

from __future__ import annotations

import weakref
from itertools import count
from typing import Protocol

import torch
import torch.distributed as dist

from sharding.flat.collectives import Collectives, OneRank, ProcessGroupRanks
from sharding.flat.order_check import BACKWARD, OrderCheck
from sharding.flat.torch_private import at_end_of_backward, current_backward


class Averages(Protocol):
    """A replicate group.

    Attributes:
        number: its place among the groups of its process group, in the order they were made.
    """

    number: int

    def launch_rest(self) -> None: ...

    def finish(self) -> None: ...


class Turns:
    """The groups of one process group.

    Attributes:
        check: whether the other ranks average the same in backward.
    """

    def __init__(self) -> None:
        self.check = OrderCheck("", OneRank(), BACKWARD)
        self._numbers = count()
        self._backward: int | None = None
        self._present: list[Averages] = []
        self._only: weakref.ref[Averages] | None = None

    def join(self, topic: str, ranks: Collectives) -> int:
        """One group more, so the next backward is compared; the group's number."""
        self.check = OrderCheck(topic, ranks, BACKWARD)
        self._only = None
        return next(self._numbers)

    def enter(self, group: Averages) -> None:
        """The backward that is running concerns this group."""
        now = current_backward()
        if self._backward != now:
            self._backward, self._present = now, []
            self.check.failed(None)
            self.check.begin(trains=True)
            at_end_of_backward(self._finish)
        self._present.append(group)

    def may_hurry(self, group: Averages) -> bool:
        """Whether a full bucket of the group may go out while backward runs."""
        return len(self._present) == 1 and self._only is not None and self._only() is group

    @torch.no_grad()
    def _finish(self) -> None:
        """Backward is over: average what is left, wait for everything."""
        present = sorted(self._present, key=lambda group: group.number)
        for group in present:
            group.launch_rest()
        for group in present:
            group.finish()
        self.check.end()
        self._only = weakref.ref(present[0]) if len(present) == 1 else None
        self._backward, self._present = None, []


_TURNS: weakref.WeakKeyDictionary[dist.ProcessGroup, Turns] = weakref.WeakKeyDictionary()
"""By process group; lives as long as that."""


def turns_of(ranks: Collectives) -> Turns:
    """The turns of the process group these ranks speak over."""
    if not isinstance(ranks, ProcessGroupRanks):
        return Turns()
    return _TURNS.setdefault(ranks.group, Turns())
