"""The folded tree as a `graphviz.Digraph` whose notebook form never fails.

The `graphviz` package only writes DOT; drawing needs the program `dot`. Where that is missing, a cell that
ends with the graph shows a sentence and the HTML tree instead of a traceback.
"""

from __future__ import annotations

import subprocess
from typing import Any

import graphviz

from explorer.folding import Folding, folding_of
from explorer.html import html_of
from explorer.rows import Row, Words, rows_of
from explorer.text import printable, text_of
from sharding.errors import PlanError
from sharding.layout import Layout

MAX_NODES = 400

NO_DOT = (
    "Graphviz's program `dot` is not installed here, so this is the tree instead of the drawing. Install it (for "
    "example `apt install graphviz` or `conda install graphviz`), or take the DOT text from .source"
)

_COLOURS = {
    "F": {"fillcolor": "#1f5fbf", "fontcolor": "white", "color": "#1f5fbf"},
    "f": {"fillcolor": "white", "fontcolor": "#123f80", "color": "#1f5fbf"},
    "R": {"fillcolor": "#b35900", "fontcolor": "white", "color": "#b35900"},
    "r": {"fillcolor": "white", "fontcolor": "#7a3d00", "color": "#b35900"},
    "I": {"fillcolor": "#5f5f5f", "fontcolor": "white", "color": "#5f5f5f"},
    "i": {"fillcolor": "white", "fontcolor": "#404040", "color": "#5f5f5f"},
    "u": {"fillcolor": "white", "fontcolor": "#1a1a1a", "color": "#5f5f5f", "style": "filled,dotted"},
}


class TreeGraph(graphviz.Digraph):
    """A `graphviz.Digraph` of a layout's folded tree. Without `dot` its notebook form is the tree as HTML
    and text.
    """

    layout: Layout

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> dict[str, Any]:
        try:
            return super()._repr_mimebundle_(include, exclude, **kwargs)
        except (graphviz.ExecutableNotFound, subprocess.CalledProcessError, OSError) as problem:
            said = NO_DOT if isinstance(problem, graphviz.ExecutableNotFound) else f"`dot` failed: {problem}"
            return {
                "text/plain": f"{said}\n\n{text_of(self.layout)}",
                "text/html": html_of(self.layout, note=said),
            }


def graph_of(layout: Layout, *, max_nodes: int | None = None, folding: Folding | None = None) -> TreeGraph:
    """Draw a layout with graphviz.

    Args:
        layout: what to draw.
        max_nodes: how many nodes the drawing may have; `MAX_NODES` if not given.
        folding: which rows are one, if that is known.

    Raises:
        PlanError: the folded tree has more nodes.
    """
    folding = folding or folding_of(layout)
    rows = rows_of(folding)
    num = sum(row.kind == "module" for row in rows)
    limit = MAX_NODES if max_nodes is None else max_nodes
    if num > limit:
        raise PlanError(
            f"the folded tree of {layout.tree.root.cls_name} has {num:,} nodes and `dot` would be slow on it; "
            f"graph(max_nodes={num}) draws it all the same, text() and html() show it folded"
        )
    graph = TreeGraph(
        name=layout.tree.root.cls_name,
        graph_attr={"rankdir": "LR", "bgcolor": "white"},
        node_attr={"shape": "box", "style": "filled", "fontname": "monospace", "penwidth": "2"},
    )
    graph.layout = layout
    _fill(graph, rows, Words.of(folding))
    return graph


def _fill(graph: TreeGraph, rows: list[Row], words: Words) -> None:
    drawn = {row.node.index for row in rows if row.kind == "module"}
    path: list[int] = []
    for row in rows:
        del path[row.level :]
        if row.kind == "module":
            graph.node(_key(row.node.index), _label(row, words), **_COLOURS[words.letter(row)])
            if path:
                graph.edge(_key(path[-1]), _key(row.node.index))
            path.append(row.node.index)
        elif row.node.index in drawn:
            graph.edge(_key(path[-1]), _key(row.node.index), label=_plain(row.name), style="dashed", constraint="false")


def _key(index: int) -> str:
    return f"m{index}"


def _label(row: Row, words: Words) -> str:
    cls = words.folding.layout.modules[row.node.index].cls
    times = f" ×{row.times}" if row.times > 1 else ""
    lines = [f"{row.name} {cls}{times}".strip(), f"[{words.marks(row)}] {words.numel(row)}".strip()]
    return graphviz.nohtml("\\n".join(_plain(line) for line in lines))


def _plain(text: str) -> str:
    return printable(text).replace("\\", "\\\\")
