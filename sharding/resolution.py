"""The one function that decides what sharding means: annotations on a model in, a `Layout` out.

Verbs, `Plan.resolve` and the view all come here. The steps, each in a file of its own: expand policies (here), label
modules (`ownership.py`), give parameters to owners (`owners.py`), put units and groups in order (`placing.py`), refuse
what cannot be marked (`refusals.py`), let the engine say what it does differently (`engines.py`), then remarks
(`remarks.py`). Given the layout of a plan before, each step but the last two does only what an edit touched
(`touched.py`); a test compares that with the same plan resolved afresh, for random edits on random models.

A parameter whose data is only a rank's piece carries its whole shape in the attribute `parameters.UNSHARDED_SHAPE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from torch import nn

from sharding.annotations import NOTHING_KEPT, Annotation, Kept
from sharding.engines import as_engine_runs, check_engine
from sharding.errors import PlanError
from sharding.labels import Labels
from sharding.layout import Layout
from sharding.nodes import Node
from sharding.owners import Owner, owners_of
from sharding.ownership import label_modules
from sharding.placing import groups_of, units_of
from sharding.refusals import check_group, check_param, check_target
from sharding.remarks import remarks_on, some_names
from sharding.scope import Scope
from sharding.torch_policies import as_policy
from sharding.touched import touched
from sharding.traversal import Tree
from sharding.verdicts import Conflict, Finding, Severity


def resolve_annotations(
    tree: Tree,
    annotations: Sequence[Annotation],
    *,
    engine: str = "flat",
    loose_ignores: Sequence[Node] = (),
    loose_params: Iterable[nn.Parameter] = (),
    findings: Sequence[Finding] = (),
    after: Layout | None = None,
) -> Layout:
    """Decide owners, statuses, units and conflicts. No process group, no device, no weights.

    Args:
        tree: the model's tree.
        annotations: every mark, policies already expanded (`expand_policies`).
        engine: whose facts the layout states.
        loose_ignores: ignored modules that no call above them names.
        loose_params: ignored parameters that no call above them names.
        findings: remarks made on the way here, kept first.
        after: another layout of the same tree: only what an edit touched since is decided anew. Annotations that say
            the same must be the same objects.

    Returns:
        A layout. What cannot run is in its `conflicts`; nothing is raised for it.

    Raises:
        PlanError: an unknown engine.
    """
    check_engine(engine)
    known = after if after is not None and _can_follow(after, tree, engine) else None
    through = engine == "torch"
    before = None if known is None else known.labels
    labels = label_modules(tree, annotations, loose_ignores, through_replicate=through, after=before)
    changed = touched(labels, before)
    ignored = _ignored_params(annotations, loose_params)
    owners = owners_of(labels, ignored, changed, None if known is None else known.owners)
    as_placed = known if engine == "flat" else None  # torch's facts reorder the rows of units, and must see them anew
    units = units_of(labels, owners, changed, () if as_placed is None else as_placed.units)
    groups = groups_of(labels, owners, changed, () if as_placed is None else as_placed.replicate_groups)
    conflicts = [*labels.conflicts, *owners.conflicts]
    remarks = [*findings, *labels.findings, *owners.findings]
    for annotation in annotations:
        for verdict in _verdicts(labels, annotation, owners.of(annotation)):
            (conflicts if isinstance(verdict, Conflict) else remarks).append(verdict)  # type: ignore[arg-type]
    layout = as_engine_runs(Layout(tree, engine, labels, owners, owners.params, units, groups, tuple(conflicts), ()))
    return replace(layout, findings=(*remarks, *remarks_on(layout)))


def _can_follow(after: Layout, tree: Tree, engine: str) -> bool:
    """Whether a layout may be resolved as an edit of another: where modules are shared, a mark reaches too far."""
    return after.tree is tree and after.engine == engine and not tree.has_shared


def _ignored_params(annotations: Sequence[Annotation], loose: Iterable[nn.Parameter]) -> dict[int, list[Annotation]]:
    """Calls that name each ignored parameter, by the parameter's id."""
    named: dict[int, list[Annotation]] = {id(param): [] for param in loose}
    for annotation in annotations:
        for param in annotation.ignored_params:
            named.setdefault(id(param), []).append(annotation)
    return named


def _verdicts(labels: Labels, annotation: Annotation, owner: Owner) -> Sequence[Conflict | Finding]:
    """What there is to say against one annotation; kept with its owner, unless it depends on others."""
    if owner.verdicts is None or len(annotation.modules) > 1:
        owner.verdicts = tuple(_checked(labels, annotation, owner))
    return owner.verdicts


def _checked(labels: Labels, annotation: Annotation, owner: Owner) -> Iterator[Conflict | Finding]:
    for node in labels.nodes_of(annotation):
        if (verdict := check_target(annotation, node)) is not None:
            yield verdict
    if len(annotation.modules) > 1:
        yield from check_group(labels, annotation)
    for row in owner.rows:
        if not row.is_plain and (conflict := check_param(row, annotation.api)) is not None:
            yield conflict


def expand_policies(
    tree: Tree,
    annotations: Sequence[Annotation],
    pending: Sequence[Annotation],
    spared: Mapping[int, set[int]] = MappingProxyType({}),
    kept: Kept = NOTHING_KEPT,
) -> tuple[list[Annotation], list[Finding]]:
    """Turn calls with a policy into one annotation a unit, inner calls first.

    Args:
        tree: the model's tree.
        annotations: marks made already, and the arguments of the pending calls.
        pending: those of `annotations` whose policy is still to be asked.
        spared: indices of nodes a call's policy must not mark, by the id of its annotation.
        kept: annotations of a layout before, to be used again.

    Returns:
        All annotations, and what the policies noticed.
    """
    expanded = list(annotations)
    findings: list[Finding] = []
    deepest_first = sorted(pending, key=lambda call: -_node(tree, call).depth)
    for call in deepest_first:
        argument = _node(tree, call)
        blocked = _blocked(tree, argument, expanded, call)
        ignored = frozenset(id(param) for param in call.ignored_params)
        choice = as_policy(call.policy).choose(Scope(tree, argument, blocked, ignored))
        not_marked = spared.get(id(call), set())
        for index, overrides in choice.units.items():
            if index in not_marked:
                continue
            options = replace(call.options, **overrides) if overrides else call.options
            module = tree.nodes[index].module
            expanded.append(kept.annotation("fully_shard", (module,), by="policy", call=call, options=options))
        findings += _said("warn", choice.warnings)
        findings += _said("info", choice.notes)
    return expanded, findings


def _said(severity: Severity, notes: Sequence[tuple[Node, str]]) -> list[Finding]:
    """What a policy noticed, one finding a sentence."""
    fqns: dict[str, list[str]] = {}
    for node, text in notes:
        fqns.setdefault(text, []).append(node.fqn)
    return [
        Finding("policy", severity, tuple(names), f"{some_names(names)}: {text}", "") for text, names in fqns.items()
    ]


def _node(tree: Tree, call: Annotation) -> Node:
    node = tree.node_of(call.modules[0])
    if node is None:
        raise PlanError(f"a {type(call.modules[0]).__name__} is not in {tree.root.cls_name}")
    return node


def _blocked(tree: Tree, argument: Node, annotations: Sequence[Annotation], call: Annotation) -> set[int]:
    """Nodes the call's policy may not look into: annotated and ignored ones, and what these hold by another path."""
    barred = [module for other in annotations if other is not call for module in other.modules]
    barred += [module for other in annotations for module in other.ignored_modules]
    indices = {node.index for module in barred if (node := tree.node_of(module)) is not None}
    indices.discard(argument.index)
    if tree.has_shared and indices:
        inside = {node.index for node in tree.walk(argument, frozenset())}
        covered: set[int] = set()
        for index in indices & inside:
            if index not in covered:
                covered.update(node.index for node in tree.walk(tree.nodes[index], frozenset()))
        indices |= covered
    return indices
