"""The core against the oracle: random graphs, random marks, everything a layout says."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, note, settings
from hypothesis import strategies as st
from oracle import Answer, Graph, Oracle, Row, has_forward, oracle_of
from strategies import GraphSpec, Wish, graph_specs, wishes

from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.policy import by_class
from sharding.traversal import Tree, tree_of


def _plan_and_answer(spec: GraphSpec, asked: tuple[Wish, ...]) -> tuple[Plan, Answer, object]:
    model = spec.build()
    graph = Graph(model)
    params = list(Oracle(graph, []).solve().param_names.items())
    plan = Plan()
    calls, ignores, ignored_params = [], [], []
    for wish in asked:
        if wish.api == "ignore_param":
            name, names = params[wish.targets[0]]
            plan = plan.ignore(sorted(names)[wish.spelling % len(names)])
            ignored_params.append(_param(graph, name))
            continue
        rows = [graph.rows[target] for target in wish.targets]
        names = [_spelling(row, wish.spelling) for row in rows]
        if wish.api == "ignore":
            plan = plan.ignore(names[0])
            ignores += rows
        else:
            plan = _mark(plan, wish, names)
            calls.append((wish.api, rows, wish.policy))
    return plan, oracle_of(graph, calls, ignores, ignored_params).solve(), model


def _mark(plan: Plan, wish: Wish, names: list[str]) -> Plan:
    target = names if len(names) > 1 else names[0]
    if wish.api == "replicate":
        return plan.replicate(target)
    return plan.fully_shard(target, policy=by_class(*wish.policy) if wish.policy else None)


def _spelling(row: Row, number: int) -> str:
    return row.names[number % len(row.names)]


def _param(graph: Graph, name: str):
    path, _, attr = name.rpartition(".")
    row = next(row for row in graph.rows if row.name == path)
    return dict(row.params)[attr]


@st.composite
def examples(draw: st.DrawFn, **options):
    spec = draw(graph_specs(**options))
    graph = Graph(spec.build())
    params = Oracle(graph, []).solve().param_names
    bare = [number for number, row in enumerate(graph.rows) if not has_forward(row.inner)]
    callable_ones = [number for number in range(len(graph.rows)) if number not in bare]
    return spec, draw(wishes(callable_ones, bare, len(params)))


def _check_tree(layout: Layout, answer: Answer) -> None:
    assert [row.fqn for row in layout.modules] == answer.dfs
    assert {row.fqn: set(row.names) for row in layout.modules} == answer.names
    assert {row.fqn: row.own_numel for row in layout.modules} == answer.own_numel
    assert {row.fqn: row.total_numel for row in layout.modules} == answer.total_numel
    assert list(layout.params) == list(answer.param_names)
    assert {name: set(row.names) for name, row in layout.params.items()} == answer.param_names


def _check_marks(layout: Layout, answer: Answer) -> None:
    statuses = {row.fqn: row.status for row in layout.modules}
    assert {fqn: s for fqn, s in statuses.items() if answer.status[fqn]} == {
        fqn: s for fqn, s in answer.status.items() if s
    }
    for name, (kind, fqn) in answer.owner.items():
        row = layout.params[name]
        assert row.owner_kind == kind, name
        assert kind == "ignored" or row.unit == fqn, name
    assert [unit.fqn for unit in layout.units] == list(answer.units)
    assert {unit.fqn: list(unit.param_names) for unit in layout.units} == answer.units
    assert {unit.fqn: list(unit.fqns) for unit in layout.units} == answer.members
    assert {group.fqn: list(group.param_names) for group in layout.replicate_groups} == answer.groups
    moved = {f.fqns[0] for f in layout.findings if f.kind == "moved_to_common_unit"}
    assert moved == answer.moved


def _check_orders(layout: Layout, answer: Answer) -> None:
    assert {unit.fqn: unit.local_root for unit in layout.units} == answer.local_root
    for unit in layout.units:
        assert unit.is_root == (unit.local_root == unit.fqn)
        handles = answer.orders[f"handles:{unit.local_root}"]
        assert unit.index == (handles.index(unit.fqn) if unit.params else None)
        if len(answer.names[unit.fqn]) == 1:
            assert unit.within == answer.within[unit.fqn]
    for name, order in layout.orders.items():
        if (name != "dfs" and ":" not in name) or name.startswith("handles:"):
            assert order == answer.orders[name], name


def _check(example) -> Counter[str]:
    spec, asked = example
    plan, answer, model = _plan_and_answer(spec, asked)
    note(f"plan: {plan.code()}")
    layout = plan.resolve(model)
    _check_tree(layout, answer)
    kinds = {conflict.kind for conflict in layout.conflicts}
    assert _primary(kinds) == _primary(answer.conflicts), [c.message for c in layout.conflicts]
    if not kinds:
        _check_marks(layout, answer)
        _check_orders(layout, answer)
        _check_every_parameter_has_one_owner(layout)
    return Counter(kinds)


def _primary(kinds: set[str]) -> set[str]:
    """Kinds without those that only follow from another: a module in two hands has its parameters in two as well."""
    if "nested_members" in kinds:
        return kinds & {"nested_members", "container"}
    if kinds & {"two_local_roots", "split_group"}:
        kinds = kinds - {"two_local_roots", "split_group", "shared_param", "ignored_owned"} | {"local_roots"}
    return kinds - {"shared_param"} if "shared_module" in kinds else kinds


def _check_every_parameter_has_one_owner(layout: Layout) -> None:
    held = [row.name for unit in layout.units for row in unit.params]
    held += [row.name for group in layout.replicate_groups for row in group.params]
    held += [row.name for row in layout.params.values() if row.owner_kind in ("ignored", "unmanaged")]
    assert sorted(held) == sorted(layout.params)


@settings(max_examples=300)
@given(examples(sharing=False))
def test_trees(example):
    """On plain trees everything a layout says is what the rules say."""
    _check(example)


@settings(max_examples=1000)
@given(examples())
def test_graphs(example):
    """The same with shared modules, cycles and tied parameters; conflicts have the same kinds."""
    _check(example)


@settings(max_examples=200)
@given(examples())
def test_written_out_plans_mean_the_same(example):
    """Policies as the names they chose, through JSON, give the same layout on any graph, conflicts included."""
    plan, _, model = _plan_and_answer(*example)
    written = Plan.from_json(plan.expanded(model).to_json())
    first, second = plan.resolve(model), written.resolve(model)
    assert list(first.modules) == list(second.modules)
    assert [unit.param_names for unit in first.units] == [unit.param_names for unit in second.units]
    assert first.orders == second.orders
    assert first.conflicts == second.conflicts


def _said(layout: Layout) -> list[object]:
    """Everything a layout says, to be compared with another of the same tree."""
    return [
        list(layout.modules),
        [(row.name, row.owner_kind, row.unit, row.names) for row in layout.params.values()],
        [
            (u.fqns, u.param_names, u.numel, u.is_root, u.local_root, u.within, u.index, u.strategy)
            for u in layout.units
        ],
        [(g.fqn, g.param_names, g.numel, g.within) for g in layout.replicate_groups],
        dict(layout.orders),
        layout.conflicts,
        layout.findings,
        layout.facts,
    ]


def _edited(plans: list[Plan], tree: Tree, engine: str) -> None:
    """Resolve one plan after the other, each as an edit of the one before, and each afresh."""
    before = None
    for plan in plans:
        try:
            afresh = layout_of(plan, tree, engine=engine)
        except PlanError:
            continue
        note(f"{engine}: {plan.code()}")
        before = layout_of(plan, tree, engine=engine, after=before)
        assert _said(before) == _said(afresh)
        assert list(before.params) == list(afresh.params)
        assert [unit.modules for unit in before.units] == [unit.modules for unit in afresh.units]


@settings(max_examples=200)
@given(examples(max_modules=14), st.sampled_from(["flat", "torch"]), st.randoms(use_true_random=False))
def test_a_plan_resolved_as_an_edit_says_what_it_says_afresh(example, engine, random):
    """Marks added one by one, cleared one by one, other settings, and jumps between all of these."""
    spec, asked = example
    plans = [_plan_and_answer(spec, asked[:count])[0] for count in range(len(asked) + 1)]
    tree = tree_of(spec.build())
    whole = plans[-1]
    cleared = [whole.clear(node.fqn) for node in tree.nodes]
    others = [whole.defaults(strategy="shard_grad_op"), whole.fully_shard("", policy=by_class("Block"))]
    jumps = [*plans, *cleared, *others]
    random.shuffle(jumps)
    _edited([*plans, *cleared, *others, *jumps], tree, engine)
