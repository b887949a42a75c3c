"""The wire from the page to Python: which commands exist, and how a message is read as one.

Whatever the page sent that is no command is refused in words. What a command does is decided by the session.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from explorer.messages import MarkVerb
from sharding.errors import PlanError

MARK_VERBS: tuple[MarkVerb, ...] = ("fully_shard", "replicate", "ignore", "clear")


class CommandError(PlanError):
    """A message of the page that is no command, or one that cannot be meant."""


@dataclass(frozen=True)
class Mark:
    """Mark or clear modules, each by itself, in one undoable edit: those of `indices`, or, without any, those that
    `selector` finds in the plan as it is when its turn comes (see `selectors.py`).
    A list among the indices stands for several: `[start, n1, s1, n2, s2, ...]`, n1 of them s1 apart, all that n2 times.
    """

    verb: MarkVerb
    indices: tuple[int, ...]
    selector: str = ""


@dataclass(frozen=True)
class Group:
    """Make one unit of several modules."""

    indices: tuple[int, ...]


@dataclass(frozen=True)
class Boundary:
    """Move the boundary of the units that these modules are one level, in one undoable edit (`boundaries.py`)."""

    way: Literal["up", "down"]
    indices: tuple[int, ...]


@dataclass(frozen=True)
class Select:
    """Move the selection of every page to a module."""

    index: int


@dataclass(frozen=True)
class Inspect:
    """Look at one module. The reply's "value" is an `inspection.Inspection` as data, for the plan of its "rev"; with
    `world_size` cut over so many ranks, else over those of the plan's mesh, or 2.
    """

    index: int
    world_size: int | None = None


@dataclass(frozen=True)
class StartRun:
    """Train on workers with the plan as it is."""

    nprocs: int = 2
    steps: int = 10


@dataclass(frozen=True)
class StartComparison:
    """Compare engines on the plan as it is; the `comparison` trait (`comparing.ComparisonState`) follows it. The reply
    comes when it has started. None of `engines` for "flat" and "torch"; "stop" ends it as it ends a run.
    """

    nprocs: int = 2
    steps: int = 5
    engines: tuple[str, ...] | None = None


@dataclass(frozen=True)
class WhatIf:
    """Ask what the plan costs, with these fields of `CostsState.what_if` changed; without any, as it was.

    A field of None goes back to what the plan says. The reply comes after the `costs` trait; a refused question leaves
    the trait as it was.
    """

    fields: dict[str, Any]


@dataclass(frozen=True)
class Simple:
    """A command without arguments."""

    name: Literal["undo", "redo", "stop", "text", "code"]


Command = Mark | Group | Boundary | Select | Inspect | StartRun | StartComparison | WhatIf | Simple

_SIMPLE = ("undo", "redo", "stop", "text", "code")
_NAMES = ("mark", "group", "boundary", "select", "inspect", "run", "compare", "what_if", *_SIMPLE)
WHAT_IFS = (
    "world_size",
    "mesh_shape",
    "strategy",
    "mixed_precision",
    "optimizer",
    "engine",
    "accumulation_steps",
    "traced",
    "flops_per_s",
    "bytes_per_s",
    "latency_s",
)
MAX_NPROCS, MAX_STEPS, MAX_RANKS = 64, 1_000_000, 1_000_000


def read_command(content: Mapping[str, Any], size: int) -> Command:
    """The command in a message.

    Args:
        content: the message.
        size: number of modules; indices lie below it.

    Raises:
        CommandError: an unknown command, or fields that are missing or make no sense.
        PlanError: a number of workers or steps that nobody can run.
    """
    name = content.get("cmd")
    if name in _SIMPLE:
        return Simple(name)
    if name == "mark":
        verb = content.get("verb")
        if verb not in MARK_VERBS:
            raise CommandError(f"unknown verb {verb!r}; known are {', '.join(MARK_VERBS)}")
        if "selector" in content:
            return Mark(verb, (), _text(content, "selector"))
        return Mark(verb, _indices(content, size))
    if name in ("group", "boundary"):
        indices = _indices(content, size)
        return Group(indices) if name == "group" else Boundary(_way(content), indices)
    if name in ("select", "inspect"):
        return _of_one(content, size)
    if name == "run":
        return StartRun(
            _number("workers", content.get("nprocs", 2), MAX_NPROCS),
            _number("steps", content.get("steps", 10), MAX_STEPS),
        )
    if name == "compare":
        return _comparison(content)
    if name == "what_if":
        return WhatIf({field: content[field] for field in WHAT_IFS if field in content})
    near = difflib.get_close_matches(str(name), _NAMES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_NAMES)}"
    raise CommandError(f"unknown command {name!r}; {hint}")


def _way(content: Mapping[str, Any]) -> Literal["up", "down"]:
    way = content.get("way")
    if way not in ("up", "down"):
        raise CommandError(f"a boundary moves 'up' or 'down', got {way!r}")
    return way


def _of_one(content: Mapping[str, Any], size: int) -> Select | Inspect:
    _check_whole("index", content.get("index"), 0, size - 1)
    if content["cmd"] == "select":
        return Select(content["index"])
    world_size = content.get("world_size")
    return Inspect(content["index"], None if world_size is None else _number("ranks", world_size, MAX_RANKS))


def _comparison(content: Mapping[str, Any]) -> StartComparison:
    engines = content.get("engines")
    if engines is not None and not (isinstance(engines, list) and all(isinstance(each, str) for each in engines)):
        raise CommandError(f"'engines' is a list of names, got {engines!r}")
    return StartComparison(
        _number("workers", content.get("nprocs", 2), MAX_NPROCS),
        _number("steps", content.get("steps", 5), MAX_STEPS),
        None if engines is None else tuple(engines),
    )


def _indices(content: Mapping[str, Any], size: int) -> tuple[int, ...]:
    indices = content.get("indices")
    if not isinstance(indices, list) or not indices:
        raise CommandError(f"{content['cmd']!r} needs a list of module numbers in 'indices', got {indices!r}")
    found = [index for each in indices for index in (_unrolled(each, size) if isinstance(each, list) else [each])]
    for index in found:
        _check_whole("indices", index, 0, size - 1)
    return tuple(sorted(set(found)))


def _unrolled(run: list[Any], size: int) -> list[int]:
    """The indices of one run; a run that stands for more than there are modules is not even written out."""
    if len(run) % 2 != 1 or not all(_is_whole(number, 0, size) for number in run):
        raise CommandError(f"a run in 'indices' is [start, times, distance, ...] up to {size}, got {run!r}")
    if math.prod(run[1::2]) > size:
        raise CommandError(f"the run {run!r} in 'indices' stands for more than the {size} modules there are")
    starts = [run[0]]
    for times, distance in zip(run[1::2], run[2::2], strict=True):
        starts = [start + k * distance for k in range(times) for start in starts]
    return starts


def _text(content: Mapping[str, Any], name: str) -> str:
    if not isinstance(content[name], str):
        raise CommandError(f"{name!r} must be text, got {content[name]!r}")
    return content[name]


def _number(what: str, value: Any, high: int) -> int:
    """A number that a person typed: what is wrong with it is no fault of the page's."""
    if not _is_whole(value, 1, high):
        raise PlanError(f"the number of {what} must be a whole number from 1 to {high:,}, got {value!r}")
    return value


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _check_whole(name: str, value: Any, low: int, high: int) -> None:
    if not _is_whole(value, low, high):
        raise CommandError(f"{name!r} must be a whole number from {low} to {high}, got {value!r}")
