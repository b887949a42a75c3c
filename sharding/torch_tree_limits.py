"""What torch's engine cannot run about a model as a whole: its shape, its classes, and where roots lie.

Told apart from the limits of single units (`torch_limits.py`) because nothing here asks what a unit holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from torch import nn

from sharding.annotations import Annotation
from sharding.layout import Layout
from sharding.nodes import Node, indices_above
from sharding.torch_facts import replicates_with_ddp
from sharding.units import ReplicateGroup
from sharding.verdicts import Conflict

MAX_DEPTH = 400
"""Torch walks modules recursively, a few Python frames a level."""


def torch_tree_conflicts(layout: Layout) -> Iterator[Conflict]:
    """Cycles, depth, classes torch stumbles over, and what lies below two roots."""
    yield from _shape(layout)
    yield from _classes(layout)
    yield from _between_roots(layout)


def _shape(layout: Layout) -> Iterator[Conflict]:
    for node in layout.tree.nodes:
        for attr, target, kind in node.references:
            if kind == "back":
                name = f"{node.fqn}.{attr}" if node.fqn else attr
                yield Conflict(
                    "cycle",
                    (node.fqn, target.fqn),
                    f"{name!r} leads back to {target.shown}, and torch's engine follows it without end",
                    "keep the parent outside the module tree, for example in a tuple, or use engine='flat'",
                )
    deepest = max(layout.tree.nodes, key=lambda node: node.depth)
    if deepest.depth > MAX_DEPTH:
        yield Conflict(
            "too_deep",
            (deepest.fqn,),
            f"{deepest.fqn[:60]!r}... lies {deepest.depth} levels deep, and torch's engine walks modules recursively",
            f"use engine='flat', or nest at most {MAX_DEPTH} levels",
        )


def _classes(layout: Layout) -> Iterator[Conflict]:
    """Classes torch cannot put in a set, or that answer its questions about parameters and children themselves."""
    told: set[type] = set()
    firsts: dict[tuple[type, bool], Node] = {}
    for node in layout.tree.nodes:
        owned = isinstance(layout.labels.decides[node.index], Annotation)
        for module in node.modules:
            firsts.setdefault((type(module), owned and bool(module._parameters)), node)
    for (cls, holds), node in firsts.items():
        if cls.__hash__ is None and cls not in told:
            told.add(cls)
            yield Conflict(
                "unhashable",
                (node.fqn,),
                f"{node.shown} is a {cls.__name__}, which defines __eq__ and so has no hash, and torch's engine keeps "
                "modules in sets",
                f"write __hash__ = nn.Module.__hash__ in {cls.__name__}, or use engine='flat'",
            )
        if holds and cls.named_parameters is not nn.Module.named_parameters and not cls.__module__.startswith("torch."):
            yield Conflict(
                "own_names",
                (node.fqn,),
                f"{node.shown} is a {cls.__name__}, which overrides named_parameters, and torch's engine finds "
                "parameters through it",
                f"ignore it, plan.ignore({node.fqn!r}), or use engine='flat'" if node.fqn else "use engine='flat'",
            )


def _roots(layout: Layout) -> set[int]:
    """Indices of the modules whose forward makes torch take what is below into one context."""
    labels = layout.labels
    roots = {layout.tree.fqns[unit.fqn].index for unit in layout.units if unit.is_root}
    for group in layout.replicate_groups:
        if labels.above(group.annotation) is None and not replicates_with_ddp(group.annotation.settings):
            roots.add(layout.tree.fqns[group.fqn].index)
    return roots


def _between_roots(layout: Layout) -> Iterator[Conflict]:
    """What two roots would take: torch refuses it in the forward of the second.

    A replicate that is a root takes replicates only. So one below a sharded root below another replicate has two; and
    so has whatever is used, as a shared module, below two roots.
    """
    roots = _roots(layout)
    if len(roots) < 2:
        return
    for owner in (*layout.units, *layout.replicate_groups):
        is_group = isinstance(owner, ReplicateGroup)
        if is_group and replicates_with_ddp(owner.annotation.settings):
            continue
        above = sorted(indices_above(layout.labels.nodes_of(owner.annotation)) & roots)
        found = [layout.tree.nodes[index] for index in above]
        if not is_group:
            found = [node for node in found if layout.labels.marks[node.index].api == "fully_shard"]
        if len(found) > 1:
            outer, inner = found[:2]
            shown = layout.tree.fqns[owner.fqn].shown
            yield Conflict(
                "two_roots",
                (owner.fqn, outer.fqn, inner.fqn),
                f"{shown} lies below {outer.shown} and below {inner.shown}, and torch's engine gives what runs to one "
                "root alone: it fails in the forward of the second",
                "mark a module above both as fully_shard, so that it is the one root"
                + (", or use replicate_with='ddp'" if is_group else ""),
            )
