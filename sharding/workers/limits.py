"""How many ranks a machine can hold, as far as that can be known before one starts: memory, open files, processes.

`check` decides, from given limits; `machine_limits` looks at the real machine. Called by `Workers` before anything
starts: asked for a thousand ranks, a small machine would otherwise spend half a minute on finding out.
"""

from __future__ import annotations

import contextlib
import resource
import warnings
from dataclasses import dataclass
from pathlib import Path

from sharding.errors import WorkerError

RANK_NBYTES = 60_000_000
FILES_A_RANK = 4  # here: its socket, two pipes, its pidfd; a rank has about as many for every other rank
FILES_APART = 64
RANKS_A_CORE = 16


@dataclass(frozen=True)
class Limits:
    """What is free for ranks; None where it cannot be read or nothing limits it."""

    memory_nbytes: int | None = None
    num_files: int | None = None
    num_processes: int | None = None


def check(nprocs: int, limits: Limits, *, num_cores: int) -> None:
    """Refuse more ranks than fit; warn of more than the cores can move along.

    Raises:
        WorkerError: something of the machine would run out; the message says what, and how many ranks fit.
    """
    reasons = [(most, why) for most, why in _room(limits) if most is not None]
    most, why = min(reasons, default=(nprocs, ""))
    if nprocs > most:
        raise WorkerError(f"nprocs={nprocs}: this machine has room for about {most} ranks: {why}.")
    if nprocs > RANKS_A_CORE * num_cores:
        warnings.warn(
            f"{nprocs} ranks on {num_cores} CPU {'core' if num_cores == 1 else 'cores'}: they take turns, and joining "
            f"one another alone will take a while.",
            stacklevel=3,
        )


def _room(limits: Limits) -> list[tuple[int | None, str]]:
    """For each limit the number of ranks that fit, and the sentence that says so."""
    memory = (
        f"{(limits.memory_nbytes or 0) / 1e9:.1f} GB of memory are free, and a rank takes about "
        f"{RANK_NBYTES / 1e6:.0f} MB before it does anything"
    )
    files = (
        f"a process may hold {limits.num_files} files open, and this one needs {FILES_A_RANK} for every rank "
        "(`ulimit -n`)"
    )
    return [
        (_share(limits.memory_nbytes, RANK_NBYTES), memory),
        (_share(limits.num_files, FILES_A_RANK, FILES_APART), files),
        (_share(limits.num_processes, 1), f"only {limits.num_processes} more processes are allowed"),
    ]


def _share(amount: int | None, each: int, apart: int = 0) -> int | None:
    return None if amount is None else max(0, (amount - apart) // each)


def machine_limits() -> Limits:
    """What this process may still use."""
    files, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return Limits(_free_memory(), None if files == resource.RLIM_INFINITY else files, _free_processes())


def _free_memory() -> int | None:
    with contextlib.suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    return None


def _free_processes() -> int | None:
    """Of this container, or of this user; tasks that count against the latter are not known, so it counts whole."""
    with contextlib.suppress(OSError, ValueError):
        folder = Path("/sys/fs/cgroup")
        return int((folder / "pids.max").read_text()) - int((folder / "pids.current").read_text())
    processes, _hard = resource.getrlimit(resource.RLIMIT_NPROC)
    return None if processes == resource.RLIM_INFINITY else processes
