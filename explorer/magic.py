"""`%%ranks`: a cell that runs on live ranks, and `%ranks`, which gives their `Workers`.

    %load_ext explorer

    %%ranks 2
    x = torch.full((1,), float(rank))
    dist.all_reduce(x)
    x

Names stay in the ranks from cell to cell. One set of ranks a notebook; `-n` with another number makes them anew, and
says so. Loaded by IPython alone; how a cell runs in a rank is `sharding/workers/cells.py`.
"""

from __future__ import annotations

import argparse
import inspect
import shlex
import sys
from typing import Any, NoReturn

from sharding.workers import Workers
from sharding.workers.cells import checked, folded, run_cell

DEFAULT_NPROCS = 2


class _Parser(argparse.ArgumentParser):
    """Says what is wrong as an exception: a notebook must not exit."""

    def error(self, message: str) -> NoReturn:
        from IPython.core.error import UsageError

        raise UsageError(f"%%ranks: {message}\n{self.format_usage()}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="%%ranks", add_help=False)
    parser.add_argument("count", nargs="?", type=int, metavar="N", help="how many ranks")
    parser.add_argument("-n", dest="nprocs", type=int, metavar="N", help="how many ranks")
    parser.add_argument("--rank", type=int, help="run on this rank only")
    parser.add_argument("--backend", default="auto", choices=("auto", "gloo", "nccl"))
    parser.add_argument("--view", choices=("text", "tabs"), help="how the output is shown, from this cell on")
    parser.add_argument("--push", default="", metavar="A,B", help="names of the notebook to put into the ranks first")
    parser.add_argument("--close", action="store_true", help="end the ranks afterwards")
    return parser


class RanksMagic:
    """The magic of one notebook and the ranks it holds."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._workers: Workers | None = None

    def register(self) -> None:
        self._shell.register_magic_function(self.cell, "cell", "ranks")
        self._shell.register_magic_function(self.line, "line", "ranks")

    def cell(self, line: str, source: str) -> None:
        """Run the cell on every rank and show each rank's last value; equal ones once.

        Usage: %%ranks [N | -n N] [--rank R] [--backend auto|gloo|nccl] [--view text|tabs] [--push A,B] [--close]
        """
        wish = _parser().parse_args(shlex.split(line))
        label = _label_of_running_cell(self._shell)
        source = checked(f"\n{source}", label)  # its lines count from the magic's own
        workers = self._ranks(wish)
        try:
            if wish.push:
                workers.push(**self._named(wish.push))
            if wish.rank is None:
                text = folded(workers.run(run_cell, source, label))
            else:
                text = folded([None] * wish.rank + [workers[wish.rank].run(run_cell, source, label)])
            if text:
                sys.stdout.write(f"{text}\n")
        finally:
            if wish.close:
                self.close()

    def line(self, line: str) -> Workers | None:
        """The ranks of `%%ranks`, for `push`, `pull` and `run`; `%ranks --close` ends them.

        Usage: %ranks [N | -n N] [--backend auto|gloo|nccl] [--view text|tabs] [--close]
        """
        wish = _parser().parse_args(shlex.split(line))
        if wish.close:
            self.close()
            return None
        return self._ranks(wish)

    def close(self) -> None:
        """End the ranks, if there are any."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def _ranks(self, wish: argparse.Namespace) -> Workers:
        nprocs = wish.nprocs or wish.count
        if self._workers is not None and nprocs not in (None, len(self._workers)):
            sys.stderr.write(
                f"%%ranks: {nprocs} rank(s) instead of {len(self._workers)}; what the old ones held is lost\n"
            )
            self.close()
        if self._workers is None:
            self._workers = Workers(nprocs or DEFAULT_NPROCS, backend=wish.backend)
        self._workers.view = wish.view or self._workers.view
        return self._workers

    def _named(self, names: str) -> dict[str, Any]:
        from IPython.core.error import UsageError

        known, wanted = self._shell.user_ns, [name.strip() for name in names.split(",")]
        missing = [name for name in wanted if name not in known]
        if missing:
            raise UsageError(f"%%ranks --push: the notebook has no {', '.join(map(repr, missing))}")
        return {name: known[name] for name in wanted}


def _label_of_running_cell(shell: Any) -> str:
    """ "Cell In[3]" of the cell that led here; the shell's own count is one ahead in newer versions of IPython."""
    numbers = getattr(shell.compile, "_filename_map", {})
    frame, number = inspect.currentframe(), shell.execution_count
    while frame is not None:
        number = numbers.get(frame.f_code.co_filename, number)
        frame = frame.f_back
    return f"Cell In[{number}]"
