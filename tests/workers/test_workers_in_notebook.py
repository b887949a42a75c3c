"""Workers in a real Jupyter kernel: functions of cells, output in the calling cell, tracebacks with its lines."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

DEFINE = """\
import torch, torch.distributed as dist
from torch import nn
from sharding.workers import Workers, run, emit

class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)

class CellError(Exception):
    pass

def train(model, steps):
    for step in range(steps):
        print("step", step)
    x = torch.ones(1)
    dist.all_reduce(x)
    return type(model).__name__, x.item(), model

def fails():
    if dist.get_rank() == 1:
        raise CellError("seven channels")
    dist.barrier()

w = Workers(2)
"""


class Notebook:
    """A running kernel; `run` executes one cell and returns its text output."""

    def __init__(self, client: NotebookClient) -> None:
        self.client = client

    def run(self, source: str) -> str:
        return "".join(output.get("text", "") for output in self.outputs(source))

    def outputs(self, source: str) -> list[Any]:
        cell = nbformat.v4.new_code_cell(source)
        self.client.nb.cells.append(cell)
        self.client.execute_cell(cell, len(self.client.nb.cells) - 1)
        return cell.outputs


@pytest.fixture(scope="module")
def notebook() -> Iterator[Notebook]:
    client = NotebookClient(nbformat.v4.new_notebook(), timeout=120, kernel_name="python3")
    with client.setup_kernel():
        running = Notebook(client)
        running.run(DEFINE)
        yield running


def test_functions_and_classes_of_cells(notebook: Notebook) -> None:
    """By value there, the same class here; output arrives in this cell."""
    text = notebook.run(
        "r = w.run(train, Cell(), 2)\\nprint([a[:2] for a in r], type(r[0][2]) is Cell)".replace("\\n", "\n")
    )
    lines = text.splitlines()
    assert sorted(lines[:-1]) == [f"[rank {rank}] step {step}" for rank in (0, 1) for step in (0, 1)]
    assert lines[-1] == "[('Cell', 2.0), ('Cell', 2.0)] True"


def test_a_redefined_function_is_used(notebook: Notebook) -> None:
    """A cell that is run again ships what it says now."""
    notebook.run("def which():\n    return 1")
    assert notebook.run("print(w.run(which))") == "[1, 1]\n"
    notebook.run("def which():\n    return 2")
    assert notebook.run("print(w.run(which))") == "[2, 2]\n"


def test_a_failing_rank_shows_the_line_of_the_cell(notebook: Notebook) -> None:
    """With the number of the cell, and as the class that the cell defined."""
    text = notebook.run("try:\n    w.run(fails)\nexcept CellError as error:\n    print(error)")
    first, place, source, *_ = text.splitlines()
    assert first.startswith("rank 1 of 2 (pid ")
    assert first.endswith(", cpu): CellError: seven channels")
    line = DEFINE.splitlines().index('        raise CellError("seven channels")') + 1
    assert place == f"  Cell In[1], line {line}, in fails"
    assert source.strip() == 'raise CellError("seven channels")'


def test_the_error_of_a_cell_is_printed_once(notebook: Notebook) -> None:
    """What a user sees who does not catch it."""
    with pytest.raises(CellExecutionError) as caught:
        notebook.run("w.run(fails)")
    assert caught.value.ename == "CellError"
    assert str(caught.value.evalue).count("seven channels") == 2  # head, and the user's source line
    notebook.client.nb.cells.pop()


STOPPED = """\
import os, signal, threading, time
from sharding.workers.stop_button import StopButton

def tell_when_waiting():
    while not isinstance(getattr(signal.getsignal(signal.SIGINT), "__self__", None), StopButton):
        os.sched_yield()
    while sum(event.kind == "there" for event in run_.events) < 2:
        run_.events_since(len(run_.events), 60)
    open({path!r}, "w").close()

def wait():
    emit("there")
    time.sleep(100)

run_ = w.start(wait)
threading.Thread(target=tell_when_waiting).start()
try:
    run_.follow()
except KeyboardInterrupt as stop:
    print(stop)
"""


def press_group(client: NotebookClient, kernel: int) -> None:
    """As a server on the same machine does it."""
    os.killpg(os.getpgid(kernel), signal.SIGINT)


def press_kernel(client: NotebookClient, kernel: int) -> None:
    """As a manager does that signals one process."""
    os.kill(kernel, signal.SIGINT)


def ask_for_it(client: NotebookClient, kernel: int) -> None:
    """As front ends do that only have a connection: a message on the control channel."""
    assert client.km is not None
    asking = BlockingKernelClient(connection_file=client.km.connection_file)
    asking.load_connection_file()
    asking.start_channels(shell=False, iopub=False, stdin=False, hb=False, control=True)
    asking.control_channel.send(asking.session.msg("interrupt_request", {}))
    asking.control_channel.get_msg(timeout=60)
    asking.stop_channels()


@pytest.mark.parametrize("stop", [press_group, press_kernel, ask_for_it], ids=lambda fn: fn.__name__)
def test_stop_in_the_notebook(notebook: Notebook, tmp_path: Path, stop: Callable[[NotebookClient, int], None]) -> None:
    """However it comes: one KeyboardInterrupt, and the ranks stay."""
    notebook.run("w.run(int)")
    before = eval(notebook.run("print(w.pids)"))
    kernel = int(notebook.run("import os\nprint(os.getpid())"))

    def press() -> None:
        until = time.monotonic() + 60
        while not (tmp_path / "waiting").exists() and time.monotonic() < until:
            os.sched_yield()
        stop(notebook.client, kernel)

    pressing = threading.Thread(target=press)
    pressing.start()
    text = notebook.run(STOPPED.format(path=str(tmp_path / "waiting")))
    pressing.join()
    assert text.count("was interrupted after") == 1
    assert eval(notebook.run("print(w.pids)")) == before
    assert notebook.run("print(w.run(dist.get_rank))") == "[0, 1]\n"


DISPLAYED = """\
from tqdm.auto import tqdm  # here the bar made of widgets

def show():
    from IPython.display import HTML
    if dist.get_rank() == 1:
        display(HTML("<b>from rank 1</b>"))
        for _ in tqdm(range(2)):
            pass
    dist.barrier()

w.run(show)
print("end")
"""


def test_what_a_rank_displays_appears_in_the_cell(notebook: Notebook) -> None:
    """Once, under the rank's label, as rich as it is; the bar ends as a line."""
    outputs = notebook.outputs(DISPLAYED)
    texts = [output.text for output in outputs if output.output_type == "stream" and output.name == "stdout"]
    (shown,) = [o.data["text/html"] for o in outputs if o.output_type == "display_data" and "text/html" in o.data]
    assert shown == "<b>from rank 1</b>"
    assert texts[0] == "[rank 1]\n"
    assert texts[-1].endswith("end\n")
    assert "100%" in "".join(o.text for o in outputs if o.output_type == "stream" and o.name == "stderr")


FLOOD = """\
import sys, time
session, counted = sys.stdout.session, []
send = session.send
def counting(stream, kind, content=None, *args, **kwargs):
    if kind in ("stream", "display_data", "update_display_data"):
        counted.append(len(str(content)))
    return send(stream, kind, content, *args, **kwargs)

def flood():
    for number in range(100_000):
        print(number)
        if number % 10 == 0:
            print(number, file=sys.stderr)

session.send = counting
began = time.monotonic()
w.run(flood)
seconds = time.monotonic() - began
session.send = send
flooded = len(w.last.output.splitlines()), len(counted), seconds, sum(counted)
"""


@pytest.mark.parametrize("view", ["text", "tabs"])
def test_a_flood_is_few_messages_and_one_page(notebook: Notebook, view: str) -> None:
    """200,000 lines and some on the other stream: all kept; at most 20 messages a second and a megabyte of text."""
    notebook.run(f"w.view = {view!r}\n{FLOOD}\nw.view = 'text'")
    num_lines, num_messages, seconds, nbytes = eval(notebook.run("print(flooded)"))
    assert num_lines == 220_000
    assert num_messages <= 20 * seconds + 4
    assert nbytes < 1.3e6  # with the escapes of their JSON


TABS = """\
def paced():
    for step in range(3):
        print("step", step, file=sys.stderr)
        time.sleep(0.3)
    display({"text/plain": "seen", "text/html": "<i>seen</i>"}, raw=True)

w.view = "tabs"
w.run(paced)
w.view = "text"
print(w.last.view().folded())
"""


def test_tabs_are_one_bar_and_one_display_with_the_same_text(notebook: Notebook) -> None:
    """However often it was replaced; whoever shows no HTML has what the ranks printed, in lines."""
    bar, lines, printed = notebook.outputs(TABS)
    assert ("<input" in bar.data["text/html"], bar.data["text/plain"]) == (True, "")
    assert "<i>seen</i>" in lines.data["text/html"]
    expected = [f"[rank {rank}] {text}" for text in ("step 0", "step 1", "step 2", "seen") for rank in (0, 1)]
    assert sorted(lines.data["text/plain"].splitlines()) == sorted(expected)
    assert printed.text.startswith("[identical on all ranks ×2] step 0\n")
    name = bar.data["text/html"].partition('id="')[2].partition("-bar")[0]
    assert f'id="{name}-lines"' in lines.data["text/html"]


def test_from_a_thread_and_an_asyncio_cell(notebook: Notebook) -> None:
    """While the loop of the notebook goes on."""
    source = """\
import asyncio
ticks = 0
async def tick():
    global ticks
    while True:
        ticks += 1
        await asyncio.sleep(0)
task = asyncio.create_task(tick())
print(await asyncio.to_thread(w.run, dist.get_rank), ticks > 0)
task.cancel()
"""
    assert notebook.run(source) == "[0, 1] True\n"


EDITED = """\
%load_ext autoreload
%autoreload 2
import os, sys
os.chdir({folder!r})
sys.path.insert(0, {folder!r})
from edited_module import width
before = w.run(width)
"""


def test_a_module_beside_the_notebook_that_is_edited(notebook: Notebook, tmp_path: Path) -> None:
    """Travels by value, as it is when the call is made."""
    module = tmp_path / "edited_module.py"
    module.write_text("def width():\n    return 1\n")
    notebook.run(EDITED.format(folder=str(tmp_path)))
    module.write_text("def width():\n    return 1 + 10\n")  # another size, so that no second has to pass
    assert notebook.run("print(before, w.run(width))") == "[1, 1] [11, 11]\n"


CLICKED = """\
import ipywidgets
answers = []
button = ipywidgets.Button()
button.on_click(lambda _: answers.append(w.run(dist.get_rank)))
button.click()
print(answers)
"""


def test_from_a_callback_of_a_widget_and_the_notebook_stays_as_it_is(notebook: Notebook) -> None:
    """No name is added to it, none is changed."""
    notebook.run("known = None; known = {name: id(value) for name, value in globals().items() if name[0] != '_'}")
    assert notebook.run(CLICKED) == "[[0, 1]]\n"
    changed = "{n for n, v in globals().items() if n[0] != '_' and known.get(n) != id(v)}"
    assert eval(notebook.run(f"print({changed})")) == {"known", "ipywidgets", "answers", "button"}


def test_a_kernel_that_ends_leaves_no_rank(notebook: Notebook) -> None:
    """Shut down as a notebook server does it."""
    pids = eval(notebook.run("from sharding.workers.launcher import launcher\nprint([launcher.pid, *w.pids])"))
    processes = [psutil.Process(pid) for pid in pids]
    manager = notebook.client.km
    assert manager is not None
    run_sync(manager.shutdown_kernel)(now=True)
    _, alive = psutil.wait_procs(processes, 20)
    assert alive == []
