"""What needs no browser: bytes of everything that travels or is kept, and Python's time for it."""

from __future__ import annotations

import gc
import json
import time
import zlib
from collections.abc import Callable, Iterator

from ipywidgets.embed import dependency_state
from sizes import SIZES
from table import Figure
from torch import nn

from explorer import explore
from explorer.chunks import STATIC
from explorer.classes import classes_of
from explorer.exploration import Exploration
from explorer.snapshot import plan_state
from sharding.plan_reading import layout_of
from sharding.traversal import tree_of


def shown(size: str, model: nn.Module) -> Exploration:
    """The model with its plan, as a cell shows it."""
    return explore(model, plan=SIZES[size].plan, view="text")


def measure_bytes(size: str, ex: Exploration, page: str) -> Iterator[Figure]:
    """Everything that is counted, not timed; `page` is the exported HTML."""
    state = dependency_state(ex.widget, drop_defaults=False)
    tree = ex.widget.tree.encode()
    num = len(ex.layout.modules)
    counted = {
        "module_bytes": len(tree) / num,
        "packed_bytes": len(zlib.compress(tree, 9)) / num,
        "state_bytes": len(json.dumps(state, ensure_ascii=False).encode()),
        "static_bytes": len(ex.html().encode()),
        "export_bytes": len(page.encode()),
    }
    for quantity, value in counted.items():
        yield Figure(quantity, size, [value])


def measure_files(size: str) -> Iterator[Figure]:
    """The page's own modules, the same for every model."""
    for quantity, name in {"module_file": "explorer.js", "panels_file": "extras.js"}.items():
        yield Figure(quantity, size, [(STATIC / name).stat().st_size])


def measure_python(size: str, model: nn.Module, repeats: int) -> Iterator[Figure]:
    """CPU time of the walk when a model is first shown, and of an edit after it: one more mark on the same plan."""
    plan = SIZES[size].plan
    tree = tree_of(model)
    before = layout_of(plan, tree)
    edited = plan.ignore(SIZES[size].row)

    def walk() -> object:
        known = tree_of(model)
        return known, classes_of(known)

    def edit() -> object:
        layout = layout_of(edited, tree, after=before)
        return layout, plan_state(layout, edited).to_data()

    yield Figure("walk", size, timed(walk, repeats))
    yield Figure("plan_work", size, timed(edit, repeats))


def timed(job: Callable[[], object], repeats: int) -> list[float]:
    """Milliseconds of CPU time of every repeat; what the job made is freed outside of it."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.process_time()
        made = job()
        times.append(1e3 * (time.process_time() - start))
        del made
    return times
