"""Verbs called in a wrong order, twice, or mixed: refused before anything changes.

What a layout can tell (twice, both verbs, ties, containers, scalars) is decided by `sharding/resolution.py`
and only turned into an exception here. What needs the past, that a module already lies inside something
annotated, is read from a mark that each verb leaves on every module below its argument."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from torch import nn

from sharding.annotations import Annotation
from sharding.errors import AnnotationError, ConflictError, PlanError
from sharding.layout import Layout
from sharding.nodes import Node
from sharding.traversal import Tree

_KEY = "_sharding_inside"
_ORDER_KINDS = ("twice", "both_apis")


@dataclass(frozen=True)
class Inside:
    """The mark on a module below an annotated one.

    Attributes:
        api: the verb applied above.
        path: the module's name from the module it was applied to.
        cls: class name of that module.
    """

    api: str
    path: str
    cls: str


def mark_inside(nodes: Sequence[Node], annotation: Annotation) -> None:
    """Note on every module of a subtree but those of `annotation` itself that it lies inside that."""
    cls = type(annotation.modules[0]).__name__
    members = {id(module) for module in annotation.modules}
    for node in nodes:
        if members.isdisjoint(map(id, node.modules)) and node is not nodes[0]:
            for module in node.modules:
                module.__dict__[_KEY] = Inside(annotation.api, node.fqn, cls)


def unmark_inside(modules: Iterable[nn.Module]) -> None:
    """Take the marks off."""
    for module in modules:
        module.__dict__.pop(_KEY, None)


def as_modules(verb: str, module: nn.Module | Sequence[nn.Module]) -> tuple[nn.Module, ...]:
    """The argument of a verb as modules."""
    given: tuple[Any, ...] = tuple(module) if isinstance(module, (list, tuple)) else (module,)
    modules = tuple(each for each in given if isinstance(each, nn.Module))
    wrong = [type(each).__name__ for each in given if not isinstance(each, nn.Module)]
    if wrong or not modules:
        raise PlanError(f"{verb} takes a module, got {', '.join(wrong) or 'an empty list'}; pass the module itself")
    if len({id(each) for each in modules}) < len(modules):
        raise PlanError(f"{verb}: a module is in the list twice; name each member of the unit once")
    return modules


def check_order(verb: str, modules: Sequence[nn.Module]) -> None:
    """Refuse a module inside something that is annotated already.

    Raises:
        AnnotationError: naming the module's place, what is above it and the right order.
    """
    for module in modules:
        inside: Inside | None = module.__dict__.get(_KEY)
        if inside is not None:
            raise AnnotationError(
                f"{verb} on {inside.path!r}, a {type(module).__name__}, after {inside.api} on the {inside.cls} that "
                f"holds it: its parameters are taken already. Apply from the inside out: {verb} the inner module "
                "first, then the outer one (sharding.remove(outer) undoes the outer call)"
            )


def check_paths(by: str, existing: Sequence[Annotation], tree: Tree) -> None:
    """Refuse the wrapper and the composable path in one tree."""
    wraps = by == "wrapper"
    for annotation in existing:
        if annotation.api == "fully_shard" and (annotation.by == "wrapper") != wraps:
            node = tree.node_of(annotation.modules[0])
            where = repr(node.fqn) if node is not None else type(annotation.modules[0]).__name__
            found, wanted = (
                ("fully_shard", "FullyShardedDataParallel")
                if wraps
                else (
                    "FullyShardedDataParallel",
                    "fully_shard",
                )
            )
            raise AnnotationError(
                f"{where} was sharded with {found} and this call is {wanted}: one tree takes one of the two. Use "
                f"{found} here too, or sharding.remove the inner one first"
            )


def refuse_conflicts(verb: str, layout: Layout) -> None:
    """Turn what cannot run into one exception.

    Raises:
        AnnotationError: the module is annotated already.
        ConflictError: anything else, with every conflict named.
    """
    if not layout.conflicts:
        return
    text = "\n".join(f"- {conflict.message}; {conflict.fix}" for conflict in layout.conflicts)
    message = f"{verb} refused, nothing was changed:\n{text}"
    if any(conflict.kind in _ORDER_KINDS for conflict in layout.conflicts):
        raise AnnotationError(message)
    raise ConflictError(message, layout.conflicts)
