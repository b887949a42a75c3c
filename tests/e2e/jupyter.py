"""A real notebook in a real browser: one Jupyter server, one Chromium, and the few moves a test needs.

The app object of the page (`--expose_app_in_browser`) is asked to open notebooks, run cells and reach the
kernel, so no test clicks through menus or knows a class name of the host. Nothing here knows the explorer.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, Locator, Page, sync_playwright

CHROMIUM_FLAGS = (
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)

# Settings by plugin: no news from the network, no autosave, every cell attached even when out of view.
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
}

KERNEL_IS_IDLE = """(path) => {
    const panel = window.jupyterapp?.shell.currentWidget;
    if (path && panel?.context?.path !== path) return false;
    return panel?.context?.sessionContext?.session?.kernel?.status === 'idle';
}"""

# Page functions return plain data or nothing: Playwright would spend seconds on serialising a panel.
OPEN = "async (path) => { await window.jupyterapp.commands.execute('docmanager:open', { path }); }"
RUN_ALL = "async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells'); }"
CLOSE = """async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    await panel.context.sessionContext.shutdown();
    await panel.context.save();
    panel.dispose();
}"""
SAVE = "async () => { await window.jupyterapp.shell.currentWidget.context.save(); }"
CELL_ERRORS = """() => {
    const cells = window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells;
    const outputs = [...cells].flatMap((cell) => cell.outputs ?? []);
    return outputs.filter((o) => o.output_type === 'error').map((o) => o.traceback.join('\\n'));
}"""
ASK_KERNEL = """async (code) => {
    const kernel = window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
    const future = kernel.requestExecute({ code, store_history: false, stop_on_error: false });
    const answer = { text: '', error: null };
    future.onIOPub = ({ header, content }) => {
        if (header.msg_type === 'stream') answer.text += content.text;
        if (header.msg_type === 'execute_result') answer.text += content.data['text/plain'];
        if (header.msg_type === 'error') answer.error = content.traceback.join('\\n');
    };
    await future.done;
    return answer;
}"""

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def find_chromium() -> str | None:
    """The browser to drive: `$CHROMIUM`, or the first one on the PATH."""
    named = os.environ.get("CHROMIUM")
    candidates = [named] if named else ["chromium", "chromium-browser", "google-chrome"]
    return next(filter(None, map(shutil.which, candidates)), None)


@contextlib.contextmanager
def chromium(executable: str) -> Iterator[Browser]:
    """A headless browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(CHROMIUM_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def write_notebook(path: Path, cells: list[str]) -> None:
    """A notebook of code cells for the Python kernel."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)


APPS = {"lab": ("jupyterlab", "LabApp", "lab/tree"), "notebook": ("notebook", "JupyterNotebookApp", "notebooks")}
"""What is run, what its settings are called, and where it shows a notebook: JupyterLab and Notebook 7."""


class LabServer:
    """One of `APPS` on a free port of the loopback, with settings, runtime and history of its own."""

    def __init__(self, root: Path, *, app: str = "lab", env: Mapping[str, str] | None = None) -> None:
        """Start serving `root`; returns once the server answers."""
        self.root = root
        self.app = app
        self.token = secrets.token_hex(16)
        self.port = _free_port()
        self._state = Path(tempfile.mkdtemp(prefix="lab-"))
        _write_settings(self._state / "settings")
        self._log = (self._state / "server.log").open("w+")
        self._process = subprocess.Popen(
            self._command(),
            cwd=root,
            env={**os.environ, **self._environment(), **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            self._wait_until_up()
        except BaseException:
            self.close()
            raise

    def url(self, notebook: str) -> str:
        """The page that shows one notebook, with an empty workspace."""
        return f"http://127.0.0.1:{self.port}/{APPS[self.app][2]}/{notebook}?token={self.token}&reset"

    def close(self) -> None:
        """Stop the server with its kernels and remove its files."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self._log.close()
        shutil.rmtree(self._state, ignore_errors=True)

    def _command(self) -> list[str]:
        module, settings, _ = APPS[self.app]
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": self.port,
            "ServerApp.port_retries": 0,
            "ServerApp.open_browser": False,
            "ServerApp.allow_root": True,
            "ServerApp.root_dir": self.root,
            "IdentityProvider.token": self.token,
            f"{settings}.expose_app_in_browser": True,
        }
        return [sys.executable, "-m", module, *(f"--{name}={value}" for name, value in options.items())]

    def _environment(self) -> dict[str, str]:
        names = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        folders = {name: str(self._state / folder) for name, folder in names.items()}
        return {**folders, "JUPYTER_PREFER_ENV_PATH": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}

    def _wait_until_up(self, timeout_s: float = 60) -> None:
        address = f"http://127.0.0.1:{self.port}/api/status?token={self.token}"
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            with (
                contextlib.suppress(urllib.error.URLError, OSError),
                urllib.request.urlopen(address, timeout=2),
            ):
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)  # the server has no event to wait on
        self._log.seek(0)
        raise RuntimeError(f"{self.app} did not come up within {timeout_s} s:\n{self._log.read()[-3000:]}")


class Notebook:
    """One open notebook with its own kernel, in the page that all tests of the session share."""

    def __init__(self, server: LabServer, page: Page, name: str, cells: list[str] | Path) -> None:
        """Write a notebook of these cells, or copy the one at a path; open it and wait for its kernel."""
        self.page = page
        self.path = server.root / name
        self.page_errors: list[str] = []
        if isinstance(cells, Path):
            shutil.copy(cells, self.path)
        else:
            write_notebook(self.path, cells)
        page.on("pageerror", self._note)
        page.on("console", self._note_console)
        if server.app == "lab":
            page.evaluate(OPEN, name)
        else:  # a page a notebook
            page.goto(server.url(name))
        page.wait_for_function(KERNEL_IS_IDLE, arg=name, timeout=60_000)

    @property
    def panel(self) -> Locator:
        """What is visible of this notebook; the panels of other tabs stay in the document."""
        return self.page.locator(".jp-NotebookPanel:visible")

    def run_all(self) -> None:
        """Run every cell; raises the traceback of one that fails."""
        self.page.evaluate(RUN_ALL)
        errors = self.page.evaluate(CELL_ERRORS)
        if errors:
            raise AssertionError(COLOURS.sub("", errors[0]))

    def ask(self, code: str) -> str:
        """What `code` prints (or its value) in the kernel; raises its traceback."""
        answer: dict[str, Any] = self.page.evaluate(ASK_KERNEL, code)
        if answer["error"]:
            raise AssertionError(COLOURS.sub("", answer["error"]))
        return answer["text"].strip()

    def cell_count(self) -> int:
        """Cells in the notebook now: a key that leaked to the host often adds or deletes one."""
        return self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length")

    def save(self) -> None:
        """Write the notebook with its outputs, for a page that opens it later."""
        self.page.evaluate(SAVE)

    def close(self) -> None:
        """Shut the kernel down and close the tab."""
        self.page.remove_listener("pageerror", self._note)
        self.page.remove_listener("console", self._note_console)
        self.page.evaluate(CLOSE)

    def _note(self, error: Exception) -> None:
        self.page_errors.append(str(error))

    def _note_console(self, message: Any) -> None:
        # anywidget only logs that a model was too slow to initialise; from then on it is deaf.
        if message.type == "error" and "anywidget" in message.text:
            self.page_errors.append(message.text)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _write_settings(folder: Path) -> None:
    for plugin, values in SETTINGS.items():
        file = folder / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
