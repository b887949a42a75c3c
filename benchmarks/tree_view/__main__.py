"""The view of a sharded model in a real browser, measured: bytes, first paint, memory, moves, edits, beside goals.

    python benchmarks/tree_view                                   GPT-2, Llama 70B, 75,396 modules; about two minutes
    python benchmarks/tree_view --sizes all --repeats 5           also 100,000 and 1,000,000 distinct modules
    python benchmarks/tree_view --rows bytes,python               without a browser

Prints a table: median of the repeats with their range, beside the goal. Needs Chromium and the extra `test`; times
mean little on a busy machine, so the load is printed below. A machine without a display draws without a GPU.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests/e2e"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests/explorer"))

from jupyter import chromium, find_chromium
from lab import Lab
from python_side import measure_bytes, measure_files, measure_python, shown
from quantities import ELSEWHERE, GROUPS
from saved_page import measure_export, measure_moving
from sizes import QUICK, SIZES
from table import Figure, show

IN_BROWSER = {"export", "moves", "lab"}


def main() -> None:
    given = arguments()
    figures: list[Figure] = []
    with ExitStack() as stack:
        browser = lab = None
        if IN_BROWSER & set(given.rows):
            browser = stack.enter_context(chromium(_chromium()))
        if "lab" in given.rows:
            lab = Lab(browser)
            stack.callback(lab.close)
        for size in given.sizes:
            print(f"{SIZES[size].label} …", file=sys.stderr, flush=True)
            figures += measured(size, given, browser, lab)
    show(figures)
    print(ELSEWHERE)


def measured(size: str, given: argparse.Namespace, browser, lab: Lab | None) -> Iterator[Figure]:
    """All figures of one size that were asked for."""
    model = SIZES[size].make()
    ex = shown(size, model)
    with tempfile.TemporaryDirectory(prefix="tree-view-") as folder:
        file = ex.save(Path(folder) / f"{size}.html")
        if "bytes" in given.rows:
            yield from measure_files(size) if size == given.sizes[0] else ()
            yield from measure_bytes(size, ex, file.read_text(encoding="utf-8"))
        if "python" in given.rows:
            yield from measure_python(size, model, given.repeats)
        del model, ex
        if "export" in given.rows:
            yield from measure_export(size, browser, file, given.repeats)
        if "moves" in given.rows:
            yield from measure_moving(size, browser, file, given.repeats)
    if lab is not None:
        yield from lab.measure(size, openings=given.repeats, edits=8 * given.repeats)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=_names(SIZES), default=list(QUICK), help=f"all, or of {', '.join(SIZES)}")
    parser.add_argument("--rows", type=_names(GROUPS), default=list(GROUPS), help=f"all, or of {', '.join(GROUPS)}")
    parser.add_argument("--repeats", type=int, default=3)
    return parser.parse_args()


def _names(known):
    def read(text: str) -> list[str]:
        names = list(known) if text == "all" else text.split(",")
        unknown = [name for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of: {', '.join(known)}")
        return names

    return read


def _chromium() -> str:
    found = find_chromium()
    if found is None:
        sys.exit("no chromium on the PATH (Debian: apt-get install chromium; or set CHROMIUM to its path)")
    return found


if __name__ == "__main__":
    warnings.filterwarnings("ignore", category=UserWarning, module="traitlets")
    main()
