"""From what the ranks said or how they died to the one exception the caller sees.

The first failure by the rank's own clock is raised, as its own class; a lost connection counts only when
nothing better explains the end. Everything else is folded into one line a rank. Called by `call.py` in the
thread that asks for the result; the rank's half is `report.py`.
"""

from __future__ import annotations

import builtins
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sharding.errors import WorkerError
from sharding.workers import oom, parcel

MAX_LINES = 25
MAX_TEXT_LINES = 10
MAX_OTHERS = 4
_LOST_CONNECTION = (
    "Connection closed by peer",
    "Connection reset by peer",
    "Broken pipe",
    "Connection refused",
    "connectFullMesh failed",
    "NCCL communicator was aborted",
    "Socket closed",
)


_ExceptionGroup: Any = getattr(builtins, "ExceptionGroup", None)  # Python 3.11
OutcomeKind = Literal["answered", "failed", "interrupted", "died", "killed"]


@dataclass(frozen=True)
class Outcome:
    """How one rank's part of a call ended.

    Attributes:
        kind: "answered", "failed" (raised), "interrupted" (took the interrupt), "died" (by itself), "killed"
        (by us).
        fields: what the rank reported, see `report.describe`; for deaths `text` and `stderr`.
        num_collectives: collectives the rank had entered, None when it could not say.
    """

    rank: int
    kind: OutcomeKind
    time_ns: int
    place: str = ""
    payload: bytes | memoryview = b""
    fields: Mapping[str, Any] = field(default_factory=dict)
    num_collectives: int | None = None

    @property
    def is_failure(self) -> bool:
        return self.kind in ("failed", "died")

    @property
    def is_gone(self) -> bool:
        return self.kind in ("died", "killed")

    @property
    def is_lost_connection(self) -> bool:
        """Whether another rank's end explains it: its group never formed, or broke under it."""
        if self.kind != "failed":
            return False
        return self.fields.get("joining", False) or any(text in self.fields["text"] for text in _LOST_CONNECTION)

    def head(self) -> str:
        """ "rank 1 of 2 (pid 4711, cpu): ValueError: the text"."""
        return f"{self.place}: {self.sentence()}".rstrip(": ")

    def sentence(self) -> str:
        """ "ValueError: the text", "interrupted", "died: killed by SIGKILL (signal 9)"."""
        if self.kind == "failed":
            return f"{self.fields['type_name']}: {self.fields['text']}".rstrip(": ")
        if self.kind in ("answered", "interrupted"):
            return self.kind
        return self.fields.get("text", self.kind)


def first_failure(outcomes: Sequence[Outcome]) -> Outcome | None:
    """The failure that explains the others, or None when no rank failed by itself."""
    failures = sorted((o for o in outcomes if o.is_failure), key=lambda o: (o.is_lost_connection, o.time_ns))
    return failures[0] if failures else None


def message(first: Outcome, outcomes: Sequence[Outcome], aftermath: Sequence[str]) -> str:
    """The whole text of the exception: first failure, user's frames, the other ranks, what was lost.

    Of several different errors the frames are left to the members of the group.
    """
    head = _cut(first.head().split("\n"), MAX_TEXT_LINES)
    frames = str(first.fields.get("frames") or "") if first not in _of_their_own(outcomes) else ""
    cause = [f"  caused by {first.fields['cause']}"] if first.fields.get("cause") else []
    end = [*cause, *_folded([o for o in outcomes if o is not first and o.kind != "answered"]), *aftermath]
    room = max(2, MAX_LINES - len(head) - len(end))
    stderr = [f"  {line}" for line in first.fields.get("stderr") or ()]
    words = ["last lines of its stderr:", *_last(stderr, room - 1)] if stderr else []
    return "\n".join([*head, *_last(frames.splitlines(), room), *words, *end])


def _cut(lines: list[str], most: int) -> list[str]:
    """The first lines; the whole text is in the events of the call."""
    return lines if len(lines) <= most else [*lines[: most - 1], f"  … {len(lines) - most + 1} more lines of its text"]


def _last(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [f"  … {len(lines) - most + 1} more lines", *lines[1 - most :]]


def _folded(others: Sequence[Outcome]) -> list[str]:
    """A line for each other rank, or for each way that many of them ended."""
    if len(others) <= MAX_OTHERS:
        return ["also " + other.head().split("\n", 1)[0][:200] for other in others]
    ranks_of: dict[str, list[str]] = {}
    for other in others:
        ranks_of.setdefault(other.sentence().split("\n", 1)[0][:200], []).append(str(other.rank))
    lines = [f"also ranks {', '.join(ranks)}: {text}" for text, ranks in ranks_of.items()]
    return _cut(lines, MAX_OTHERS)


def _of_their_own(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Ranks that raised, none because of another, if they raised different classes; else nobody."""
    raised = [o for o in outcomes if o.kind == "failed" and not o.is_lost_connection]
    raised = [o for o in raised if not o.fields.get("interrupted")]
    kinds = {o.fields["type_name"] for o in raised}
    return raised if len(kinds) > 1 and _ExceptionGroup is not None else []


def exception_of_all(first: Outcome, outcomes: Sequence[Outcome], text: str) -> BaseException:
    """The exception to raise for a call: that of `first`, or an ExceptionGroup where ranks raised different classes
    (before Python 3.11, which has none, that of `first`).
    """
    members = _of_their_own(outcomes)
    if _ExceptionGroup is not None and first in members:
        return _ExceptionGroup(text, [exception(each, message(each, [], [])) for each in members])
    return exception(first, text)


def exception(first: Outcome, text: str) -> BaseException:
    """The exception to raise for `first`: its own class where that can be had, else `WorkerError`."""
    if first.kind == "failed" and first.fields["is_exception"] and first.payload:
        try:
            cls, args, state = parcel.unpack(first.payload)
            return _rebuilt(cls, args, state, text)
        except Exception as problem:
            text += f"\n(its class could not be rebuilt here: {type(problem).__name__}: {problem})"
    return WorkerError(text)


def _rebuilt(cls: type[BaseException], args: tuple[Any, ...], state: dict[str, Any], text: str) -> BaseException:
    """An exception of class `cls` that shows `text`. `__init__` is not called: it may want something else
    than `args`.
    """
    if cls.__str__ is BaseException.__str__ and (not args or (len(args) == 1 and isinstance(args[0], str))):
        error = cls.__new__(cls, text)
        error.args = (text,)
    else:
        names = {"__str__": lambda self: text, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
        shown = type(cls.__name__, (cls,), names)
        error = shown.__new__(shown, *args)
        error.args = args
    error.__dict__.update(state)
    return error


def death_text(code: int | None, *, out_of_memory: bool = False) -> str:
    """How a process ended, in words, from its exit code (negative: signal; None: not known)."""
    if out_of_memory and code == -signal.SIGKILL:
        return oom.WORDS
    if code is None:
        return "died (how is not known)"
    if code < 0:
        return f"died: killed by {_signal_name(-code)} (signal {-code})"
    return f"died: exited with status {code} before it answered (os._exit, or native code that called exit)"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "a signal"
