"""The one function that decides what sharding means: annotations on a model in, a `Layout` out.

Verbs, `Plan.resolve` and the view all come here. The steps, each in a file of its own: expand policies (here), label
modules (`ownership.py`), settle parameters with several users (`sharing.py`), refuse what cannot be marked
(`refusals.py`), write rows (`layout.py`), let the engine say what it does differently (`engines.py`), then remarks
(`remarks.py`).

A parameter whose data is only a rank's piece carries its whole shape in the attribute `parameters.UNSHARDED_SHAPE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from torch import nn

from sharding.annotations import Annotation
from sharding.engines import as_engine_runs, check_engine
from sharding.errors import PlanError
from sharding.labels import IgnoredRoot, Label, Labels
from sharding.layout import Layout, OwnerKind, ParamRow, ReplicateGroup, Unit
from sharding.nodes import Node
from sharding.ownership import label_modules
from sharding.parameters import Held
from sharding.refusals import check_group, check_param, check_target
from sharding.remarks import remarks_on, some_names
from sharding.scope import Scope
from sharding.sharing import Shared, settle, settle_ignored_param
from sharding.torch_policies import as_policy
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
) -> Layout:
    """Decide owners, statuses, units and conflicts. No process group, no device, no weights.

    Args:
        tree: the model's tree.
        annotations: every mark, policies already expanded (`expand_policies`).
        engine: whose facts the layout states.
        loose_ignores: ignored modules that no call above them names.
        loose_params: ignored parameters that no call above them names.
        findings: remarks made on the way here, kept first.

    Returns:
        A layout. What cannot run is in its `conflicts`; nothing is raised for it.

    Raises:
        PlanError: an unknown engine.
    """
    check_engine(engine)
    labels = label_modules(tree, annotations, loose_ignores, through_replicate=engine == "torch")
    owners = _Owners(tree, labels, _ignored_params(annotations, loose_params))
    params = owners.rows()
    units = _units(labels, annotations, owners)
    groups = _groups(labels, annotations, owners)
    conflicts = [*labels.conflicts, *owners.conflicts]
    remarks = [*findings, *labels.findings, *owners.findings]
    for annotation in annotations:
        _check_annotation(labels, annotation, owners, conflicts, remarks)
    layout = as_engine_runs(Layout(tree, engine, labels, params, units, groups, tuple(conflicts), ()))
    return replace(layout, findings=(*remarks, *remarks_on(layout)))


def _ignored_params(annotations: Sequence[Annotation], loose: Iterable[nn.Parameter]) -> dict[int, list[Annotation]]:
    """Calls that name each ignored parameter, by the parameter's id."""
    named: dict[int, list[Annotation]] = {id(param): [] for param in loose}
    for annotation in annotations:
        for param in annotation.ignored_params:
            named.setdefault(id(param), []).append(annotation)
    return named


@dataclass(eq=False)
class _Owner:
    """One owner while rows are gathered for it; `odd` ones among them need a closer look before they are cut."""

    kind: OwnerKind
    fqn: str | None
    rows: list[ParamRow] = field(default_factory=list)
    odd: list[ParamRow] = field(default_factory=list)
    numel: int = 0


class _Owners:
    """Gives every parameter its one owner, in the order of first names."""

    def __init__(self, tree: Tree, labels: Labels, ignored: dict[int, list[Annotation]]) -> None:
        self.tree = tree
        self.labels = labels
        self.ignored = ignored
        self.conflicts: list[Conflict] = []
        self.findings: list[Finding] = []
        self._by_label: dict[int, _Owner] = {}
        self._ignored_alone = _Owner("ignored", None)

    def rows(self) -> dict[str, ParamRow]:
        """One row a parameter, by first name; every row is also put with its owner."""
        rows: dict[str, ParamRow] = {}
        decides = self.labels.decides
        plain = not self.ignored and not self.tree.has_shared
        known = self._by_label
        for held in self.tree.held.values():
            names: tuple[str, ...] | None = None
            if plain and not held.others:
                label = decides[held.first.index]
                owner = known.get(id(label)) or self.of(label)
            else:
                names = self._names(held)
                owner = self._settle(held, names)
            rows[held.name] = row = ParamRow(held, owner.kind, owner.fqn, names)
            owner.rows.append(row)
            owner.numel += held.numel
            if not held.is_plain:
                owner.odd.append(row)
        return rows

    def _names(self, held: Held) -> tuple[str, ...]:
        names: dict[str, None] = {}
        for node, (_, attr) in zip(held.nodes, held.users, strict=True):
            names.update((f"{name}.{attr}" if name else attr, None) for name in self.tree.names(node))
        return tuple(names)

    def _settle(self, held: Held, names: tuple[str, ...]) -> _Owner:
        shared = Shared(held.nodes, names)
        calls = self.ignored.get(id(held.param))
        if calls is not None:
            conflict = settle_ignored_param(shared, self.labels, calls) if calls else None
            if conflict is None:
                return self._ignored_alone
            self.conflicts.append(conflict)
        label, remark = settle(shared, self.labels)
        if isinstance(remark, Conflict):
            self.conflicts.append(remark)
        elif remark is not None:
            self.findings.append(remark)
        return self.of(label)

    def of(self, label: Label) -> _Owner:
        """The owner a label stands for."""
        owner = self._by_label.get(id(label))
        if owner is None:
            owner = self._by_label[id(label)] = self._make(label)
        return owner

    def _make(self, label: Label) -> _Owner:
        if label is None:
            return _Owner("unmanaged", None)
        if isinstance(label, IgnoredRoot):
            return _Owner("ignored", label.node.fqn)
        kind: OwnerKind = "unit" if label.api == "fully_shard" else "replicate"
        return _Owner(kind, self.labels.first_node(label).fqn)


def _units(labels: Labels, annotations: Sequence[Annotation], owners: _Owners) -> list[Unit]:
    placed = _in_tree_order(labels, annotations, "fully_shard")
    places = _places(labels, [(each, nodes[0]) for each, nodes in placed if owners.of(each).rows])
    units: list[Unit] = []
    within: dict[int, str | None] = {}
    for annotation, nodes in placed:
        owner = owners.of(annotation)
        root = labels.local_root(annotation)
        units.append(
            Unit(
                tuple([node.fqn for node in nodes]),
                tuple([node.modules[0] for node in nodes]),
                tuple(owner.rows),
                owner.numel,
                root is annotation,
                labels.first_node(root).fqn,
                _within(labels, nodes[0], within),
                places.get(nodes[0].index),
                annotation,
            )
        )
    return units


def _places(labels: Labels, with_params: list[tuple[Annotation, Node]]) -> dict[int, int]:
    """Each unit's place in `get_handles` of its local root, by the index of its first node."""
    barred = not labels.through_replicate
    replicated = {index for index, mark in labels.marks.items() if barred and mark.api == "replicate"}
    units = {node.index for _, node in with_params}
    roots = {id(root): root for annotation, _ in with_params for root in (labels.local_root(annotation),)}
    places: dict[int, int] = {}
    for root in roots.values():
        met = [node.index for member in labels.nodes_of(root) for node in labels.tree.walk(member, replicated)]
        handles = (index for index in dict.fromkeys(met) if index in units)
        for place, index in enumerate(handles):
            places.setdefault(index, place)
    return places


def _groups(labels: Labels, annotations: Sequence[Annotation], owners: _Owners) -> list[ReplicateGroup]:
    groups: list[ReplicateGroup] = []
    within: dict[int, str | None] = {}
    for annotation, nodes in _in_tree_order(labels, annotations, "replicate"):
        owner = owners.of(annotation)
        groups.append(
            ReplicateGroup(
                nodes[0].fqn,
                nodes[0].module,
                tuple(owner.rows),
                owner.numel,
                _within(labels, nodes[0], within),
                annotation,
            )
        )
    return groups


def _in_tree_order(labels: Labels, annotations: Sequence[Annotation], api: str) -> list[tuple[Annotation, list[Node]]]:
    """Annotations of one kind with their nodes, in pre-order; those that lost their module to another are left out."""
    placed = []
    for annotation in annotations:
        if annotation.api != api:
            continue
        nodes = [node for node in labels.nodes_of(annotation) if labels.marks[node.index] is annotation]
        if nodes:
            placed.append((annotation, nodes))
    placed.sort(key=lambda pair: pair[1][0].index)
    return placed


def _within(labels: Labels, node: Node, known: dict[int, str | None]) -> str | None:
    """The nearest replicated or ignored module above a node, as rows write it; `known` by index of a parent."""
    parent = node.parent
    if parent is None:
        return None
    if parent.index not in known:
        known[parent.index] = next((text for above in node.ancestors() if (text := _takes_in(labels, above))), None)
    return known[parent.index]


def _takes_in(labels: Labels, node: Node) -> str | None:
    mark = labels.marks.get(node.index)
    if mark is not None and mark.api == "replicate":
        return f"replicate:{node.fqn}"
    label = labels.decides[node.index]
    return f"ignored:{label.node.fqn}" if isinstance(label, IgnoredRoot) else None


def _check_annotation(
    labels: Labels,
    annotation: Annotation,
    owners: _Owners,
    conflicts: list[Conflict],
    findings: list[Finding],
) -> None:
    for node in labels.nodes_of(annotation):
        verdict = check_target(annotation, node)
        if isinstance(verdict, Conflict):
            conflicts.append(verdict)
        elif verdict is not None:
            findings.append(verdict)
    if len(annotation.modules) > 1:
        conflicts += check_group(labels, annotation)
    for row in owners.of(annotation).odd:
        if (conflict := check_param(row, annotation.api)) is not None:
            conflicts.append(conflict)


def expand_policies(
    tree: Tree,
    annotations: Sequence[Annotation],
    pending: Sequence[Annotation],
    spared: Mapping[int, set[int]] = MappingProxyType({}),
) -> tuple[list[Annotation], list[Finding]]:
    """Turn calls with a policy into one annotation a unit, inner calls first.

    Args:
        tree: the model's tree.
        annotations: marks made already, and the arguments of the pending calls.
        pending: those of `annotations` whose policy is still to be asked.
        spared: indices of nodes a call's policy must not mark, by the id of its annotation.

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
            expanded.append(Annotation("fully_shard", (tree.nodes[index].module,), "policy", call, options=options))
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
