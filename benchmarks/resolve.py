"""How long it takes to read a plan on a large model, beside torch's own walk over the same modules.

    python benchmarks/resolve.py [--modules 10000]

Prints milliseconds (best and median of interleaved repeats) and each row's ratio to `list(model.named_modules())` of
the same run. "an edit" is what the widget does at every click: one more unit, after the layout of the plan before; the
payload is what it then sends to the page.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable

import torch
from torch import nn

from explorer.snapshot import plan_state
from sharding import Plan, by_class
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of


class Attention(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, nn.Linear(width, width, bias=False))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.o_proj(self.q_proj(x) + self.k_proj(x) + self.v_proj(x))


class Mlp(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(width, 4 * width, bias=False)
        self.up_proj = nn.Linear(width, 4 * width, bias=False)
        self.down_proj = nn.Linear(4 * width, width, bias=False)
        self.act_fn = nn.SiLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))


class DecoderLayer(nn.Module):
    """Thirteen modules and nine parameters, as in a Llama layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.self_attn = Attention(width)
        self.mlp = Mlp(width)
        self.input_layernorm = nn.RMSNorm(width)
        self.post_attention_layernorm = nn.RMSNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))


class Decoder(nn.Module):
    """An embedding, many layers, a norm."""

    def __init__(self, num_layers: int, width: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(1000, width)
        self.layers = nn.ModuleList([DecoderLayer(width) for _ in range(num_layers)])
        self.norm = nn.RMSNorm(width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


def model_of(num_modules: int) -> nn.Module:
    """A decoder of about `num_modules` modules on the meta device."""
    with torch.device("meta"):
        return Decoder(num_modules // 13, 64)


def measure(rows: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Milliseconds of every row, all rows once a round."""
    times: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(repeats):
        gc.collect()
        for name, row in rows.items():
            start = time.perf_counter()
            result = row()
            times[name].append(1e3 * (time.perf_counter() - start))
            del result
    return times


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--modules", type=int, default=10_000)
    arguments.add_argument("--repeats", type=int, default=15)
    given = arguments.parse_args()
    model = model_of(given.modules)
    tree = tree_of(model)
    layers = Plan().fully_shard("", policy=by_class("DecoderLayer"))
    pattern = Plan().fully_shard("").fully_shard("layers.*")
    before = layout_of(layers, tree)
    edited = layers.fully_shard("layers.3.mlp")
    after = layout_of(edited, tree, after=before)
    by_pattern = layout_of(pattern, tree)
    rows: dict[str, Callable[[], object]] = {
        "named_modules (torch)": lambda: list(model.named_modules()),
        "tree_of": lambda: tree_of(model),
        "resolve, one unit a layer": lambda: layers.resolve(model),
        "on the walked tree": lambda: layout_of(layers, tree),
        "and a row for every module": lambda: layout_of(layers, tree).modules,
        "an edit": lambda: layout_of(edited, tree, after=before),
        "an edit, units by pattern": lambda: layout_of(pattern.fully_shard("layers.3.mlp"), tree, after=by_pattern),
        "the payload of that edit": lambda: plan_state(after, edited).to_data(),
    }
    times = measure(rows, given.repeats)
    yardstick = min(times["named_modules (torch)"])
    print(f"{len(tree.nodes):,} modules, {len(tree.held):,} parameters, torch {torch.__version__}")
    print(f"{'':36}{'best':>9}{'median':>9}{'ratio':>8}")
    for name, values in times.items():
        print(f"{name:36}{min(values):7.1f}ms{statistics.median(values):7.1f}ms{min(values) / yardstick:7.1f}x")


if __name__ == "__main__":
    main()
