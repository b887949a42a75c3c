"""Start-up of ranks against plain `torch.multiprocessing.spawn`, interleaved in one run, as ratios.

    python benchmarks/launch.py [--nprocs 2] [--rounds 5] [--warm]

Rows: S1 a one-shot `run` while the zygote is warm, S2 a call on live ranks, S3 truly cold (a fresh interpreter whose
first line needs ranks), S4 a rank crashed until the whole group answers again, E1 an event from rank to watcher,
S5 importing sharding and explorer, S6 memory of an idle rank, S7 closing over 200 MB. With `--warm` only the rows that
start no fresh interpreter. Each call does one all-reduce on every rank; each round times every row once, so a busy
machine slows all of them alike.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from datetime import timedelta

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from sharding.errors import WorkerError
from sharding.workers import Workers, emit, run

# ratios to plain spawn, at 2 ranks and at 4; seconds for what has no counterpart there
BARS = {
    "S1 run, zygote warm": {2: 0.04, 4: 0.025},
    "S2 call on live ranks": {2: 0.005},
    "S3 truly cold": {2: 0.6, 4: 0.35},
    "S4 after a crash": {2: 0.05},
}
SECONDS = {"S3 cold above import torch": 0.7, "S5 imports above torch": 0.15, "S7 closing over 200 MB": 0.6}
SECONDS |= {"E1 event (slowest)": 0.05, "E1 10,000 events a rank": 1.0}


def first_all_reduce() -> float:
    """What every row waits for."""
    x = torch.ones(1)
    dist.all_reduce(x)
    return x.item()


def spawned(rank: int, world_size: int, path: str) -> None:
    """The same in a rank of plain spawn."""
    store = dist.FileStore(path, world_size)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=world_size, timeout=timedelta(seconds=60))
    first_all_reduce()
    dist.destroy_process_group()


def plain_spawn(nprocs: int) -> None:
    fd = os.memfd_create("store")
    mp.spawn(spawned, args=(nprocs, f"/proc/{os.getpid()}/fd/{fd}"), nprocs=nprocs)
    os.close(fd)


COLD = """
import time
began = time.monotonic()
from sharding.workers import run
def first():
    import torch, torch.distributed as dist
    x = torch.ones(1)
    dist.all_reduce(x)
run(first, nprocs={nprocs})
print(time.monotonic() - began)
"""
COLD_AFTER_TORCH = COLD.replace("from sharding", "import torch; from sharding")
IMPORT = "import time; began = time.monotonic(); import torch, sharding, explorer; print(time.monotonic() - began)"
BARE = "import time; began = time.monotonic(); import torch; print(time.monotonic() - began)"
COLD_SPAWN = """
import sys, time
began = time.monotonic()
sys.path.insert(0, {folder!r})
import launch
launch.plain_spawn({nprocs})
print(time.monotonic() - began)
"""


def in_fresh_interpreter(source: str) -> list[float]:
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, timeout=300)
    return [float(word) for word in done.stdout.split()]


def seconds(action: Callable[[], object]) -> float:
    began = time.monotonic()
    action()
    return time.monotonic() - began


def pss_mb() -> float:
    """Memory of this rank, what it shares with others counted in part."""
    with open("/proc/self/smaps_rollup") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1000


def close_over(workers: Workers) -> float:
    """A call whose function closes over 200 MB, until every rank has seen it."""
    big = torch.ones(50_000_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the notice of its size
        return seconds(lambda: workers.run(lambda: big[-1].item()))


def crash_and_return(workers: Workers) -> float:
    """From the moment the caller knows of the death until the whole group has answered again."""
    with contextlib.suppress(WorkerError):
        workers.run(lambda: os._exit(1) if dist.get_rank() == 0 else None)
    return seconds(lambda: workers.run(first_all_reduce))


def event_delay(workers: Workers) -> float:
    """From `emit` in the rank to a watcher here."""
    delays: list[float] = []
    watched = workers.start(lambda: [emit("tick") or time.sleep(0.002) for _ in range(50)])
    watched.on_event(lambda event: event.kind == "tick" and delays.append((time.monotonic_ns() - event.time_ns) / 1e9))
    watched.result()
    return max(delays)


def time_of_events(workers: Workers) -> float:
    """Ten thousand events from every rank, until the last one is listed."""
    return seconds(lambda: workers.run(lambda: [emit("tick", step=step) for step in range(10_000)] and None))


def warm_row(nprocs: int, live: Workers) -> dict[str, float]:
    """One round of what starts no fresh interpreter."""
    return {
        "spawn": seconds(lambda: plain_spawn(nprocs)),
        "S1 run, zygote warm": seconds(lambda: run(first_all_reduce, nprocs=nprocs)),
        "S2 call on live ranks": statistics.median(seconds(lambda: live.run(first_all_reduce)) for _ in range(20)),
        "S4 after a crash": crash_and_return(live),
        "E1 event (slowest)": event_delay(live),
        "E1 10,000 events a rank": time_of_events(live),
        "S7 closing over 200 MB": close_over(live),
    }


def cold_row(nprocs: int) -> dict[str, float]:
    """One round of what does."""
    folder = os.path.dirname(os.path.abspath(__file__))
    (imported,) = in_fresh_interpreter(BARE)
    (cold,) = in_fresh_interpreter(COLD.format(nprocs=nprocs))
    (everything,) = in_fresh_interpreter(IMPORT)
    (after_torch,) = in_fresh_interpreter(COLD_AFTER_TORCH.format(nprocs=nprocs))
    (cold_spawn,) = in_fresh_interpreter(COLD_SPAWN.format(nprocs=nprocs, folder=folder))
    return {
        "S5 imports above torch": everything - imported,
        "S3 truly cold": cold,
        "S3 cold, torch imported first": after_torch,
        "S3 cold above import torch": cold - imported,
        "spawn, truly cold": cold_spawn,
    }


def measure(nprocs: int, rounds: int, *, warm: bool) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    run(int, nprocs=nprocs)
    with Workers(nprocs) as live:
        live.run(first_all_reduce)
        print(f"S6 memory of an idle rank (PSS, bar 60 MB): {max(live.run(pss_mb)):.0f} MB")
        for _ in range(rounds):
            row = warm_row(nprocs, live) | ({} if warm else cold_row(nprocs))
            for name, value in row.items():
                times.setdefault(name, []).append(value)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nprocs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm", action="store_true")
    wish = parser.parse_args()
    times = measure(wish.nprocs, wish.rounds, warm=wish.warm)
    print(f"{wish.nprocs} ranks, gloo, {wish.rounds} rounds; ratios are medians of the rounds' ratios")
    print(f"{'row':30s} {'median':>9s} {'worst':>9s} {'/ spawn':>9s} {'bar':>7s}")
    for name, values in times.items():
        base = times["spawn, truly cold" if "cold" in name else "spawn"]
        ratio = statistics.median(value / other for value, other in zip(values, base, strict=True))
        bars = BARS.get(name, {})
        bar = f"{bars.get(wish.nprocs, bars[2]):g}" if bars else f"{SECONDS[name]:g} s" if name in SECONDS else ""
        print(f"{name:30s} {statistics.median(values):8.4f}s {max(values):8.4f}s {ratio:9.4f} {bar:>7s}")


if __name__ == "__main__":
    main()
