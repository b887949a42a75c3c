"""Kill kernels and zygotes over and over, in every state of the ranks, and count what survives.

    python benchmarks/soak.py [--rounds 500]

Each round starts a fresh process with two ranks (one of them with a forked grandchild), waits until they are in a
state (sleeping, computing, in a collective, stopped, deaf to SIGINT), and ends something with SIGKILL or SIGTERM: the
kernel (as a container does it, too: paused, then killed), its zygote, or both. It then waits for every process of the
round to be gone. To save importing torch in each kernel, kernels are themselves forked from one process that has
imported it and started nothing.

Prints the survivors (none, if all is well), how long the slowest round took until all were gone, and what is left of
descriptors, sockets and files. Exit status 1 if anything survived.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import signal
import statistics
import sys
import tempfile
import time

import psutil
import torch  # noqa: F401 (once, before kernels are forked from here)
from rank_states import STATES, be_in

from sharding.workers import Workers
from sharding.workers.launcher import launcher

VICTIMS = ("kernel", "kernel by SIGTERM", "kernel while paused", "zygote", "both")
LIMIT_S = 20.0


def be_in_with_child(state: str) -> None:
    """What the ranks do when the end comes."""
    child = os.fork()
    if child == 0:
        time.sleep(1000)
    be_in(state, pids=[os.getpid(), child])


def kernel(state: str, out: int) -> None:
    """One process that uses workers; tells the pids of all that hangs on it, then waits for its end."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    workers = Workers(2)
    call = workers.start(be_in_with_child, state)
    pids: list[int] = []
    while len(pids) < 4:
        pids = [pid for event in call.events if event.kind == "there" for pid in event.values["pids"]]
        call.events_since(len(call.events), 0.05)
    os.write(out, json.dumps([launcher.pid, *pids]).encode())
    while True:
        signal.pause()


def one_round(state: str, victim: str) -> tuple[list[int], float]:
    """Pids that survived, and seconds until the others were gone."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            os.close(read)
            kernel(state, write)
        os._exit(1)
    os.close(write)
    told = os.read(read, 4096)
    os.close(read)
    if not told:
        os.waitpid(pid, 0)
        raise SystemExit(f"a kernel ended before its ranks were there ({state}, {victim})")
    zygote, *rest = json.loads(told)
    processes = [psutil.Process(each) for each in (zygote, *rest)]
    began = time.monotonic()
    if victim in ("zygote", "both"):
        os.kill(zygote, signal.SIGKILL)
    if victim == "kernel while paused":
        os.kill(pid, signal.SIGSTOP)
    if victim != "zygote":
        os.kill(pid, signal.SIGTERM if victim.endswith("SIGTERM") else signal.SIGKILL)
    left = wait_until_over(processes[1:])
    took = time.monotonic() - began
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    left += wait_until_over(processes[:1])
    for each in left:
        each.kill()
    return [each.pid for each in left], took


def wait_until_over(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still live after the limit. A zombie is over: who reaps orphans here, and when, is not ours."""
    until = time.monotonic() + LIMIT_S
    while (alive := [each for each in processes if is_alive(each)]) and time.monotonic() < until:
        time.sleep(0.002)
    return alive


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def leftovers(folder: str) -> tuple[int, int]:
    """Open descriptors here, and files in the folder for temporary files."""
    return len(os.listdir("/dev/fd")), len(os.listdir(folder))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=500)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        return soak(rounds, folder)


def soak(rounds: int, folder: str) -> int:
    """Do the rounds and print what was found; returns the exit status."""
    before = leftovers(folder)
    survivors: list[tuple[str, str, list[int]]] = []
    times: dict[str, list[float]] = {victim: [] for victim in VICTIMS}
    for number, (state, victim) in zip(
        range(rounds), itertools.cycle(itertools.product(STATES, VICTIMS)), strict=False
    ):
        left, took = one_round(state, victim)
        times[victim].append(took)
        if left:
            survivors.append((state, victim, left))
            print(f"round {number}: {len(left)} survived ({state}, {victim})", flush=True)
    print(f"{rounds} rounds: {len(survivors)} with survivors")
    for victim in VICTIMS:
        mine = times[victim]
        if mine:
            worst = f"{max(mine):.3f} s (slowest)"
            print(f"{victim} killed: all gone after {statistics.median(mine):.3f} s (median), {worst}")
    after = leftovers(folder)
    print(f"descriptors {before[0]} before, {after[0]} after; temporary files {before[1]} before, {after[1]} after")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
