"""What torch's engine (FSDP2) does otherwise than the rules say, as facts of a layout.

Run against torch 2.11, 2.13 and 2.14, read against 2.12: parameters of a unit travel in post-order of the modules, each
is cut on its first dimension, and the outermost `fully_shard` takes every unit below it into its context, also across
`replicate` (that is decided in `labels.py`, by `through_replicate`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from sharding.layout import Layout
from sharding.nodes import depth_first
from sharding.units import ParamRow, ReplicateGroup, Unit
from sharding.verdicts import Fact

Owner = TypeVar("Owner", Unit, ReplicateGroup)


def with_torch_facts(layout: Layout) -> Layout:
    """The layout with each unit's parameters in the order they travel in, and the facts stated."""
    place = _places(layout)
    units = [_reordered(layout, unit, place) for unit in layout.units]
    reordered = tuple(
        new.fqn for old, new in zip(layout.units, units, strict=True) if old.param_names != new.param_names
    )
    groups = [_reordered(layout, group, place) for group in layout.replicate_groups]
    layout = replace(layout, units=units, replicate_groups=groups)
    facts = (
        _order(reordered),
        _rows(layout),
        _adopted(layout),
        _root_kept(layout),
        _one_collective(layout),
        _groups_of_dtensors(layout),
    )
    return replace(layout, facts=tuple(fact for fact in facts if fact is not None))


def replicates_with_ddp(group_settings: object) -> bool:
    """Whether the call that made a replicate group asks for torch's DDP instead of the FSDP2 engine."""
    return getattr(group_settings, "replicate_with", "fsdp") == "ddp"


def _places(layout: Layout) -> Sequence[int]:
    """Each node's place in post-order, by its index."""
    nodes = layout.tree.nodes
    if layout.tree.has_shared:
        after = depth_first(layout.tree.root, lambda _: True)[1]
    else:
        after = sorted(nodes, key=lambda node: (node.end, -node.index))
    places = [0] * len(nodes)
    for place, node in enumerate(after):
        places[node.index] = place
    return places


def _reordered(layout: Layout, owner: Owner, places: Sequence[int]) -> Owner:
    """Rows by the place of their first holder in post-order; those of one module keep the order they have."""
    held = layout.tree.held

    def key(row: ParamRow) -> int:
        return min(places[node.index] for node in held[id(row.param)].nodes)

    keys = [key(row) for row in owner.params]
    if all(one <= other for one, other in pairwise(keys)):
        return owner
    return replace(owner, params=tuple(sorted(owner.params, key=key)))


def _order(reordered: tuple[str, ...]) -> Fact | None:
    if not reordered:
        return None
    return Fact(
        "param_order",
        reordered,
        f"the parameters of {len(reordered)} units travel in post-order (children before the module that holds them), "
        "not in the order of named_parameters()",
    )


def _rows(layout: Layout) -> Fact | None:
    shapes = ((row.name, row.shape) for unit in layout.units for row in unit.params)
    lengths = {name: shape[0] for name, shape in shapes if shape}
    if not lengths:
        return None
    fewest = min(lengths.values())
    few = tuple(name for name, length in lengths.items() if length == fewest)
    return Fact(
        "rows",
        few,
        f"each of {len(lengths)} parameters is cut on its first dimension, ceil(rows / ranks) rows a rank, padded by "
        f"itself; the shortest has {fewest} row{'' if fewest == 1 else 's'}, so on more ranks than that the last hold "
        "none of it",
    )


def _adopted(layout: Layout) -> Fact | None:
    adopted = [unit for unit in layout.units if not unit.is_root and _across_replicate(layout, unit)]
    if not adopted:
        return None
    roots = ", ".join(dict.fromkeys(repr(unit.local_root) for unit in adopted))
    return Fact(
        "adopted",
        tuple(unit.fqn for unit in adopted),
        f"{len(adopted)} units inside replicate belong to the local tree of {roots} above it: they are freed after "
        "forward and prefetched with its units",
    )


def _across_replicate(layout: Layout, unit: Unit) -> bool:
    above = layout.labels.above(unit.annotation)
    return above is not None and above.api == "replicate"


def _root_kept(layout: Layout) -> Fact | None:
    """Torch frees a root after its backward only; without one it stays until the next."""
    kept = [unit for unit in layout.units if unit.is_root and unit.params and _keeps(unit)]
    if not kept:
        return None
    return Fact(
        "root_kept",
        tuple(unit.fqn for unit in kept),
        f"a local root ({len(kept)} here) stays whole after a forward without backward (eval, no_grad), until the end "
        "of its next backward; module.reshard() frees it",
    )


def _keeps(unit: Unit) -> bool:
    return unit.annotation.options.reshard_after_forward is None or not unit.annotation.options.reshard_after_forward


def _one_collective(layout: Layout) -> Fact | None:
    mixed = tuple(unit.fqn for unit in layout.units if len({(r.dtype, r.requires_grad) for r in unit.params}) > 1)
    if not mixed:
        return None
    return Fact(
        "one_collective",
        mixed,
        f"{len(mixed)} units hold several dtypes, or frozen beside trainable parameters: each still makes one "
        "all-gather, and one reduce-scatter of what is trainable",
    )


def _groups_of_dtensors(layout: Layout) -> Fact | None:
    groups = [group for group in layout.replicate_groups if not replicates_with_ddp(group.annotation.settings)]
    if not groups:
        return None
    return Fact(
        "replicate_on_fsdp2",
        tuple(group.fqn for group in groups),
        f"{len(groups)} replicate groups run on the FSDP2 engine: their parameters are DTensors (Replicate), copied "
        "whole for forward and backward, and each group makes one all-reduce (replicate_with='ddp' makes buckets of "
        "plain tensors)",
    )
