"""What `display(...)` means in a rank: the rich forms of a value, sent to the kernel, which shows them with the rank.

A rank has no notebook. `display` is there as in every cell, and where user code imports IPython's or a progress bar
made of widgets, those are turned to what works here: IPython's functions send, the bar becomes the plain one. Nothing
of a notebook is imported by this file; the forms come from the `_repr_…_` methods that all rich objects have. Runs in
the rank; the kernel's half is `screen.py`.
"""

from __future__ import annotations

import base64
import builtins
import importlib.machinery
import io
import itertools
import json
import os
import sys
from collections.abc import Callable, Mapping
from importlib.abc import Loader, MetaPathFinder
from types import ModuleType
from typing import Any

MAX_NBYTES = 5_000_000
_FORMS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_json_": "application/json",
}
_LIVE_WIDGET = "application/vnd.jupyter.widget-view+json"  # its model would live in the rank, out of the page's reach

Bundle = dict[str, Any]
Send = Callable[[dict[str, Any]], object]


def bundle_of(value: Any) -> Bundle:
    """The forms of a value by MIME type, JSON-ready; always one of plain text."""
    bundle: Bundle = {"text/plain": _text(value)}
    if not isinstance(value, type):
        bundle |= {mime: form for name, mime in _FORMS.items() if (form := _form(value, name)) is not None}
        whole = _form(value, "_repr_mimebundle_", include=None, exclude=None)
        bundle |= whole if isinstance(whole, Mapping) else {}
        if "savefig" in dir(value) and type(value).__module__.startswith("matplotlib"):
            bundle["image/png"] = _picture(value)
    bundle.pop(_LIVE_WIDGET, None)
    return limited({mime: _plain(form) for mime, form in bundle.items()})


def limited(bundle: Bundle) -> Bundle:
    """The bundle, or its text with a remark if it is too big for a page."""
    nbytes = len(json.dumps(bundle, default=str))
    if nbytes <= MAX_NBYTES:
        return bundle
    return {"text/plain": f"{str(bundle.get('text/plain', ''))[:200]} ({nbytes / 1e6:.0f} MB, too big to be shown)"}


def _form(value: Any, name: str, **options: Any) -> Any:
    """What one of its methods says, without its metadata; a method that fails has nothing to say."""
    method = getattr(value, name, None)
    try:
        form = method(**options) if callable(method) else None
    except Exception:
        return None
    return form[0] if isinstance(form, tuple) else form


def _text(value: Any) -> str:
    try:
        return repr(value)
    except Exception as problem:
        return f"<its text cannot be shown: {type(problem).__name__}>"


def _picture(figure: Any) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight")
    return file.getvalue()


def _plain(form: Any) -> Any:
    return base64.b64encode(form).decode() if isinstance(form, bytes) else form


class Displays:
    """`display` and its relatives, as they are in a rank."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._numbers = itertools.count(1)

    def display(self, *values: Any, raw: bool = False, display_id: Any = None, **_options: Any) -> Handle | None:
        """As IPython's: show values; with `display_id` returns a handle whose `update` shows another in its place."""
        name = f"{os.getpid()}-{next(self._numbers)}" if display_id is True else display_id
        for value in values:
            self._show(value if raw else bundle_of(value), name, update=False)
        return None if name is None else Handle(self, str(name))

    def update_display(self, value: Any, *, display_id: str, raw: bool = False, **_options: Any) -> None:
        """Show a value in place of the one displayed with this id."""
        self._show(value if raw else bundle_of(value), display_id, update=True)

    def publish(self, data: Bundle, *_args: Any, transient: Mapping[str, Any] | None = None, **options: Any) -> None:
        """As IPython's `publish_display_data`."""
        name = (transient or {}).get("display_id")
        self._show(limited({mime: _plain(form) for mime, form in data.items()}), name, bool(options.get("update")))

    def _show(self, bundle: Bundle, name: Any, update: bool) -> None:
        self._send({"data": bundle, "display_id": None if name is None else str(name), "update": update})

    def install(self) -> None:
        """Put them where user code looks for them, now and in modules that are imported later."""
        builtins.display = self.display  # type: ignore[attr-defined]
        patches = {"IPython.core.display_functions": self._into_ipython, "tqdm.notebook": _plain_progress_bar}
        sys.meta_path.insert(0, _Patcher(patches))
        for name, patch in patches.items():
            if name in sys.modules:
                patch(sys.modules[name])

    def _into_ipython(self, module: ModuleType) -> None:
        ours = {"display": self.display, "update_display": self.update_display, "publish_display_data": self.publish}
        vars(module).update(ours, clear_output=lambda wait=False: None)


class Handle:
    """What `display(..., display_id=True)` returns."""

    def __init__(self, displays: Displays, display_id: str) -> None:
        self._displays, self.display_id = displays, display_id

    def display(self, value: Any, **options: Any) -> None:
        self._displays.display(value, display_id=self.display_id, **options)

    def update(self, value: Any, **options: Any) -> None:
        self._displays.update_display(value, display_id=self.display_id, **options)


def _plain_progress_bar(module: ModuleType) -> None:
    """The bar made of widgets draws in a page it is not in; the plain one is shown live by the kernel."""
    from tqdm.std import tqdm, trange  # pyright: ignore[reportMissingModuleSource]

    vars(module).update(tqdm_notebook=tqdm, tqdm=tqdm, tnrange=trange, trange=trange)


class _Patcher(MetaPathFinder):
    """Calls a function with a module once it is imported, for the modules named."""

    def __init__(self, patches: Mapping[str, Callable[[ModuleType], object]]) -> None:
        self._patches = patches

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        if fullname not in self._patches:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Patched(spec.loader, self._patches[fullname])
        return spec


class _Patched(Loader):
    def __init__(self, loader: Loader, patch: Callable[[ModuleType], object]) -> None:
        self._loader, self._patch = loader, patch

    def create_module(self, spec: Any) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._patch(module)
