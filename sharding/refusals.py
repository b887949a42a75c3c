"""What cannot be annotated at all, whatever else is marked: containers nobody calls, parameters that cannot be cut.

Each check looks at one annotation or one parameter and returns conflicts; `resolution.py` collects them.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn

from sharding.annotations import Annotation
from sharding.labels import Labels
from sharding.nodes import Node, indices_above
from sharding.policy import has_forward, is_bare_container, is_never_called
from sharding.units import ParamRow
from sharding.verdicts import Conflict, Finding


def check_target(annotation: Annotation, node: Node) -> Conflict | Finding | None:
    """Whether the module can gather anything: something has to call it."""
    if is_bare_container(node):
        children = [repr(child.fqn) for child in node.children]
        proposal = ", ".join(children[:4]) + (", ..." if len(children) > 4 else "")
        return Conflict(
            "container",
            (node.fqn,),
            f"{annotation.api} on {node.shown}: a {node.cls_name} has no forward, so nothing would ever gather or "
            "average its parameters",
            f"mark its children instead: {proposal}" if children else "mark the module that uses it",
        )
    if not has_forward(node):
        children = ", ".join(repr(child.fqn) for child in node.children[:4])
        return Finding(
            "no_forward",
            "warn",
            (node.fqn,),
            f"{node.shown}, a {node.cls_name}, has no forward: nothing will gather its parameters",
            f"mark its children instead: {children}" if children else "mark the module that uses it",
        )
    if is_never_called(node):
        return Finding(
            "never_called",
            "warn",
            (node.fqn,),
            f"{node.shown} is read by its attention module and never called: nothing will gather its parameters",
            f"leave it to {node.fqn.rpartition('.')[0]!r}",
        )
    return None


def check_group(labels: Labels, annotation: Annotation) -> Iterator[Conflict]:
    """Whether the modules of one unit can travel together."""
    nodes = labels.nodes_of(annotation)
    nested = False
    for node in nodes:
        above = indices_above([node])
        holder = next((other for other in nodes if other is not node and other.index in above), None)
        if holder is not None:
            nested = True
            yield Conflict(
                "nested_members",
                (holder.fqn, node.fqn),
                f"one unit is to hold {holder.shown} and {node.shown}, but the second lies inside the first",
                f"leave {node.shown} out of the list: it travels with {holder.shown} anyway",
            )
    roots = {id(_root_above(labels, annotation, node)) for node in nodes}
    if len(roots) > 1 and not nested:
        fqns = tuple(node.fqn for node in nodes)
        yield Conflict(
            "split_group",
            fqns,
            f"one unit is to hold {', '.join(map(repr, fqns))}, but they lie under different local roots",
            "make separate units of them, or mark a module above all of them as fully_shard",
        )


def _root_above(labels: Labels, annotation: Annotation, node: Node) -> Annotation | None:
    above = None if node.parent is None else labels.nearest[node.parent.index]
    if above is None or above.api == "replicate" or above is annotation:
        return above if above is not annotation else None
    return labels.local_root(above)


def check_param(row: ParamRow, api: str) -> Conflict | None:
    """Whether a parameter can be cut into pieces (`fully_shard`) or be broadcast (`replicate`)."""
    problem = _problem(row, api)
    if problem is None:
        return None
    what, fix = problem
    return Conflict("unshardable_param", (row.name,), f"{row.name!r} {what}, so {api} cannot take it", fix)


def _problem(row: ParamRow, api: str) -> tuple[str, str] | None:
    if row.shape is None:
        return (
            "is lazy and has no shape yet",
            "run one forward of the unmarked model on example inputs first, so that it gets its shape",
        )
    if api == "replicate":
        return None
    if not row.shape:
        return (
            "is a scalar of shape ()",
            "give it the shape (1,), or ignore it (its gradient is then not averaged over the ranks)",
        )
    cls = type(row.param)
    dispatch = "__torch_dispatch__"
    if cls is not nn.Parameter and getattr(cls, dispatch) is not getattr(torch.Tensor, dispatch):
        return (
            f"is a {cls.__name__}, a tensor subclass that this engine cannot cut (it has no plain storage to view)",
            f"ignore it: ignored_params=[...], or plan.ignore({row.name!r})",
        )
    return None
