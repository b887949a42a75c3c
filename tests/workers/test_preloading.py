"""What the zygote still hears while it imports for later: deaths, and that a group is over. New ranks wait."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

REPO = Path(__file__).parents[2]

SLOW = """\
import pathlib, time
here = pathlib.Path(__file__).parent
(here / "begun").touch()
while not (here / "go").exists():
    time.sleep(0.01)
"""


def test_deaths_are_told_and_groups_ended_in_the_middle_of_an_import(tmp_path: Path) -> None:
    """The module that the zygote preloads first does not end until it is told to, after all that."""
    (tmp_path / "sympy.py").write_text(SLOW)
    script = f"""
        import os, pathlib, signal, sys, time
        sys.path.insert(0, {str(tmp_path)!r})
        import psutil
        from sharding.errors import WorkerError
        from sharding.workers import Workers

        folder = pathlib.Path({str(tmp_path)!r})
        doomed, closed = Workers(1), Workers(2)
        doomed.run(int), closed.run(int)
        pids = closed.pids
        while not (folder / "begun").exists():
            time.sleep(0.01)
        try:
            doomed.run(os.kill, doomed.pids[0], signal.SIGKILL)
        except WorkerError as error:
            print(str(error).splitlines()[0].partition("cpu): ")[2])
        closed.close()
        print([psutil.pid_exists(pid) for pid in pids])
        again = doomed.start(os.getpid)
        print(again.wait(0.2))
        (folder / "go").touch()
        print(again.result(60)[0] == doomed.pids[0])
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=REPO)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["died: killed by SIGKILL (signal 9)", "[False, False]", "False", "True"]
