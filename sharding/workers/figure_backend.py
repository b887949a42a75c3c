"""The back end itself, as matplotlib wants it: a module with a canvas and `show`. matplotlib imports it, in ranks."""

from __future__ import annotations

import importlib
from typing import Any

from sharding.workers.figures import show_open_ones

FigureCanvas: Any = importlib.import_module("matplotlib.backends.backend_agg").FigureCanvasAgg


def show(*_args: object, **_options: object) -> None:
    """Display and close all figures."""
    show_open_ones()
