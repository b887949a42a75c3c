"""The wire from Python to the page: what each trait holds, and errors in words a person can read.

Everything here is plain data, and a state knows its JSON form (`to_data`). What the page sends back is in
`commands.py`; what a command does is decided by the session.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from sharding.errors import ShardingError
from sharding.workers.conclusion import without_aftermath

VERSION = 1
PLAN_VERSION = 2

Phase = Literal["idle", "starting", "running", "done", "failed", "stopped"]
MarkVerb = Literal["fully_shard", "replicate", "ignore", "clear"]


@dataclass(frozen=True)
class TreeState:
    """The module tree as classes: every distinct subtree once, children before parents.

    Attributes:
        name: class of the root module.
        classes: `[type, own, kids]` rows; `own` is `[attr, shape, dtype, flags]` with the flags f frozen, b
            buffer, t tied (first name), s tied (later name, counts no elements), l lazy; T, P, E a DTensor cut by
            tensor, pipeline or expert parallelism already, D any other DTensor; `kids` is `[from, to, class]`, `to`
            being None for one child and else the last of consecutive integer names. A fourth part says more of the
            module: "c", its activations are checkpointed.
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
            order, calls and activations are those of a trace, which needs example inputs), and the rates
            `flops_per_s`, `bytes_per_s`, `latency_s` (None: not given).
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
        time: None without rates, else {"phases": [{"phase", "compute_s", "communication_s"}, ...] (None where
            something is missing), "missing": [what would have to be known]}.
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
    time: dict[str, Any] | None = None
    notes: list[list[str]] = field(default_factory=list)

    def to_data(self) -> dict[str, Any]:
        return {"v": VERSION, **vars(self)}


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


def error_of_run(error: BaseException | None, phase: str) -> dict[str, str] | None:
    """The same of a run: its workers are closed, so nothing about their next call. None where the user stopped it."""
    if error is None or phase == "stopped":
        return None
    return {name: without_aftermath(text) for name, text in error_data(error).items()}
