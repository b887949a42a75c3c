"""`%%ranks`: cells on live ranks, from a shell of IPython and its own text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from explorer import load_ipython_extension
from sharding.errors import WorkerError
from sharding.workers import Workers
from sharding.workers.cells import folded


@pytest.fixture(scope="module")
def shell() -> Iterator[Any]:
    """A shell with the extension loaded; its ranks are shared by the tests here."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    load_ipython_extension(shell)
    yield shell
    shell.run_line_magic("ranks", "--close")
    InteractiveShell.clear_instance()


def cell(shell: Any, line: str, source: str) -> None:
    shell.run_cell_magic("ranks", line, source)


def test_equal_texts_are_folded() -> None:
    """By rank otherwise, ranks with the same text together, nothing for None."""
    assert folded(["1", "1"]) == "[identical on all ranks] 1"
    assert folded(["1"]) == "[rank 0] 1"
    assert folded(["1", None, "1", "2"]) == "[ranks 0, 2] 1\n[rank 3] 2"
    assert folded(["a\nb", "c"]) == "[rank 0]\na\nb\n[rank 1] c"
    assert folded([None, None]) == ""


def test_names_stay_and_the_last_value_is_shown(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Across cells, with `rank`, `torch` and `dist` at hand; functions of a cell see later names."""
    cell(shell, "2", "x = torch.full((1,), float(rank))\ndef twice(): return 2 * x\ndist.all_reduce(x)\n")
    assert capsys.readouterr().out == ""
    cell(shell, "", "twice().item()")
    assert capsys.readouterr().out == "[identical on all ranks] 2.0\n"
    cell(shell, "", "print('seen'); rank")
    printed = capsys.readouterr().out.splitlines()
    assert sorted(printed) == ["[rank 0] 0", "[rank 0] seen", "[rank 1] 1", "[rank 1] seen"]
    cell(shell, "--rank 1", "rank")
    assert capsys.readouterr().out == "[rank 1] 1\n"
    cell(shell, "", "rank;")
    assert capsys.readouterr().out == ""


def test_ranks_of_the_magic_are_workers(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Their values can be pushed and pulled; names of the notebook travel when asked for."""
    shell.user_ns["width"] = 7
    cell(shell, "--push width", "depth = width + 1")
    workers = shell.run_line_magic("ranks", "")
    assert isinstance(workers, Workers)
    assert workers.pull("depth") == [8, 8]
    with pytest.raises(WorkerError, match=r"no value 'dept'; it holds depth, dist, .*Did you mean 'depth'"):
        workers.pull("dept")


def test_errors_show_the_line_of_the_cell(shell: Any) -> None:
    """Counted from the magic's own line; the rank is named."""
    with pytest.raises(ValueError, match="no") as caught:
        cell(shell, "", "def fail():\n    raise ValueError('no')\nif rank == 1:\n    fail()\n")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("rank 1 of 2 (pid ")
    assert lines[1:5] == [
        f"  Cell In[{shell.execution_count}], line 5, in <module>",
        "    fail()",
        f"  Cell In[{shell.execution_count}], line 3, in fail",
        "    raise ValueError('no')",
    ]


def test_what_is_wrong_with_a_cell_is_said_before_any_rank_hears_of_it(shell: Any) -> None:
    """Syntax, options, names to push; and nothing exits."""
    from IPython.core.error import UsageError

    with pytest.raises(SyntaxError):
        cell(shell, "", "x = = 1")
    with pytest.raises(UsageError, match="unrecognized arguments: --nprocs"):
        cell(shell, "--nprocs 2", "1")
    with pytest.raises(UsageError, match="the notebook has no 'nothing'"):
        cell(shell, "--push nothing", "1")


def test_another_number_makes_new_ranks_and_says_so(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """And `--close` ends them with the cell."""
    cell(shell, "-n 1 --close", "world_size")
    shown = capsys.readouterr()
    assert shown.out == "[rank 0] 1\n"
    assert shown.err == "%%ranks: 1 rank(s) instead of 2; what the old ones held is lost\n"
    cell(shell, "", "'x' in globals()")
    assert capsys.readouterr().out == "[identical on all ranks] False\n"


def test_long_values_are_cut(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The page need not show a million numbers."""
    cell(shell, "", "'a' * 30_000")
    text = capsys.readouterr().out
    assert text.endswith("… (30,002 characters)\n")
    assert len(text) < 21_000


def test_a_line_is_named_by_the_cell_that_runs(shell: Any) -> None:
    """Also where the shell counts the next one already, as newer versions of IPython do."""
    number = shell.execution_count
    done = shell.run_cell("%%ranks\nraise ValueError('here')", store_history=True)
    assert f"  Cell In[{number}], line 2, in <module>" in str(done.error_in_exec)
