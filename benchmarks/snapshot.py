"""How long it takes to show a large model: walk, classes, plan layer, text and HTML, and how many bytes travel.

    python benchmarks/snapshot.py [--layers 61] [--experts 256]

Prints the best and the median milliseconds of CPU time of repeats, and the bytes of both payloads. The default model
has 75,396 modules; nothing is allocated for its parameters.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from explorer.classes import classes_of
from explorer.folding import folding_of
from explorer.html import html_of
from explorer.snapshot import plan_state, tree_state
from explorer.text import text_of
from sharding import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of


class Weighted(nn.Module):
    """One parameter on the meta device."""

    def __init__(self, *shape: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(*shape, device="meta"))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.weight.T


class Parts(nn.Module):
    """A module with these children."""

    def __init__(self, **children: nn.Module) -> None:
        super().__init__()
        for name, child in children.items():
            self.add_module(name, child)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def expert(hidden: int) -> nn.Module:
    return Parts(
        gate_proj=Weighted(hidden, 64), up_proj=Weighted(hidden, 64), down_proj=Weighted(64, hidden), act_fn=nn.SiLU()
    )


def layer(number: int, num_experts: int) -> nn.Module:
    attn = Parts(**{f"{name}_proj": Weighted(64, 16) for name in ("q_a", "q_n", "q_b", "kv_a", "kv_n", "kv_b", "o")})
    experts = nn.ModuleList(expert(32) for _ in range(num_experts))
    moe = Parts(experts=experts, gate=Weighted(num_experts, 64), shared_experts=expert(32))
    return Parts(
        self_attn=attn, mlp=expert(128) if number < 3 else moe, input_norm=Weighted(64), post_norm=Weighted(64)
    )


def model_of(layers: int, num_experts: int) -> nn.Module:
    base = Parts(
        embed_tokens=Weighted(128, 64),
        layers=nn.ModuleList(layer(number, num_experts) for number in range(layers)),
        norm=Weighted(64),
    )
    return Parts(model=base, lm_head=Weighted(128, 64))


def measure(name: str, job: Callable[[], Any], repeats: int = 7) -> None:
    times = []
    for _ in range(repeats):
        began = time.process_time()
        job()
        times.append(1000 * (time.process_time() - began))
    print(f"{name:34} {min(times):8.1f} best {statistics.median(times):8.1f} median  ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, default=61)
    parser.add_argument("--experts", type=int, default=256)
    arguments = parser.parse_args()
    model = model_of(arguments.layers, arguments.experts)
    tree = tree_of(model)
    classes = classes_of(tree)
    plan = Plan().fully_shard("").fully_shard("model.layers.*")
    layout = layout_of(plan, tree)
    print(f"{len(tree.nodes):,} modules, {len(classes.rows)} classes, {len(layout.units)} units")
    measure("walk", lambda: tree_of(model))
    measure("classes", lambda: classes_of(tree))
    measure("resolve on the walked tree", lambda: list(layout_of(plan, tree).modules))
    measure("plan layer", lambda: plan_state(layout, plan).to_data())
    measure("folding, for both of the next", lambda: folding_of(layout, classes))
    folding = folding_of(layout, classes)
    measure("text", lambda: text_of(layout, folding=folding))
    measure("HTML", lambda: html_of(layout, folding=folding))
    print(f"tree payload {len(json.dumps(tree_state(tree, classes).to_data())):,} bytes")
    print(f"plan payload {len(json.dumps(plan_state(layout, plan).to_data())):,} bytes")


if __name__ == "__main__":
    main()
