"""Hand-made payloads for the page: the shape of GPT-2, and of a mixture of experts with 75,151 modules.

Written against the wire contract alone, without torch, so that a fault of the page and a fault of the
snapshot show in different tests.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Kids = Sequence[tuple[str, str | None, int]]  # from, to (None: one child), class


class Classes:
    """The class table of a tree payload: equal subtrees get one entry, children come before parents."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._known: dict[str, int] = {}

    def add(self, cls: str, own: dict[str, list[int]] | None = None, kids: Kids = (), flags: str = "") -> int:
        """The number of this class, new or known."""
        key = json.dumps([cls, [[name, shape, "float32", flags] for name, shape in (own or {}).items()], kids])
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append(json.loads(key))
        return self._known[key]

    def linear(self, out: int, into: int, bias: bool = True) -> int:
        """A Linear of these sizes."""
        return self.add("Linear", {"weight": [out, into], **({"bias": [out]} if bias else {})})


def gpt2(layers: int = 12, width: int = 768) -> dict[str, Any]:
    """151 modules for 12 layers: equal blocks in `h`, a head that shares the weight of the embedding."""
    make = Classes()
    norm = make.add("LayerNorm", {"weight": [width], "bias": [width]})
    drop = make.add("Dropout")
    attn = make.add(
        "Attention",
        {},
        [
            ("c_attn", None, make.linear(3 * width, width)),
            ("c_proj", None, make.linear(width, width)),
            ("drop", None, drop),
        ],
    )
    mlp = make.add(
        "MLP",
        {},
        [
            ("c_fc", None, make.linear(4 * width, width)),
            ("act", None, make.add("GELU")),
            ("c_proj", None, make.linear(width, 4 * width)),
            ("drop", None, drop),
        ],
    )
    block = make.add(
        "Block", {}, [("ln_1", None, norm), ("attn", None, attn), ("ln_2", None, norm), ("mlp", None, mlp)]
    )
    kids = [
        ("wte", None, make.add("Embedding", {"weight": [50257, width]}, flags="t")),
        ("wpe", None, make.add("Embedding", {"weight": [1024, width]})),
        ("drop", None, drop),
        ("h", None, make.add("ModuleList", {}, [("0", str(layers - 1), block)])),
        ("ln_f", None, norm),
        ("lm_head", None, make.add("Linear", {"weight": [50257, width]}, flags="s")),
    ]
    root = make.add("GPT", {}, kids)
    ties = [["wte.weight", "lm_head.weight"]]
    return {"v": 1, "name": "GPT", "classes": make.rows, "root": root, "refs": [], "ties": ties}


def experts(layers: int = 61, num_experts: int = 256) -> dict[str, Any]:
    """75,151 modules in 15 classes: three dense layers, then layers of 256 experts."""
    make = Classes()
    wide = 7168

    def mlp(inner: int) -> int:
        gate = make.linear(inner, wide, bias=False)
        kids = [
            ("gate", None, gate),
            ("up", None, gate),
            ("down", None, make.linear(wide, inner, bias=False)),
        ]
        return make.add("MLP", {}, [*kids, ("act", None, make.add("SiLU"))])

    def layer(feed: int) -> int:
        norm = make.add("RMSNorm", {"weight": [wide]})
        attn = make.add(
            "Attention",
            {},
            [
                (name, None, make.linear(rows, wide, bias=False))
                for name, rows in (("q", 1536), ("kv", 576), ("o", wide))
            ],
        )
        return make.add(
            "Layer", {}, [("attn", None, attn), ("mlp", None, feed), ("n1", None, norm), ("n2", None, norm)]
        )

    expert_list = make.add("ModuleList", {}, [("0", str(num_experts - 1), mlp(2048))])
    router = make.linear(num_experts, wide, bias=False)
    moe = make.add("MoE", {}, [("gate", None, router), ("experts", None, expert_list), ("shared", None, mlp(2048))])
    stack = make.add("ModuleList", {}, [("0", "2", layer(mlp(18432))), ("3", str(layers - 1), layer(moe))])
    kids = [
        ("embed", None, make.add("Embedding", {"weight": [129280, wide]})),
        ("layers", None, stack),
        ("norm", None, make.add("RMSNorm", {"weight": [wide]})),
        ("head", None, make.linear(129280, wide, bias=False)),
    ]
    root = make.add("DeepMoE", {}, kids)
    return {"v": 1, "name": "DeepMoE", "classes": make.rows, "root": root, "refs": [], "ties": []}


def plan_state(marks: dict[int, str] | None = None, **changes: Any) -> dict[str, Any]:
    """A plan in which these modules, alone, have these statuses; each F is a unit. With `changes` over it."""
    areas = [[index, 1, letter] for index, letter in sorted((marks or {}).items())]
    num = sum(letter == "F" for _, _, letter in areas)
    climbing = {name: [1, [0]] for name in ("handle", "init_w", "local_root")}
    same = {"nparams": [0, [1]], "numel": [0, [1]], "init_c": [-1, [num - 1]]}
    units = {"num": num, **climbing, **same, "settings": [["full_shard", {}]]}
    words = {"code": "", "last": "", "undo": False, "redo": False, "totals": {}, "conflicts": [], "findings": []}
    return {"v": 2, "rev": 0, "areas": areas, "units": units, **words, **changes}
