"""Ranks tell each other what they are about to save or load, before any collective and before anything changes.

A name that one rank has and another has not would hang a collective, or load half a model. Rows of text go through
the process group's store, as in `agreement.py`; each call leaves the store as it found it but for its last rows."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence

import torch.distributed as dist

from sharding.errors import RankMismatchError, ShardingError
from sharding.flat.agreement import Row, difference, post, read, take_back
from sharding.flat.collectives import Collectives, OneRank, ProcessGroupRanks
from sharding.flat.torch_private import store_of
from sharding.flat.walking import all_replicas, all_states
from sharding.traversal import Tree

ADVICE = "Give every rank the same model, optimizer and state"

FAILURE = "failure"
"""What a rank posts under when it was refused before it could say anything else."""


def ranks_of(tree: Tree) -> Collectives:
    """All ranks a model lives on; only this one for a model nothing was applied to."""
    owners = [owner for _, owner in (*all_states(tree), *all_replicas(tree))]
    return owners[0].axes.world if owners else OneRank()


def exchange(rows: Sequence[Row], ranks: Collectives) -> list[list[Row]]:
    """Every rank's rows, in rank order; a single list if all are the same. Blocks until all ranks have spoken.

    Raises:
        RankMismatchError: another rank was refused; says which, and why.
    """
    by_rank = _exchange(rows, ranks)
    for rank, theirs in enumerate(by_rank):
        if len(by_rank) > 1 and theirs and theirs[0][0] == FAILURE:
            raise RankMismatchError(f"rank {rank} was refused: {theirs[0][1]}")
    return by_rank


@contextlib.contextmanager
def heard_by_all(ranks: Collectives) -> Iterator[None]:
    """A refusal inside the block reaches the ranks that go on to `exchange` or `agree`: they refuse too, at once."""
    try:
        yield
    except ShardingError as error:
        _exchange([(FAILURE, str(error))], ranks)
        raise


def _exchange(rows: Sequence[Row], ranks: Collectives) -> list[list[Row]]:
    if not isinstance(ranks, ProcessGroupRanks):
        return [list(rows)]
    store, counter = store_of(ranks.group), f"sharding/state/calls/{ranks.rank}"
    number = store.add(counter, 1)
    topic = f"sharding/state/{number}"
    try:
        post(topic, rows, ranks)
        digests = [read(store, f"{topic}/digest/{rank}", rank) for rank in range(ranks.world_size)]
        _forget(store, f"sharding/state/{number - 1}", ranks)
        if len(set(digests)) == 1:
            return [list(rows)]
        texts = [read(store, f"{topic}/rows/{rank}", rank) for rank in range(ranks.world_size)]
    except BaseException:
        take_back(topic, counter, ranks)
        raise
    return [[(name, value) for name, value in json.loads(text)] for text in texts]


def agree(what: str, rows: Sequence[Row], ranks: Collectives) -> None:
    """Refuse unless every rank has the same rows. Blocks until all have spoken.

    Raises:
        RankMismatchError: on every rank, naming the first name that differs, its values and their ranks.
    """
    by_rank = exchange(rows, ranks)
    if len(by_rank) > 1:
        raise RankMismatchError(difference(what, by_rank, ADVICE))


def _forget(store: dist.Store, topic: str, ranks: ProcessGroupRanks) -> None:
    """Drop this rank's rows of the call before: who has spoken in this one is done with that one."""
    with contextlib.suppress(RuntimeError, NotImplementedError):  # a kind of store without deletion
        store.delete_key(f"{topic}/rows/{ranks.rank}")
        store.delete_key(f"{topic}/digest/{ranks.rank}")
