"""Language models in the shapes they were published in, on the meta device: nothing is downloaded or allocated.

The two with lists of experts have the modules of DeepSeek-V3 as first published, with small tensors.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable

import pytest
import torch
from explored_models import Named, experts
from torch import nn

os.environ.setdefault("HF_HUB_OFFLINE", "1")


def hub_model(name: str, **config: int) -> nn.Module:
    """`transformers`' own class from its own configuration class."""
    transformers = pytest.importorskip("transformers", reason="the extra `models` has it")
    with torch.device("meta"):
        return getattr(transformers, f"{name}ForCausalLM")(getattr(transformers, f"{name}Config")(**config))


def gpt2() -> nn.Module:
    transformers = pytest.importorskip("transformers", reason="the extra `models` has it")
    with torch.device("meta"):
        return transformers.GPT2LMHeadModel(transformers.GPT2Config())


def llama(layers: int, hidden: int, intermediate: int, heads: int) -> nn.Module:
    sizes = {"hidden_size": hidden, "intermediate_size": intermediate, "vocab_size": 128_256}
    counts = {"num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": 8}
    return hub_model("Llama", **sizes, **counts)


def distinct(size: int = 100_000, fan: int = 10) -> nn.Module:
    """A tree of that many modules in which hardly two neighbours are alike."""
    root = Named()
    nodes = [root]
    for parent in nodes:
        for k in range(min(fan, size - len(nodes))):
            child = Named()
            parent.add_module(f"c{k}", child)
            nodes.append(child)
    for number, node in enumerate(nodes):
        if not node._modules:
            node.weight = nn.Parameter(torch.empty(1 + number % 977, 8, device="meta"))
    return root


SHAPES: dict[str, Callable[[], nn.Module]] = {
    "gpt2": gpt2,
    "llama8b": lambda: llama(32, 4096, 14336, 32),
    "llama70b": lambda: llama(80, 8192, 28672, 64),
    "mixtral": lambda: hub_model("Mixtral"),
    "deepseek_v3": lambda: hub_model("DeepseekV3"),
    "moe12k": lambda: experts(22, 128),
    "deepseek_v3_lists": experts,
    "distinct": distinct,
}


@functools.cache
def shape(name: str) -> nn.Module:
    """One of `SHAPES`, made once."""
    return SHAPES[name]()
