"""The arithmetic of shards: pieces tile, padding is smallest, bytes add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharding.partition import FlatPartition, ceil_div, gathered_nbytes, rows_of_rank

NUMELS = st.lists(st.integers(0, 50), max_size=12).map(tuple)
RANKS = st.integers(1, 9)


@given(NUMELS, RANKS)
def test_pieces_tile_every_parameter(numels, world_size):
    """Going through the ranks, the pieces of a parameter follow each other without gap or overlap."""
    cut = FlatPartition(numels, world_size)
    for index, numel in enumerate(numels):
        pieces = [cut.piece(index, rank) for rank in range(world_size)]
        assert sum(piece.numel for piece in pieces) == numel
        covered = [n for piece in pieces for n in range(piece.param_start, piece.param_start + piece.numel)]
        assert covered == list(range(numel))


@given(NUMELS, RANKS)
def test_pieces_tile_the_buffer(numels, world_size):
    """The pieces of all parameters, in flat order, are exactly the buffer without its padding."""
    cut = FlatPartition(numels, world_size)
    places = [
        rank * cut.shard_numel + piece.shard_start + offset
        for rank in range(world_size)
        for piece in cut.pieces(rank)
        for offset in range(piece.numel)
    ]
    assert sorted(places) == list(range(cut.numel))


@given(NUMELS, RANKS)
def test_shards_are_even_and_padding_is_smallest(numels, world_size):
    """Every rank holds the same number of elements, and less padding than there are ranks."""
    cut = FlatPartition(numels, world_size)
    assert cut.padded_numel == cut.shard_numel * world_size
    assert 0 <= cut.padding < world_size
    assert all(0 <= p.shard_start <= p.shard_start + p.numel <= cut.shard_numel for p in cut.pieces(world_size - 1))


@given(NUMELS, RANKS, st.sampled_from([1, 2, 4, 8]))
def test_gathered_bytes(numels, world_size, itemsize):
    """One rank gathers nothing; otherwise the padded buffer travels."""
    want = 0 if world_size == 1 else FlatPartition(numels, world_size).padded_numel * itemsize
    assert gathered_nbytes(numels, world_size, itemsize) == want


@given(st.integers(0, 100), RANKS)
def test_rows_of_ranks(rows, world_size):
    """Chunks of ceil(rows / ranks), the last ones short or empty (torch's `chunk`)."""
    held = [rows_of_rank(rows, world_size, rank) for rank in range(world_size)]
    assert sum(held) == rows
    chunk = ceil_div(rows, world_size)
    assert held == sorted(held, reverse=True)
    assert all(each in (0, chunk, rows % chunk) for each in held if chunk)


@pytest.mark.parametrize(("numels", "ranks"), [((1,), 0), ((-1,), 2)])
def test_what_cannot_be_cut(numels, ranks):
    """No ranks, or fewer than no elements."""
    with pytest.raises(ValueError, match="cannot cut"):
        FlatPartition(numels, ranks)
