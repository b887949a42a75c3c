"""Whether all ranks are about to do the same thing, asked over the process group's store before any collective.

Each rank posts what it holds and a digest of it, and reads the others' digests. Only when they differ does it
read what the others hold and find the first difference.

What ranks wait for is looked up again and again rather than waited for inside the store, so that an interrupt
is taken."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence

import torch.distributed as dist

from sharding.errors import RankMismatchError
from sharding.flat.collectives import Collectives, ProcessGroupRanks
from sharding.flat.torch_private import store_of

Row = tuple[str, str]
"""A name, and its value in words."""

BUILD_ALIKE = "Build the same model, mark it in the same way and run the same modules on every rank"

PATIENCE_S = 300
"""How long a rank that says nothing is waited for; it may still be building its model."""


def agree_on_model(rows: Sequence[Row], ranks: Collectives) -> str:
    """Refuse unless every rank marks the same parameters. Every rank must call it; blocks until all have.

    Args:
        rows: names and values, in order.
        ranks: who must agree.

    Returns:
        A topic for later comparisons, the same on every rank and never used before.

    Raises:
        RankMismatchError: on every rank, naming the first name that differs, its values and their ranks.
    """
    if not isinstance(ranks, ProcessGroupRanks):
        return ""
    store, counter = store_of(ranks.group), f"sharding/model/calls/{ranks.rank}"
    topic = f"sharding/model/{store.add(counter, 1)}"
    try:
        compare(topic, "parameters", rows, ranks)
    except RankMismatchError:
        raise
    except BaseException:
        take_back(topic, counter, ranks)
        raise
    return topic


def take_back(topic: str, counter: str, ranks: ProcessGroupRanks) -> None:
    """Interrupted while waiting: this call does not count, the others will make it again too. Unless all have spoken:
    then none waits any more, and whoever was not interrupted counts it.
    """
    store = store_of(ranks.group)
    if not store.check([f"{topic}/digest/{rank}" for rank in range(ranks.world_size)]):
        store.add(counter, -1)


def compare(topic: str, what: str, rows: Sequence[Row], ranks: Collectives) -> None:
    """Refuse unless every rank has the same rows under a topic used once. Blocks until all have spoken.

    Raises:
        RankMismatchError: on every rank, naming the first name that differs, its values and their ranks.
    """
    if not isinstance(ranks, ProcessGroupRanks):
        return
    store = store_of(ranks.group)
    post(topic, rows, ranks)
    place = f"{what} ({rows[0][1]})" if len(rows) == 1 else what
    digests = [read(store, f"{topic}/digest/{rank}", rank, place) for rank in range(ranks.world_size)]
    if len(set(digests)) > 1:
        texts = [read(store, f"{topic}/rows/{rank}", rank) for rank in range(ranks.world_size)]
        raise RankMismatchError(difference(what, [json.loads(each) for each in texts]))


def post(topic: str, rows: Sequence[Row], ranks: Collectives) -> None:
    """Answer the other ranks' `compare` without waiting for them."""
    if isinstance(ranks, ProcessGroupRanks):
        text = json.dumps(rows)
        store = store_of(ranks.group)
        store.set(f"{topic}/rows/{ranks.rank}", text)
        store.set(f"{topic}/digest/{ranks.rank}", hashlib.sha256(text.encode()).hexdigest())


def read(store: dist.Store, key: str, rank: int, place: str = "the same call") -> str:
    """What a rank has posted, as soon as it has."""
    deadline, pause_s = time.monotonic() + PATIENCE_S, 0.0002
    while not store.check([key]):
        if time.monotonic() > deadline:
            raise RankMismatchError(
                f"rank {rank} did not come to {place} within {PATIENCE_S} s: call the same verbs and run the "
                "same modules on every rank"
            )
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.5, 0.02)
    return store.get(key).decode()


def difference(what: str, rows_by_rank: Sequence[Sequence[Sequence[str]]], advice: str = BUILD_ALIKE) -> str:
    """The first place where the ranks' rows differ, in words, and what to do."""
    for index in range(max(map(len, rows_by_rank))):
        at = [tuple(rows[index]) if index < len(rows) else ("", "nothing") for rows in rows_by_rank]
        if len(set(at)) > 1:
            names = sorted({name for name, _ in at if name})
            found: dict[tuple[str, str], list[int]] = {}
            for rank, (name, value) in enumerate(at):
                found.setdefault((name, value), []).append(rank)
            values = "; ".join(
                f"{value if len(names) == 1 else f'{name}: {value}'} on rank {', '.join(map(str, on))}"
                for (name, value), on in found.items()
            )
            return f"the ranks have different {what}: {' / '.join(names)} is {values}. {advice}"
    return f"the ranks have different {what}"
