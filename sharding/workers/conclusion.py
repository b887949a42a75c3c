"""How a call ended as a whole, from how it ended on each rank: its status, its text, what is left of the
group.

Pure functions. Called by `conductor.py` when the last rank of a call is through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sharding.workers import failure
from sharding.workers.call import Status
from sharding.workers.failure import Outcome

_AFRESH = "The next call starts rank "
_KEPT = " keeps its values; process groups made before are void."


@dataclass(frozen=True)
class Ending:
    """What is known of a call besides its outcomes; `stopped_for`: "", "failure", "interrupt" or "timeout"."""

    call: int
    name: str
    seconds: float
    stopped_for: str
    silence_limit_s: float

    def head(self) -> str:
        call = f"call {self.call} ({self.name})"
        if self.stopped_for == "timeout":
            limit = f"{self.silence_limit_s:g} s"
            return f"{call} was stopped: no rank printed, emitted or answered anything for {limit} (`timeout=`)."
        return f"{call} was interrupted after {self.seconds:.1f} s."


def draw(ending: Ending, outcomes: Sequence[Outcome]) -> tuple[Status, str]:
    """The call's status and the text of its exception (empty when every rank answered)."""
    if all(outcome.kind == "answered" for outcome in outcomes):
        return "done", ""
    first = failure.first_failure(outcomes)
    if ending.stopped_for == "failure" and first is not None:
        return "failed", failure.message(first, outcomes, aftermath(outcomes))
    ranks = [f"  {outcome.head()}" for outcome in outcomes]
    status: Status = "failed" if ending.stopped_for == "timeout" else "interrupted"
    return status, "\n".join([ending.head(), *ranks, *aftermath(outcomes)])


def aftermath(outcomes: Sequence[Outcome]) -> list[str]:
    """What the user should know about the state of the ranks: whose is lost, whose is kept."""
    gone = [str(outcome.rank) for outcome in outcomes if outcome.is_gone]
    kept = [str(outcome.rank) for outcome in outcomes if not outcome.is_gone]
    if not gone:
        return []
    lines = [f"{_AFRESH}{', '.join(gone)} afresh: what it held is lost."]
    if kept:
        lines.append(f"Rank {', '.join(kept)}{_KEPT}")
    return lines


def without_aftermath(text: str) -> str:
    """The text of a call's exception for somebody who has no next call: the ranks are gone with this one."""
    lines = text.split("\n")
    return "\n".join(line for line in lines if not line.startswith(_AFRESH) and not line.endswith(_KEPT))


def out_of_step(outcomes: Sequence[Outcome], world_size: int) -> bool:
    """Whether the ranks can no longer share their process group: some entered more collectives than others."""
    if len(outcomes) < world_size:
        return any(outcome.kind != "answered" for outcome in outcomes)
    counts = {outcome.num_collectives for outcome in outcomes}
    return len(counts) > 1 or not counts.isdisjoint({None, -1})
