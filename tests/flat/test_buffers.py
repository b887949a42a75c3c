"""Buffers: kept in the dtype asked for while the model runs, saved and given back in the one they came in."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from parity import inputs
from small_models import WIDTH
from torch import nn

import sharding
from sharding import fully_shard, replicate
from sharding.precision import Precision

BF16, F32 = torch.bfloat16, torch.float32


class Normed(nn.Module):
    """A batch norm between two layers, and a norm that has buffers only."""

    def __init__(self) -> None:
        super().__init__()
        self.l, self.norm = nn.Linear(WIDTH, WIDTH), nn.BatchNorm1d(WIDTH)
        self.plain, self.o = nn.BatchNorm1d(WIDTH, affine=False), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.o(self.plain(self.norm(self.l(x))))


def kept_buffers(verb: str) -> dict[str, Any]:
    torch.manual_seed(0)
    m = Normed()
    whole = {name: (value.dtype, value.clone()) for name, value in m.named_buffers()}
    {"fully_shard": fully_shard, "replicate": replicate}[verb](m, mixed_precision=Precision(BF16, buffer_dtype=BF16))
    m(inputs(0, 0)).sum().backward()
    running = m.norm.running_mean.clone()
    states = (m.state_dict(), sharding.state_dict(m), sharding.state_dict(m, kind="sharded"))
    written = [all(state[name].dtype == dtype for name, (dtype, _) in whole.items()) for state in states]
    sharding.load_state_dict(m, states[0])
    loaded = m.norm.running_mean.dtype
    sharding.remove(m)
    return {
        "runs in": (running.dtype, loaded),
        "moved": not torch.equal(running.float(), whole["norm.running_mean"][1]),
        "written": written,
        "removed": all(buffer.dtype == whole[name][0] for name, buffer in m.named_buffers()),
        "value": torch.equal(m.norm.running_mean, running.float()),
        "later": [value.dtype for name, value in m.state_dict().items() if "running" in name],
    }


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_buffers_are_saved_and_given_back_in_the_dtype_they_came_in(ranks, verb):
    """They run in `buffer_dtype`; state dicts and the model after `remove` have them as before, with today's values."""
    for got in ranks.run(kept_buffers, verb):
        assert got == {
            "runs in": (BF16, BF16),
            "moved": True,
            "written": [True, True, True],
            "removed": True,
            "value": True,
            "later": [F32] * 4,
        }


def exempt_norms() -> list[torch.dtype]:
    """Batch norms as units of their own, around which everything else computes in bfloat16."""
    m = Normed()
    for norm in (m.norm, m.plain):
        fully_shard(norm)
    fully_shard(m, mixed_precision=Precision(BF16))
    met: list[torch.dtype] = []
    m.norm.register_forward_hook(lambda module, args, output: met.extend((args[0].dtype, module.weight.dtype)))
    m(inputs(0, 0)).sum().backward()
    return [*met, m.norm.running_mean.dtype, m.norm.weight.grad.dtype]


def test_batch_norms_are_exempt_when_they_are_units(ranks):
    """Nothing is exempt by itself; a unit without mixed precision keeps float32 parameters and statistics."""
    assert ranks.run(exempt_norms) == [[BF16, F32, F32, F32]] * 2


def first_ranks_buffers() -> list[float]:
    """A unit that has buffers only starts from rank 0's as well."""
    m = Normed()
    m.plain.running_mean.fill_(torch.distributed.get_rank() + 1)
    fully_shard(m.plain, sync_module_states=True)
    fully_shard(m)
    return m.plain.running_mean.tolist()


def test_a_unit_without_parameters_gets_rank_0s_buffers(ranks):
    """`sync_module_states` is about buffers too."""
    assert ranks.run(first_ranks_buffers) == [[1.0] * WIDTH] * 2
