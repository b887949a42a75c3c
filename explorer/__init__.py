"""See, edit, check and run where `fully_shard` and `replicate` go in a model: `explore(model)`.

Importing this starts nothing, opens nothing and loads no notebook library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from explorer.exploration import Exploration
    from sharding.plan import Plan

__all__ = ["explore"]


def explore(
    model_or_builder: Any,
    *,
    plan: Plan | None = None,
    example_inputs: Any = None,
    loss: Any = None,
    step: Any = None,
    view: Literal["auto", "widget", "text"] = "auto",
) -> Exploration:
    """Show a model's module tree with a plan on it, ready to be edited and run.

    Args:
        model_or_builder: a module, or a function that takes nothing and returns one. A builder is called on
            the meta device here and for real in the workers.
        plan: where to start; an empty plan, or what was applied to a live model, if not given.
        example_inputs: what a step is fed: a tensor, a tuple, a dict, or `f(rank, step)` that returns one.
        loss: `loss(output, inputs) -> scalar`; `output.loss` if there is one, else the mean square of the
            output.
        step: `step(model, optimizer, rank, step) -> dict of metrics`, instead of `example_inputs` and `loss`.
        view: "widget", "text" (no widget at all), or "auto": the widget where there is a notebook kernel.

    Returns:
        An `Exploration`: shown by a notebook as a widget, by `print` as text. Does not block, no process
        group.

    Raises:
        PlanError: no module and no builder, or the plan names what the model does not have.
    """
    from explorer.exploration import Exploration

    return Exploration(model_or_builder, plan=plan, example_inputs=example_inputs, loss=loss, step=step, view=view)


def load_ipython_extension(ipython: Any) -> None:
    """What `%load_ext explorer` calls: registers the `%%ranks` cell magic, and lets the launcher begin to import torch,
    since who loads it is about to use ranks. No rank is made."""
    from explorer.magic import RanksMagic
    from sharding.workers.launcher import launcher

    RanksMagic(ipython).register()
    launcher.warm()
