"""The cases that Python and the page both answer: folds.json, selectors.json, plans.json, and their models.

The expected rows and names in the files are written by hand; the payloads in them are what this package sends
for the models below. `python tests/explorer/oracles.py` writes those payloads anew when the wire changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explored_models import GPT, Named
from torch import nn

from explorer.areas import LETTERS
from explorer.rows import Row
from explorer.snapshot import plan_state, tree_state
from sharding.layout import Layout
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of

HERE = Path(__file__).parent


def letters(text: str) -> nn.Module:
    """A child a letter, named 0, 1, 2 and so on; equal letters are equal modules."""
    return nn.Sequential(*[nn.Linear(2, 1 + ord(letter) - ord("A")) for letter in text])


def two_kinds(depth: int) -> nn.Module:
    """Layers that are dense and sparse in turn, the sparse ones with three equal experts."""

    def layer(k: int) -> nn.Module:
        expert = lambda: Named(up=nn.Linear(2, 3))  # noqa: E731
        experts = nn.ModuleList(expert() for _ in range(3))
        return Named(attn=nn.Linear(2, 2), mlp=Named(experts=experts) if k % 2 else nn.Linear(2, 5))

    return Named(layers=nn.ModuleList(layer(k) for k in range(depth)), norm=nn.LayerNorm(2))


def tied_blocks(ties: Callable[[nn.Module], None]) -> nn.Module:
    """Four blocks of two equal Linears between an embedding and four heads; `ties` makes tensors one."""
    blocks = nn.ModuleList(Named(a=nn.Linear(4, 4, bias=False), b=nn.Linear(4, 4, bias=False)) for _ in range(4))
    outs = nn.ModuleList(nn.Linear(4, 4, bias=False) for _ in range(4))
    model = Named(emb=nn.Embedding(4, 4), h=blocks, outs=outs)
    ties(model)
    return model


def to_emb(model: Any) -> None:
    for block in model.h:
        block.b.weight = model.emb.weight


def to_own_head(model: Any) -> None:
    for block, out in zip(model.h, model.outs, strict=True):
        out.weight = block.b.weight


def inside(model: Any) -> None:
    for block in model.h:
        block.b.weight = block.a.weight


def to_the_first(model: Any) -> None:
    for block in model.h[1:]:
        block.b.weight = model.h[0].b.weight


def in_pairs(model: Any) -> None:
    model.h[1].b.weight = model.h[0].b.weight
    model.h[3].b.weight = model.h[2].b.weight


def crossed(model: Any) -> None:
    """b of each block is a of the next one: the tie leaves the block by another path."""
    for block, after in zip(model.h, model.h[1:], strict=False):
        after.a.weight = block.b.weight


def shared_block() -> nn.Module:
    """A block under two names, a frozen tensor, a tied head."""
    model = GPT(depth=2, tied=True)
    model.add_module("again", model.h[1])
    model.h[0].up.bias.requires_grad_(False)
    return model


UNITS = Plan().fully_shard("").fully_shard("h.*")

FOLDS: dict[str, tuple[Callable[[], nn.Module], Plan]] = {
    "blocks": (lambda: GPT(depth=6), Plan()),
    "units": (lambda: GPT(depth=6), UNITS),
    "exception": (lambda: GPT(depth=6), UNITS.replicate("h.3")),
    "inner exception": (lambda: GPT(depth=6), Plan().fully_shard("").fully_shard("h.2.up")),
    "one setting": (lambda: GPT(depth=6), UNITS.fully_shard("h.4", cpu_offload=True)),
    "every second unit": (lambda: GPT(depth=6), Plan().fully_shard("").fully_shard("h.1").fully_shard("h.[35]")),
    "two kinds": (lambda: two_kinds(6), Plan()),
    "two kinds, units": (lambda: two_kinds(6), Plan().fully_shard("").fully_shard("layers.*")),
    "two kinds, odd length": (lambda: two_kinds(5), Plan()),
    "two kinds, one ignored": (lambda: two_kinds(10), Plan().ignore("layers.4")),
    **{
        text: (lambda text=text: letters(text), Plan())
        for text in ("AAAA", "ABA", "ABAB", "AABAABA", "ABCDABCD", "ABCDEABCDE", "AAABAAAB", "AAAAAB", "AAAABABAB")
        + ("ABABCABAB", "AABABAB")
    },
    "tied to one outside": (lambda: tied_blocks(to_emb), Plan()),
    "tied to one each outside": (lambda: tied_blocks(to_own_head), Plan()),
    "tied inside": (lambda: tied_blocks(inside), Plan()),
    "tied to the first": (lambda: tied_blocks(to_the_first), Plan()),
    "tied in pairs": (lambda: tied_blocks(in_pairs), Plan()),
    "tied to the next": (lambda: tied_blocks(crossed), Plan()),
}

PLANNED: dict[str, tuple[Callable[[], nn.Module], Plan]] = {
    "group": (lambda: GPT(depth=4), UNITS.fully_shard(["h.3", "h.0"], strategy="shard_grad_op")),
    "groups": (lambda: GPT(depth=4), Plan().fully_shard("").fully_shard(["h.0.up", "h.1.up"]).fully_shard("h.[23].up")),
    "apart": (lambda: GPT(depth=4), Plan().replicate("h.*").fully_shard("h.*.up").fully_shard("wte")),
    "conflict": (lambda: GPT(tied=True), Plan().fully_shard("wte").fully_shard("head").fully_shard("h.*")),
    "experts": (
        lambda: two_kinds(8),
        Plan().fully_shard("").fully_shard("layers.*").fully_shard("layers.*.mlp.experts.*"),
    ),
    "offloaded": (lambda: GPT(depth=3), UNITS.fully_shard("h.1", cpu_offload=True).ignore("h.2.up.weight")),
}

SELECTED: dict[str, tuple[Callable[[], nn.Module], Plan]] = {
    "gpt": (lambda: GPT(depth=3), UNITS.replicate("head").ignore("h.2.norm")),
    "shared": (shared_block, Plan().fully_shard("").fully_shard("h.*")),
    "no root": (lambda: GPT(depth=2), Plan().fully_shard("h.*")),
}


def layout_and_payload(made: tuple[Callable[[], nn.Module], Plan]) -> tuple[Layout, dict[str, Any]]:
    """The layout of a case, and what is sent for it."""
    model, plan = made
    layout = layout_of(plan, tree_of(model()))
    payload = {"tree": tree_state(layout.tree).to_data(), "plan": plan_state(layout, plan).to_data()}
    return layout, json.loads(json.dumps({**payload, "seen": seen(layout)}))


def seen(layout: Layout) -> dict[str, Any]:
    """What the page has to read from a plan payload, from the layout itself."""
    numbers = {unit.fqn: n for n, unit in enumerate(layout.units)}
    sharded = ("fully_shard", "in_unit")
    return {
        "status": "".join(LETTERS[row.status] for row in layout.modules),
        "unit_of": [
            -1 if row.unit is None or row.status not in sharded else numbers[row.unit] for row in layout.modules
        ],
        "units": [
            {
                "fqns": unit.fqns,
                "nparams": len(unit.params),
                "numel": unit.numel,
                "is_root": unit.is_root,
                "local_root": numbers[unit.local_root],
                "handle": unit.index,
                "within": unit.within,
                "strategy": unit.strategy,
            }
            for unit in layout.units
        ],
        "orders": {name: order for name, order in layout.orders.items() if name not in ("dfs", "units")},
        "places": sorted({fqn for each in (*layout.conflicts, *layout.findings) for fqn in each.fqns}),
    }


def labelled(rows: list[Row]) -> list[tuple[str, Row]]:
    """Rows with the names of all rows above them: `h.0–5.up`."""
    path: list[str] = []
    pairs: list[tuple[str, Row]] = []
    for row in rows:
        path = [*path[: row.level], row.name.rpartition(".")[2]]
        pairs.append((".".join(path[1:]), row))
    return pairs


def read(name: str) -> dict[str, Any]:
    return json.loads((HERE / f"{name}.json").read_text())


def write(name: str, data: dict[str, Any]) -> None:
    """One line a payload and a case, so that a change of the wire is a change of those lines."""
    parts = [f'"about": {json.dumps(data["about"])}']
    for key in [key for key in data if key not in ("about", "models")]:
        lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in data[key])
        parts.append(f'"{key}": [\n{lines}\n]')
    models = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(each, separators=(',', ':'))}" for key, each in data["models"].items()
    )
    parts.append(f'"models": {{\n{models}\n}}')
    (HERE / f"{name}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")


def main() -> None:
    for name, made in (("folds", FOLDS), ("selectors", SELECTED), ("plans", PLANNED)):
        data = read(name)
        data["models"] = {key: layout_and_payload(each)[1] for key, each in made.items()}
        write(name, data)


if __name__ == "__main__":
    main()
