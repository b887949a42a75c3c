"""Reported situations whose point is a sentence, an edit, or something that must not happen while planning."""

from __future__ import annotations

import resource
import time

import pytest
import reported_models as models
import torch
from torch import nn

from sharding import Layout, Plan, PlanError, by_class

ROOT = Plan().fully_shard("")


def _names(*modules: str) -> tuple[str, ...]:
    return tuple(f"{module}.{attr}" for module in modules for attr in ("weight", "bias"))


def _kinds(layout: Layout) -> list[str]:
    return [conflict.kind for conflict in layout.conflicts]


def _finding(layout: Layout, kind: str):
    (found,) = [finding for finding in layout.findings if finding.kind == kind]
    return found


def test_both_marks_on_one_module():
    """In both orders, and twice the same: the module and the marks are named; the first mark stands."""
    for first, second, says in [
        ("replicate", "fully_shard", "'1', a Sequential, is marked replicate and fully_shard"),
        ("fully_shard", "replicate", "'1', a Sequential, is marked fully_shard and replicate"),
        ("replicate", "replicate", "replicate is applied twice to '1', a Sequential"),
    ]:
        layout = getattr(getattr(Plan(), first)("1"), second)("1").resolve(models.three_levels())
        assert [conflict.message for conflict in layout.conflicts] == [says]
        assert layout.modules[2].status == first


def test_replicate_twice_counts_once():
    """A group inside a group is averaged by the inner one alone."""
    layout = Plan().replicate("a").replicate("").resolve(models.replicated_branch())
    assert [group.numel for group in layout.replicate_groups] == [70, 40]


def test_tied_weights_in_two_units_by_hand():
    """Found before anything starts: both names, and the two ways out."""
    layout = Plan().fully_shard("emb").fully_shard("").resolve(models.tied_language_model())
    (conflict,) = layout.conflicts
    assert conflict.fqns == ("emb.weight", "head.weight")
    assert conflict.fix == (
        "make one unit of its users, fully_shard(['emb', 'head']), or leave them to the unit above both"
    )


def test_tied_weights_separated_by_a_policy():
    """The weight goes to the root with a finding that names both; an untied model gets none."""
    plan = Plan().fully_shard("", policy=by_class(nn.Embedding))
    layout = plan.resolve(models.tied_language_model())
    assert not layout.conflicts
    assert [(unit.fqn, unit.numel) for unit in layout.units] == [("", 60), ("emb", 0)]
    found = _finding(layout, "moved_to_common_unit")
    assert found.fqns == ("emb.weight", "head.weight", "")
    assert "mark its users as one unit with a list" in found.advice
    untied = plan.resolve(models.Part(emb=nn.Embedding(10, 4), head=models.lin(10, 4)))
    assert "moved_to_common_unit" not in {finding.kind for finding in untied.findings}


def test_one_child_of_two_units():
    """Both names of the shared child, and that marking it is the way out."""
    layout = Plan().fully_shard("a").fully_shard("b").fully_shard("").resolve(models.one_child_of_two_parents())
    assert _kinds(layout) == ["shared_module"]
    assert layout.conflicts[0].fqns == ("a.sh", "b.sh")
    assert layout.conflicts[0].fix == "mark 'a.sh' itself, or put both users into one unit with a list"


def test_one_layer_marked_by_two_names():
    """A mark on its third place is a mark on the layer."""
    layout = Plan().fully_shard("0").fully_shard("4").resolve(models.one_layer_three_times())
    assert [conflict.message for conflict in layout.conflicts] == [
        "fully_shard is applied twice to '0' (also named '2', '4'), a Linear"
    ]
    assert layout.modules[1].names == ("0", "2", "4")


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
@pytest.mark.parametrize(
    ("build", "path"), [(models.list_of_blocks, "blocks"), (models.mixed_parameter_containers, "ps")]
)
def test_containers_are_refused(verb, build, path):
    """A list of blocks or of parameters is refused by name; a list of blocks proposes the blocks."""
    layout = getattr(Plan(), verb)(path).resolve(build())
    assert _kinds(layout) == ["container"]
    assert repr(path) in layout.conflicts[0].message
    if path == "blocks":
        assert layout.conflicts[0].fix == "mark its children instead: 'blocks.0', 'blocks.1'"


def test_holder_is_warned_about():
    """Nothing gathers a module that nobody calls; its child is proposed."""
    layout = Plan().fully_shard("h").fully_shard("").resolve(models.holder_called_past())
    assert _finding(layout, "no_forward").advice == "mark its children instead: 'h.l'"


def test_projection_of_attention():
    """A rule for Linear leaves it alone; marked by hand it is warned about."""
    layout = Plan().fully_shard("", policy=by_class(nn.Linear)).resolve(models.attention())
    assert [(unit.fqn, unit.numel) for unit in layout.units] == [("", 80), ("ff", 20)]
    by_hand = Plan().fully_shard("mha.out_proj").fully_shard("ff").fully_shard("").resolve(models.attention())
    assert _finding(by_hand, "never_called").fqns == ("mha.out_proj",)


def test_learned_scale():
    """A scalar cannot be cut: named with both ways out; replicated or ignored it is fine, and the price is told."""
    layout = ROOT.resolve(models.learned_scale())
    (conflict,) = layout.conflicts
    assert conflict.message == "'scale' is a scalar of shape (), so fully_shard cannot take it"
    assert conflict.fix == "give it the shape (1,), or ignore it (its gradient is then not averaged over the ranks)"
    left = ROOT.ignore("scale").resolve(models.learned_scale())
    assert not left.conflicts
    assert _finding(left, "not_averaged").fqns == ("scale",)
    assert not Plan().replicate("").resolve(models.learned_scale()).conflicts


def test_dtypes_are_counted_apart():
    """Bytes follow each parameter's own dtype."""
    for build, nbytes in [(models.two_dtypes, 96), (models.complex_weight, 88)]:
        rows = ROOT.resolve(build()).params.values()
        assert sum(row.numel * row.dtype.itemsize for row in rows) == nbytes


def test_frozen_and_trainable_in_one_unit():
    """Of 96 elements a block trains 32."""
    layout = Plan().fully_shard("*").fully_shard("").resolve(models.adapters())
    assert not layout.conflicts
    for unit in layout.units[1:]:
        assert (unit.numel, sum(row.numel for row in unit.params if row.requires_grad)) == (96, 32)


def test_ignored_only_at_the_root():
    """The block already takes what the root is to leave out: a conflict, not silence."""
    plan = Plan().fully_shard("b").fully_shard("", ignored="b.fc1")
    layout = plan.resolve(models.block_with_ignored_child())
    assert [conflict.message for conflict in layout.conflicts] == [
        "the root ignores 'b.fc1', but fully_shard on 'b' already owns it"
    ]


def test_unmanaged_parameters_are_listed():
    """What nobody averages is named."""
    plan = Plan().fully_shard("b", ignored="b.fc1").fully_shard("", ignored="a")
    found = _finding(plan.resolve(models.block_with_ignored_child()), "not_averaged")
    assert found.fqns == _names("a", "b.fc1")
    assert "nobody averages their gradients" in found.message


def test_ignored_block_with_a_unit_is_noted():
    """Two statements about one subtree: the layout says which holds."""
    plan = Plan().fully_shard("0.fc1").fully_shard("", ignored="0")
    found = _finding(plan.resolve(models.ignored_block_with_unit()), "annotated_in_ignored")
    assert found.message == "'0.fc1' lies in the ignored '0' but is marked fully_shard itself and stays so"


def test_nothing_is_allocated_or_computed():
    """A model on meta stays there; a parametrised weight is not computed; a hooked one is not copied."""
    layout = ROOT.resolve(models.buffer_outside_the_state_dict())
    assert {row.param.device.type for row in layout.params.values()} == {"meta"}
    model = models.parametrised_weight_norm()
    with torch.nn.utils.parametrize.cached():
        ROOT.resolve(model)
        assert torch.nn.utils.parametrize._cache == {}


def test_rule_by_name_finds_parametrised_layers():
    """Parametrising changes the class; class and name of before both find the layer."""
    for wanted in (nn.Linear, "Linear"):
        layout = Plan().fully_shard("", policy=by_class(wanted)).resolve(models.parametrised_weight_norm())
        assert [unit.fqn for unit in layout.units] == ["", "c", "o"]


def test_marking_hides_no_child():
    """A plan never writes into a model: children with a tool's names are the same objects afterwards."""
    model = models.clashing_names()
    before = dict(model._modules)
    Plan().replicate("state").fully_shard("output").fully_shard("").resolve(model)
    assert all(model._modules[name] is child for name, child in before.items())
    assert set(vars(model)) == set(vars(models.clashing_names()))


def test_model_changed_after_planning():
    """A plan resolved again sees the new module and the new weight."""
    plan = Plan().fully_shard("1").fully_shard("")
    model = models.three_levels()
    before = plan.resolve(model)
    model[1][0].weight = models.vector(4, 4)
    model.add_module("extra", models.lin(2))
    after = plan.resolve(model)
    assert after.modules[-1].fqn == "extra"
    assert after.params["1.0.weight"].param is model[1][0].weight
    assert before.params["1.0.weight"].param is not model[1][0].weight


def test_wrapped_paths_are_clean():
    """Neither modules nor parameters show the wrapper, however the path was typed."""
    layout = Plan().fully_shard("1.fc1").resolve(models.checkpointed(models.Blk()))
    assert list(layout.params) == list(_names("0", "1.fc1", "1.fc2", "2"))
    other = Plan().fully_shard("1._checkpoint_wrapped_module.fc1").resolve(models.checkpointed(models.Blk()))
    assert [unit.fqn for unit in other.units] == [unit.fqn for unit in layout.units] == ["1.fc1"]


def test_class_names_are_whole_and_short():
    """A class made in a function is shown by its own name."""
    layout = ROOT.resolve(models.classes_of_a_function())
    assert [row.cls for row in layout.modules] == ["Sequential", "Outer", "Inner", "Linear"]
    assert ROOT.resolve(models.cannot_be_shown()).modules[1].cls == "Broken"


def test_errors_about_a_module_that_cannot_be_shown():
    """Messages name it without showing it."""
    with pytest.raises(PlanError, match=r"no module named '0\.k' in Sequential"):
        Plan().fully_shard("0.k").resolve(models.cannot_be_shown())
    holder = models.Part(c=nn.ModuleList([models.Broken(l=models.lin(1))]))
    assert Plan().fully_shard("c").resolve(holder).conflicts[0].fix == "mark its children instead: 'c.0'"


def test_sizes_of_tied_parts_overlap():
    """Emb 40, body 20, head 40 of which it owns none: 60 in all."""
    rows = {row.fqn: row for row in ROOT.resolve(models.tied_language_model()).modules}
    assert [(rows[name].total_numel, rows[name].own_numel) for name in ("", "emb", "body", "head")] == [
        (60, 0),
        (40, 40),
        (20, 20),
        (40, 0),
    ]


def test_forty_gigabytes_on_meta():
    """Exact numbers, at once, without memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model = models.forty_gigabytes()
    start = time.perf_counter()
    layout = Plan().fully_shard("0").fully_shard("").resolve(model)
    assert time.perf_counter() - start < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024
    assert [(unit.fqn, unit.numel) for unit in layout.units] == [("", 100_001), ("0", 10_000_000_000)]
    assert sum(row.numel * row.dtype.itemsize for row in layout.params.values()) == 40_000_400_004


def test_class_names_as_text():
    """Right, misspelt and absent names together: goes on, and says which was which."""
    plan = Plan().fully_shard("", policy=by_class("LlamaBlock", "LLamaBlock", "VisionBlock"))
    layout = plan.resolve(models.llama_like())
    assert [unit.fqn for unit in layout.units] == ["", "0", "1"]
    found = _finding(layout, "policy")
    assert found.severity == "warn"
    assert found.message == (
        "'': by_class below the root: no module is a LLamaBlock (did you mean LlamaBlock?); no module is a VisionBlock"
    )


def test_order_of_marking_nested_classes():
    """Inner before outer, the root last and once."""
    layout = Plan().fully_shard("", policy=by_class("NB")).resolve(models.nested_blocks())
    assert layout.orders["init_wrapper"] == ["inner.0.inner", "inner.0", "inner.1", ""]
    assert layout.orders["init_composable"] == ["inner.1", "inner.0.inner", "inner.0", ""]
    assert {unit.numel for unit in layout.units} == {6}


def test_most_is_left_to_the_root():
    """A root unit with nearly everything is pointed out, with the class worth marking."""
    found = _finding(Plan().fully_shard("", policy=by_class("DecBlk")).resolve(models.composite()), "giant_unit")
    assert found.message.startswith("the root unit holds 884 of 924 sharded elements (96 %)")
    assert "3 EncBlk modules" in found.advice
