"""A parent that reads `self.child.weight` while the child is sharded: torch's error names parameter and unit."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional

from sharding import fully_shard


class Reader(nn.Module):
    """Uses parameters of its units without calling the units, or makes a mistake of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.child = nn.Linear(8, 6)
        self.layers = nn.ModuleList([nn.Embedding(10, 8)])
        self.use = ""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return getattr(self, self.use)(x)

    def linear(self, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, self.child.weight)

    def bias(self, x: torch.Tensor) -> torch.Tensor:
        return x[:, :6] + self.child.bias

    def row(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.layers[0].weight[0][:, None]  # pyright: ignore[reportIndexIssue]

    def mistake(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() == 1:
            return self.child.weight
        return self.child(x) @ torch.ones(5, 2)


def message_of(use: str) -> str:
    """What the forward of a sharded reader says."""
    model = Reader()
    for unit in (model.child, model.layers[0], model):
        fully_shard(unit)
    model.use = use
    with pytest.raises((RuntimeError, IndexError)) as caught:
        model(torch.ones(2, 8))
    return str(caught.value)


@pytest.mark.parametrize(
    ("use", "parameter", "unit"),
    [("linear", "weight", "child"), ("bias", "bias", "child"), ("row", "weight", "layers.0")],
)
def test_the_error_names_parameter_and_unit(ranks, use, parameter, unit):
    """Whatever torch finds wrong with the piece."""
    for message in ranks.run(message_of, use):
        assert f"parameter {parameter!r} of unit {unit!r}" in message
        assert message.count("sharding.unshard(") == 1


def test_a_mistake_of_ones_own_stays_as_it_is(ranks):
    """Calling a unit and then failing is nobody's piece."""
    for message in ranks.run(message_of, "mistake"):
        assert "unit" not in message
