"""The first rank's values for everybody, sent and recorded as this engine does."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from sharding.flat.collectives import Collectives
from sharding.flat.recording import Recorder
from sharding.starting_values import alike, joined, take_apart


@torch.no_grad()
def broadcast_from_first(
    tensors: Iterable[torch.Tensor], ranks: Collectives, recorder: Recorder, device: torch.device | None = None
) -> None:
    """Overwrite `tensors` with those of the first rank: one broadcast a dtype. Every rank must call it.

    Args:
        tensors: what to overwrite.
        ranks: who takes part.
        recorder: writes the events.
        device: where the ranks can talk; None for where the tensors are.
    """
    if ranks.world_size == 1:
        return
    for batch in alike(tensors):
        start = recorder.start()
        flat = joined(batch).to(device)
        ranks.broadcast(flat).wait()
        recorder.end("broadcast", start, flat.nbytes)
        take_apart(flat, batch)
