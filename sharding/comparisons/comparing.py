"""`compare`: the same plan on several engines and baselines, on fresh workers; and the contest behind it.

Every contestant first trains alone, as a call of its own: what fails there is a row that says why, the ranks are made
anew, and the others go on. Those that got through then train in turns, which is where the times come from.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from torch import nn

from sharding.annotations import annotations_in
from sharding.builder import model_of, refuse_untrainable
from sharding.comparisons.comparison import Comparison, Row, Traffic
from sharding.comparisons.contestants import REFERENCE, read_contestants, remarks, why_not
from sharding.comparisons.trial import Alone, Trial, train_alone, train_in_turns
from sharding.costs.report import cost
from sharding.engines import ENGINES
from sharding.errors import ConflictError, PlanError, ShardingError, ShippingError, WorkerError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.training import Training
from sharding.traversal import tree_of
from sharding.workers import Workers
from sharding.workers.conclusion import without_aftermath

MAX_WHY = 400
FINDS_UNUSED = "find_unused_parameters"
"""DDP's own advice where parameters are not used."""


def compare(
    model_or_builder: nn.Module | Callable[[], nn.Module],
    plan: Plan,
    *,
    engines: Iterable[str] = ("flat", "torch"),
    nprocs: int = 2,
    example_inputs: Any = None,
    loss: Callable[..., Any] | None = None,
    step: Callable[..., Any] | None = None,
    steps: int = 5,
    rounds: int = 7,
    lr: float = 1e-3,
    seed: int = 0,
    backend: str = "auto",
    timeout: float = 300.0,
) -> Comparison:
    """Train the same plan with the same seeds and batches on each engine, beside the unsharded model. Waits.

    Args:
        model_or_builder: as for `explore`: a module (travels by value) or a function that builds one.
        plan: the plan of every engine.
        engines: of "flat", "torch" (the plan), "ddp", "fsdp1" (torch's wrappers) and "none" (unsharded), which always
            takes part as the reference of the losses.
        nprocs: number of workers.
        example_inputs: what a step is fed: a tensor, a tuple, a dict, or `f(rank, step)` that returns one.
        loss: `loss(output, inputs) -> scalar`; `output.loss` if there is one, else the mean square of the output.
        step: `step(model, optimizer, rank, step) -> dict of metrics`, instead of the two above.
        steps: AdamW steps whose losses are compared.
        rounds: turns of each engine while time is taken, two steps a turn; 0 takes no times.
        lr, seed: as for `ex.run`.
        backend, timeout: as for `Workers`.

    Returns:
        A `Comparison`: one row an engine. An engine that cannot or that failed says why in its row.

    Raises:
        PlanError: a setting makes no sense, or the plan names what the model does not have.
        ConflictError: the plan cannot run on any engine.
        ShippingError: model or inputs cannot travel to the workers.
        Exception: what a rank raised, if no engine got through.
    """
    training = Training(model_or_builder, example_inputs, loss, step, lr, seed)
    return Contest(Trial(training, plan, steps, rounds), engines, nprocs=nprocs, backend=backend, timeout=timeout).run()


@dataclass(frozen=True)
class Progress:
    """How far a contest is: `done` of `total` parts, what it does now, and the rows there are."""

    done: int
    total: int
    doing: str
    rows: tuple[Row, ...]


class Contest:
    """One comparison, checked when made. `run` does it on the calling thread; `interrupt` ends it from any other."""

    def __init__(
        self,
        trial: Trial,
        engines: Iterable[str],
        *,
        nprocs: int = 2,
        backend: str = "auto",
        timeout: float = 300.0,
        tell: Callable[[Progress], None] = lambda _: None,
        verb: str = "compare",
    ) -> None:
        self._trial = trial
        self.engines = read_contestants(engines)
        _check(trial, verb)
        _check_mesh(trial.plan, nprocs)
        self._model = model_of(trial.training.given, verb=verb)
        tree = tree_of(self._model)
        refuse_untrainable(trial.training.given, tree, verb=verb)
        if annotations_in(tree):
            raise PlanError("the builder annotates its model already; give the plan alone, and a builder without verbs")
        self._why_not = self._read()
        self._workers = Workers(nprocs, backend=backend, timeout=timeout, seed=trial.training.seed)
        self._tell = tell
        self._stopped = threading.Event()
        self._rows: dict[str, Row] = {}
        self._done, self._doing = 0, "starting"
        self._first_error: Exception | None = None
        self._call: Any = None

    @property
    def total(self) -> int:
        """Number of parts: steps of each contestant alone, and turns."""
        runs = sum(why is None for why in self._why_not.values())
        turns = runs * (self._trial.rounds + 2) if self._trial.rounds else 0
        return runs * self._trial.steps + turns

    @property
    def place(self) -> Any:
        """Ranks, devices and back end."""
        return self._workers.describe()

    def run(self) -> Comparison:
        """Do it, and leave no worker behind."""
        with self._workers:
            for engine in sorted(self.engines, key=lambda name: name != REFERENCE):  # so that differences are there
                self._rows[engine] = self._alone(engine)
            ran = [engine for engine in self.engines if self._rows[engine].outcome == "ran"]
            if not ran and self._first_error is not None:
                raise self._first_error
            if self._trial.rounds:
                self._in_turns(ran)
        return self.comparison()

    def comparison(self) -> Comparison:
        """What there is so far."""
        place = self.place
        rows = tuple(self._rows[engine] for engine in self.engines if engine in self._rows)
        return Comparison(self._trial.plan, rows, place.nprocs, place.backend, place.devices, self._trial.steps)

    def interrupt(self) -> None:
        """End it: ranks are interrupted; `run` raises WorkerError. Does not wait."""
        self._stopped.set()
        self._workers.interrupt()

    def _read(self) -> dict[str, str | None]:
        trial = self._trial
        own_step = trial.training.step is not None
        found = {engine: why_not(engine, trial.plan, self._model, has_own_step=own_step) for engine in self.engines}
        asked = [engine for engine in self.engines if engine != REFERENCE]
        if asked and all(found[engine] for engine in asked):
            text = "\n".join(f"- {engine}: {found[engine]}" for engine in asked)
            raise ConflictError(f"none of the engines asked for can run this plan:\n{text}")
        return found

    @cached_property
    def _layout(self) -> Layout:
        return self._trial.plan.resolve(self._model)

    def _alone(self, engine: str) -> Row:
        notes = remarks(engine, self._layout)
        why = self._why_not[engine]
        if why is not None:
            return Row(engine, "cannot", why, notes)
        began = self._done
        try:
            return self._train_alone(engine, notes)
        except (ShippingError, KeyboardInterrupt):
            raise
        except Exception as error:
            self._refuse_if_stopped(error)
            self._done = began
            if engine == "ddp" and FINDS_UNUSED in str(error) and not self._trial.finds_unused:
                self._trial = replace(self._trial, finds_unused=True)
                return self._alone(engine)
            self._first_error = self._first_error or error
            self._done = began + self._trial.steps
            is_refusal = isinstance(error, ShardingError) and not isinstance(error, WorkerError)
            return Row(engine, "cannot" if is_refusal else "failed", _why(error), notes, output=self._call.output)

    def _train_alone(self, engine: str, notes: tuple[str, ...]) -> Row:
        expected = self._done + self._trial.steps
        call = self._call = self._workers.start(train_alone, self._trial, engine)
        seen: list[Alone] = self._follow(call, f"{engine} alone")
        self._done = expected
        if engine == "ddp" and self._trial.finds_unused:
            notes = (*notes, f"with {FINDS_UNUSED}=True: not every parameter is used in every forward")
        return replace(_row(engine, seen, notes, call.output), predicted=self._predicted(engine))

    def _predicted(self, engine: str) -> tuple[Traffic, ...] | None:
        """What the cost model says of a step, by kind; it knows this project's engine and torch's."""
        if engine not in ENGINES or self._trial.training.step is not None:
            return None
        sent = cost(self._trial.plan.resolve(self._model, engine=engine), world_size=self.place.nprocs).collectives
        kinds = dict.fromkeys(sorted(each.kind for each in sent))
        alike = {kind: [each for each in sent if each.kind == kind] for kind in kinds}
        return tuple(
            Traffic(kind, sum(each.count for each in of_kind), sum(each.count * each.nbytes for each in of_kind))
            for kind, of_kind in alike.items()
        )

    def _in_turns(self, engines: list[str]) -> None:
        """Take the times. Whose turn it was when it failed goes without, and the others start again."""
        while engines:
            began = self._done
            call = self._workers.start(train_in_turns, self._trial, engines)
            try:
                seen: list[dict[str, list[float]]] = self._follow(call, "in turns")
            except Exception as error:
                self._refuse_if_stopped(error)
                culprit = _last_turn(call.events)
                if culprit is None:
                    raise
                self._rows[culprit] = replace(self._rows[culprit], why=f"no time taken: {_why(error)}")
                engines = [engine for engine in engines if engine != culprit]
                self._done = began
                continue
            for engine in engines:
                rounds = zip(*(rank[engine] for rank in seen), strict=True)
                self._rows[engine] = replace(self._rows[engine], seconds=tuple(map(max, rounds)))
            return

    def _follow(self, call: Any, doing: str) -> Any:
        """Tell how far the call is until it is over; its result."""
        self._refuse_if_stopped(None)
        self._doing = doing
        heard = 0
        while not call.done:
            events = call.events_since(heard, timeout=1.0)
            heard += len(events)
            self._done += sum(event.kind in ("trial", "turn") and event.rank == 0 for event in events)
            self._tell(Progress(self._done, self.total, doing, self.comparison().rows))
        return call.result()

    def _refuse_if_stopped(self, error: BaseException | None) -> None:
        if self._stopped.is_set():
            raise WorkerError("the comparison was stopped") from error


def _check(trial: Trial, verb: str) -> None:
    training = trial.training
    if not isinstance(trial.plan, Plan):
        raise PlanError(f"{verb} takes a sharding.Plan, got {type(trial.plan).__name__}")
    for name, value, low in (("steps", trial.steps, 1), ("rounds", trial.rounds, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise PlanError(f"{name}={value!r}: give a whole number, {low} or more")
    if training.step is not None and training.loss is not None:
        raise PlanError("step replaces loss: give one of them")
    if training.step is None and training.example_inputs is None:
        raise PlanError(
            f"{verb} needs something to feed the model: example_inputs=x, a tuple, a dict or f(rank, step); or a whole "
            "step=f(model, optimizer, rank, step)"
        )


def _check_mesh(plan: Plan, nprocs: int) -> None:
    shape = plan.mesh_shape
    if shape is not None and len(shape) == 2 and math.prod(shape) != nprocs:
        raise PlanError(
            f"the plan is for a mesh of {shape[0]} x {shape[1]} ranks, but nprocs={nprocs}; give "
            f"nprocs={math.prod(shape)}, or set plan.defaults(mesh_shape=...)"
        )


def _row(engine: str, seen: Sequence[Alone], notes: tuple[str, ...], output: str) -> Row:
    """What the ranks saw of one contestant, put together."""
    by_step = seen[0].losses if engine == REFERENCE else list(zip(*(rank.losses for rank in seen), strict=True))
    losses = tuple(tuple(each) for each in by_step)
    if any(loss is None for each in losses for loss in each):
        losses = ()
    peaks = tuple(rank.peak_nbytes for rank in seen if rank.peak_nbytes is not None)
    return Row(engine, "ran", "", notes, losses, (), peaks, _traffic(seen[0]), output)


def _traffic(seen: Alone) -> tuple[Traffic, ...]:
    kinds = dict.fromkeys(sorted(kind for kind, _ in seen.collectives))
    return tuple(
        Traffic(
            kind,
            sum(count for (each, _), count in seen.collectives.items() if each == kind),
            sum(nbytes * count for (each, nbytes), count in seen.collectives.items() if each == kind),
        )
        for kind in kinds
    )


def _last_turn(events: Sequence[Any]) -> str | None:
    turns = [event.values["engine"] for event in events if event.kind == "turn"]
    return turns[-1] if turns else None


def _why(error: Exception) -> str:
    """The first thing an error says, on one line."""
    lines = [line.strip() for line in without_aftermath(str(error)).splitlines() if line.strip()]
    text = " ".join(lines[:2]) if lines and lines[0].endswith(":") else (lines or [type(error).__name__])[0]
    return text if len(text) <= MAX_WHY else text[: MAX_WHY - 1] + "…"
