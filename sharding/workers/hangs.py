"""Which rank has not arrived where others wait: from the states of all ranks to one card of text.

Pure: states in, a `Hang` or nothing out. Two things are found: ranks that wait in a collective which others have not
entered, and ranks that entered different collectives under the same number. Nothing is stopped or killed for it.
Called by `conductor.py`; the rank's half is `watching.py`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sharding.workers.watching import period_s

MISMATCH_AFTER_S = 0.2  # both have entered, so nothing can make it right; the second look is to have both lines
SAME_SIZES = ("all_reduce", "allreduce", "all_gather", "_allgather_base", "reduce_scatter", "_reduce_scatter_base")
NO_SIGN = "gives no sign: stopped, or in native code that does not let Python run"
RETURNED = "has already returned from the call"


@dataclass(frozen=True)
class State:
    """What a rank said last: `groups`, `recent` and `line` as `watching.py` makes them, and when it was heard."""

    groups: Mapping[str, Mapping[str, Any]]
    recent: Mapping[str, list[Mapping[str, Any]]]
    line: str
    heard_s: float


@dataclass(frozen=True)
class Hang:
    """A finding.

    Attributes:
        why: "missing" (ranks have not arrived) or "mismatch" (ranks entered different collectives).
        group, seq: torch's name of the process group, and the number of the collective in it.
        op, unit: what the waiting ranks entered, and the FQN of the unit it belongs to; None if no unit's.
        waiting, others: ranks that wait, and those that have not arrived or entered something else.
        waits_s: how long the first has waited.
        text: the card.
        again: whether it was told before and goes on.
    """

    why: str
    group: str
    seq: int
    op: str
    unit: str | None
    waiting: tuple[int, ...]
    others: tuple[int, ...]
    waits_s: float
    text: str = ""
    again: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for the same hang seen again."""
        return self.why, self.group, self.seq, self.waiting, self.others


@dataclass
class HangWatch:
    """The states of one call's ranks, and what was last found.

    Attributes:
        after_s: how long a rank may wait before it is a hang.
        done: ranks whose part of the call is over.
    """

    after_s: float
    done: set[int] = field(default_factory=set)
    states: dict[int, State] = field(default_factory=dict)
    _told: dict[tuple[object, ...], float] = field(default_factory=dict)

    def hear(self, rank: int, fields: Mapping[str, Any]) -> Hang | None:
        """Take a rank's state; returns a hang that is new, or that was not told for `after_s`."""
        now = time.monotonic()
        self.states[rank] = State(fields["groups"], fields["recent"], fields["line"], now)
        hang = diagnose(self.states, self.done, self.after_s, now)
        if hang is None or now - self._told.get(hang.key, -self.after_s) < self.after_s:
            return None
        again = hang.key in self._told
        self._told[hang.key] = now
        return replace(hang, again=again)

    def finish(self, rank: int, groups: Mapping[str, Mapping[str, Any]]) -> None:
        """The rank's part of the call is over, and it had entered so many collectives."""
        self.done.add(rank)
        self.states[rank] = State(groups, {}, "", time.monotonic())


def diagnose(states: Mapping[int, State], done: Iterable[int], after_s: float, now_s: float) -> Hang | None:
    """What hangs, by the states of the ranks heard so far; None when nothing does."""
    for rank in sorted(states):
        for name, collectives in states[rank].recent.items():
            first = next((each for each in collectives if not each["over"]), None)
            if first is None or first["waits_s"] < min(after_s, MISMATCH_AFTER_S):
                continue
            members = states[rank].groups.get(name, {}).get("ranks", [])
            found = _mismatch(states, name, members, first["waits_s"])
            if found is None and first["waits_s"] >= after_s:
                found = _missing(states, name, members, first)
            if found is not None:
                return _with_card(found, states, set(done), now_s, 3 * period_s(after_s))
    return None


def _missing(states: Mapping[int, State], name: str, members: Iterable[int], at: Mapping[str, Any]) -> Hang | None:
    seq = at["seq"]
    entered = {rank: _entered(states, rank, name) for rank in members}
    missing = tuple(rank for rank, number in entered.items() if number < seq)
    waiting = tuple(rank for rank, number in entered.items() if number >= seq)
    if not missing:
        return None
    return Hang("missing", name, seq, at["op"], at["unit"], waiting, missing, at["waits_s"])


def _entered(states: Mapping[int, State], rank: int, name: str) -> int:
    return states[rank].groups.get(name, {}).get("entered", 0) if rank in states else 0


def _mismatch(states: Mapping[int, State], name: str, members: Iterable[int], waits_s: float) -> Hang | None:
    """The first collective that two ranks entered under one number as different things."""
    by_seq: dict[int, dict[int, Mapping[str, Any]]] = {}
    for rank in members:
        for each in states[rank].recent.get(name, []) if rank in states else []:
            by_seq.setdefault(each["seq"], {})[rank] = each
    for seq in sorted(by_seq):
        by_rank = by_seq[seq]
        first = next(iter(by_rank.values()))
        others = tuple(rank for rank, each in by_rank.items() if _signature(each) != _signature(first))
        if others:
            same = tuple(rank for rank in by_rank if rank not in others)
            return Hang("mismatch", name, seq, first["op"], first["unit"], same, others, waits_s)
    return None


def _signature(collective: Mapping[str, Any]) -> tuple[object, ...]:
    sized = collective["op"] in SAME_SIZES
    return collective["op"], *((str(collective["sizes"]), str(collective["dtypes"])) if sized else ())


def _with_card(hang: Hang, states: Mapping[int, State], done: set[int], now_s: float, silent_s: float) -> Hang:
    def place(rank: int) -> str:
        if rank in done:
            return RETURNED
        state = states.get(rank)
        if state is None or now_s - state.heard_s > silent_s:
            return NO_SIGN
        return f"is at {state.line}" if state.line else "goes on elsewhere"

    ranks = sorted({*hang.waiting, *hang.others})
    lines = [_head(hang, states), *(f"  rank {rank} {place(rank)}" for rank in ranks)]
    return replace(hang, text="\n".join(lines))


def _head(hang: Hang, states: Mapping[int, State]) -> str:
    if hang.why == "mismatch":
        sides = [f"rank {rank} {_described(states, hang, rank)}" for rank in (hang.waiting[0], hang.others[0])]
        return f"different collectives under number {hang.seq}: {', '.join(sides)}"
    verb = "has" if len(hang.others) == 1 else "have"
    wait = "waits" if len(hang.waiting) == 1 else "wait"
    what = _described(states, hang, hang.waiting[0])
    return f"{_ranks(hang.others)} {verb} not arrived at {what}; {_ranks(hang.waiting)} {wait} for {hang.waits_s:.0f} s"


def _described(states: Mapping[int, State], hang: Hang, rank: int) -> str:
    """ "all_gather #3 (Float [4]) of unit 'layers.0'"."""
    recent = states[rank].recent.get(hang.group, []) if rank in states else []
    found = next((each for each in recent if each["seq"] == hang.seq), None)
    if found is None:
        return f"{hang.op} #{hang.seq}"
    what = ", ".join(f"{dtype} {size}" for dtype, size in zip(found["dtypes"], found["sizes"], strict=False))
    what += f", {found['nbytes']:,} bytes" if found.get("nbytes") else ""
    unit = "" if found["unit"] is None else f" of unit {found['unit']!r}" if found["unit"] else " of the root unit"
    group = "" if found["group"] in ("default_pg", "undefined", "") else f" in group {found['group']!r}"
    return f"{found['op']} #{hang.seq}{f' ({what})' if what else ''}{unit}{group}"


def _ranks(ranks: tuple[int, ...]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
