"""What is given up on a CPU stays with the process's heap: the next unit takes no page faults for it."""

from __future__ import annotations

import ctypes
import resource

import pytest
import torch
from torch import nn

from sharding import fully_shard
from sharding.flat import heap

NUM_BLOCKS, BLOCK_BYTES, PAGE = 6, 4 * 2**20, 4096


def shard_then_allocate() -> float:
    """Page faults of a round of six blocks allocated, filled and given up, in a process with a sharded model."""
    fully_shard(nn.Linear(4, 4))
    for number in range(20):
        if number == 10:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        blocks = [torch.ones(BLOCK_BYTES, dtype=torch.uint8) for _ in range(NUM_BLOCKS)]
        del blocks
    return (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / 10


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="another C library")
def test_memory_given_up_is_not_faulted_in_again(ranks):
    """Without the engine's setting each round would fault in most of its 6,144 pages."""
    assert max(ranks.run(shard_then_allocate)) < NUM_BLOCKS * BLOCK_BYTES / PAGE / 20


@pytest.mark.parametrize("name", ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES"])
def test_settings_of_the_user_are_left_alone(monkeypatch, name):
    """With glibc's own variables in the environment nothing is changed."""
    monkeypatch.setenv(name, "131072")
    assert heap.keep_freed_memory.__wrapped__() is False
