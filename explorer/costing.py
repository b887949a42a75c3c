"""What the plan on view costs: one question for a session, and its answer for whatever plan is on view.

Nothing is worked out before somebody asks. A plan that cannot run has no costs but a reason; a question nobody can
answer is refused and the one before stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from explorer.cost_data import asked_data, choices, costs_state
from explorer.messages import CostsState, error_data
from explorer.questions import Question
from explorer.source import Source
from sharding.costs.report import Cost
from sharding.errors import ConflictError, ShardingError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.precision import as_precision
from sharding.tracing.record import Trace
from sharding.tracing.verb import trace


class Costing:
    """One question, and its answer for the plan on view.

    Attributes:
        question: what is asked.
        is_shown: whether a page has asked; from then on it is told of every change.
        trace: of the model, once that was asked for.
    """

    def __init__(self, source: Source) -> None:
        self.question = Question()
        self.trace: Trace | None = None
        self._source = source
        self._traces: dict[torch.dtype | None, Trace] = {}
        self.is_shown = False
        self._ran: tuple[Layout, Layout] | None = None
        self._last: tuple[Layout, Question, Cost] | None = None

    def cost(self, plan: Plan, layout: Layout) -> Cost:
        """The answer, worked out once for each plan and question; a trace is made when it is first needed.

        Raises:
            ConflictError: the plan cannot run.
            PlanError: the question does not fit the plan.
        """
        last = self._last
        if last is not None and last[0] is layout and last[1] == self.question:
            return last[2]
        if self.question.traced:
            self.trace = self._traced(layout)
        used = self.trace if self.question.traced else None
        found = self.question.answer(plan, layout, used, None if last is None else last[2])
        self._last = (layout, self.question, found)
        return found

    def _traced(self, layout: Layout) -> Trace:
        """The trace in the dtype that the first unit, which is the outermost, computes in."""
        asked = self.question.mixed_precision
        if asked is None and layout.units:
            asked = layout.units[0].annotation.options.mixed_precision
        precision = as_precision(asked)
        dtype = None if precision is None else precision.param_dtype
        if dtype not in self._traces:
            source = self._source
            self._traces[dtype] = trace(
                source.given, source.example_inputs, loss=source.loss, mixed_precision=precision
            )
        return self._traces[dtype]

    def ran(self, layout: Layout) -> Layout:
        """The layout with the order its units ran in, if a trace was made."""
        if self.trace is None or layout.ran is not None:
            return layout
        if self._ran is None or self._ran[0] is not layout:
            self._ran = layout, self.trace.on(layout)
        return self._ran[1]

    def ask(self, fields: Mapping[str, Any], plan: Plan, layout: Layout) -> None:
        """Change the question.

        Raises:
            PlanError: it makes no sense; the one before stays.
        """
        before = self.question
        try:
            self.question = before.changed(fields)
            self.cost(plan, layout)
        except ConflictError:
            pass  # of the plan, not of the question: told by `data`
        except Exception:
            self.question = before
            raise

    def data(self, plan: Plan, layout: Layout, rev: int) -> dict[str, Any]:
        """The answer, or why there is none, as the page draws it."""
        try:
            return costs_state(self.cost(plan, layout), self.question, rev).to_data()
        except ShardingError as error:
            return CostsState(rev, asked_data(self.question, None), choices(), error_data(error)).to_data()
