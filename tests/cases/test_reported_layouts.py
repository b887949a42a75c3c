"""Reported situations, as far as a plan decides them: order, units, groups, owners and sizes, in one table."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import reported_models as models
from torch import nn

from sharding import Plan, by_class

WB = ("weight", "bias")


def _names(*modules: str, attrs: tuple[str, ...] = WB) -> tuple[str, ...]:
    return tuple(f"{module}.{attr}" for module in modules for attr in attrs)


@dataclass(frozen=True)
class Case:
    """What a plan means on a model; None is not checked."""

    name: str
    build: object
    plan: Plan
    numel: int
    groups: dict[str, tuple[str, ...]]
    dfs: tuple[str, ...] | None = None
    replicated: tuple[str, ...] = ()
    unmanaged: tuple[str, ...] = ()
    units: tuple[str, ...] | None = None  # seen from the root; by default all


ROOT = Plan().fully_shard("")

CASES = [
    Case(
        "replicate inside fully_shard",
        models.replicated_branch,
        Plan().replicate("a").fully_shard("b").fully_shard(""),
        110,
        {"": _names("pre", "out"), "b": _names("b.fc1", "b.fc2")},
        ("", "pre", "a", "a.fc1", "a.fc2", "b", "b.fc1", "b.fc2", "out"),
        replicated=_names("a.fc1", "a.fc2"),
    ),
    Case(
        "fully_shard under a replicated parent",
        models.sharded_branch,
        Plan().fully_shard("1").replicate(""),
        110,
        {"1": _names("1.fc1", "1.fc2")},
        replicated=_names("0", "2.fc1", "2.fc2", "3"),
        units=(),
    ),
    Case(
        "tied weights as one unit of two modules",
        models.tied_language_model,
        Plan().fully_shard(["emb", "head"]).fully_shard(""),
        60,
        {"": _names("body"), "emb": ("emb.weight",)},
    ),
    Case("tied weights left to the root", models.tied_language_model, ROOT, 60, {"": ("emb.weight", *_names("body"))}),
    Case(
        "shared child marked itself",
        models.one_child_of_two_parents,
        Plan().fully_shard("a.sh").fully_shard("a").fully_shard("b").fully_shard(""),
        18,
        {"": (), "a": _names("a.own"), "a.sh": _names("a.sh"), "b": _names("b.own")},
        ("", "a", "a.own", "a.sh", "b", "b.own"),
    ),
    Case(
        "one layer used three times",
        models.one_layer_three_times,
        Plan().fully_shard("4").fully_shard(""),
        6,
        {"": (), "0": _names("0")},
        ("", "0", "1", "3"),
    ),
    Case(
        "a child that keeps its parent",
        models.child_that_keeps_its_parent,
        ROOT,
        6,
        {"": _names("sub.0")},
        ("", "sub", "sub.0"),
    ),
    Case(
        "a container with a forward",
        models.callable_container,
        Plan().fully_shard("1").fully_shard(""),
        18,
        {"": _names("0"), "1": _names("1.a", "1.b")},
        ("", "0", "1", "1.a", "1.b"),
    ),
    Case(
        "a holder without a forward",
        models.holder_called_past,
        Plan().fully_shard("h").fully_shard(""),
        12,
        {"": _names("o"), "h": _names("h.l")},
    ),
    Case(
        "attention as one piece",
        models.attention,
        Plan().fully_shard("mha").fully_shard("ff").fully_shard(""),
        100,
        {
            "": (),
            "mha": ("mha.in_proj_weight", "mha.in_proj_bias", *_names("mha.out_proj")),
            "ff": _names("ff"),
        },
        ("", "mha", "mha.out_proj", "ff"),
    ),
    Case("fewer rows than ranks", models.few_rows, ROOT, 16, {"": ("t",)}),
    Case("rows that do not divide", lambda: nn.Linear(3, 5), ROOT, 20, {"": WB}),
    Case("two dtypes in one unit", models.two_dtypes, ROOT, 32, {"": ("a.weight", *_names("n"), "b.weight")}),
    Case(
        "a complex parameter, its neighbour apart",
        models.complex_weight,
        Plan().fully_shard("l").fully_shard(""),
        14,
        {"": ("w",), "l": _names("l")},
    ),
    Case("a complex parameter with a real one", models.complex_weight, ROOT, 14, {"": ("w", *_names("l"))}),
    Case(
        "frozen base and adapters",
        models.adapters,
        Plan().fully_shard("*").fully_shard(""),
        192,
        {"": (), **{str(n): tuple(f"{n}.{part}.weight" for part in ("base", "A", "B")) for n in (0, 1)}},
    ),
    Case(
        "ignored child of a marked block",
        models.block_with_ignored_child,
        Plan().fully_shard("b", ignored="b.fc1").fully_shard("", ignored="a"),
        18,
        {"": (), "b": _names("b.fc2")},
        unmanaged=_names("a", "b.fc1"),
    ),
    Case(
        "ignored block with a unit inside",
        models.ignored_block_with_unit,
        Plan().fully_shard("0.fc1").fully_shard("", ignored="0"),
        50,
        {"": _names("1"), "0.fc1": _names("0.fc1")},
        unmanaged=_names("0.fc2"),
    ),
    Case("batch norm and its scalar buffer", models.batch_norm, ROOT, 38, {"": _names("l", "bn", "o")}),
    Case("built on meta", models.buffer_outside_the_state_dict, ROOT, 20, {"": _names("l")}),
    Case(
        "weight norm by hooks",
        models.hooked_weight_norm,
        ROOT,
        34,
        {"": ("c.bias", "c.weight_g", "c.weight_v", *_names("o"))},
    ),
    Case(
        "weight norm by parametrisation",
        models.parametrised_weight_norm,
        Plan().fully_shard("c").fully_shard(""),
        34,
        {
            "": _names("o"),
            "c": ("c.bias", *_names("c.parametrizations.weight", attrs=("original0", "original1"))),
        },
        ("", "c", "c.parametrizations", "c.parametrizations.weight", "c.parametrizations.weight.0", "o"),
    ),
    Case(
        "parameter containers with other things inside",
        models.mixed_parameter_containers,
        ROOT,
        14,
        {"": ("ps.0", "ps.1", "ps.3", "pd.w", *_names("lin"))},
        ("", "ps", "pd", "lin"),
    ),
    Case("layers in a plain list", models.unregistered_layers, ROOT, 6, {"": _names("lin")}, ("", "lin")),
    Case(
        "children with the names of a tool",
        models.clashing_names,
        Plan().replicate("state").fully_shard("output").fully_shard(""),
        16,
        {
            "": _names(*(name for name in models.CLASHING if name not in ("state", "output"))),
            "output": _names("output"),
        },
        ("", *models.CLASHING),
        replicated=_names("state"),
    ),
    Case(
        "order of registration",
        models.replaced_and_missing_children,
        Plan().fully_shard("d.b").fully_shard("keys.1").fully_shard("keys.10").fully_shard("d.a").fully_shard(""),
        10,
        {
            "": _names("keys.2"),
            "keys.10": _names("keys.10"),
            "keys.1": _names("keys.1"),
            "d.a": _names("d.a"),
            "d.b": _names("d.b"),
        },
        ("", "keys", "keys.10", "keys.2", "keys.1", "d", "d.a", "d.b"),
    ),
    Case(
        "a module that hides its parameters",
        models.hidden_parameters,
        Plan().fully_shard("", ignored="0"),
        12,
        {"": _names("1")},
        ("", "0", "0.l", "1"),
        unmanaged=_names("0.l"),
    ),
    Case("tied on meta", models.tied_on_meta, ROOT, 40, {"": ("emb.weight",)}),
    Case("a bare parameter", lambda: models.Part(p=models.vector(8)), ROOT, 8, {"": ("p",)}),
    Case(
        "a unit inside",
        models.three_levels,
        Plan().fully_shard("1").fully_shard(""),
        70,
        {"": _names("0", "2"), "1": _names("1.0", "1.1")},
    ),
    Case(
        "three modules as one unit",
        models.grouped_layers,
        Plan().fully_shard(["norm", "mid", "head"]).fully_shard(""),
        120,
        {"": (), "norm": (*_names("norm", "mid"), "head.weight")},
    ),
    Case(
        "a checkpointed block",
        lambda: models.checkpointed(models.Blk()),
        Plan().fully_shard("1._checkpoint_wrapped_module").fully_shard(""),
        70,
        {"": _names("0", "2"), "1": _names("1.fc1", "1.fc2")},
        ("", "0", "1", "1.fc1", "1.fc2", "2"),
    ),
    Case("an unused branch", models.unused_branch, Plan().replicate(""), 12, {}, replicated=_names("u", "v")),
    Case(
        "names that are markup",
        models.markup_names,
        Plan().fully_shard("<b>bold</b>").fully_shard(""),
        10,
        {"": _names(*models.MARKUP[1:]), "<b>bold</b>": _names("<b>bold</b>")},
        ("", *models.MARKUP),
    ),
    Case(
        "classes of a function, and a lambda as hook",
        models.classes_of_a_function,
        Plan().fully_shard("0").fully_shard(""),
        12,
        {"": _names("1"), "0": _names("0.i")},
        ("", "0", "0.i", "1"),
    ),
    Case(
        "a module that cannot be shown",
        models.cannot_be_shown,
        Plan().fully_shard("0").fully_shard(""),
        4,
        {"": _names("1"), "0": _names("0.l")},
        ("", "0", "0.l", "1"),
    ),
    Case("large buffers", models.large_buffers, ROOT, 6, {"": _names("l")}),
    Case(
        "a mesh that shards over one",
        lambda: models.lin(bias=False),
        ROOT.defaults(mesh_shape=(2, 1)),
        16,
        {"": ("weight",)},
    ),
    Case(
        "a class inside itself",
        models.nested_blocks,
        Plan().fully_shard("", policy=by_class("NB")),
        24,
        {"": _names("fc"), **{name: _names(f"{name}.fc") for name in ("inner.0", "inner.0.inner", "inner.1")}},
        ("", "fc", "inner", "inner.0", "inner.0.fc", "inner.0.inner", "inner.0.inner.fc", "inner.1", "inner.1.fc"),
    ),
    Case(
        "a policy that leaves most to the root",
        models.composite,
        Plan().fully_shard("", policy=by_class("DecBlk")),
        924,
        {
            "": _names("enc.0.fc", "enc.1.fc", "enc.2.fc", "mid"),
            "dec.0": _names("dec.0.fc"),
            "dec.1": _names("dec.1.fc"),
        },
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_facts(case):
    """Order of modules and units, the owner of every parameter, sizes; nothing else has an owner; no conflict."""
    layout = case.plan.resolve(case.build())
    assert not layout.conflicts
    if case.dfs is not None:
        assert tuple(layout.orders["dfs"]) == case.dfs
    assert tuple(layout.orders["units"]) == (tuple(case.groups) if case.units is None else case.units)
    assert {unit.fqn: unit.param_names for unit in layout.units} == case.groups
    assert tuple(name for group in layout.replicate_groups for name in group.param_names) == case.replicated
    unmanaged = tuple(row.name for row in layout.params.values() if row.owner_kind in ("ignored", "unmanaged"))
    assert unmanaged == case.unmanaged
    assert layout.modules[0].total_numel == case.numel
    assert sum(row.own_numel for row in layout.modules) == case.numel
