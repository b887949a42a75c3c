"""Where `multiprocessing` in a rank puts its sockets and files, so that they go when the rank does.

It would make a folder in the temporary one and remove it at a clean exit only, and ranks with data loaders are often
ended by a kill. So the kernel makes one folder for its zygote, a rank a folder in that, and whoever outlives the other
removes it: the zygote a dead rank's, and all when the kernel is gone; the kernel all when the zygote is. Only when both
are killed at once does an empty one stay.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from multiprocessing import process


def make() -> str:
    """A new folder that only this user can enter; empty where nothing can be written, and then nothing is done."""
    try:
        return tempfile.mkdtemp(prefix="sharding-")
    except OSError:
        return ""


def use(folder: str) -> None:
    """Called in a rank: from now on `multiprocessing` here, and in what is forked from here, keeps to the rank's own.

    The setting is private to `multiprocessing`, which hands it on to children. Checked with Python 3.11.
    """
    if not folder:
        return
    own = _of_rank(folder, os.getpid())
    os.makedirs(own, mode=0o700, exist_ok=True)
    process.current_process()._config["tempdir"] = own  # pyright: ignore[reportAttributeAccessIssue]


def remove(folder: str, pid: int | None = None) -> None:
    """Remove what the rank `pid` left, or the whole folder. Nothing there is no error."""
    if folder:
        shutil.rmtree(folder if pid is None else _of_rank(folder, pid), ignore_errors=True)


def _of_rank(folder: str, pid: int) -> str:
    return os.path.join(folder, str(pid))
