"""Run alone: what torch's FSDPMemTracker sees beside what the costs say, for a few configurations on a fake group.

Prints a line of JSON a configuration. In a process of its own because the tracker replaces methods of torch's classes
and the fake process group is a global one.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.testing._internal.distributed.fake_pg import FakeStore

from sharding import Plan, by_class, cost
from sharding.tracing.verb import trace


class Block(nn.Module):
    """A feed-forward block; wide, so that activations are small beside it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(torch.relu(self.up(x)))


class Net(nn.Module):
    """Embedding, blocks, norm, head; sizes that no number of ranks divides."""

    def __init__(self, depth: int = 4, width: int = 131) -> None:
        super().__init__()
        self.emb = nn.Embedding(997, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 997)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.emb(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


@dataclass(frozen=True)
class Configuration:
    """A plan on some ranks, and how it is applied with torch's own calls."""

    name: str
    plan: Plan
    mesh_shape: tuple[int, ...]
    frozen: tuple[str, ...] = ()
    inputs: tuple[int, int] = (1, 2)

    @property
    def ids(self) -> torch.Tensor:
        return torch.zeros(self.inputs, dtype=torch.long)


BLOCKS = Plan().fully_shard("", policy=by_class("Block"))
BF16 = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
CONFIGURATIONS = [
    Configuration("per block", BLOCKS, (8,)),
    Configuration("per block, bf16", BLOCKS.defaults(mixed_precision=BF16), (8,)),
    Configuration("kept after forward", BLOCKS.defaults(strategy="shard_grad_op"), (4,)),
    Configuration("kept after forward, bf16", BLOCKS.defaults(strategy="shard_grad_op", mixed_precision=BF16), (4,)),
    Configuration("root only", Plan().fully_shard(""), (3,)),
    Configuration("embedding and head apart", BLOCKS.fully_shard("emb").fully_shard("head"), (8,)),
    Configuration("nested", BLOCKS.fully_shard("blocks.*.up").fully_shard("blocks.*.down"), (2,)),
    Configuration("hybrid", BLOCKS, (2, 4)),
    Configuration("hybrid, bf16", BLOCKS.defaults(mixed_precision=BF16), (2, 4)),
    Configuration("frozen blocks", BLOCKS, (8,), ("blocks.0", "blocks.1", "blocks.2")),
    Configuration("kept as halves", BLOCKS.fully_shard("blocks.*", reshard_after_forward=2), (4,)),
]


LONG = [
    replace(each, name=f"{each.name}, long", inputs=(4, 64))
    for each in CONFIGURATIONS
    if each.name
    in ("per block", "kept after forward", "per block, bf16", "root only", "embedding and head apart", "nested")
]


def mean(output: torch.Tensor, inputs: object) -> torch.Tensor:
    """The loss."""
    return output.float().mean()


def build(configuration: Configuration) -> nn.Module:
    """The model, with what is frozen."""
    model = Net()
    for name in configuration.frozen:
        model.get_submodule(name).requires_grad_(False)
    return model


def seen(configuration: Configuration) -> dict[str, int]:
    """The tracker's peak of forward and backward in the second step, by category."""
    shape = configuration.mesh_shape
    mesh = init_device_mesh("cpu", shape, mesh_dim_names=("replicate", "shard")[-len(shape) :])
    model = build(configuration)
    layout = configuration.plan.resolve(model, engine="torch")
    for unit in reversed(layout.units):
        options: dict[str, Any] = {"mesh": mesh}
        chosen = unit.annotation.options
        if chosen.strategy == "shard_grad_op" and chosen.reshard_after_forward is None:
            options["reshard_after_forward"] = False
        elif chosen.reshard_after_forward is not None:
            options["reshard_after_forward"] = chosen.reshard_after_forward
        if chosen.mixed_precision is not None:
            options["mp_policy"] = MixedPrecisionPolicy(torch.bfloat16, torch.float32)
        fully_shard(unit.modules[0], **options)
    trainable = [param for param in model.parameters() if param.requires_grad]
    optimizer = torch.optim.AdamW(trainable, foreach=False)
    ids = configuration.ids
    model(ids).float().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    tracker = FSDPMemTracker(model, optimizer)
    tracker.track_external(optimizer)
    with tracker:
        mean(model(ids), ids).backward()
    return dict(tracker.get_tracker_snapshot("peak")[torch.device("cpu")])


def main() -> None:
    names = sys.argv[1:]
    for configuration in [*CONFIGURATIONS, *LONG]:
        if names and configuration.name not in names:
            continue
        world_size = int(torch.tensor(configuration.mesh_shape).prod())
        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=world_size)
        measured = seen(configuration)
        dist.destroy_process_group()
        layout = configuration.plan.resolve(build(configuration), engine="torch")
        peak = cost(layout, mesh_shape=configuration.mesh_shape).peak
        precision = layout.units[0].annotation.options.mixed_precision
        found = trace(build(configuration), configuration.ids, loss=mean, mixed_precision=precision)
        traced = cost(layout, mesh_shape=configuration.mesh_shape, trace=found).peak
        print(
            json.dumps(
                {
                    "name": configuration.name,
                    "measured": {getattr(key, "value", str(key)): nbytes for key, nbytes in measured.items()},
                    "predicted": peak.nbytes,
                    "traced": traced.nbytes,
                    "moment": peak.moment,
                    "terms": [[term.label, term.nbytes] for term in peak.terms],
                }
            )
        )


if __name__ == "__main__":
    main()
