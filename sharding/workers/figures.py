"""Figures of matplotlib in ranks: drawn without a screen, displayed and closed by `plt.show()` or when a call ends.

matplotlib finds the back end (`figure_backend.py`) by the name in `MPLBACKEND`, which ranks get where the notebook has
its inline back end or none; a back end that the user named otherwise stays. matplotlib is not imported for any of this.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Mapping

BACKEND = "module://sharding.workers.figure_backend"
_INLINE = ("module://matplotlib_inline.backend_inline", "inline", "module://ipympl.backend_nbagg", "widget", "nbagg")


def choose(environ: Mapping[str, str]) -> dict[str, str]:
    """The variable that makes matplotlib in a rank use this back end; empty where the user chose another."""
    chosen = environ.get("MPLBACKEND", "")
    return {"MPLBACKEND": BACKEND} if not chosen or chosen in _INLINE else {}


def show_open_ones() -> None:
    """Display every open figure and close it; nothing where matplotlib was not used, or uses another back end."""
    plots = sys.modules.get("matplotlib.pyplot")
    if plots is not None and os.environ.get("MPLBACKEND") == BACKEND:
        for number in plots.get_fignums():
            builtins.display(plots.figure(number))  # type: ignore[attr-defined]
            plots.close(number)
