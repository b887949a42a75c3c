"""How long a call takes to end: Stop in every state of the ranks, a second Stop, a rank that raises, a rank that dies.

    python benchmarks/endings.py [--rounds 10]

Rows: I1 from the interrupt until the call is over (every rank has answered or is dead), I2 from the second interrupt,
F1 from the raise in one rank while the others wait in a collective, F2 from the death of a rank; P2 from a rank's print
to the call's output. Times are monotonic, taken in the rank where the cause is.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import statistics
import time
from collections.abc import Callable

import torch.distributed as dist
from rank_states import STATES, be_in

from sharding.workers import Run, Workers, emit

BARS_S = {"I1": 0.7, "I2": 0.15, "F1": 0.7, "F2": 0.2, "P2": 0.15}


def when_there(run: Run, count: int = 2) -> None:
    while sum(event.kind == "there" for event in run.events) < count:
        run.events_since(len(run.events), 30)


def stop_in(workers: Workers, state: str) -> float:
    workers.run(dist.barrier)
    run = workers.start(be_in, state)
    when_there(run)
    time.sleep(0.05)  # until they are in it, as far as anybody can tell from outside
    began = time.monotonic()
    run.interrupt()
    run.wait(60)
    return time.monotonic() - began


def stop_twice(workers: Workers) -> float:
    workers.run(dist.barrier)
    run = workers.start(be_in, "deaf")
    when_there(run)
    run.interrupt()
    began = time.monotonic()
    run.interrupt()
    run.wait(60)
    return time.monotonic() - began


def fail(how: str) -> None:
    """Rank 1 fails while rank 0 waits for it."""
    if dist.get_rank() == 0:
        dist.barrier()
    time.sleep(0.05)
    emit("cause")
    if how == "F1":
        raise ValueError(how)
    os.kill(os.getpid(), signal.SIGKILL)


def failure(workers: Workers, how: str) -> float:
    workers.run(dist.barrier)
    run = workers.start(fail, how)
    run.wait(60)
    over = time.monotonic_ns()
    cause = next(event.time_ns for event in run.events if event.kind == "cause")
    ended = next(event.time_ns for event in run.events if event.kind in ("rank.died", "rank.failed"))
    return ((ended if how == "F2" else over) - cause) / 1e9


def printed(workers: Workers) -> float:
    """From a rank's print until its line is in the call's output."""
    run = workers[0].start(lambda: (print(time.monotonic_ns(), flush=True), time.sleep(0.3)))
    run._page_bell.wait_for(lambda: bool(run.output), 30)
    seen = time.monotonic_ns()
    run.wait(60)
    return (seen - int(run.output.split()[-1])) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with Workers(2) as workers, contextlib.suppress(KeyboardInterrupt):
        rows: dict[str, Callable[[], float]] = {
            f"I1 Stop, ranks: {state}": lambda state=state: stop_in(workers, state) for state in STATES
        }
        rows["I2 second Stop"] = lambda: stop_twice(workers)
        rows["F1 one raises, others wait"] = lambda: failure(workers, "F1")
        rows["F2 one dies, until it is known"] = lambda: failure(workers, "F2")
        rows["P2 first line"] = lambda: printed(workers)
        times: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(rounds):
            for name, measure in rows.items():
                times[name].append(measure())
    print(f"{'row':32s} {'median':>9s} {'worst':>9s} {'bar':>8s}   ({rounds} rounds)")
    for name, values in times.items():
        print(f"{name:32s} {statistics.median(values):8.3f}s {max(values):8.3f}s {BARS_S[name[:2]]:7.2f}s")


if __name__ == "__main__":
    main()
