"""Which of the two ways a zygote makes ranks: forked (`forking.py`), or spawned beforehand (`spawning.py`).

Forked wherever that is safe, which is Linux; `SHARDING_RANKS_BY=fork` or `spawn` in the kernel's environment decides
otherwise for the next zygote. Called by `zygote.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from sharding.errors import WorkerError

SETTING = "SHARDING_RANKS_BY"
WAYS = ("fork", "spawn")

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

    return new_rank, ("torch", "torch.distributed", "cloudpickle")
