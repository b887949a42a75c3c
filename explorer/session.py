"""The session: commands in, new state out. It owns the plan, its history, the selection and the runs.

Whatever thread a command comes from, changes and writes to the page take turns (`turns.py`), so no two of
them meet. Reading is safe from anywhere: the state is one frozen object that is swapped whole. Only Stop
does not wait for its turn. A refused edit leaves the state as it was; the page gets the reason as the
reply, or as a notice when the edit came from Python, where the exception is raised too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer import boundaries, edits
from explorer.classes import classes_of
from explorer.commands import (
    Boundary,
    Command,
    Group,
    Inspect,
    Mark,
    Select,
    Simple,
    StartComparison,
    StartRun,
    WhatIf,
    read_command,
)
from explorer.comparing import Comparing
from explorer.costing import Costing
from explorer.edits import Edit
from explorer.folding import Folding, folding_of
from explorer.inspection import inspection_of
from explorer.messages import RunState, error_data
from explorer.running import Job
from explorer.runs import Run
from explorer.selectors import selected
from explorer.snapshot import code_of, plan_state, tree_state
from explorer.source import Source
from explorer.text import text_of
from explorer.turns import Turns
from sharding.costs.report import Cost
from sharding.errors import ConflictError, PlanError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import Tree

DEFAULT_TIMEOUT_S = 300.0


class Page(Protocol):
    """What shows the session: the widget."""

    @property
    def view(self) -> Any: ...
    def publish(self, **states: Any) -> None: ...
    def remember(self, **states: Any) -> None: ...
    def post(self, kind: str, /, **content: Any) -> None: ...
    def reply(self, command: dict[str, Any], *, error: dict[str, str] | None = None, **content: Any) -> None: ...


@dataclass(frozen=True)
class State:
    """A plan on the model, and where it stands in the history."""

    plan: Plan
    layout: Layout
    rev: int = 0
    last: str = ""
    undo: bool = False
    redo: bool = False


class Session:
    """One model being looked at, edited and run."""

    def __init__(self, source: Source, tree: Tree, plan: Plan) -> None:
        """Raises PlanError if the plan names what the tree does not have; its conflicts are shown."""
        self.source, self.tree = source, tree
        self.classes = classes_of(tree)
        self.turns = Turns()
        self.costing = Costing(source)
        self.runs: list[Run] = []
        self.comparisons: list[Comparing] = []
        self._state = State(plan, layout_of(plan, tree))
        self._past: list[tuple[Plan, str]] = []
        self._future: list[tuple[Plan, str]] = []
        self._page: Page | None = None
        self._folding: Folding | None = None

    @property
    def state(self) -> State:
        return self._state

    @property
    def folding(self) -> Folding:
        """Which modules share a row under the plan as it is: worked out once for all forms that are drawn of it."""
        folding, layout = self._folding, self._state.layout
        if folding is None or folding.layout is not layout:
            folding = self._folding = folding_of(layout, self.classes)
        return folding

    def show_on(self, page: Page, seen_rev: int) -> None:
        """Make `page` the page of this session; it was opened with the state of revision `seen_rev`."""

        def show() -> None:
            self._page = page
            if self.state.rev != seen_rev:
                page.publish(plan=self.plan_data())
            if self.runs:
                page.publish(run=self.run_data())
            if self.comparisons:
                page.publish(comparison=self.comparisons[-1].state().to_data())

        self.turns.ask(show)

    def tree_data(self) -> dict[str, Any]:
        return tree_state(self.tree, self.classes).to_data()

    def plan_data(self, state: State | None = None) -> dict[str, Any]:
        now = state or self.state
        history = {"rev": now.rev, "last": now.last, "undo": now.undo, "redo": now.redo}
        return plan_state(now.layout, now.plan, **history).to_data()

    def run_data(self) -> dict[str, Any]:
        return (self.runs[-1].state() if self.runs else RunState()).to_data()

    def receive(self, content: dict[str, Any]) -> None:
        """Take a command of the page; exactly one reply follows. Callable from any thread, does not wait."""
        if content.get("cmd") == "stop":
            self._answer(content)
        else:
            self.turns.post(lambda: self._answer(content))

    def edit(self, make: Callable[[Plan, Layout], Edit]) -> None:
        """Change the plan from Python, and wait for it.

        Raises:
            PlanError: it was refused; the page shows why.
        """
        self._ask(lambda: self._edit(make))

    def undo(self) -> None:
        """Take back the last edit. Raises PlanError if there is none."""
        self._ask(lambda: self._go(self._past, self._future, "undo"))

    def redo(self) -> None:
        """Make the edit again that was taken back last. Raises PlanError if there is none."""
        self._ask(lambda: self._go(self._future, self._past, "redo"))

    def select(self, index: int) -> None:
        """Move the selection of every page to a module."""
        self._ask(lambda: self._select(index))

    def costs(self) -> Cost:
        """What the plan costs as it is. Raises ConflictError where it cannot run."""
        now = self.state
        return self.costing.cost(now.plan, now.layout)

    def what_if(self, fields: dict[str, Any]) -> None:
        """Change what costs are asked for, on every page too. Raises PlanError if it makes no sense."""
        self._ask(lambda: self._ask_costs(fields, from_page=False))

    def run(self, *, nprocs: int, backend: str, timeout: float, **settings: Any) -> Run:
        """Start a run of the plan as it is now. Raises PlanError or WorkerError if it cannot start."""
        return self._ask(lambda: self._run(nprocs, backend, timeout, settings))

    def compare(self, **settings: Any) -> Comparing:
        """Start a comparison of engines on the plan. Raises PlanError or WorkerError if it cannot start."""
        return self._ask(lambda: self._compare(settings))

    def stop(self) -> None:
        """Stop what is going on, from whatever thread, without waiting for a turn."""
        for each in self.live():
            each.stop()

    def live(self) -> list[Run | Comparing]:
        """The run or comparison that is going on."""
        return [each for each in (*self.runs, *self.comparisons) if each.phase in ("starting", "running")]

    def _ask(self, job: Callable[[], Any]) -> Any:
        """Run a job of Python's in its turn; a refusal is shown on the page too."""

        def run() -> Any:
            try:
                return job()
            except Exception as error:
                if self._page is not None:
                    self._page.post("notice", error=error_data(error), rev=self.state.rev)
                raise

        return self.turns.ask(run)

    def _answer(self, content: dict[str, Any]) -> None:
        """Do what a message says and reply. Runs in its turn, but for Stop."""
        page = self._page
        assert page is not None, "a command came from a page that the session does not know"
        try:
            value = self._do(read_command(content, len(self.tree.nodes)))
        except Exception as error:
            page.reply(content, error=error_data(error), rev=self.state.rev)
        else:
            extra: dict[str, Any] = {} if value is None else {"value": value}
            page.reply(content, rev=self.state.rev, **extra)

    def _do(self, command: Command) -> Any:
        if isinstance(command, Mark):
            self._edit(lambda plan, layout: _marked(plan, layout, command))
        elif isinstance(command, Group):
            self._edit(lambda plan, layout: edits.group(plan, layout, command.indices))
        elif isinstance(command, Boundary):
            self._edit(lambda plan, layout: boundaries.move(plan, layout, command.way, command.indices))
        elif isinstance(command, Select):
            self._select(command.index)
        elif isinstance(command, Inspect):
            now = self.state
            return inspection_of(now.layout, now.plan, command.index, world_size=command.world_size).to_data()
        elif isinstance(command, WhatIf):
            self._ask_costs(command.fields)
        elif isinstance(command, StartComparison):
            asked = {} if command.engines is None else {"engines": command.engines}
            self._compare({"nprocs": command.nprocs, "steps": command.steps, **asked})
        elif isinstance(command, StartRun):
            self._run(command.nprocs, "auto", DEFAULT_TIMEOUT_S, {"steps": command.steps})
        else:
            return self._do_simple(command)
        return None

    def _do_simple(self, command: Simple) -> str | None:
        if command.name == "undo":
            self._go(self._past, self._future, "undo")
        elif command.name == "redo":
            self._go(self._future, self._past, "redo")
        elif command.name == "stop":
            for each in self.live():
                each.interrupt()
        elif command.name == "text":
            folding = self.folding
            return text_of(folding.layout, ascii_only=False, folding=folding)
        else:
            return code_of(self.state.plan)
        return None

    def _edit(self, make: Callable[[Plan, Layout], Edit]) -> None:
        now = self.state
        edit = make(now.plan, now.layout)
        layout = layout_of(edit.plan, self.tree, after=now.layout)
        edits.check(now.layout, layout)
        new = State(edit.plan, layout, now.rev + 1, edit.code, undo=True)
        publish = self._publishing(new)
        self._past.append((now.plan, now.last))
        self._future.clear()
        self._state = new
        publish()

    def _go(self, source: list[tuple[Plan, str]], other: list[tuple[Plan, str]], verb: str) -> None:
        if not source:
            raise PlanError(f"there is nothing to {verb}")
        now = self.state
        plan, last = source[-1]
        left, more = len(source) > 1, True
        undo, redo = (left, more) if source is self._past else (more, left)
        layout = layout_of(plan, self.tree, after=now.layout)
        new = State(plan, layout, now.rev + 1, last, undo, redo)
        publish = self._publishing(new)
        source.pop()
        other.append((now.plan, now.last))
        self._state = new
        publish()

    def _publishing(self, state: State) -> Callable[[], None]:
        """Work out what the page will get, so that nothing has changed yet if that fails."""
        page = self._page
        if page is None:
            return lambda: None
        data = self.plan_data(state)

        def publish() -> None:
            page.publish(plan=data)
            if self.costing.is_shown:
                self.turns.post(self._tell_costs)

        return publish

    def _ask_costs(self, fields: dict[str, Any], *, from_page: bool = True) -> None:
        now = self.state
        self.costing.ask(fields, now.plan, now.layout)
        self.costing.is_shown |= from_page
        self._tell_costs()

    def _tell_costs(self) -> None:
        now = self.state
        if self._page is not None and self.costing.is_shown:
            self._page.publish(costs=self.costing.data(now.plan, now.layout, now.rev))

    def _select(self, index: int) -> None:
        if self._page is not None:
            known = json.loads(self._page.view) if self._page.view else {}
            self._page.publish(view={**known, "selected": index})

    def _run(self, nprocs: int, backend: str, timeout: float, settings: dict[str, Any]) -> Run:
        self._refuse_second()
        now, source = self.state, self.source
        own = {name: settings.pop(name) for name in ("lr", "seed") if name in settings}
        job = Job(source.training(**own), now.plan, **settings)
        _check_job(job)
        _refuse_conflicts(layout_of(now.plan, self.tree, engine=job.engine).conflicts)
        source.refuse_run(self.tree)
        run = Run(len(self.runs) + 1, job, nprocs=nprocs, backend=backend, timeout=timeout, tell=self._tell)
        self.runs.append(run)
        if self._page is not None:
            self._page.publish(run=self.run_data())
        run.start()
        return run

    def _compare(self, settings: dict[str, Any]) -> Comparing:
        self._refuse_second()
        number, plan = len(self.comparisons) + 1, self.state.plan
        comparing = Comparing(number, self.source, plan, tell=self._tell_comparison, **settings)
        self.comparisons.append(comparing)
        self._show_comparison(comparing)
        comparing.start()
        return comparing

    def _refuse_second(self) -> None:
        for each in self.live():
            what = "run" if isinstance(each, Run) else "comparison"
            raise PlanError(f"{what} {each.id} is still going; wait for it, or stop it: ex.stop()")

    def _tell_comparison(self, comparing: Comparing, over: bool) -> None:
        """A comparison has news; called on its thread."""
        (self.turns.ask if over else self.turns.post)(lambda: self._show_comparison(comparing))

    def _show_comparison(self, comparing: Comparing) -> None:
        if self._page is not None and comparing is self.comparisons[-1]:
            self._page.publish(comparison=comparing.state().to_data())

    def _tell(self, run: Run, news: dict[str, Any], over: bool) -> None:
        """A run has news; called on its thread. Its end is told before anybody who waits for it goes on."""

        def tell() -> None:
            page = self._page
            if page is None or run is not self.runs[-1]:
                return
            if over:
                page.publish(run=self.run_data())
            else:
                page.post("run", **news)
                page.remember(run=self.run_data())

        (self.turns.ask if over else self.turns.post)(tell)


def _marked(plan: Plan, layout: Layout, command: Mark) -> Edit:
    indices = command.indices or selected(layout, command.selector)
    return edits.mark(plan, layout, command.verb, indices)


def _refuse_conflicts(conflicts: Sequence[Any]) -> None:
    if conflicts:
        text = "\n".join(f"- {each.message}; {each.fix}" for each in conflicts)
        raise ConflictError(f"this plan cannot run:\n{text}", tuple(conflicts))


def _check_job(job: Job) -> None:
    training = job.training
    if isinstance(job.steps, bool) or not isinstance(job.steps, int) or job.steps < 1:
        raise PlanError(f"steps={job.steps!r}: give a whole number, 1 or more")
    if job.reference and training.step is not None:
        raise PlanError("the unsharded reference needs example_inputs and loss: a step of your own cannot be averaged")
    for name, value in (("lr", training.lr), ("seed", training.seed)):
        if not isinstance(value, (int, float)):
            raise PlanError(f"{name}={value!r} is no number")
