"""A saved notebook without a kernel: the tree is still there."""

from __future__ import annotations

import nbformat
from explored_models import GPT
from nbconvert import HTMLExporter, MarkdownExporter

from explorer import explore
from sharding.plan import Plan


def saved_notebook() -> nbformat.NotebookNode:
    """A notebook whose one cell showed the explorer, saved without widget state as JupyterLab does by default."""
    data, metadata = explore(GPT(), plan=Plan().fully_shard("h.*"), view="widget")._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data=data, metadata=metadata, execution_count=1)
    cell = nbformat.v4.new_code_cell("ex", outputs=[output], execution_count=1)
    return nbformat.v4.new_notebook(cells=[cell])


def test_nbconvert_shows_the_static_tree(recorded):
    """No widget state, no network: the HTML form is what the page holds."""
    page, _ = HTMLExporter().from_notebook_node(saved_notebook())
    assert "<b>h.0–3</b> Block ×4" in page
    assert page.count("<details open=") == 3


def test_a_markdown_reader_gets_a_form_too(recorded):
    """HTML inside Markdown, as GitHub shows it."""
    text, _ = MarkdownExporter().from_notebook_node(saved_notebook())
    assert "h.0–3" in text
