"""Waiting for a collective, and what to say when it does not end well.

After the first step ranks compare nothing any more. If one then runs other units than the rest, or is gone, the process
group notices at the latest when its timeout is over; here that is given the name of the unit that was waited for."""

from __future__ import annotations

from sharding.errors import RankMismatchError
from sharding.flat.collectives import Work
from sharding.flat.recording import Recorder


def wait_for(work: Work, what: str, recorder: Recorder) -> None:
    """Block until `work` is done.

    Args:
        work: a collective on its way.
        what: what it does, in a word.
        recorder: the voice of the unit or group it is for.

    Raises:
        RankMismatchError: it failed, or took longer than the process group's timeout.
    """
    try:
        work.wait()
    except RuntimeError as error:
        raise RankMismatchError(
            f"{what} of unit {recorder.fqn!r} did not end on rank {recorder.rank}: another rank is gone, runs other "
            "units than this one, or takes longer than the process group's timeout. Run the same modules on every rank "
            "in every step; this process group can hardly be used any more. The process group says: "
            f"{str(error).splitlines()[0][:300]}"
        ) from error
