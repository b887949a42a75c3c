"""Operations counted in a trace: those torch's own counter finds when the model really runs."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode
from traced_models import WIDTH, Decoder, TwoStacks

from sharding import trace

IDS = torch.zeros(3, 11, dtype=torch.long)


class Attention(nn.Module):
    """Torch's fused attention, which on a CPU is an operator that its counter does not know."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = (part.unflatten(-1, (2, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        return functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)


def _counted(model: nn.Module, inputs: torch.Tensor) -> tuple[int, int]:
    with FlopCounterMode(display=False) as counter:
        loss = model(inputs).square().mean()
        forward = counter.get_total_flops()
        loss.backward()
    return forward, counter.get_total_flops()


@pytest.mark.parametrize(
    ("model", "inputs"),
    [
        (Decoder(6), IDS),
        (Decoder(6, checkpoints=True), IDS),
        (TwoStacks(), torch.zeros(5, WIDTH)),
        (nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 5, 3, stride=2)), torch.zeros(2, 3, 9, 9)),
    ],
    ids=["decoder", "recomputed", "three runs", "convolutions"],
)
def test_operations_are_those_of_a_real_step(model, inputs):
    """Forward and backward, recomputed forwards too, and of shortened copies as of the whole."""
    forward, both = _counted(model, inputs)
    for shorten in (True, False):
        found = trace(model, inputs, shorten=shorten)
        assert (found.forward_flops, found.flops) == (forward, both)
    assert f"{both:,} FLOPs, of which {forward:,} in forward" in found.to_text()


def test_fused_attention_counts_as_on_a_gpu():
    """Forward as its two products; backward has one product more than the plain one, since scores are made again."""
    model, inputs = Attention(), torch.zeros(2, 7, WIDTH)
    found = trace(model, inputs)
    with sdpa_kernel(SDPBackend.MATH):
        forward, both = _counted(model, inputs)
    again = 2 * 2 * 7 * 7 * WIDTH
    assert (found.forward_flops, found.flops) == (forward, both + again)
