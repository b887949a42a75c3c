"""The graph is a real `graphviz.Digraph`, and a cell that ends with it never shows a traceback."""

from __future__ import annotations

import shutil

import graphviz
import pytest
from explored_models import GPT, Named, with_cycle
from torch import nn

from explorer.graph import graph_of
from sharding.errors import PlanError
from sharding.plan import Plan


def test_without_dot_the_notebook_shows_the_tree_and_one_sentence(monkeypatch, tmp_path):
    """Graphviz's own form raises `ExecutableNotFound` there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    graph = graph_of(Plan().fully_shard("").resolve(GPT()))
    with pytest.raises(graphviz.ExecutableNotFound):
        graph.pipe(format="svg")
    bundle = graph._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "`dot` is not installed" in bundle["text/plain"].split("\n")[0]
    assert "h.0–3" in bundle["text/plain"]
    assert "<details" in bundle["text/html"]
    assert "`dot` is not installed" in bundle["text/html"]


@pytest.mark.skipif(shutil.which("dot") is None, reason="the program dot is not installed")
def test_with_dot_the_notebook_shows_svg():
    """The folded tree, drawn, with names that DOT could mistake for its own."""
    model = Named(**{"<b>x</b>": nn.ReLU(), 'a"b\\n': nn.ReLU()})
    bundle = graph_of(Plan().resolve(model))._repr_mimebundle_()
    svg = bundle["image/svg+xml"]
    assert "&lt;b&gt;x&lt;/b&gt; ReLU" in svg
    assert "a&quot;b\\n ReLU" in svg


def test_it_is_a_digraph_of_the_folded_tree():
    """One node a row: 80 blocks are one node."""
    graph = graph_of(Plan().fully_shard("").fully_shard("h.*").resolve(GPT(depth=80)))
    assert isinstance(graph, graphviz.Digraph)
    assert graph.source.count("[label=") == 8
    assert "h.0–79 Block ×80" in graph.source
    assert "m2 -> m3" in graph.source


def test_shared_modules_and_cycles_are_dashed_edges():
    """They lead to the node that is drawn already."""
    source = graph_of(Plan().resolve(with_cycle())).source
    assert source.count("style=dashed") == 2
    assert "m1 -> m0 [label=owner" in source


def test_large_trees_ask_for_a_number():
    """Nobody waits minutes for `dot` without having asked for it."""
    model = nn.Sequential(*[nn.Linear(1, 1 + k) for k in range(500)])
    layout = Plan().resolve(model)
    with pytest.raises(PlanError, match=r"501 nodes.*graph\(max_nodes=501\)"):
        graph_of(layout)
    assert graph_of(layout, max_nodes=501).source.count("->") == 500
