"""The anywidget: five text traits, commands in, replies and batches out. It knows no model, plan or worker.
Only the page's own parts it hands out itself, so that they come while the session is busy.

The session decides what the traits hold and answers the commands; this file only carries them. Traits may be
set from one thread or another, never from two at once: `publish` holds the lock that keeps that true.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from explorer.chunks import STATIC, chunk_reply

__all__ = ["ExplorerWidget", "answer_while_busy"]

Command = dict[str, Any]


def answer_while_busy(comm: Any) -> bool:
    """Let commands of the page reach Python while a cell runs; returns whether the kernel has such a switch.

    ipykernel 7.4 hands a message of the page to the shell that last wrote on its comm. A thread publishing
    a run keeps pointing it at the main shell, and Stop would wait for the cell. Without that route the kernel
    uses the subshell the page asked for. The attribute is private (seen in ipykernel 7.4.0, absent in 7.3).
    """
    if not hasattr(comm, "_reply_subshell_for"):
        return False
    comm._reply_subshell_for = None
    return True


class ExplorerWidget(anywidget.AnyWidget):
    """What page and session share: JSON texts as traits, custom messages for all that must not be lost.

    Attributes:
        tree: the module tree as classes; changes when the model does.
        plan: what the plan means on that tree; changes at every edit.
        run: the last state of the current run, so that a reloaded page gets the truth.
        view: what is open and selected; written by the page, and by the session to select.
        costs: what the plan costs; empty until a page has asked.
        comparison: the last comparison of engines; empty before the first.
    """

    _esm = STATIC / "explorer.js"

    tree = traitlets.Unicode("").tag(sync=True)
    plan = traitlets.Unicode("").tag(sync=True)
    run = traitlets.Unicode("").tag(sync=True)
    view = traitlets.Unicode("").tag(sync=True, echo_update=False)
    costs = traitlets.Unicode("").tag(sync=True)
    comparison = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        *,
        text: Callable[[], str] | None = None,
        html: Callable[[], str] | None = None,
        **traits: str,
    ) -> None:
        """Open the widget; `text` and `html` draw the forms for places without a kernel or a browser."""
        self._text, self._html = text, html
        self._command: Callable[[Command], None] | None = None
        self._traits_lock = threading.RLock()
        super().__init__(**traits)
        self.on_msg(self._receive)

    def open(self) -> None:
        """Announce the model to the page, as ipywidgets does when a widget is made or reopened."""
        super().open()
        answer_while_busy(self.comm)

    def on_command(self, callback: Callable[[Command], None]) -> None:
        """Hand every command to `callback`, on whatever thread it arrives: only put it in a queue there."""
        self._command = callback

    def publish(self, **states: Any) -> None:
        """Set traits from plain data, all in one message, under the lock; callable from any thread."""
        texts = {name: _to_json(state) for name, state in states.items()}
        with self._traits_lock, self.hold_sync():
            for name, text in texts.items():
                setattr(self, name, text)

    def remember(self, **states: Any) -> None:
        """Set traits for the next page that opens, telling the open ones nothing: they had it as batches."""
        with self._traits_lock:
            for name, state in states.items():
                self._trait_values[name] = _to_json(state)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what a page saved, behind the same lock: it arrives on the kernel's thread."""
        with self._traits_lock:
            super().set_state(sync_data)

    def post(self, kind: str, /, **content: Any) -> None:
        """Send `{"type": kind, ...}` to every open page; callable from any thread."""
        self.send(_plain({**content, "type": kind}))

    def reply(self, command: Command, *, error: dict[str, str] | None = None, **content: Any) -> None:
        """Answer one command: ok, or an error with "title" and "detail". Each command gets exactly one."""
        outcome = {"ok": error is None} if error is None else {"ok": False, "error": error}
        self.post("reply", id=command.get("id"), **outcome, **content)

    def _receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not (isinstance(content, dict) and isinstance(content.get("cmd"), str) and "id" in content):
            self.log.warning("Not a command of the explorer page, so not answered: %r", content)
            return
        try:
            if content["cmd"] == "chunk":
                self.reply(content, value=chunk_reply(content))
            else:
                self._hand_on(content)
        except Exception as failure:
            self.reply(content, error={"title": type(failure).__name__, "detail": str(failure)})

    def _hand_on(self, content: Command) -> None:
        if self._command is None:
            detail = f"Nothing in Python listens to {content['cmd']!r}: show the model with explore(model)."
            self.reply(content, error={"title": "No session", "detail": detail})
        else:
            self._command(content)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict] | None:
        """The widget view, with a text and a static HTML form beside it for viewers that cannot show it."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        if self._text is not None:
            data["text/plain"] = self._text()
        if self._html is not None:
            data["text/html"] = self._html()
        return data, metadata


def _to_json(state: Any) -> str:
    """Compact JSON text; a string is taken as such a text already."""
    return state if isinstance(state, str) else json.dumps(_plain(state), separators=(",", ":"))


def _plain(value: Any) -> Any:
    """The same data without floats that JSON has no word for: pages read null where a loss is not finite."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
