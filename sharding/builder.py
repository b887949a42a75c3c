"""What a model is made from: a module that is there, or a builder, a function that makes one.

A builder is called on the meta device where the model is only looked at, and for real in the ranks that train it; a
module travels to them by value. Called by whatever takes "a model or a builder"; `verb` is what the user called.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from sharding.annotations import annotations_in
from sharding.errors import PlanError
from sharding.traversal import Tree


def model_of(given: Any, *, verb: str) -> nn.Module:
    """The model to look at: the module itself, or what the builder makes on the meta device.

    Raises:
        PlanError: neither a module nor a builder of one, or one that cannot be called on the meta device.
    """
    if isinstance(given, nn.Module):
        return given
    if not callable(given):
        raise PlanError(f"{verb} takes a module or a function that builds one, got {type(given).__name__}")
    name = getattr(given, "__name__", type(given).__name__)
    try:
        with torch.device("meta"):
            model = given()
    except Exception as error:
        raise PlanError(
            f"{name}() could not be built on the meta device, where nothing is allocated: {type(error).__name__}: "
            f"{error}. A builder takes no arguments and reads no values of its tensors; else give the module itself"
        ) from error
    if not isinstance(model, nn.Module):
        raise PlanError(f"{name}() returned {type(model).__name__}, not a module")
    return model


def refuse_untrainable(given: Any, tree: Tree, *, verb: str) -> None:
    """Say why a module that was given cannot be trained in other processes. A builder always can.

    Raises:
        PlanError: parameters without values, or a model that is sharded already.
    """
    if not isinstance(given, nn.Module):
        return
    if annotations_in(tree):
        raise PlanError(
            "this model carries live annotations, and one rank's pieces cannot travel to other workers: give "
            f"{verb} a function that builds the model, or call sharding.remove(model) first"
        )
    meta = [f"{node.fqn}.{attr}".lstrip(".") for node in tree.nodes for attr, param, _ in node.params if param.is_meta]
    if meta:
        raise PlanError(
            f"{meta[0]!r}{f' and {len(meta) - 1} more parameters' if len(meta) > 1 else ''} are on the meta "
            f"device and have no values to train: give {verb} the function that builds the model, {verb}(build)"
        )
