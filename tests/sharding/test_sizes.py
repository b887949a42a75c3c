"""Elements by identity."""

from __future__ import annotations

import torch
from hypothesis import given
from strategies import graph_specs
from torch import nn

from sharding.parameters import UNSHARDED_SHAPE, shape_of
from sharding.sizes import sizes_of
from sharding.traversal import tree_of


@given(graph_specs())
def test_sizes_agree_with_torch(spec):
    """The root's total and the sum of own elements are what `model.parameters()` adds up to."""
    model = spec.build()
    own, total = sizes_of(tree_of(model))
    whole = sum(param.numel() for param in model.parameters())
    assert total[0] == sum(own) == whole


def test_tied_weights_count_once():
    """A tied head owns nothing, holds what it uses, and the total is not the sum of the parts."""
    model = nn.ModuleDict({"emb": nn.Embedding(10, 4), "body": nn.Linear(4, 4), "head": nn.Linear(4, 10, bias=False)})
    model["head"].weight = model["emb"].weight
    own, total = sizes_of(tree_of(model))
    assert own == [0, 40, 20, 0]
    assert total == [60, 40, 20, 40]


def test_same_parameter_twice_on_one_module():
    """Two attributes of one module, one parameter."""
    model = nn.Linear(2, 2, bias=False)
    model.again = model.weight
    assert sizes_of(tree_of(nn.Sequential(model))) == ([0, 4], [4, 4])


def test_back_reference_adds_nothing():
    """A child that keeps its parent holds its own elements only."""
    model = nn.Module()
    model.w = nn.Parameter(torch.empty(5))
    model.sub = nn.Linear(2, 2)
    model.sub.up = model
    assert sizes_of(tree_of(model))[1] == [11, 6]


def test_a_piece_counts_as_the_whole():
    """While an engine has cut a parameter, its noted shape counts; a lazy one counts nothing."""
    model = nn.Linear(4, 4, bias=False)
    whole = model.weight.shape
    model.weight.data = model.weight.data.flatten()[:3]
    assert sizes_of(tree_of(model))[1] == [3]
    setattr(model.weight, UNSHARDED_SHAPE, whole)
    assert sizes_of(tree_of(model))[1] == [16]
    assert shape_of(model.weight) == whole


def test_noted_scalar_and_empty_shapes():
    """A noted shape of no elements is a shape too."""
    param = nn.Parameter(torch.empty(7))
    setattr(param, UNSHARDED_SHAPE, torch.Size([]))
    assert shape_of(param) == torch.Size([])


def test_lazy_parameter_has_no_size():
    """A parameter without a shape counts nothing and has no shape."""
    param = nn.UninitializedParameter()
    assert shape_of(param) is None
    model = nn.Module()
    model.w = param
    assert sizes_of(tree_of(model)) == ([0], [0])
