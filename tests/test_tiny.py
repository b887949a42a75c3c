"""Everything once, in under a minute: read this file first.

A model of three layers goes the whole way: a plan, its meaning, what is refused, real training on two processes with
this project's engine, the events of a step, and the view.
"""

from __future__ import annotations

import pytest
import torch
import torch.distributed as dist
from torch import nn

from explorer import explore
from sharding import ConflictError, Plan, PlanError, by_class, get_handles, record_events, run


class Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.tanh(self.linear(self.norm(x)))


class Tiny(nn.Module):
    """Three layers between an embedding and a head."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Linear(5, 7)
        self.layers = nn.ModuleList([Layer(7) for _ in range(3)])
        self.head = nn.Linear(7, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.embed(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


PLAN = Plan().fully_shard("", policy=by_class("Layer")).replicate("head")


def test_a_plan_has_a_meaning_without_memory_or_process_group():
    """Units, owners and orders of the plan on a model on the meta device."""
    with torch.device("meta"):
        layout = PLAN.resolve(Tiny())
    assert [unit.fqn for unit in layout.units] == ["", "layers.0", "layers.1", "layers.2"]
    assert layout.params["layers.1.linear.weight"].unit == "layers.1"
    assert layout.params["head.weight"].owner_kind == "replicate"
    assert layout.orders["init_composable"] == ["layers.2", "layers.1", "layers.0", ""]
    assert layout.orders["init_wrapper"] == ["layers.0", "layers.1", "layers.2", ""]
    assert sum(unit.numel for unit in layout.units) == sum(p.numel() for p in Tiny().parameters()) - 24
    assert not layout.conflicts


def test_what_cannot_run_is_said_before_anything_starts():
    """A wrong name has its close matches; a container has its children proposed; the model stays as it was."""
    with pytest.raises(PlanError, match=r"no module named 'layer\.0' in Tiny; did you mean 'layers\.0'"):
        PLAN.clear("layer.0").resolve(Tiny())
    model = Tiny()
    with pytest.raises(ConflictError, match=r"'layers'.*ModuleList.*'layers\.0', 'layers\.1'"):
        Plan().fully_shard("layers").apply(model)
    assert get_handles(model) == []


def train(plan: Plan) -> tuple[float, float, list[str]]:
    """On every rank: five AdamW steps sharded, and unsharded on the same batches; how far apart, and what happened."""
    rank, ranks = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    sharded = plan.apply(Tiny())
    torch.manual_seed(0)
    whole = Tiny()
    optimizers = [torch.optim.AdamW(model.parameters(), lr=0.05) for model in (sharded, whole)]
    difference = 0.0
    with record_events() as log:
        for step in range(5):
            batches = [torch.randn(4, 5, generator=torch.Generator().manual_seed(9 * step + r)) for r in range(ranks)]
            own = sharded(batches[rank]).square().mean()
            own.backward()
            mean = torch.stack([whole(batch).square().mean() for batch in batches]).mean()
            mean.backward()
            total = own.detach().clone()
            dist.all_reduce(total)
            difference = max(difference, abs(total.item() / ranks - mean.item()))
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad()
    forward = [f"{event.kind[0].upper()} {event.fqn}" for event in log if event.kind in ("unshard", "reshard")]
    return difference, mean.item(), forward[: forward.index("R ") + 1]


def test_it_trains_as_the_unsharded_model_on_two_real_processes():
    """Losses agree to rounding for five steps, and each layer is gathered only while it runs."""
    for difference, loss, forward in run(train, PLAN, nprocs=2):
        assert difference < 1e-6
        assert loss < 0.5
        assert forward == [
            "U ", "U layers.0", "R layers.0", "U layers.1", "R layers.1", "U layers.2", "R layers.2", "R ",
        ]  # fmt: skip


def test_the_view_shows_it_and_edits_it():
    """The text form has every module with status and number; an edit is a plan, and undone."""
    ex = explore(Tiny, plan=PLAN)
    text = ex.text(ascii_only=True)
    assert "layers.0-2" in text.replace("–", "-")
    assert "[R" in text
    ex.clear("head")
    assert ex.layout.params["head.weight"].unit == ""
    ex.undo()
    assert ex.plan == PLAN
    ex.close()
