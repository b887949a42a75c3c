"""A notebook with workers, run by papermill: results, output as text, errors as papermill reports them."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

papermill = pytest.importorskip("papermill")

CELLS = [
    "nprocs = 1",
    """\
from sharding.workers import Workers
import torch, torch.distributed as dist

def summed():
    x = torch.ones(1)
    dist.all_reduce(x)
    print("sum", x.item())
    return x.item()

with Workers(nprocs) as w:
    print(w.run(summed))""",
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_papermill_runs_it_and_keeps_what_ranks_print(tmp_path: Path) -> None:
    """With its parameters put in."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    notebook.cells[0].metadata["tags"] = ["parameters"]
    notebook.metadata["kernelspec"] = {"name": "python3", "language": "python", "display_name": "Python 3"}
    nbformat.write(notebook, tmp_path / "in.ipynb")
    done = papermill.execute_notebook(
        str(tmp_path / "in.ipynb"), str(tmp_path / "out.ipynb"), parameters={"nprocs": 2}, progress_bar=False
    )
    text = "".join(output.text for output in done.cells[-1].outputs)
    assert sorted(text.splitlines()) == ["[2.0, 2.0]", "[rank 0] sum 2.0", "[rank 1] sum 2.0"]
