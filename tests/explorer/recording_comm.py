"""The wire without a kernel: a comm that keeps what Python sends, and hands Python what a page would send."""

from __future__ import annotations

from typing import Any

from comm.base_comm import BaseComm


class RecordingComm(BaseComm):
    """Keeps every message instead of publishing it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.messages: list[tuple[str, dict[str, Any]]] = []
        super().__init__(*args, **kwargs)

    def publish_msg(self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any):
        self.messages.append((msg_type, data or {}))

    @property
    def opened_with(self) -> dict[str, Any]:
        """The state a page gets when the widget is announced."""
        return next(data["state"] for kind, data in self.messages if kind == "comm_open")

    @property
    def posted(self) -> list[dict[str, Any]]:
        """Custom messages, oldest first."""
        return [data["content"] for _, data in self.messages if data.get("method") == "custom"]

    @property
    def updates(self) -> list[dict[str, Any]]:
        """Trait changes, one dictionary a message."""
        return [data["state"] for _, data in self.messages if data.get("method") == "update"]


def page_sends(widget: Any, content: Any) -> None:
    """Deliver a custom message as if a page had sent it."""
    widget._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def page_sets(widget: Any, **state: Any) -> None:
    """Deliver trait values as if a page had saved them."""
    data = {"method": "update", "state": state, "buffer_paths": []}
    widget._handle_msg({"content": {"data": data}, "buffers": []})
