"""`trace`: what a model does in one forward and backward, without running it.

Copies of it hold fake tensors: shapes and dtypes, no memory. Called by users and by the explorer.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_leaves

from sharding.annotations import annotations_in
from sharding.builder import model_of
from sharding.errors import PlanError
from sharding.precision import as_precision
from sharding.tracing.listening import Listener, listen_to_module, listen_to_param
from sharding.tracing.record import Trace
from sharding.tracing.shadow import Run, Shadow, runs_in
from sharding.tracing.stretching import ADVICE, ShortTrace, stretched
from sharding.training import loss_on
from sharding.traversal import Tree, tree_of


def trace(
    model_or_builder: nn.Module | Callable[[], nn.Module],
    example_inputs: Any,
    *,
    loss: Callable[..., Any] | None = None,
    mixed_precision: Any = None,
    shorten: bool = True,
) -> Trace:
    """Run one forward and backward of shortened copies of a model on fake tensors.

    Runs of at least four equal blocks are run as two and as three, and the trace of the whole is made of those. Needs
    no device, no weights and no process group; blocks for as long as the copies take. The model is not changed: its
    hooks and methods run on the copies. Operators are those of the CPU, so temporaries of fused kernels differ.

    Args:
        model_or_builder: a module, on any device, meta included, or a function that builds one.
        example_inputs: a tensor, a tuple, a dict, or `f(rank, step)`; only shapes and dtypes are read.
        loss: `loss(output, inputs) -> scalar`; by default as for `explore`.
        mixed_precision: `param_dtype` of it is what parameters and inputs are cast to.
        shorten: False to run the whole model.

    Raises:
        PlanError: the model cannot be run on fake tensors (it looks at values), or not be shortened; the message says
            why and what would do.
    """
    started = time.perf_counter()
    model = model_of(model_or_builder, verb="trace")
    tree = tree_of(model)
    _refuse(tree, example_inputs)
    inputs = example_inputs(0, 0) if callable(example_inputs) else example_inputs
    precision = as_precision(mixed_precision)
    dtype = None if precision is None else precision.param_dtype
    runs = runs_in(tree) if shorten else []
    if not runs:
        whole = _run(tree, [], 0, inputs, loss, dtype)
        return Trace(whole.events, whole.num_forward, (), len(tree.nodes), time.perf_counter() - started)
    two = _run(tree, runs, 2, inputs, loss, dtype)
    three = _run(tree, runs, 3, inputs, loss, dtype)
    events, num_forward = stretched(two, three, runs)
    repeats = tuple((run.container, run.first, run.count) for run in runs)
    return Trace(events, num_forward, repeats, len(tree.nodes), time.perf_counter() - started)


def _refuse(tree: Tree, example_inputs: Any) -> None:
    if annotations_in(tree):
        raise PlanError(
            "trace runs a model as it is without sharding, but this one carries live annotations: give a function that "
            "builds it, or call sharding.remove(model) first"
        )
    lazy = next((held.name for held in tree.held.values() if held.shape is None), None)
    if lazy is not None:
        raise PlanError(
            f"{lazy!r} is lazy and has no shape yet; run one forward of the model first, so that it gets one"
        )
    if example_inputs is None:
        raise PlanError("trace needs something to feed the model: a tensor, a tuple, a dict or f(rank, step)")


def _run(
    tree: Tree, runs: Sequence[Run], num_kept: int, inputs: Any, loss: Any, dtype: torch.dtype | None
) -> ShortTrace:
    """Forward and backward of one copy."""
    mode = FakeTensorMode(allow_non_fake_inputs=False)
    shadow = Shadow(mode, _kept(tree, runs, num_kept), dtype)
    model = shadow.module(tree.root.module)
    fed = shadow.inputs(inputs)
    known = [*shadow.tensors, *(leaf for leaf in tree_leaves(fed) if isinstance(leaf, torch.Tensor))]
    listener = Listener(known)
    _listen(tree, shadow, listener)
    try:
        with mode, listener, torch.enable_grad():
            value = loss_on(model, fed, loss)
            listener.note("end", "")
            num_forward = len(listener.events)
            listener.in_backward = True
            value.backward()
            listener.note("over", "")
    except PlanError:
        raise
    except Exception as error:
        raise PlanError(_why_not(error, num_kept)) from error
    finally:
        listener.close()
        del model, shadow
        gc.collect(0)
    return ShortTrace(listener.events, num_forward)


def _listen(tree: Tree, shadow: Shadow, listener: Listener) -> None:
    for node in tree.nodes:
        twin = shadow.twin(node.module)
        if twin is not None:
            listen_to_module(listener, twin, node.fqn)
    for held in tree.held.values():
        param = shadow.twin_of_param(held.param)
        if isinstance(param, nn.Parameter):
            listen_to_param(listener, param, held.name)


def _kept(tree: Tree, runs: Sequence[Run], num_kept: int) -> dict[int, set[str]]:
    """By id of each container, the names of the children that stay."""
    kept: dict[int, set[str]] = {}
    for run in runs:
        container = tree.fqns[run.container].modules[-1]
        names = kept.setdefault(id(container), set(container._modules))
        names -= {str(number) for number in range(run.first + num_kept, run.first + run.count)}
    return kept


def _why_not(error: Exception, num_kept: int) -> str:
    first = str(error).strip().partition("\n")[0][:300]
    where = f"a copy with {num_kept} repeats of each block" if num_kept else "a copy"
    if num_kept and (isinstance(error, IndexError) or "out of range" in first):
        return f"the model cannot be shortened: {where} failed with {type(error).__name__}: {first}; {ADVICE}"
    return (
        f"the model cannot be traced: {where} on fake tensors, which have shapes but no values, failed with "
        f"{type(error).__name__}: {first}. Forwards that look at values (.item(), nonzero, routing by data) cannot run "
        "so; a smaller model of the same kind may, with those parts replaced"
    )
