"""Between plans and models: a plan read on a tree, a policy written out as names, a live model read back as a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from torch import nn

from sharding.annotations import NOTHING_KEPT, Annotation, Kept, UnitOptions, annotations_in
from sharding.collector import collector_paused
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.nodes import Node, indices_above
from sharding.patterns import find_nodes, find_params, is_pattern
from sharding.plan import OPTIONS, Mark, Plan
from sharding.policy import Chosen
from sharding.resolution import expand_policies, resolve_annotations
from sharding.traversal import Tree, tree_of
from sharding.verdicts import Finding


@collector_paused
def layout_of(
    plan: Plan,
    tree: Tree,
    *,
    engine: str = "flat",
    settings: Mapping[str, Any] = MappingProxyType({}),
    after: Layout | None = None,
) -> Layout:
    """The plan's meaning on a tree that was walked already.

    Args:
        plan: the wishes.
        tree: the model's tree.
        engine: whose facts the layout states.
        settings: what the calls of each verb run with, for `Annotation.settings`; nothing is decided by it.
        after: the layout of another plan on this tree. What an edit since then did not touch is taken over from it: the
            result is the same, and for one edit in a large model it is there several times sooner.
    """
    reading = read(plan, tree, settings, Kept(() if after is None else after.labels.marks.values()))
    layout = resolve_annotations(
        tree,
        reading.annotations,
        engine=engine,
        loose_ignores=reading.loose_ignores,
        loose_params=reading.loose_params,
        findings=reading.findings,
        after=after,
    )
    muted = {finding for finding, _ in plan.muted}
    if not muted and plan.mesh_shape is None:
        return layout
    findings = tuple(each for each in layout.findings if each.kind not in muted)
    return replace(layout, findings=findings, mesh_shape=plan.mesh_shape)


@dataclass
class Reading:
    """A plan on one tree: annotations with policies expanded, and ignores that nothing above them could take."""

    annotations: list[Annotation] = field(default_factory=list)
    loose_ignores: list[Node] = field(default_factory=list)
    loose_params: list[nn.Parameter] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


@dataclass
class _Call:
    """One unit or group a mark asks for, while later marks may still change it.

    `spared` holds what was cleared since: indices of nodes, and ids of parameters (which are larger than any index).
    It is kept only for a call with a policy or with names to ignore: the others touch nothing but their nodes.
    """

    mark: Mark
    nodes: list[Node]
    exact: bool
    spared: set[int] = field(default_factory=set)


def read(
    plan: Plan, tree: Tree, settings: Mapping[str, Any] = MappingProxyType({}), kept: Kept = NOTHING_KEPT
) -> Reading:
    """Find the modules a plan names and turn its marks into annotations; those `kept` that say the same are used again.

    Raises:
        PlanError: a name or pattern matches nothing, or a policy cannot be read on this model.
    """
    calls, ignored, ignored_params = _collect(plan, tree)
    reading = Reading()
    above_of = _Above([call.nodes for call in calls])
    modules: list[list[nn.Module]] = [[] for _ in calls]
    params: list[list[nn.Parameter]] = [[] for _ in calls]
    for node in ignored.values():
        above = above_of(node)
        for place in above:
            modules[place].append(node.module)
        if not above:
            reading.loose_ignores.append(node)
    for param in ignored_params.values():
        above = above_of(*tree.held[id(param)].nodes, itself=True)
        for place in above:
            params[place].append(param)
        if not above:
            reading.loose_params.append(param)
    defaults = plan.unit_options
    annotations = [
        _annotation(call, tree, defaults, modules[place], params[place], settings, kept)
        for place, call in enumerate(calls)
    ]
    pending = [annotation for annotation in annotations if annotation.policy is not None]
    reading.annotations, reading.findings = expand_policies(
        tree, annotations, pending, _spared(calls, annotations), kept
    )
    return reading


class _Above:
    """Which calls lie above any of some nodes, by any path."""

    def __init__(self, members: list[list[Node]]) -> None:
        self._places: dict[int, list[int]] = {}
        for place, nodes in enumerate(members):
            for node in nodes:
                self._places.setdefault(node.index, []).append(place)

    def __call__(self, *nodes: Node, itself: bool = False) -> list[int]:
        indices = indices_above(nodes)
        if not itself:
            indices.difference_update(node.index for node in nodes)
        found = {place for index in indices if index in self._places for place in self._places[index]}
        return sorted(found)


def _collect(plan: Plan, tree: Tree) -> tuple[list[_Call], dict[int, Node], dict[int, nn.Parameter]]:
    """Follow the marks in order: what is asked for at the end."""
    calls: list[_Call] = []
    ignored: dict[int, Node] = {}
    params: dict[int, nn.Parameter] = {}
    for mark in plan.marks:
        if mark.verb == "clear":
            _clear(mark, tree, calls, ignored, params)
        elif mark.verb == "ignore":
            for name in mark.names:
                nodes, held = _modules_or_params(tree, name)
                ignored.update((node.index, node) for node in nodes)
                params.update((id(param), param) for param in held)
        else:
            calls += _calls(mark, tree)
    return _exact_first(calls), ignored, params


def _calls(mark: Mark, tree: Tree) -> list[_Call]:
    if mark.grouped:
        nodes = [node for name in mark.names for node in find_nodes(tree, name)]
        return [_Call(mark, nodes, exact=True)]
    return [
        _Call(mark, [node], exact=not is_pattern(name) or name == node.fqn)
        for name in mark.names
        for node in find_nodes(tree, name)
    ]


def _modules_or_params(tree: Tree, name: str) -> tuple[list[Node], list[nn.Parameter]]:
    """What a name to ignore stands for: modules, else parameters."""
    try:
        return find_nodes(tree, name), []
    except PlanError:
        held = [param for node, attr in find_params(tree, name) for own, param, _ in node.params if own == attr]
        if not held:
            raise
        return [], held


def _clear(
    mark: Mark,
    tree: Tree,
    calls: list[_Call],
    ignored: dict[int, Node],
    params: dict[int, nn.Parameter],
) -> None:
    """All names of the mark in one pass over the calls: both may be thousands."""
    cleared: set[int] = set()
    for name in mark.names:
        nodes, held = _modules_or_params(tree, name)
        cleared.update(node.index for node in nodes)
        cleared.update(id(param) for param in held)
    for key in cleared:
        ignored.pop(key, None)
        params.pop(key, None)
    for call in calls:
        call.nodes = [node for node in call.nodes if node.index not in cleared]
        if call.mark.policy is not None or call.mark.ignored:
            call.spared |= cleared
    calls[:] = [call for call in calls if call.nodes]


def _exact_first(calls: list[_Call]) -> list[_Call]:
    """Drop what a pattern says of a module that another mark names exactly."""
    named = {node.index for call in calls if call.exact for node in call.nodes}
    return [call for call in calls if call.exact or call.nodes[0].index not in named]


def _annotation(
    call: _Call,
    tree: Tree,
    defaults: UnitOptions,
    ignored_modules: list[nn.Module],
    ignored_params: list[nn.Parameter],
    settings: Mapping[str, Any],
    kept: Kept,
) -> Annotation:
    mark = call.mark
    for name in mark.ignored:
        nodes, held = _modules_or_params(tree, name)
        ignored_modules += [node.module for node in nodes if node.index not in call.spared]
        ignored_params += [param for param in held if id(param) not in call.spared]
    return kept.annotation(
        "fully_shard" if mark.verb == "fully_shard" else "replicate",
        tuple(node.module for node in call.nodes),
        ignored_modules=tuple(ignored_modules),
        ignored_params=tuple(ignored_params),
        options=replace(defaults, **dict(mark.options)) if mark.options else defaults,
        policy=mark.policy,
        settings=settings.get(mark.verb),
    )


def _spared(calls: list[_Call], annotations: list[Annotation]) -> dict[int, set[int]]:
    """Nodes that were cleared after each policy call, by the id of its annotation."""
    return {id(each): call.spared for call, each in zip(calls, annotations, strict=True) if call.spared}


def expanded(plan: Plan, model: nn.Module) -> Plan:
    """The plan with every policy replaced by what it chose."""
    tree = tree_of(model)
    annotations = read(plan, tree).annotations
    marks = [
        mark if mark.policy is None else replace(mark, policy=_chosen(tree, mark, annotations)) for mark in plan.marks
    ]
    return replace(plan, marks=tuple(marks))


def _chosen(tree: Tree, mark: Mark, annotations: list[Annotation]) -> Chosen:
    argument = tree.find(mark.names[0])
    units = []
    for each in annotations:
        if each.call is not None and tree.node_of(each.call.modules[0]) is argument:
            node = tree.node_of(each.modules[0])
            assert node is not None
            units.append((_relative(tree, node, argument), _differences(each.options, each.call.options)))
    return Chosen(tuple(units))


def _relative(tree: Tree, node: Node, argument: Node) -> str:
    """The name of a node below `argument`, from there; a shared one may have been listed elsewhere first."""
    prefix = f"{argument.fqn}." if argument.fqn else ""
    name = next((name for name in tree.names(node) if name.startswith(prefix)), node.fqn)
    return name[len(prefix) :]


def _differences(options: UnitOptions, base: UnitOptions) -> tuple[tuple[str, Any], ...]:
    pairs = ((name, getattr(options, name)) for name in dict.fromkeys(chain.from_iterable(OPTIONS.values())))
    return tuple((name, value) for name, value in pairs if value != getattr(base, name))


def plan_of(model: nn.Module) -> Plan:
    """The plan that was applied to a live model, in names relative to it."""
    tree = tree_of(model)
    annotations = annotations_in(tree)
    marks = []
    for each in annotations:
        if each.call is not None:
            continue
        nodes = [node for module in each.modules if (node := tree.node_of(module)) is not None]
        names = tuple(node.fqn for node in nodes)
        policy = None
        if each.policy is not None:
            own = [other for other in annotations if other.call is each]
            units = []
            for other in own:
                node = tree.node_of(other.modules[0])
                if node is not None:
                    units.append((_relative(tree, node, nodes[0]), _differences(other.options, each.options)))
            policy = Chosen(tuple(units))
        options = _differences(each.options, UnitOptions())
        marks.append(Mark(each.api, names, policy, len(names) > 1, _ignored_names(tree, each), options))
    return Plan(tuple(marks))


def _ignored_names(tree: Tree, annotation: Annotation) -> tuple[str, ...]:
    nodes = [node for module in annotation.ignored_modules if (node := tree.node_of(module)) is not None]
    ids = {id(param) for param in annotation.ignored_params}
    params = [
        f"{node.fqn}.{attr}" if node.fqn else attr
        for node in tree.nodes
        for attr, param, _ in node.params
        if id(param) in ids
    ]
    return (*(node.fqn for node in nodes), *params)
