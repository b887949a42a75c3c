"""How long it takes to say what a plan costs, beside torch's own walk over the same modules and reading its parameters.

    python benchmarks/costs.py

Prints milliseconds of CPU time (best and median of interleaved repeats) and each row's ratio to `list(named_modules())`
plus `list(named_parameters())` of the same run. A costs row is everything that is shown: units, collectives, ranks and
peak. An edit is one more unit in a plan whose layout and costs are known already. The last lines trace a 70B shape.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable

import torch
from resolve import Decoder, model_of
from torch import nn

from sharding import Cost, Plan, by_class, cost, trace
from sharding.layout import Layout
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of

LAYERS = Plan().fully_shard("", policy=by_class("DecoderLayer"))
EDITED = LAYERS.fully_shard("layers.3.mlp")


def everything(layout: Layout, world_size: int, after: Cost | None = None) -> Cost:
    """All that is shown of a layout's costs."""
    asked = cost(layout, world_size=world_size, after=after)
    _ = asked.traffic, asked.per_rank, asked.peak
    return asked


def measure(rows: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Milliseconds of every row, all rows once a round."""
    times: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(repeats):
        gc.collect()
        for name, row in rows.items():
            start = time.process_time()
            result = row()
            times[name].append(1e3 * (time.process_time() - start))
            del result
    return times


def report(title: str, model: nn.Module, world_size: int, repeats: int) -> None:
    """One model's rows."""
    tree = tree_of(model)
    layout = layout_of(LAYERS, tree)
    known, edited = everything(layout, world_size), layout_of(EDITED, tree, after=layout)
    on_torch = layout_of(LAYERS, tree, engine="torch")
    rows: dict[str, Callable[[], object]] = {
        "named_modules, named_parameters": lambda: (list(model.named_modules()), list(model.named_parameters())),
        "layout": lambda: layout_of(LAYERS, tree),
        "costs": lambda: everything(layout, world_size),
        "layout and costs": lambda: everything(layout_of(LAYERS, tree), world_size),
        "layout after an edit": lambda: layout_of(EDITED, tree, after=layout),
        "costs after an edit": lambda: everything(edited, world_size, known),
        "layout and costs after an edit": lambda: everything(layout_of(EDITED, tree, after=layout), world_size, known),
        "costs on torch's engine": lambda: everything(on_torch, world_size),
        "every collective as a row": lambda: cost(layout, world_size=world_size).collectives,
        "as text": lambda: known.to_text(),
    }
    times = measure(rows, repeats)
    yardstick = min(times["named_modules, named_parameters"])
    print(f"\n{title}: {len(tree.nodes):,} modules, {len(layout.units):,} units, {world_size:,} ranks")
    print(f"{'':36}{'best':>9}{'median':>9}{'ratio':>8}")
    for name, values in times.items():
        print(f"{name:36}{min(values):7.1f}ms{statistics.median(values):7.1f}ms{min(values) / yardstick:7.1f}x")


def report_trace(repeats: int) -> None:
    """A trace of a 70B shape."""
    with torch.device("meta"):
        model = Decoder(80, 8192)
    ids = torch.zeros(1, 4096, dtype=torch.long)
    times = [_trace_s(model, ids) for _ in range(repeats)]
    print(f"\ntrace, 80 layers of 8,192, 4,096 tokens: best {min(times):.2f} s, first {times[0]:.2f} s of CPU time")


def _trace_s(model: nn.Module, ids: torch.Tensor) -> float:
    start = time.process_time()
    trace(model, ids)
    return time.process_time() - start


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--repeats", type=int, default=11)
    given = arguments.parse_args()
    print(f"torch {torch.__version__}")
    report("1,000 modules", model_of(1_000), 8, given.repeats)
    report("10,000 modules", model_of(10_000), 8, given.repeats)
    with torch.device("meta"):
        large = Decoder(126, 16_384)
    report("126 layers of 16,384", large, 16_384, given.repeats)
    report_trace(3)


if __name__ == "__main__":
    main()
