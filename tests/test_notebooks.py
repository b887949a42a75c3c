"""Every notebook runs from top to bottom in a real kernel, and is committed clean."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a fresh kernel; a failing cell raises."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": path.parent}}
    NotebookClient(notebook, timeout=180, kernel_name="python3", resources=resources).execute()
    return notebook


def printed(notebook: nbformat.NotebookNode, first_line: str) -> str:
    """What the cell that starts with `first_line` printed."""
    cell = next(cell for cell in notebook.cells if cell.source.startswith(first_line))
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_clean(path: Path):
    """No outputs, no counts, no widget state; valid."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert not any(cell.outputs or cell.execution_count for cell in code)
    assert "widgets" not in notebook.metadata


def test_the_first_notebook_shows_what_it_says():
    """Predicted and real orders agree, one step reads as documented, and sharded and unsharded losses are equal."""
    notebook = executed(NOTEBOOKS[0])
    predicted = printed(notebook, "for name, order in worked.layout.orders")
    assert "init_composable  submod2.subsubmod, submod2, submod1, mod\n" in predicted
    assert "init_wrapper     submod1, submod2.subsubmod, submod2, mod\n" in predicted
    real = printed(notebook, "def orders_on_a_rank")
    assert "composable  listed  mod, submod1, submod2, submod2.subsubmod\n" in real
    assert "composable  made    submod2.subsubmod, submod2, submod1, mod\n" in real
    assert "wrapper     made    submod1, submod2.subsubmod, submod2, mod\n" in real
    step = printed(notebook, "def watch_a_step").splitlines()
    assert step[0] == "forward   U mod*"
    assert step[-1] == "backward  R mod f"
    assert "are one parameter" in printed(notebook, "from sharding import PlanError")
    losses = [line.split() for line in printed(notebook, 'print("step').splitlines()[1:-1]]
    assert len(losses) == 20
    for _, first, second, mean, whole in losses:
        assert float(mean) == pytest.approx((float(first) + float(second)) / 2, abs=1e-3)
        assert float(mean) == pytest.approx(float(whole), abs=1e-3)
    assert float(losses[-1][3]) < float(losses[0][3])
    shown = [
        [set(output.data) for output in cell.outputs if output.output_type == "display_data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    trees = [outputs for outputs in shown if outputs]
    assert len(trees) == 2
    for still, live in trees:
        assert still == {"text/plain", "text/html"}
        assert live >= {"text/plain", "application/vnd.jupyter.widget-view+json"}
