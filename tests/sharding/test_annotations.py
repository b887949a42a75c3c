"""The registry on live modules."""

from __future__ import annotations

import copy
import io
import pickle

import pytest
import torch
from torch import nn

from sharding.annotations import (
    Annotation,
    annotation_of,
    annotations_in,
    applied_apis,
    register,
    unregister,
)
from sharding.errors import StateError
from sharding.traversal import tree_of


def _marked() -> tuple[nn.Module, Annotation, Annotation]:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2), nn.Linear(2, 2))
    inner = Annotation("replicate", (model[2],))
    pair = Annotation("fully_shard", (model[3], model[0]))
    register(inner)
    register(pair)
    return model, inner, pair


def test_what_was_applied():
    """Only the marked modules themselves have an API; the others have none."""
    model, inner, pair = _marked()
    assert [applied_apis(module) for module in model] == [("fully_shard",), (), ("replicate",), ("fully_shard",)]
    assert applied_apis(model) == ()
    assert annotation_of(model[2]) is inner
    assert annotation_of(model[0]) is annotation_of(model[3]) is pair


def test_annotations_in_pre_order():
    """Each annotation once, at its first module in pre-order, from wherever the walk starts."""
    model, inner, pair = _marked()
    assert annotations_in(tree_of(model)) == [pair, inner]
    assert annotations_in(tree_of(model[2])) == [inner]


def test_registered_inside_a_wrapper():
    """A mark on the wrapped module is found in the tree of the wrapper."""
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

    inner = nn.Linear(2, 2)
    annotation = Annotation("fully_shard", (inner,))
    register(annotation)
    assert annotations_in(tree_of(nn.Sequential(checkpoint_wrapper(inner)))) == [annotation]


def test_unregister_leaves_nothing():
    """After taking a mark off the module's own dict is what it was."""
    model = nn.Linear(2, 2)
    before = dict(model.__dict__)
    annotation = Annotation("fully_shard", (model,))
    register(annotation)
    unregister(annotation)
    unregister(annotation)
    assert model.__dict__ == before
    copy.deepcopy(model)


def test_the_mark_lives_and_dies_with_the_module():
    """Nothing outside the module keeps it alive."""
    import gc
    import weakref

    model = nn.Linear(2, 2)
    register(Annotation("fully_shard", (model,)))
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


ADVICE = (
    r"a module with fully_shard on it \(Linear\) cannot be {}: it holds one rank's pieces\. Take a "
    r"state_dict\(\) of it, "
    r"build a fresh model and apply the plan to that, or call sharding\.remove\(model\) first"
)


@pytest.mark.parametrize("depth", [0, 1])
def test_copies_are_refused(depth):
    """`deepcopy` of a marked module, or of a model that holds one, says how to get a second model."""
    module = nn.Linear(2, 2)
    register(Annotation("fully_shard", (module,)))
    model = nn.Sequential(module) if depth else module
    with pytest.raises(StateError, match=ADVICE.format("copied")):
        copy.deepcopy(model)


def test_pickles_are_refused():
    """So do pickling and `torch.save` of the module; its state dict saves."""
    model = nn.Linear(2, 2)
    register(Annotation("fully_shard", (model,)))
    with pytest.raises(StateError, match=ADVICE.format("pickled")):
        pickle.dumps(model)
    with pytest.raises(StateError, match=ADVICE.format("pickled")):
        torch.save(model, io.BytesIO())
    torch.save(model.state_dict(), io.BytesIO())


def test_state_dict_and_names_are_untouched():
    """A mark adds nothing to parameters, buffers, children or the state dict."""
    model, _, _ = _marked()
    plain = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2), nn.Linear(2, 2))
    assert list(model.state_dict()) == list(plain.state_dict())
    assert [name for name, _ in model.named_modules()] == [name for name, _ in plain.named_modules()]


def test_repr_runs_no_code_of_the_user():
    """An annotation shows classes, not modules."""
    assert repr(Annotation("fully_shard", (nn.Linear(1, 1),))) == "Annotation(fully_shard on Linear, by hand)"
