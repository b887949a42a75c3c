"""Memory that units give up stays with the process's heap for the next unit, instead of going to the system each time.

On a CPU torch allocates by `malloc`. Left to itself, glibc returns what is free at the end of its heap as soon as that
is some megabytes, and the system gives the pages back one fault at a time: a step of units of 3 MB then takes thousands
of faults, some percent of its computing time. What torch counts as allocated is the same either way.
"""

from __future__ import annotations

import ctypes
import functools
import os

MIB = 2**20
KEPT_BYTES = 64 * MIB
"""The most that stays with the heap when everything at its end is free."""

_LARGEST_FROM_HEAP = 32 * MIB
"""Larger blocks are the system's own business each time: glibc takes no higher threshold."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_USERS_SETTINGS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")


@functools.cache
def keep_freed_memory() -> bool:
    """Raise glibc's two thresholds in this process, once; whether that was done.

    Where the user set them by environment, or where there is another C library, nothing is changed.
    """
    if any(name in os.environ for name in _USERS_SETTINGS):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, _LARGEST_FROM_HEAP) and mallopt(_M_TRIM_THRESHOLD, KEPT_BYTES))
