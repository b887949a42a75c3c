"""The wire between Python and the page: what each trait holds, which commands exist, how they are answered.

Everything here is plain data. A state knows its JSON form (`to_data`), a command is read from a message
with `read_command`, and whatever the page sent that is no command is refused with a title and a detail that
a person can read. What a command does is decided by the session.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sharding.errors import PlanError, ShardingError

VERSION = 1
PLAN_VERSION = 2

Phase = Literal["idle", "starting", "running", "done", "failed", "stopped"]
MarkVerb = Literal["fully_shard", "replicate", "ignore", "clear"]

MARK_VERBS: tuple[MarkVerb, ...] = ("fully_shard", "replicate", "ignore", "clear")


@dataclass(frozen=True)
class TreeState:
    """The module tree as classes: every distinct subtree once, children before parents.

    Attributes:
        name: class of the root module.
        classes: `[type, own, kids]` rows; `own` is `[attr, shape, dtype, flags]` with the flags f frozen, b
            buffer, t tied (first name), s tied (later name, counts no elements), l lazy; `kids` is `[from,
            to, class]`, `to` being None for one child and else the last of consecutive integer names.
        root: number of the root's class.
        refs: `[parent index, attr, target index, "shared" | "back"]` of edges to modules listed elsewhere.
        ties: the names of each parameter that several modules hold, the first one first.
    """

    name: str
    classes: list[Any]
    root: int
    refs: list[Any]
    ties: list[list[str]]

    def to_data(self) -> dict[str, Any]:
        return {"v": VERSION, **vars(self)}


@dataclass(frozen=True)
class UnitsState:
    """The sharded units, a column a fact, in pre-order of their first modules; `None` columns hold nothing but zeros
    or nulls. Numbers are as of `runlength.encode_numbers`, other facts as of `encode_column`.

    Attributes:
        num: how many.
        nparams: parameters of each.
        numel: elements of each.
        handle: place in `get_handles(local root)`, null without parameters.
        init_c: place in the composable initialisation order, null likewise.
        init_w: place in the wrapper initialisation order, null likewise.
        local_root: number of the unit its local tree starts at.
        apart: 1 where the walk from the model's root does not reach it: its orders are those of its local root.
        within: "replicate:<fqn>" or "ignored:<fqn>", or null.
        setting: place in `settings`.
        settings: `[strategy, {setting that differs from the default: text}]`.
    """

    num: int
    nparams: list[Any]
    numel: list[Any]
    handle: list[Any]
    init_c: list[Any]
    init_w: list[Any]
    local_root: list[Any]
    apart: list[Any] | None
    within: list[Any] | None
    setting: list[Any] | None
    settings: list[Any]

    def to_data(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True)
class PlanState:
    """The plan layer over the tree: a few hundred bytes however large the model, while its blocks are marked alike.

    Attributes:
        rev: revision.
        areas: runs (see `runlength.py`) of `[index, size, code]`: the modules from `index` on, `size` of them, are
            ruled by one mark; an area inside another one wins. The code's letter is the status of the first of them,
            as small letter that of the others. F and f with a number d: the unit's first module is d indices before;
            F alone is the first module of a unit. Units are numbered in the order of those.
        units: the units.
        conflicts: `{"kind", "message", "fix", "at"}`, where `at` are runs of `[index, attr]`: the modules concerned
            (attr ""), or their parameters.
        findings: `{"kind", "severity", "message", "advice", "at"}`.
        totals: elements by owner.
        code: the code of the whole plan.
        last: the code of the last edit.
        undo: whether there is something to undo.
        redo: whether there is something to do again.
    """

    rev: int
    areas: list[Any]
    units: UnitsState
    conflicts: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    totals: dict[str, int]
    code: str = ""
    last: str = ""
    undo: bool = False
    redo: bool = False

    def to_data(self) -> dict[str, Any]:
        return {"v": PLAN_VERSION, **vars(self), "units": self.units.to_data()}


@dataclass(frozen=True)
class RunState:
    """The last state of a run. `losses` are `[step, loss of rank 0, ...]`; `events` are those of rank 0 as
    `[phase letter, kind letter, unit, bytes]`; `log` is `[rank, text]`, the last lines only."""

    id: str = ""
    phase: Phase = "idle"
    nprocs: int = 0
    backend: str = ""
    devices: str = ""
    step: int = 0
    steps: int = 0
    losses: list[list[Any]] = field(default_factory=list)
    reference: list[float] | None = None
    events: list[list[Any]] = field(default_factory=list)
    error: dict[str, str] | None = None
    log: list[list[Any]] = field(default_factory=list)
    seconds: float = 0.0
    result: dict[str, Any] = field(default_factory=dict)
    seq: int = 0

    def to_data(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class CostsState:
    """What the plan costs; "" until a page has asked with `what_if`, then kept up to date at every edit.

    All sizes are whole bytes; of a collective those of its whole buffer.

    Attributes:
        rev: revision of the plan these are the costs of.
        what_if: what they are asked for, everything filled in: `world_size`, `mesh_shape` ([ranks] or [replicate,
            shard]), `strategy` (None: each unit's own), `mixed_precision` (None: each unit's own; else
            {"param_dtype": "bfloat16", ...}), `optimizer`, `engine`, `accumulation_steps`, `traced` (whether
            order, calls and activations are those of a trace, which needs example inputs).
        choices: for `strategy`, `optimizer`, `engine` and `mixed_precision`, the values that may be asked for.
        refused: {"title", "detail"} where this plan costs nothing, as it cannot run; all lists are empty then.
        totals: {"numel", "units", "groups", "shard_nbytes", "padding_nbytes", "collectives", "sent_nbytes",
            "small_messages", "peak_nbytes"}; sums over units, and over one training step of one rank.
        units: equal units as one row, in pre-order of the first: {"fqn" of the first, "times", "runs" ([start, end,
            step] over unit numbers), "numel", "trainable_numel", "dtypes", "strategy", "in_effect" ("sharded",
            "hybrid", "replicated" or "whole"), "num_shards", "num_copies", "frees_after_forward", "reason",
            "unsharded_nbytes", "shard_nbytes", "min_shard_nbytes", "max_shard_nbytes", "padded_nbytes",
            "all_gather_nbytes", "reduce_scatter_nbytes", "all_reduce_nbytes", "largest_buffer_nbytes", "waste" (a
            share), "empty_ranks", "collectives" (of one of them in a step), "sent_nbytes" (the same)}.
        groups: {"fqn", "numel", "nbytes", "buckets" ([bytes, ...])} a replicate group.
        per_rank: ranks that keep the same as one row, along the shard axis of the mesh (every copy along the other
            keeps the same): {"ranks": [first, last], "parameters", "padding",
            "gradients", "optimizer" ({part: bytes}), "buffers", "buckets", "offloaded", "total"}.
        collectives: {"kind", "phase", "count", "nbytes" (all of them together), "largest_nbytes", "small" (how many
            carry less than 1 MiB), "sent_nbytes"} for each kind and phase.
        peak: {"nbytes", "moment", "is_estimate", "terms": [[label, bytes], ...] largest first, "timeline":
            [[moment, bytes], ...] from forward to optimizer step, at most 120 points}.
        notes: [kind, text] pairs: "assumed", "left_out", "uncertain".
    """

    rev: int
    what_if: dict[str, Any]
    choices: dict[str, list[Any]]
    refused: dict[str, str] | None = None
    totals: dict[str, int] = field(default_factory=dict)
    units: list[dict[str, Any]] = field(default_factory=list)
    groups: list[dict[str, Any]] = field(default_factory=list)
    per_rank: list[dict[str, Any]] = field(default_factory=list)
    collectives: list[dict[str, Any]] = field(default_factory=list)
    peak: dict[str, Any] = field(default_factory=dict)
    notes: list[list[str]] = field(default_factory=list)

    def to_data(self) -> dict[str, Any]:
        return {"v": VERSION, **vars(self)}


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


Command = Mark | Group | Select | Inspect | StartRun | StartComparison | WhatIf | Simple

_SIMPLE = ("undo", "redo", "stop", "text", "code")
_NAMES = ("mark", "group", "select", "inspect", "run", "compare", "what_if", *_SIMPLE)
WHAT_IFS = (
    "world_size",
    "mesh_shape",
    "strategy",
    "mixed_precision",
    "optimizer",
    "engine",
    "accumulation_steps",
    "traced",
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
    if name == "group":
        return Group(_indices(content, size))
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


_TITLES = {
    "PlanError": "This cannot be done here",
    "ConflictError": "This mark would make a conflict",
    "CommandError": "The page sent something unreadable",
    "ShippingError": "This cannot travel to the workers",
    "WorkerError": "The workers failed",
}


def error_data(error: BaseException) -> dict[str, str]:
    """An exception as the page shows it: a title and what to do. For errors of user code the title is the
    first line.
    """
    name = type(error).__name__
    text = str(error).strip() or name
    if isinstance(error, ShardingError) and name in _TITLES:
        return {"title": _TITLES[name], "detail": text}
    first, _, rest = text.partition("\n")
    title = first if first.startswith("rank ") or name in first else f"{name}: {first}"
    return {"title": title, "detail": rest.strip() or text}
