"""Verbs that are refused: the message says what, where and what to do, and the model is as it was before the call."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch
from small_models import Block, Tied, TwoBlocks
from torch import nn

import sharding
from sharding import (
    AnnotationError,
    ConflictError,
    FullyShardedDataParallel,
    PlanError,
    StateError,
    by_class,
    fully_shard,
    replicate,
)


def fingerprint(model: nn.Module) -> list[Any]:
    """Everything a verb could leave on a model: attributes, hooks, parameters and what they show."""
    marks: list[Any] = []
    for module in model.modules():
        marks.append((type(module), sorted(module.__dict__)))
        marks += [len(hooks) for name, hooks in sorted(module.__dict__.items()) if name.endswith("hooks")]
        marks += [(name, id(child)) for name, child in module._modules.items()]
    for param in model.parameters():
        hooks = param._post_accumulate_grad_hooks or ()
        marks.append((id(param), param.shape, param.data_ptr(), len(hooks), sorted(vars(param))))
    return marks


def refused(model: nn.Module, verb: Callable[[], Any], error: type[Exception], *words: str) -> None:
    """`verb()` raises `error` with all `words` in its text, and leaves nothing behind."""
    before = fingerprint(model)
    with pytest.raises(error) as caught:
        verb()
    for word in words:
        assert word in str(caught.value), str(caught.value)
    assert fingerprint(model) == before


def test_twice():
    """The same verb twice on a module."""
    m = TwoBlocks()
    fully_shard(m.u1)
    refused(m, lambda: fully_shard(m.u1), AnnotationError, "fully_shard", "twice")
    replicate(m.u2)
    refused(m, lambda: replicate(m.u2), AnnotationError, "replicate", "twice")


def test_both_verbs_on_one_module_both_ways():
    """`replicate` after `fully_shard` and the other way round."""
    m = TwoBlocks()
    fully_shard(m.u1)
    replicate(m.u2)
    refused(m, lambda: replicate(m.u1), AnnotationError, "fully_shard", "replicate")
    refused(m, lambda: fully_shard(m.u2), AnnotationError, "fully_shard", "replicate")


def test_outer_before_inner():
    """Every order of calls from the outside in names the module and says to go from the inside out."""
    for outer in (fully_shard, replicate):
        for inner in (fully_shard, replicate):
            m = TwoBlocks()
            outer(m)
            words = ("'u1.seq'", "TwoBlocks", "inside out", outer.__name__, inner.__name__)
            refused(m, lambda i=inner, m=m: i(m.u1.seq), AnnotationError, *words)


def test_outer_before_inner_where_the_inner_module_has_no_parameters_left():
    """Refused too when everything the inner module could take is in units below it."""
    m = nn.Sequential(nn.Sequential(nn.Linear(2, 2)))
    fully_shard(m[0][0])
    fully_shard(m)
    refused(m, lambda: fully_shard(m[0]), AnnotationError, "'0'", "inside out")


def test_inner_before_outer_is_fine():
    """The nearest annotation decides, in any nesting of the two verbs."""
    m = TwoBlocks()
    fully_shard(m.u1.seq)
    replicate(m.u1)
    replicate(m.u2.seq)
    replicate(m.u2)
    fully_shard(m)
    assert [sharding.applied_apis(each) for each in (m.u1.seq, m.u1, m.u2, m)] == [
        ("fully_shard",),
        ("replicate",),
        ("replicate",),
        ("fully_shard",),
    ]


def test_wrapper_and_fully_shard_in_one_tree_both_ways():
    """One tree takes one of the two paths; `replicate` goes with either."""
    m = TwoBlocks()
    m.u1 = FullyShardedDataParallel(m.u1)
    refused(m, lambda: fully_shard(m), AnnotationError, "'u1'", "FullyShardedDataParallel", "fully_shard")
    n = TwoBlocks()
    fully_shard(n.u1)
    replicate(n.u2)
    refused(n, lambda: FullyShardedDataParallel(n), AnnotationError, "'u1'", "FullyShardedDataParallel")


def test_containers_nobody_calls():
    """A ModuleList has no forward: its children are proposed."""
    m = nn.Module()
    m.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    for verb in (fully_shard, replicate):
        refused(m, lambda v=verb: v(m.layers), ConflictError, "ModuleList", "forward", "'0'", "'1'")


def test_scalar_parameter():
    """A 0-dimensional parameter cannot be cut; the message names it and the shape to give it."""
    m = nn.Linear(2, 2)
    m.scale = nn.Parameter(torch.tensor(1.0))
    refused(m, lambda: fully_shard(m), ConflictError, "'scale'", "(1,)")


def test_lazy_parameter():
    """An uninitialised parameter has no shape; run a forward first."""
    m = nn.Sequential(nn.LazyLinear(2))
    before = sorted(m.__dict__)
    with pytest.raises(ConflictError, match=r"'0\.weight' is lazy"):
        fully_shard(m)
    assert sorted(m.__dict__) == before


def test_tie_across_units_marked_by_hand():
    """Two units by hand cannot share a weight: both names are given, and the way out."""
    m = Tied()
    fully_shard(m.emb)
    fully_shard(m.block)
    refused(m, lambda: fully_shard(m), ConflictError, "emb.weight", "head.weight")


def test_settings_that_cannot_be_read():
    """Unknown strategies, prefetches, devices meshes and settings this engine does not have yet."""
    m = TwoBlocks()
    refused(m, lambda: fully_shard(m, strategy="zero9"), PlanError, "'zero9'", "'full_shard'")
    refused(m, lambda: fully_shard(m, strategy="hybrid_shard"), PlanError, "hybrid_shard", "two axes")
    refused(m, lambda: fully_shard(m, backward_prefetch="soon"), PlanError, "'soon'", "'pre'")
    refused(m, lambda: fully_shard(m, mesh=(2, 2)), PlanError, "mesh", "DeviceMesh")
    refused(m, lambda: fully_shard(m, mixed_precision={"param": "bf16"}), PlanError, "mixed_precision")
    refused(m, lambda: fully_shard([m.u1, m.u2], policy=by_class(Block)), PlanError, "policy")
    refused(m, lambda: fully_shard([]), PlanError, "empty list")
    refused(m, lambda: fully_shard([m.u1, m.u1]), PlanError, "twice")
    refused(m, lambda: fully_shard("u1"), PlanError, "str")
    refused(m, lambda: replicate(m, bucket_cap_mb=0), PlanError, "bucket_cap_mb")
    refused(m, lambda: replicate(m, device="cpu"), PlanError, "device")


def test_meta_parameter_without_initialiser():
    """A module on the meta device that cannot initialise itself needs `param_init_fn`."""
    with torch.device("meta"):
        m = TwoBlocks()
    refused(m, lambda: fully_shard(m), PlanError, "'p'", "TwoBlocks", "param_init_fn")


def test_an_initialiser_that_fails_half_way():
    """What was done to the units before it is taken back."""
    m = TwoBlocks()
    m.l.to("meta")

    def fails(module: nn.Module) -> None:
        raise ArithmeticError("no values today")

    refused(m, lambda: fully_shard(m, policy=by_class(Block), param_init_fn=fails), ArithmeticError, "today")
    assert sharding.get_states(m) == []


def test_copying_and_pickling_a_sharded_model():
    """Both say what to do instead; after `remove` both work."""
    for mark in (fully_shard, replicate):
        m = TwoBlocks()
        mark(m)
        with pytest.raises(StateError, match=r"state_dict.*remove"):
            copy.deepcopy(m)
        with pytest.raises(StateError, match="pickled"):
            pickle.dumps(m)
        with pytest.raises(StateError, match="pickled"):
            torch.save(m, io.BytesIO())
        sharding.remove(m)
        copy.deepcopy(m)
        pickle.loads(pickle.dumps(m))


def test_remove_leaves_nothing():
    """The model is as before the verbs, and can be marked anew."""
    m = TwoBlocks()
    before = fingerprint(m)
    fully_shard(m.u1.seq)
    replicate(m.u1)
    fully_shard(m, policy=by_class(Block))
    sharding.register_forward_method(m, "extra_repr")
    assert sharding.remove(m) is m
    assert fingerprint(m) == before
    fully_shard(m.u1)
    fully_shard(m)


def test_remove_unwraps():
    """Removing from a wrapper gives back the module that was wrapped, its submodules unwrapped."""
    m = TwoBlocks()
    before = fingerprint(m)
    wrapped = FullyShardedDataParallel(m, auto_wrap_policy=by_class(Block))
    assert isinstance(m.u1, FullyShardedDataParallel)
    assert sharding.remove(wrapped) is m
    assert fingerprint(m) == before


def test_remove_below_an_annotated_module_is_refused():
    """What an outer call took cannot be given back by an inner one."""
    m = TwoBlocks()
    fully_shard(m.u1)
    fully_shard(m)
    refused(m, lambda: sharding.remove(m.u1), AnnotationError, "'u1'", "TwoBlocks")


def test_a_parameter_or_submodule_replaced_after_sharding():
    """Noticed at the next forward, by name."""
    x = torch.randn(2, 5)
    m = TwoBlocks()
    fully_shard(m)
    m.u1.lin.weight = nn.Parameter(torch.zeros(5, 5))
    with pytest.raises(StateError, match=r"'u1\.lin\.weight'.*was replaced after sharding"):
        m(x)
    m = TwoBlocks()
    fully_shard(m)
    m.u2.lin = nn.Linear(5, 5)
    with pytest.raises(StateError, match=r"Block in unit '' had 'lin' added, removed or replaced"):
        m(x)
    m = TwoBlocks()
    fully_shard(m)
    m.u2.extra = nn.Parameter(torch.zeros(1))
    with pytest.raises(StateError, match="another number of parameters"):
        m(x)


def test_verbs_inside_a_step_are_refused():
    """Looking at whole values or removing in the middle of a forward or backward."""
    m = TwoBlocks()
    fully_shard(m.u1)
    fully_shard(m)
    m.u1.register_forward_hook(lambda *args: sharding.remove(m))
    with pytest.raises(StateError, match="remove inside a forward"):
        m(torch.randn(2, 5))
    output = FullyShardedDataParallel(TwoBlocks())(torch.randn(2, 5))
    assert output.shape == (2, 5)


def test_registering_a_method_that_is_not_there():
    """The module must be a unit and have the method."""
    m = TwoBlocks()
    refused(m, lambda: sharding.register_forward_method(m, "encode"), StateError, "not a unit")
    fully_shard(m)
    refused(m, lambda: sharding.register_forward_method(m, "encode"), StateError, "no method 'encode'")


def test_a_wrapper_around_a_wrapper():
    """One module cannot be two units."""
    m = FullyShardedDataParallel(TwoBlocks())
    refused(m, lambda: FullyShardedDataParallel(m), AnnotationError, "twice")
    refused(m, lambda: fully_shard(m), AnnotationError, "FullyShardedDataParallel")


def test_parameter_subclass_that_cannot_be_cut():
    """Named, with the way to leave it out."""

    class Odd(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    m = nn.Linear(2, 2)
    m.odd = torch.Tensor._make_subclass(type("OddParameter", (Odd, nn.Parameter), {}), torch.ones(2))
    assert isinstance(m.odd, nn.Parameter)
    refused(m, lambda: fully_shard(m), ConflictError, "'odd'", "OddParameter", "ignored_params")
    fully_shard(m, ignored_params=[m.odd])
