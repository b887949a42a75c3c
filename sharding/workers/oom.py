"""Whether the kernel's OOM killer struck: the counters of this process's memory cgroup, read before and after a death.

Ranks live in the cgroup of the kernel that made them. Where no counter can be read (no cgroup, another system), the
answer is that it did not strike as far as anybody can tell.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
WORDS = "died: killed by the OOM killer (SIGKILL; the memory limit was reached: use less, or fewer ranks)"


def num_kills(root: Path = ROOT, own: Path = Path("/proc/self/cgroup")) -> int:
    """Processes of this cgroup that the OOM killer has killed so far, 0 when that cannot be read."""
    for path in _counters(root, own):
        with contextlib.suppress(OSError, ValueError):
            for line in path.read_text().splitlines():
                name, _, count = line.partition(" ")
                if name == "oom_kill":
                    return int(count)
    return 0


def _counters(root: Path, own: Path) -> Iterator[Path]:
    """Where the counter may be: of version 2 and of version 1, of the own cgroup and of the one a container shows."""
    with contextlib.suppress(OSError):
        for line in own.read_text().splitlines():
            _number, controllers, path = line.split(":", 2)
            if not controllers:
                yield root / path.lstrip("/") / "memory.events"
            elif "memory" in controllers.split(","):
                yield root / "memory" / path.lstrip("/") / "memory.oom_control"
    yield root / "memory.events"
    yield root / "memory" / "memory.oom_control"
