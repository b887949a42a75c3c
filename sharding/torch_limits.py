"""What torch's engine (FSDP2, and its `replicate`) cannot run, as conflicts that name the nearest plan it can.

Torch meets most of these in the first forward, some never; here they are known from the layout alone, before anything
is changed. What concerns the model as a whole is in `torch_tree_limits.py`. Run against torch 2.11, 2.13 and 2.14; read
against 2.12.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.torch_version import TorchVersion

from sharding.layout import Layout
from sharding.nodes import indices_above
from sharding.precision import as_precision
from sharding.torch_facts import replicates_with_ddp
from sharding.torch_tree_limits import torch_tree_conflicts
from sharding.units import ParamRow, ReplicateGroup, Unit
from sharding.verdicts import Conflict

CANNOT_HOLD_INTEGERS = TorchVersion(torch.__version__) < "2.12"
"""Torch 2.11 makes every parameter of a unit require gradients for a moment, which integers cannot."""


def torch_conflicts(layout: Layout) -> Iterator[Conflict]:
    """Everything in a layout that this engine cannot run."""
    yield from torch_tree_conflicts(layout)
    for unit in layout.units:
        yield from _strategy(unit)
        yield from _options(unit)
        yield from _root_of_several(unit)
        yield from _params(layout, unit)
    for group in layout.replicate_groups:
        if replicates_with_ddp(group.annotation.settings):
            yield from _ddp(layout, group)
        else:
            yield from _params(layout, group)
        yield from _options(group)


def _shown(owner: Unit | ReplicateGroup) -> str:
    return repr(owner.fqn) if owner.fqn else "the root"


def _strategy(unit: Unit) -> Iterator[Conflict]:
    if unit.strategy == "no_shard":
        yield Conflict(
            "no_shard",
            (unit.fqn,),
            f"{_shown(unit)} is to run with 'no_shard', which torch's fully_shard does not have",
            f"keep it whole with plan.replicate({unit.fqn!r}), or use engine='flat'",
        )


def _options(owner: Unit | ReplicateGroup) -> Iterator[Conflict]:
    options = owner.annotation.options
    precision = as_precision(options.mixed_precision)
    if precision is not None and precision.buffer_dtype is not None:
        yield Conflict(
            "buffer_dtype",
            (owner.fqn,),
            f"{_shown(owner)} asks for buffers in {precision.buffer_dtype}, and torch's engine never casts buffers",
            "leave buffer_dtype out of mixed_precision and cast them before: module.to(dtype) on what holds them",
        )
    wanted = {
        "backward_prefetch": (options.backward_prefetch, "pre"),
        "forward_prefetch": (options.forward_prefetch, False),
        "limit_all_gathers": (options.limit_all_gathers, True),
    }
    for name, (value, only) in wanted.items():
        if value != only:
            yield Conflict(
                "setting",
                (owner.fqn,),
                f"{_shown(owner)} is to run with {name}={value!r}, and torch's engine has only {name}={only!r}",
                f"leave {name} out, or use engine='flat'",
            )


def _root_of_several(unit: Unit) -> Iterator[Conflict]:
    if unit.is_root and len(unit.fqns) > 1:
        yield Conflict(
            "root_of_several",
            unit.fqns,
            f"the unit of {', '.join(map(repr, unit.fqns))} is a local root, and torch's engine wants one module there",
            "mark a module above all of them as fully_shard too",
        )


def _params(layout: Layout, owner: Unit | ReplicateGroup) -> Iterator[Conflict]:
    yield from _dtypes(owner)
    inside = {node.index for node in layout.labels.nodes_of(owner.annotation)}
    for row in owner.params:
        if not row.shape and row.shape is not None and isinstance(owner, ReplicateGroup):
            yield Conflict(
                "scalar",
                (row.name,),
                f"{row.name!r} is a scalar of shape (), and the replicate of torch's FSDP2 engine takes none",
                "give it the shape (1,), or use replicate_with='ddp'",
            )
        if CANNOT_HOLD_INTEGERS and not (row.dtype.is_floating_point or row.dtype.is_complex):
            yield Conflict(
                "integer",
                (row.name,),
                f"{row.name!r} holds {row.dtype}, which torch's engine takes since 2.12 (this is {torch.__version__})",
                f"ignore it, plan.ignore({row.name!r}), or use engine='flat'",
            )
        if not row.param.is_contiguous():
            yield Conflict(
                "not_contiguous",
                (row.name,),
                f"{row.name!r} is not contiguous (strides {tuple(row.param.stride())}), and torch's engine takes only "
                "contiguous parameters",
                "replace it by nn.Parameter(parameter.detach().contiguous()) before",
            )
        if len(row.names) > 1:
            yield from _tied(layout, owner, row, inside)


def _dtypes(owner: Unit | ReplicateGroup) -> Iterator[Conflict]:
    if len({row.dtype for row in owner.params if row.requires_grad}) < 2:
        return
    by_dtype: dict[torch.dtype, list[ParamRow]] = {}
    for row in owner.params:
        if row.requires_grad:
            by_dtype.setdefault(row.dtype, []).append(row)
    kinds = "; ".join(f"{dtype} in {rows[0].name!r} and {len(rows) - 1} more" for dtype, rows in by_dtype.items())
    fewest = min(by_dtype.values(), key=lambda rows: sum(row.numel for row in rows))
    homes = list(dict.fromkeys(row.name.rpartition(".")[0] for row in fewest))
    own = [home for home in homes if home != owner.fqn]
    verb = "fully_shard" if isinstance(owner, Unit) else "replicate"
    yield Conflict(
        "dtypes",
        (owner.fqn,),
        f"{_shown(owner)} has trainable parameters of {len(by_dtype)} dtypes ({kinds}), and torch's engine reduces one "
        "a unit",
        f"give those a unit of their own: {', '.join(f'plan.{verb}({home!r})' for home in own[:3])}"
        if own
        else "cast them to one dtype, freeze one kind, or use engine='flat'",
    )


def _tied(layout: Layout, owner: Unit | ReplicateGroup, row: ParamRow, inside: set[int]) -> Iterator[Conflict]:
    """Torch shows the whole parameter in the modules below the unit's own, and takes what no inner unit would take."""
    nodes = [node for module, _ in row.users if (node := layout.tree.node_of(module)) is not None]
    taken = any(layout.labels.decides[node.index] is owner.annotation for node in nodes)
    if taken and all(inside & indices_above([node]) for node in nodes):
        return
    users = ", ".join(repr(node.fqn) for node in nodes)
    yield Conflict(
        "tied",
        row.names,
        f"{' and '.join(map(repr, row.names[:4]))} are one parameter used by several units, and torch's engine keeps a "
        "parameter in the unit of the modules that hold it",
        f"make one unit of them, plan.fully_shard([{users}]), or leave them to the unit above: plan.clear([{users}])",
    )


def _ddp(layout: Layout, group: ReplicateGroup) -> Iterator[Conflict]:
    if as_precision(group.annotation.options.mixed_precision) is not None:
        yield Conflict(
            "ddp_precision",
            (group.fqn,),
            f"{_shown(group)} is to be replicated with mixed precision, which torch's DDP does only for whole models",
            "use replicate_with='fsdp', or leave mixed_precision to the units",
        )
    if not any(row.requires_grad for row in group.params):
        yield Conflict(
            "ddp_frozen",
            (group.fqn,),
            f"{_shown(group)} has no trainable parameter of its own, and torch's DDP refuses such a module",
            "clear its mark, or use replicate_with='fsdp'",
        )
    above = layout.labels.above(group.annotation)
    if above is not None and above.api == "replicate":
        outer = layout.labels.first_node(above)
        yield Conflict(
            "ddp_nested",
            (group.fqn, outer.fqn),
            f"{_shown(group)} lies inside the replicated {outer.shown}, and torch's DDP would average it twice",
            f"clear one of the two marks, or use replicate_with='fsdp' (inner marks first: {_shown(group)})",
        )
