"""A piece of source run in a rank the way a notebook runs a cell: its names stay, its last expression is its value.

The names are those of `namespace.py`, so `push` and `pull` see them too. `rank`, `world_size`, `torch` and `dist` are
there from the start. The text of a value comes back, not the value: it may be anything.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from typing import Any

from sharding.workers.namespace import namespace

MAX_NCHARS = 20_000


def checked(source: str, label: str) -> str:
    """`source` if it is Python; raises its SyntaxError before any rank hears of it."""
    ast.parse(source, filename=label)
    return source


def run_cell(source: str, label: str) -> str | None:
    """Run `source` in this rank; returns the text of its last expression, None if it has none. Every rank or one.

    Args:
        source: what to run; its first line is line 1 of what tracebacks show.
        label: how tracebacks name it, "Cell In[3]".
    """
    lines = source.splitlines(keepends=True)
    linecache.cache[label] = (len(source), None, lines, label)
    tree = ast.parse(source, filename=label)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    scope = _scope()
    exec(compile(tree, label, "exec"), scope)
    if not isinstance(last, ast.Expr):
        return None
    value = eval(compile(ast.Expression(last.value), label, "eval"), scope)
    return None if value is None or _is_silenced(lines) else _text(value)


def _scope() -> dict[str, Any]:
    import torch
    import torch.distributed as dist

    values = namespace.values
    for name, value in {"torch": torch, "dist": dist, "__name__": "__main__"}.items():
        values.setdefault(name, value)
    values["rank"], values["world_size"] = dist.get_rank(), dist.get_world_size()
    return values


def _is_silenced(lines: Sequence[str]) -> bool:
    return bool(lines) and lines[-1].rstrip().endswith(";")


def _text(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MAX_NCHARS else f"{text[:MAX_NCHARS]}… ({len(text):,} characters)"


def folded(texts: Sequence[str | None]) -> str:
    """What all ranks said, each text once with its ranks; one line for ranks that all said the same."""
    ranks_of: dict[str, list[int]] = {}
    for rank, text in enumerate(texts):
        if text is not None:
            ranks_of.setdefault(text, []).append(rank)
    return "\n".join(_block(text, ranks, len(texts)) for text, ranks in ranks_of.items())


def _block(text: str, ranks: Sequence[int], world_size: int) -> str:
    if len(ranks) == world_size > 1:
        label = "[identical on all ranks]"
    else:
        label = f"[rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}]"
    return f"{label}\n{text}" if "\n" in text else f"{label} {text}"
