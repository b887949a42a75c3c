"""What asks the user something, in a rank: refused with the way out, since a rank has no keyboard.

Python's own `input` would say "EOF when reading a line", and `breakpoint` would open a debugger that reads the same end
of file and goes on as if it had been told to.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any, NoReturn


def refuse() -> None:
    """From now on, in this process."""
    builtins.input = _no_input
    sys.breakpointhook = _no_breakpoint


def _no_input(prompt: object = "", /) -> NoReturn:
    raise EOFError(
        f"input({prompt!r}) in a rank: nobody can answer there. Ask in the notebook, and pass the answer as an argument"
    )


def _no_breakpoint(*_args: Any, **_kwargs: Any) -> NoReturn:
    raise EOFError(
        "breakpoint() in a rank: no debugger can be answered there. Print what you want to see, return it, or assign "
        "it to a global name and pull() it"
    )
