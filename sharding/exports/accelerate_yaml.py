"""The "accelerate" kind: a configuration file for `accelerate launch` with FSDP version 2.

Accelerate knows classes, one reshard choice, one precision. What the plan says beyond that cannot be in the file;
each such thing is a comment at its head, so that nobody takes the file for the plan. Written for accelerate 1.x.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import nn

from sharding.apply import refuse_conflicts
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.precision import as_precision
from sharding.strategies import HYBRID, KEEPS_AFTER_FORWARD
from sharding.units import Unit

_PRECISIONS = {torch.bfloat16: "bf16", torch.float16: "fp16"}


@dataclass
class _Said:
    """What a file can say of a plan, and what it cannot."""

    classes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def accelerate_yaml(plan: Plan, model: nn.Module, *, nprocs: int = 2) -> str:
    """The text of the file.

    Args:
        plan: the plan.
        model: what it is resolved on.
        nprocs: number of processes, where the plan has no mesh.

    Raises:
        ConflictError: torch's engine cannot run the plan.
        PlanError: the root is no unit, which accelerate always makes it.
    """
    layout = plan.resolve(model, engine="torch")
    refuse_conflicts(layout)
    root = next((unit for unit in layout.units if unit.fqns == ("",)), None)
    if root is None:
        raise PlanError(
            "accelerate always makes the root a unit, and this plan does not: mark it, plan.fully_shard('')"
        )
    said = _classes(layout)
    said.missing += [*_beside_units(layout), *_of_units(root, layout), *_of_accelerate(model)]
    head = [f"# {layout.tree.root.cls_name}: accelerate launch --config_file THIS_FILE train.py"]
    if said.missing:
        head += ["# This file says less than the plan. Not in it:", *(f"# - {text}" for text in said.missing)]
    return "\n".join([*head, *_lines(plan, layout, root, said, nprocs)]) + "\n"


def _lines(plan: Plan, layout: Layout, root: Unit, said: _Said, nprocs: int) -> Iterator[str]:
    precision = as_precision(root.annotation.options.mixed_precision)
    dtype = None if precision is None else precision.param_dtype
    count = nprocs if plan.mesh_shape is None else math.prod(plan.mesh_shape)
    yield "compute_environment: LOCAL_MACHINE"
    yield "distributed_type: FSDP"
    yield "fsdp_config:"
    yield "  fsdp_version: 2"
    yield f"  fsdp_auto_wrap_policy: {'TRANSFORMER_BASED_WRAP' if said.classes else 'NO_WRAP'}"
    if said.classes:
        yield f"  fsdp_transformer_layer_cls_to_wrap: {json.dumps(','.join(said.classes))}"
    yield f"  fsdp_reshard_after_forward: {_yes(_reshards(layout))}"
    yield f"  fsdp_offload_params: {_yes(root.annotation.options.cpu_offload)}"
    yield "  fsdp_cpu_ram_efficient_loading: false"
    yield "  fsdp_state_dict_type: SHARDED_STATE_DICT"
    ignored = _ignored_modules(layout)
    if ignored:
        yield f"  fsdp_ignored_modules: {json.dumps('|'.join(map(re.escape, ignored)))}"
    yield f"mixed_precision: {json.dumps('no' if dtype is None else _PRECISIONS.get(dtype, 'no'))}"
    yield "machine_rank: 0"
    yield "main_training_function: main"
    yield "num_machines: 1"
    yield f"num_processes: {count}"
    yield "rdzv_backend: static"
    yield "same_network: true"
    yield f"use_cpu: {_yes(not torch.cuda.is_available())}"


def _yes(value: bool) -> str:
    return "true" if value else "false"


def _classes(layout: Layout) -> _Said:
    """Classes whose every instance is a unit; the other units are named."""
    said = _Said()
    units = {unit.fqn: unit for unit in layout.units if unit.fqns != ("",)}
    wanted = {layout.tree.fqns[fqn].cls for fqn, unit in units.items() if len(unit.fqns) == 1}
    for cls in sorted(wanted, key=lambda cls: cls.__name__):
        same = [node for node in layout.tree.nodes if issubclass(node.cls, cls) and node.parent is not None]
        others = [node.fqn for node in same if node.fqn not in units]
        if others:
            marked = next(fqn for fqn in units if issubclass(layout.tree.fqns[fqn].cls, cls))
            said.missing.append(f"{marked!r} is a unit and {others[0]!r} is none, and both are a {cls.__name__}")
        else:
            said.classes.append(cls.__name__)
    said.missing += [f"one unit of {', '.join(map(repr, unit.fqns))}" for unit in units.values() if len(unit.fqns) > 1]
    return said


def _beside_units(layout: Layout) -> Iterator[str]:
    for group in layout.replicate_groups:
        yield f"{group.fqn!r} is replicated"
    modules = _ignored_modules(layout)
    for row in layout.params.values():
        if row.owner_kind == "ignored" and not any(row.name.startswith(f"{fqn}.") for fqn in modules):
            yield f"the parameter {row.name!r} is ignored by itself"


def _of_units(root: Unit, layout: Layout) -> Iterator[str]:
    """What is one choice for all in accelerate."""
    for unit in layout.units:
        options, common = unit.annotation.options, root.annotation.options
        if options.mixed_precision != common.mixed_precision:
            yield f"unit {unit.fqn!r} has a mixed precision of its own"
        if options.cpu_offload != common.cpu_offload:
            yield f"unit {unit.fqn!r} has cpu_offload={options.cpu_offload}, the root {common.cpu_offload}"
        if unit is not root and _reshards_after(unit) != _reshards(layout):
            yield f"unit {unit.fqn!r} has reshard_after_forward={_reshards_after(unit)}, others {_reshards(layout)}"
        if options.strategy in HYBRID:
            yield f"unit {unit.fqn!r} runs with {options.strategy!r}: give accelerate a parallelism_config"
    precision = as_precision(root.annotation.options.mixed_precision)
    if precision is not None:
        if precision.param_dtype not in _PRECISIONS:
            yield f"a mixed precision that computes in {precision.param_dtype}"
        if precision.reduce_dtype not in (None, precision.param_dtype):
            yield f"gradients reduced in {precision.reduce_dtype}: accelerate reduces in what it computes in"


def _of_accelerate(model: nn.Module) -> Iterator[str]:
    if hasattr(model, "get_input_embeddings"):
        yield "(newer accelerate also makes units of the embedding, and of the last norm and head, by itself)"


def _reshards(layout: Layout) -> bool:
    """The choice of most units below the root."""
    below = [_reshards_after(unit) for unit in layout.units if unit.fqns != ("",)]
    return 2 * sum(map(bool, below)) >= len(below)


def _reshards_after(unit: Unit) -> bool | int:
    options = unit.annotation.options
    if options.reshard_after_forward is not None:
        return options.reshard_after_forward
    return options.strategy not in KEEPS_AFTER_FORWARD


def _ignored_modules(layout: Layout) -> list[str]:
    """Names of the modules that are ignored with all below them."""
    return [row.fqn for row in layout.modules if row.status == "ignored"]
