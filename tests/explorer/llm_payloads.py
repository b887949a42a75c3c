"""The payloads of language models that the page's tests read.

`python tests/explorer/llm_payloads.py` writes them anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from llm_shapes import shape

from explorer.snapshot import plan_state, tree_state
from sharding.plan import Plan
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of

FILE = Path(__file__).with_name("llm_payloads.json")

# name: rows with everything open, and what is sharded
SHOWN: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "gpt2": ("gpt2", 21, ()),
    "llama8b": ("llama8b", 20, ()),
    "llama70b": ("llama70b", 20, ()),
    "llama8b, a unit a layer": ("llama8b", 20, ("", "model.layers.*")),
    "llama70b, a unit a layer": ("llama70b", 20, ("", "model.layers.*")),
    "mixtral": ("mixtral", 19, ()),
    "deepseek_v3": ("deepseek_v3", 43, ()),
    "moe12k": ("moe12k", 46, ()),
    "deepseek_v3_lists": ("deepseek_v3_lists", 46, ()),
}


def payload(name: str) -> dict[str, Any]:
    """Tree and plan of one of them as the page gets them, and how many rows it shows."""
    model, rows, sharded = SHOWN[name]
    tree = tree_of(shape(model))
    plan = Plan()
    for target in sharded:
        plan = plan.fully_shard(target)
    state = plan_state(layout_of(plan, tree), plan)
    data = {"rows": rows, "modules": len(tree.nodes), "tree": tree_state(tree).to_data(), "plan": state.to_data()}
    return json.loads(json.dumps(data))


if __name__ == "__main__":
    written = [f"{json.dumps(name)}: {json.dumps(payload(name), separators=(',', ':'))}" for name in SHOWN]
    FILE.write_text("{\n" + ",\n".join(written) + "\n}\n", encoding="utf-8")
