"""Which of the two ways a zygote makes ranks: forked (`forking.py`), or spawned beforehand (`spawning.py`).

Forked wherever that is safe, which is Linux; `SHARDING_RANKS_BY=fork` or `spawn` in the kernel's environment decides
otherwise for the next zygote. Called by `zygote.py`. Also how either imports what ranks need: without the collector.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping

from sharding.errors import WorkerError

SETTING = "SHARDING_RANKS_BY"
WAYS = ("fork", "spawn")
NEEDED = ("torch", "torch.distributed", "cloudpickle")

MakeRank = Callable[[int, int, int], int]


def way(environ: Mapping[str, str], platform: str) -> str:
    """ "fork" or "spawn"."""
    wish = environ.get(SETTING) or ("fork" if platform.startswith("linux") else "spawn")
    if wish not in WAYS:
        raise WorkerError(f"{SETTING}={wish!r} in the environment is neither 'fork' nor 'spawn'.")
    return wish


def maker() -> tuple[MakeRank, tuple[str, ...]]:
    """The function that makes a rank of three descriptors, and the modules the zygote should import for it first."""
    if way(os.environ, sys.platform) == "spawn":
        from sharding.workers.spawning import IdleRanks

        return IdleRanks().new_rank, ()
    from sharding.workers.forking import new_rank

    return new_rank, NEEDED


def import_all(names: Iterable[str]) -> None:
    """Import modules that stay: collections meanwhile would find nothing and take an eighth of the time. What was made
    is not looked at by later ones either, so that forked ranks do not write to it.
    """
    gc.disable()
    try:
        for name in names:
            importlib.import_module(name)
    finally:
        gc.freeze()
        gc.enable()
