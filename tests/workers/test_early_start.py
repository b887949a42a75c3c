"""When the zygote starts: not at import; at the first `Workers`, `run`, shown `explore` or `%load_ext explorer`.

And how it goes."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import psutil

REPO = Path(__file__).parents[2]


def in_fresh_interpreter(source: str) -> str:
    """What a script prints; it is over when this returns."""
    command = [sys.executable, "-c", textwrap.dedent(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=REPO)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_launcher_needs_no_torch_to_start_importing_it_elsewhere() -> None:
    """Truly cold, zygote and kernel import side by side. A zygote that was only warmed goes with the script."""
    pid = in_fresh_interpreter("""
        import sys
        import sharding.workers
        from sharding.workers.launcher import launcher
        assert "torch" not in sys.modules
        assert launcher.pid is None
        launcher.warm()
        pid = launcher.pid
        launcher.warm()
        assert launcher.pid == pid
        print(pid)
    """)
    assert not psutil.pid_exists(int(pid))


def test_a_function_can_run_before_torch_is_imported_here() -> None:
    """Nothing of a call needs it on a machine without a GPU; with one, only the look for GPUs does."""
    printed = in_fresh_interpreter("""
        from sharding.workers import run
        def first():
            import torch, torch.distributed as dist
            x = torch.ones(2)
            dist.all_reduce(x)
            return x
        print(run(first, nprocs=2, backend="gloo"))
    """)
    assert printed == "[tensor([2., 2.]), tensor([2., 2.])]\n"


def test_exploring_warms_it_where_a_widget_is_shown() -> None:
    """A script or a text view starts nothing; a notebook gains the time in which the user looks at the tree."""
    pid = in_fresh_interpreter("""
        from torch import nn
        from explorer import explore
        from sharding.workers.launcher import launcher
        explore(nn.Linear(2, 2), view="text")
        explore(nn.Linear(2, 2))
        assert launcher.pid is None
        explore(nn.Linear(2, 2), view="widget")
        print(launcher.pid)
    """)
    assert not psutil.pid_exists(int(pid))


def test_loading_the_cell_magic_warms_it() -> None:
    """Whoever asks for `%%ranks` is about to use ranks; `%load_ext` is a command, not an import."""
    pid = in_fresh_interpreter("""
        from IPython.core.interactiveshell import InteractiveShell
        import explorer, sharding.workers
        from sharding.workers.launcher import launcher
        assert launcher.pid is None
        InteractiveShell.instance().run_line_magic("load_ext", "explorer")
        print(launcher.pid)
    """)
    assert not psutil.pid_exists(int(pid))


def test_a_rank_collects_garbage_and_carries_nothing_of_the_kernels_side() -> None:
    """The zygote imports without the collector; its ranks have it on, and what was imported is out of its sight."""
    printed = in_fresh_interpreter("""
        from sharding.workers import run
        def look():
            import gc, sys
            kernels = {"pool", "conductor", "group", "launcher", "view_html"}
            carried = [name for name in kernels if f"sharding.workers.{name}" in sys.modules]
            return gc.isenabled(), gc.get_freeze_count() > 100_000, carried
        print(run(look, nprocs=1))
    """)
    assert printed == "[(True, True, [])]\n"
