"""What was given to `explore`: the model or the way to build it, and what a training step is made of.

What cannot be run is refused here, before anything starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import nn

from sharding.builder import model_of, refuse_untrainable
from sharding.errors import PlanError
from sharding.training import Training
from sharding.traversal import Tree


@dataclass(frozen=True, eq=False)
class Source:
    """A model to look at and the parts of a run.

    Attributes:
        given: the module or the builder.
        model: the module to look at; on the meta device if it was built here.
        example_inputs, loss, step: as `explore` takes them.
    """

    given: nn.Module | Callable[[], nn.Module]
    model: nn.Module
    example_inputs: Any = None
    loss: Callable[..., Any] | None = None
    step: Callable[..., Any] | None = None

    def training(self, **settings: Any) -> Training:
        """What the steps of a run are made of; `settings` are `lr` and `seed` where they differ."""
        return Training(self.given, self.example_inputs, self.loss, self.step, **settings)

    def refuse_run(self, tree: Tree) -> None:
        """Say why this cannot be run.

        Raises:
            PlanError: no inputs, parameters without values, or a model that is sharded already.
        """
        if self.step is None and self.example_inputs is None:
            raise PlanError(
                "a run needs something to feed the model: explore(..., example_inputs=x), a tuple, a dict or "
                "f(rank, step); or a whole step=f(model, optimizer, rank, step)"
            )
        refuse_untrainable(self.given, tree, verb="explore")


def source_of(
    model_or_builder: Any,
    *,
    example_inputs: Any = None,
    loss: Callable[..., Any] | None = None,
    step: Callable[..., Any] | None = None,
) -> Source:
    """Check what was given, and build it on the meta device if it is a builder.

    Raises:
        PlanError: neither a module nor a builder of one, or settings that exclude one another.
    """
    if step is not None and loss is not None:
        raise PlanError("step replaces loss: give one of them")
    for name, value in (("loss", loss), ("step", step)):
        if value is not None and not callable(value):
            raise PlanError(f"{name} is a function, got {type(value).__name__}")
    model = model_of(model_or_builder, verb="explore")
    return Source(model_or_builder, model, example_inputs, loss, step)
