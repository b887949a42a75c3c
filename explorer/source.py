"""What was given to `explore`: the model or the way to build it, and what a training step is made of.

A builder is called on the meta device here, and for real in the workers; a module travels to them by value.
What cannot be run is refused here, before anything starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from sharding.annotations import annotations_in
from sharding.errors import PlanError
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

    @property
    def is_builder(self) -> bool:
        return not isinstance(self.given, nn.Module)

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
        if self.is_builder:
            return
        if annotations_in(tree):
            raise PlanError(
                "this model carries live annotations, and one rank's pieces cannot travel to other workers: give "
                "explore a function that builds the model, or call sharding.remove(model) first"
            )
        meta = [
            f"{node.fqn}.{attr}".lstrip(".") for node in tree.nodes for attr, param, _ in node.params if param.is_meta
        ]
        if meta:
            raise PlanError(
                f"{meta[0]!r}{f' and {len(meta) - 1} more parameters' if len(meta) > 1 else ''} are on the meta "
                "device and have no values to train: give explore the function that builds the model, explore(build)"
            )


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
    model = model_or_builder if isinstance(model_or_builder, nn.Module) else _build(model_or_builder)
    return Source(model_or_builder, model, example_inputs, loss, step)


def _build(builder: Any) -> nn.Module:
    if not callable(builder):
        raise PlanError(f"explore takes a module or a function that builds one, got {type(builder).__name__}")
    name = getattr(builder, "__name__", type(builder).__name__)
    try:
        with torch.device("meta"):
            model = builder()
    except Exception as error:
        raise PlanError(
            f"{name}() could not be built on the meta device, where nothing is allocated: {type(error).__name__}: "
            f"{error}. A builder takes no arguments and reads no values of its tensors; else give the module itself"
        ) from error
    if not isinstance(model, nn.Module):
        raise PlanError(f"{name}() returned {type(model).__name__}, not a module")
    return model
