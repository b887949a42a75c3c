"""The models that are shown: two published shapes, two lists of experts, two trees in which hardly two modules agree.

They are those of the tests, on the meta device: nothing is downloaded or allocated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llm_shapes import SHAPES, distinct
from torch import nn

from sharding import Plan

ROOT_ONLY = Plan().fully_shard("")


@dataclass(frozen=True)
class Size:
    """A model, a plan on it, and the row that edits are tried on.

    Attributes:
        label: of its column.
        code: makes the model in a notebook.
        plan: what is shown on it.
        row: FQN of a row as the page labels it, marked and cleared in turn.
    """

    label: str
    make: Callable[[], nn.Module]
    code: str
    plan: Plan
    row: str


def _shape(label: str, name: str, plan: Plan, row: str) -> Size:
    return Size(label, SHAPES[name], f"SHAPES[{name!r}]()", plan, row)


_LAYERS = ROOT_ONLY.fully_shard("model.layers.*")

SIZES: dict[str, Size] = {
    "gpt2": _shape("GPT-2", "gpt2", ROOT_ONLY.fully_shard("transformer.h.*"), "transformer.wpe"),
    "llama70b": _shape("Llama 70B", "llama70b", _LAYERS, "model.embed_tokens"),
    "moe12k": _shape("12k experts", "moe12k", _LAYERS, "model.embed_tokens"),
    "experts": _shape("75k experts", "deepseek_v3_lists", _LAYERS, "model.embed_tokens"),
    "distinct": _shape("100k distinct", "distinct", ROOT_ONLY, "c0"),
    "million": Size("1M distinct", lambda: distinct(1_000_000), "distinct(1_000_000)", ROOT_ONLY, "c0"),
}

QUICK = ("gpt2", "llama70b", "experts")
