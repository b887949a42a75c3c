"""The states that ranks are in when something ends: what `endings.py` stops and `soak.py` kills."""

from __future__ import annotations

import os
import signal
import time

import torch
import torch.distributed as dist

from sharding.workers import emit

STATES = ("sleep", "python", "collective", "stopped", "deaf")


def be_in(state: str, **said: object) -> None:
    """In a state for ever, after an event "there" with what is to be said."""
    if state == "deaf":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    emit("there", **said)
    if state == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    if state == "collective" and dist.get_rank() == 0:
        dist.all_reduce(torch.ones(1))
    while state == "python":
        pass
    time.sleep(1000)
