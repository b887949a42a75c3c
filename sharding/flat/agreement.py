"""Whether all ranks are about to do the same thing, asked over the process group's store before any collective.

Each rank posts a digest of what it holds and reads the others'. Only when digests differ do the ranks post the rows
themselves and find the first that differs. Nothing is said between ranks that agree but one short key each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import torch.distributed as dist

from sharding.errors import RankMismatchError
from sharding.flat.collectives import Collectives, ProcessGroupRanks
from sharding.flat.torch_private import store_of

Row = tuple[str, str]
"""A name, and its value in words."""


def check_agreement(what: str, rows: Sequence[Row], ranks: Collectives) -> None:
    """Refuse unless every rank has the same rows. Every rank must call it; blocks until all have.

    Args:
        what: what is compared, for the message.
        rows: names and values, in order.
        ranks: who must agree.

    Raises:
        RankMismatchError: on every rank, naming the first name that differs, its values and their ranks.
    """
    if not isinstance(ranks, ProcessGroupRanks):
        return
    text = json.dumps(rows)
    store, turn = _take_turn(ranks)
    digests = _exchange(store, f"sharding/digest/{turn}", _digest(text), ranks)
    if len(set(digests)) > 1:
        texts = _exchange(store, f"sharding/rows/{turn}", text, ranks)
        raise RankMismatchError(_difference(what, [json.loads(each) for each in texts]))


def post_only(rows: Sequence[Row], ranks: Collectives) -> None:
    """Answer the other ranks' next `check_agreement` without waiting for them."""
    if isinstance(ranks, ProcessGroupRanks):
        text = json.dumps(rows)
        store, turn = _take_turn(ranks)
        store.set(f"sharding/rows/{turn}/{ranks.rank}", text)
        store.set(f"sharding/digest/{turn}/{ranks.rank}", _digest(text))


def _take_turn(ranks: ProcessGroupRanks) -> tuple[dist.Store, int]:
    """The ranks' store, and how often this rank has spoken; each rank counts for itself, in the store."""
    store = store_of(ranks.group)
    return store, store.add(f"sharding/turn/{ranks.rank}", 1)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _exchange(store: dist.Store, key: str, value: str, ranks: ProcessGroupRanks) -> list[str]:
    store.set(f"{key}/{ranks.rank}", value)
    return [value if rank == ranks.rank else store.get(f"{key}/{rank}").decode() for rank in range(ranks.world_size)]


def _difference(what: str, rows_by_rank: list[list[list[str]]]) -> str:
    """The first place where the ranks' rows differ, in words."""
    for index in range(max(map(len, rows_by_rank))):
        at = [tuple(rows[index]) if index < len(rows) else ("", "nothing") for rows in rows_by_rank]
        if len(set(at)) > 1:
            names = sorted({name for name, _ in at if name})
            found: dict[tuple[str, str], list[int]] = {}
            for rank, pair in enumerate(at):
                found.setdefault((pair[0], pair[1]), []).append(rank)
            values = "; ".join(
                f"{value if len(names) == 1 else f'{name}: {value}'} on rank {', '.join(map(str, on))}"
                for (name, value), on in found.items()
            )
            return (
                f"the ranks have different {what}: {' / '.join(names)} is {values}. Build the same model, mark it "
                "in the same way and run the same modules on every rank"
            )
    return f"the ranks have different {what}"
