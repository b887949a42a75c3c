"""Whether a module is being called right now, read from this thread's stack.

Bookkeeping alone cannot tell: an interrupt can end a forward without any hook running. Asked only where it matters and
never in an ordinary step.
"""

from __future__ import annotations

import sys

from torch import nn


def num_running(module: nn.Module) -> int:
    """How many calls of `module` are on this thread's stack."""
    frame = sys._getframe(1)
    calls = 0
    while frame is not None:
        if frame.f_code is nn.Module._call_impl.__code__ and frame.f_locals.get("self") is module:
            calls += 1
        frame = frame.f_back
    return calls
