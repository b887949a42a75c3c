"""`Exploration`: what `explore` returns. A model with a plan on it, to be looked at, edited and run from
Python.

It is a thin face over the session. A notebook shows it as the widget, which is made when it is first shown;
everything else (a terminal, `print`, GitHub, nbconvert) gets the text or the static HTML form.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import edits
from explorer.commands import WHAT_IFS
from explorer.html import beside_widget, html_of
from explorer.inspection import Inspection, inspection_of
from explorer.messages import MarkVerb
from explorer.runs import Run
from explorer.selectors import select
from explorer.session import DEFAULT_TIMEOUT_S, Session
from explorer.snapshot import written_out
from explorer.source import source_of
from explorer.text import text_of
from sharding.annotations import annotations_in
from sharding.comparisons.comparison import Comparison
from sharding.costs.report import Cost
from sharding.errors import PlanError
from sharding.layout import Finding, Layout
from sharding.patterns import as_names
from sharding.plan import Plan
from sharding.traversal import tree_of
from sharding.workers.launcher import launcher

if TYPE_CHECKING:
    from explorer.graph import TreeGraph
    from explorer.widget import ExplorerWidget

VIEWS = ("auto", "widget", "text")
EXPORTS = {".json": "json", ".py": "python", ".html": "html", ".txt": "text", ".gv": "dot"}
"""Kinds of `Exploration.export` by the ending that `save` takes for each."""
SCRIPTS = ("torch", "torchrun", "accelerate")
"""Kinds of `Exploration.export` that are programs: too much may be chosen in them for an ending to say."""
SHOWN_ROWS = 120


class Exploration:
    """A model, a plan on it, and its runs. Made by `explore`; every method may be called from any thread."""

    def __init__(
        self,
        model_or_builder: Any,
        *,
        plan: Plan | None = None,
        example_inputs: Any = None,
        loss: Any = None,
        step: Any = None,
        view: str = "auto",
    ) -> None:
        """See `explore`."""
        if view not in VIEWS:
            raise PlanError(f"view={view!r} is none of {', '.join(map(repr, VIEWS))}")
        if plan is not None and not isinstance(plan, Plan):
            raise PlanError(f"plan is a sharding.Plan, got {type(plan).__name__}")
        source = source_of(model_or_builder, example_inputs=example_inputs, loss=loss, step=step)
        if _shows_widget(view):
            launcher.warm()  # while the user looks at the tree
        tree = tree_of(source.model)
        if plan is None:
            plan = Plan.from_model(source.model) if annotations_in(tree) else Plan()
        self._session = Session(source, tree, plan)
        self._view = view
        self._widget: ExplorerWidget | None = None
        self._widget_lock = threading.Lock()

    @property
    def plan(self) -> Plan:
        """The plan as it is now."""
        return self._session.state.plan

    @property
    def layout(self) -> Layout:
        """What the plan means on the model; `orders` has "forward" once `what_if(traced=True)` was asked."""
        return self._session.costing.ran(self._session.state.layout)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is worth knowing about the layout; what cannot run is in `layout.conflicts`."""
        return self.layout.findings

    @property
    def cost(self) -> Cost:
        """What the plan costs, as `what_if` asked last; printed it is tables of text.

        Raises:
            ConflictError: the plan cannot run.
        """
        return self._session.costs()

    def what_if(self, **fields: Any) -> Cost:
        """Ask for the costs of the plan elsewhere: from now on `cost`, and every page, answer this question.

        Args:
            fields: `world_size`, `mesh_shape`, `strategy`, `mixed_precision`, `optimizer`, `engine`,
                `accumulation_steps`, as for `sharding.cost`, `traced=True` to know order, calls and activations
                from a trace of the example inputs, and for the time of a step `flops_per_s`, `bytes_per_s` and
                `latency_s`; None goes back to what the plan says.

        Raises:
            PlanError: it makes no sense, and the question before stays.
            ConflictError: the plan cannot run.
        """
        if unknown := sorted(set(fields) - set(WHAT_IFS)):
            raise PlanError(f"what_if has no field {unknown[0]!r}; it has {', '.join(WHAT_IFS)}")
        self._session.what_if(fields)
        return self._session.costs()

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run, oldest first."""
        return tuple(self._session.runs)

    def fully_shard(self, target: Any, **settings: Any) -> None:
        """Make units: `target` is a name, a pattern (a unit a match), a list (one unit), or a policy for
        the root.

        Args:
            target: what to mark.
            settings: `policy`, `strategy`, `reshard_after_forward`, `mixed_precision`, `cpu_offload`,
                `ignored`, as for `Plan.fully_shard`.

        Raises:
            PlanError: a name matches nothing, or nothing would change. The plan stays as it was, as for all
                edits.
            ConflictError: the layout would have a conflict that it has not now.
        """
        self._call("fully_shard", target, **settings)

    def replicate(self, target: str | Sequence[str], **settings: Any) -> None:
        """Keep modules whole on every rank, gradients averaged; each name or match by itself."""
        self._call("replicate", target, **settings)

    def ignore(self, target: str | Sequence[str]) -> None:
        """Leave modules or parameters out of every call above them."""
        self._call("ignore", target)

    def clear(self, target: str | Sequence[str]) -> None:
        """Take the marks off these modules or parameters, units made by a policy included."""
        self._call("clear", target)

    def undo(self) -> None:
        """Take back the last edit, whoever made it."""
        self._session.undo()

    def redo(self) -> None:
        """Make the edit again that was taken back last."""
        self._session.redo()

    def select(self, fqn: str) -> None:
        """Move the selection in the widget to a module."""
        (name,) = as_names(fqn)
        self._session.select(self._session.tree.find(name).index)

    def inspect(self, fqn: str, *, world_size: int | None = None) -> Inspection:
        """Look at one module: why it has its status, who owns each of its parameters, what rank 0 holds of them.

        Args:
            fqn: its name.
            world_size: ranks to cut over; those of the plan's mesh, or 2, if not given.

        Returns:
            Its facts as fields; printed, it is text.

        Raises:
            PlanError: no such module, or no such number of ranks.
        """
        (name,) = as_names(fqn)
        state = self._session.state
        return inspection_of(state.layout, state.plan, state.layout.tree.find(name).index, world_size=world_size)

    def find(self, selector: str) -> list[str]:
        """Names of the modules that a selector finds, as the page's selector box does: `type:Block params>10M`.

        Raises:
            PlanError: it cannot be read; the message says how selectors are written.
        """
        layout = self.layout
        return [layout.modules[index].fqn for index in select(layout, selector)]

    def run(
        self,
        nprocs: int = 2,
        steps: int = 10,
        engine: str = "flat",
        *,
        backend: str = "auto",
        timeout: float = DEFAULT_TIMEOUT_S,
        reference: bool = False,
        lr: float = 1e-3,
        seed: int = 0,
    ) -> Run:
        """Train with the plan as it is on spawned workers. Returns at once; the widget follows it.

        Args:
            nprocs: number of workers.
            steps: AdamW steps on each.
            engine: which engine applies the plan.
            backend: "auto", "gloo" or "nccl".
            timeout: seconds ranks wait for one another.
            reference: also train the unsharded model in rank 0, on all ranks' inputs, to compare the losses
                with.
            lr: learning rate.
            seed: the weights a builder makes, and all later random numbers of each rank and step, follow
                from it.

        Raises:
            PlanError: a run is going already, there are no inputs, or the layout has conflicts.
            ShippingError: model or inputs cannot travel to the workers.
            WorkerError: this machine cannot run so many workers.
        """
        settings = {"engine": engine, "steps": steps, "reference": reference, "lr": lr, "seed": seed}
        return self._session.run(nprocs=nprocs, backend=backend, timeout=timeout, **settings)

    def compare(
        self,
        nprocs: int = 2,
        steps: int = 5,
        engines: Sequence[str] = ("flat", "torch"),
        *,
        rounds: int = 7,
        backend: str = "auto",
        timeout: float = DEFAULT_TIMEOUT_S,
        lr: float = 1e-3,
        seed: int = 0,
    ) -> Comparison:
        """Train the plan as it is on several engines beside the unsharded model, and wait; see `sharding.compare`.

        The widget follows it. An interrupt of the cell stops it.

        Raises:
            PlanError: a run or comparison is going already, there are no inputs, or a setting makes no sense.
            ConflictError: none of the engines can run the plan.
            WorkerError: it was stopped, or this machine cannot run so many workers.
            Exception: what a rank raised, if no engine got through.
        """
        settings = {"steps": steps, "rounds": rounds, "lr": lr, "seed": seed, "backend": backend, "timeout": timeout}
        comparing = self._session.compare(nprocs=nprocs, engines=engines, **settings)
        try:
            return comparing.result()
        except KeyboardInterrupt:
            comparing.stop()
            raise

    def stop(self) -> None:
        """Stop the current run or comparison, if any, and wait a moment until no worker is left."""
        self._session.stop()

    def text(self, *, width: int = 80, ascii_only: bool | None = None, max_rows: int | None = 1000) -> str:
        """The tree as text; see `explorer.text`."""
        options = {"width": width, "ascii_only": ascii_only, "max_rows": max_rows}
        return text_of(self.layout, folding=self._session.folding, **options)

    def html(self) -> str:
        """The tree as static HTML of at most 64 KB."""
        return html_of(self.layout, folding=self._session.folding)

    def graph(self, *, max_nodes: int | None = None) -> TreeGraph:
        """The folded tree as a `graphviz.Digraph`; shown in a notebook it never fails, also without `dot`."""
        from explorer.graph import graph_of

        return graph_of(self.layout, max_nodes=max_nodes, folding=self._session.folding)

    def export(self, kind: str = "json", **settings: Any) -> str:
        """The plan or the tree as text to keep.

        Args:
            kind: "json" for `Plan.from_json`, "python" for the code that makes the plan, "html" for one file that
                shows the tree in any browser without kernel or network, "text" for the whole tree as text, "dot" for
                graphviz; "torch" for a script of torch's own calls, "torchrun" for one that trains as `run` does;
                "accelerate" for its configuration file.
            settings: for "torchrun": `engine`, `steps`, `lr`, `seed` as for `run`; see `sharding.export`.

        Raises:
            PlanError: an unknown kind or setting, a tree too large for graphviz, or something a script cannot carry.
            ConflictError: the plan cannot run on the engine a script is for.
        """
        if kind in SCRIPTS:
            return self._script(kind, settings)
        if kind not in EXPORTS.values():
            raise PlanError(f"unknown kind {kind!r}; known are {', '.join(map(repr, (*EXPORTS.values(), *SCRIPTS)))}")
        if settings:
            raise PlanError(f"the kind {kind!r} has no setting {next(iter(settings))!r}; it has none")
        if kind == "html":
            return self._page()
        if kind == "text":
            return self.text(ascii_only=False, max_rows=None)
        if kind == "dot":
            return self.graph().source
        plan = written_out(self.plan, self._session.tree)
        return plan.to_json() if kind == "json" else plan.code()

    def _script(self, kind: str, settings: dict[str, Any]) -> str:
        from sharding.exports.exporting import export

        source = self._session.source
        if kind == "torchrun":
            parts = {"example_inputs": source.example_inputs, "loss": source.loss, "step": source.step}
            settings = {**parts, **settings}
        return export(self.plan, source.given, kind=kind, **settings)

    def save(self, path: str | Path) -> Path:
        """Write an export to a file; its kind is that of the ending: .html, .json, .py, .txt or .gv.

        Raises:
            PlanError: another ending.
        """
        path = Path(path)
        kind = EXPORTS.get(path.suffix)
        if kind is None:
            raise PlanError(f"cannot tell what {path.name!r} should hold; endings are {', '.join(EXPORTS)}")
        path.write_text(self.export(kind), encoding="utf-8")
        return path

    @property
    def widget(self) -> ExplorerWidget:
        """The widget, made when first asked for; to be put into layouts of other widgets."""
        with self._widget_lock:
            if self._widget is None:
                self._widget = self._open()
            return self._widget

    def close(self) -> None:
        """Stop the current run and take the widget off its pages."""
        self.stop()
        if self._widget is not None:
            self._widget.close()

    def __repr__(self) -> str:
        return self.text(max_rows=SHOWN_ROWS)

    def _repr_html_(self) -> str:
        return self.html()

    def _ipython_display_(self) -> None:
        """In a notebook two outputs: the static tree, and the widget in its place wherever that can be drawn."""
        bundle = self.widget._repr_mimebundle_() if _shows_widget(self._view) else None
        if bundle is None:
            raise NotImplementedError  # IPython takes the other forms then
        from IPython.display import display

        for data, metadata in beside_widget(bundle):
            display(data, metadata=metadata, raw=True)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget's view where there is a kernel for it, and the text and HTML forms beside it."""
        if _shows_widget(self._view):
            bundle = self.widget._repr_mimebundle_(**kwargs)
            if bundle is not None:
                return bundle
        return {"text/plain": repr(self), "text/html": self.html()}

    def _call(self, verb: MarkVerb, target: Any, **settings: Any) -> None:
        self._session.edit(lambda plan, layout: edits.call(plan, layout, verb, target, **settings))

    def _page(self) -> str:
        from explorer.standalone import standalone_page

        session = self._session
        tree, plan = session.turns.ask(lambda: (session.tree_data(), session.plan_data()))
        states = {"tree": _compact(tree), "plan": _compact({**plan, "undo": False, "redo": False})}
        if self.runs:
            states["run"] = _compact(session.run_data())
        return standalone_page(states, title=f"{tree['name']}: where its parameters live", static=self.html())

    def _open(self) -> ExplorerWidget:
        from explorer.widget import ExplorerWidget

        session = self._session
        rev, tree, plan = session.turns.ask(lambda: (session.state.rev, session.tree_data(), session.plan_data()))
        widget = ExplorerWidget(text=lambda: repr(self), html=self.html, tree=_compact(tree), plan=_compact(plan))
        widget.on_command(session.receive)
        session.show_on(widget, rev)
        return widget


def _compact(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))


def _shows_widget(view: str) -> bool:
    return view == "widget" or (view == "auto" and _has_kernel())


def _has_kernel() -> bool:
    """Whether widgets reach a page from here: some kernel has put its own comms in place."""
    comm = sys.modules.get("comm")
    return comm is not None and getattr(comm.create_comm, "__module__", "comm") != "comm"
