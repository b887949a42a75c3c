"""Which failure is raised, as what, and with which text: from outcomes, without a process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sharding.errors import WorkerError
from sharding.workers import conclusion, failure, oom, report, shipping
from sharding.workers.conclusion import Ending
from sharding.workers.failure import Outcome


def failed(rank: int, error: BaseException, time_ns: int = 0) -> Outcome:
    fields, payload = report.describe(error, {})
    place = f"rank {rank} of 3 (pid 4711, cpu)"
    return Outcome(rank, "failed", time_ns, place, payload, fields, num_collectives=0)


def died(rank: int, code: int | None, time_ns: int = 0) -> Outcome:
    fields = {"text": failure.death_text(code), "stderr": ["boom"]}
    return Outcome(rank, "died", time_ns, f"rank {rank} of 3 (pid 4711, cpu)", fields=fields)


def test_the_first_failure_by_the_ranks_clock_counts() -> None:
    """Not the one whose message was read first."""
    outcomes = [failed(0, ValueError("late"), 20), failed(1, KeyError("early"), 10)]
    assert failure.first_failure(outcomes) is outcomes[1]


def test_a_lost_connection_never_hides_the_death_that_caused_it() -> None:
    """The peers notice before the kernel does."""
    lost = failed(0, RuntimeError("Connection closed by peer [127.0.0.1]:4711"), 10)
    assert failure.first_failure([lost, died(1, -9, 20)]) != lost
    assert failure.first_failure([lost]) is lost
    joining = failed(0, RuntimeError("whatever a broken rendezvous says"), 10)
    joining = Outcome(**{**vars(joining), "fields": {**joining.fields, "joining": True}})
    death = died(1, 3, 20)
    assert failure.first_failure([joining, death]) is death


class OddError(Exception):
    """An exception whose `__init__` takes something else than its args."""

    def __init__(self, code: int, *, detail: str) -> None:
        super().__init__(f"code {code}")
        self.detail = detail


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad"),
        KeyError("name"),
        OSError(2, "No such file"),
        OddError(3, detail="x"),
        ValueError(),
        ValueError("a", 1),
    ],
    ids=lambda error: repr(error),
)
def test_the_exception_comes_back_as_its_own_class(error: Exception) -> None:
    """With the text of the ranks as its text and its attributes kept."""
    back = failure.exception(failed(1, error), "rank 1 of 3: the text")
    assert isinstance(back, type(error))
    assert type(back).__name__ == type(error).__name__
    assert str(back) == "rank 1 of 3: the text"
    assert getattr(back, "detail", None) == getattr(error, "detail", None)


def test_what_would_end_the_kernel_comes_back_as_a_worker_error() -> None:
    """SystemExit in a rank must not stop the notebook."""
    assert type(failure.exception(failed(0, SystemExit(3)), "text")) is WorkerError


def test_an_exception_that_cannot_travel_comes_back_as_a_worker_error() -> None:
    """Its name and text are still told."""

    class LocalError(Exception):
        def __reduce__(self) -> str:
            raise TypeError("no")

    LocalError.__module__ = "nowhere"
    outcome = failed(0, LocalError("hidden"))
    outcome = Outcome(**{**vars(outcome), "payload": b""})
    assert type(failure.exception(outcome, outcome.head())) is WorkerError
    assert "LocalError: hidden" in outcome.head()


def test_the_text_has_the_failure_first_and_one_line_for_each_other_rank() -> None:
    """Frames and state lines in between and after."""
    try:
        raise ValueError("7 channels")
    except ValueError as error:
        first = failed(1, error, 5)
    killed = Outcome(0, "killed", 9, "rank 0 of 3 (pid 1, cpu)", fields={"text": "killed: it did not answer"})
    answered = Outcome(2, "answered", 4, "rank 2 of 3 (pid 2, cpu)")
    status, text = conclusion.draw(Ending(1, "train", 0.1, "failure", 300), [killed, first, answered])
    lines = text.splitlines()
    assert status == "failed"
    assert lines[0] == "rank 1 of 3 (pid 4711, cpu): ValueError: 7 channels"
    assert lines[1].startswith('  File "tests/workers/test_failure.py", line ')
    assert lines[2].strip() == 'raise ValueError("7 channels")'
    assert lines[3:] == [
        "also rank 0 of 3 (pid 1, cpu): killed: it did not answer",
        "The next call starts rank 0 afresh: what it held is lost.",
        "Rank 1, 2 keeps its values; process groups made before are void.",
    ]
    assert conclusion.without_aftermath(text).splitlines() == lines[:-2]


def test_a_message_stays_short_whatever_happened() -> None:
    """At most 25 lines: of a long text the head, of frames and stderr the end, many other ranks by how they ended."""

    def deep(depth: int) -> None:
        exec(f"def f{depth}(go): go()" if depth else "", names := {})
        if depth:
            names[f"f{depth}"](lambda: deep(depth - 1))
        raise ValueError("\n".join(f"text {number}" for number in range(40)))

    try:
        deep(9)
    except ValueError as error:
        first = failed(5, error, 1)
    others = [Outcome(rank, "interrupted", 2, f"rank {rank} of 64 (pid 1, cpu)") for rank in range(64) if rank != 5]
    kinds = [failed(rank, RuntimeError(f"Connection closed by peer {rank}"), 3) for rank in range(64, 84)]
    lines = failure.message(first, [first, *others, *kinds], ["The next call starts rank 5 afresh."]).splitlines()
    assert len(lines) <= failure.MAX_LINES
    assert "text 0" in lines[0]
    assert any(line.startswith("also ranks 0, 1, 2, 3, 4, 6, 7, ") and line.endswith(": interrupted") for line in lines)
    assert lines[-1] == "The next call starts rank 5 afresh."
    stderr = {"text": "died", "stderr": [f"line {number}" for number in range(20)]}
    dead = Outcome(5, "died", 1, "rank 5 of 64 (pid 1, cpu)", fields=stderr)
    lines = failure.message(dead, [dead, *others[:3]], ["kept"]).splitlines()
    assert len(lines) == failure.MAX_LINES
    assert "  line 19" in lines


def test_frames_of_libraries_are_folded() -> None:
    """Only the user's lines are shown with source."""
    import json

    try:
        json.loads("{")
    except ValueError as error:
        lines = report.frame_lines(error, {})
    assert "json.loads" in lines[1]
    assert lines[2].startswith("  … 3 frames of library code, last json/decoder.py:")


def test_long_tracebacks_stay_short() -> None:
    """A recursion a thousand deep is not a page of text."""

    def down(depth: int) -> None:
        if depth == 0:
            raise ValueError("bottom")
        down(depth - 1)

    with pytest.raises(ValueError, match="bottom") as caught:
        down(200)
    assert len(report.frame_lines(caught.value, {})) <= 20


@pytest.mark.parametrize(
    ("code", "text"), [(-11, "killed by SIGSEGV (signal 11)"), (3, "exited with status 3"), (None, "not known")]
)
def test_deaths_are_told_in_words(code: int | None, text: str) -> None:
    """Signal names, exit codes, or that nobody knows."""
    assert text in failure.death_text(code)


def test_shipping_is_its_own_exception_class() -> None:
    """A caller may catch TypeError."""
    with pytest.raises(TypeError):
        shipping.check_callable(3)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no ExceptionGroup")
def test_ranks_with_errors_of_their_own_raise_a_group() -> None:
    """Each as its class with its rank and lines; what only followed from another is folded."""
    interrupted = failed(2, RuntimeError("cleaning up"), 3)
    interrupted = Outcome(**{**vars(interrupted), "fields": {**interrupted.fields, "interrupted": True}})
    outcomes = [failed(0, KeyError("a"), 2), failed(1, ValueError("b"), 1), interrupted]
    first = failure.first_failure(outcomes)
    assert first is outcomes[1]
    error = failure.exception_of_all(first, outcomes, failure.message(first, outcomes, []))
    members = getattr(error, "exceptions", ())
    assert [type(each).__name__ for each in members] == ["KeyError", "ValueError"]
    assert str(members[1]).startswith("rank 1 of 3 (pid 4711, cpu): ValueError: b")
    assert str(error).startswith("rank 1 of 3 (pid 4711, cpu): ValueError: b\nalso rank 0 of 3")


def test_the_same_class_on_several_ranks_is_one_error() -> None:
    """`except ValueError` goes on working; a death keeps its own form."""
    same = [failed(0, ValueError("a"), 2), failed(1, ValueError("b"), 1)]
    assert type(failure.exception_of_all(same[1], same, "text")) is ValueError
    death = [died(0, -9, 0), failed(1, ValueError("b"), 1), failed(2, KeyError("b"), 2)]
    assert type(failure.exception_of_all(death[0], death, "text")) is WorkerError


def test_the_oom_killer_is_named_when_its_counter_moved(tmp_path: Path) -> None:
    """Of version 2 and version 1 of cgroups; a SIGKILL without it stays a SIGKILL."""
    own = tmp_path / "own"
    own.write_text("0::/user.slice/me\n")
    assert oom.num_kills(tmp_path, own) == 0
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 2\n")
    assert oom.num_kills(tmp_path, own) == 2
    (tmp_path / "user.slice" / "me").mkdir(parents=True)
    (tmp_path / "user.slice" / "me" / "memory.events").write_text("oom_kill 3\n")
    assert oom.num_kills(tmp_path, own) == 3
    own.write_text("4:cpu,memory:/me\n")
    (tmp_path / "memory.events").unlink()
    (tmp_path / "memory" / "me").mkdir(parents=True)
    (tmp_path / "memory" / "me" / "memory.oom_control").write_text("under_oom 0\noom_kill 5\n")
    assert oom.num_kills(tmp_path, own) == 5
    assert failure.death_text(-9, out_of_memory=True).startswith("died: killed by the OOM killer")
    assert failure.death_text(-9) == "died: killed by SIGKILL (signal 9)"
    assert failure.death_text(3, out_of_memory=True) == failure.death_text(3)
