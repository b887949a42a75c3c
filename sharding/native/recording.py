"""Writes what torch's engine does into the open event logs, and says which unit speaks.

Torch has no hook for unshard and reshard, so a `Voice` stands before these methods of its parameter group, on the
object and not on the class: other models are left alone. Collectives are heard where torch makes them, through
subclasses of its own default ones. When nobody listens each costs a call and two attribute reads.
"""

from __future__ import annotations

import time
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook

from sharding.events import EventKind, Phase, open_logs, record
from sharding.native.torch_private import (
    DefaultAllGather,
    DefaultReduceScatter,
    ParamGroup,
    ddp_state_of,
    is_on_its_way,
    is_replicated,
    is_unsharded,
    listen_to_all_reduces,
    num_gathering_bytes,
    param_groups_of,
    speak_through,
    training_state,
)
from sharding.unit_notes import unit_notes

PHASES: dict[str, Phase] = {"FORWARD": "forward", "PRE_BACKWARD": "backward", "POST_BACKWARD": "backward"}


def give_voice(fqn: str, module: nn.Module, ranks: dist.ProcessGroup) -> None:
    """Let a unit or replicate group that torch has just made be heard under its FQN.

    Args:
        fqn: its name.
        module: the module (of several, the first) torch's call was made on.
        ranks: who averages, for DDP.
    """
    for group in param_groups_of(module):
        Voice(fqn, group).install()
    if ddp_state_of(module) is not None:
        module.register_comm_hook((fqn, ranks), _ddp_all_reduce)  # type: ignore[operator]


class Voice:
    """One parameter group in the event logs.

    Attributes:
        fqn: the unit's or group's name, relative to the model the plan was applied to.
        group: torch's parameter group.
    """

    def __init__(self, fqn: str, group: ParamGroup) -> None:
        self.fqn = fqn
        self.group = group
        self._rank = dist.get_rank()
        self._reduce_began_ns = 0

    def install(self) -> None:
        """Stand before the group's methods and its collectives."""
        group = self.group
        self._unshard, self._reshard, self._post_backward = group.unshard, group.reshard, group.post_backward
        if not is_replicated(group):
            group.unshard, group.reshard = self.unshard, self.reshard
        group.post_backward = self.post_backward
        speak_through(group, NotedAllGather(self), NotedReduceScatter(self))
        listen_to_all_reduces(group, self.all_reduced)

    def unshard(self, async_op: bool = False) -> None:
        """Torch's `unshard`: starts an all-gather, unless the parameters are whole or on their way."""
        if is_on_its_way(self.group):
            return
        start_ns = self.start()
        self._unshard(async_op)
        self.write("unshard", start_ns, num_gathering_bytes(self.group))
        unit_notes.note(None)

    def reshard(self) -> None:
        """Torch's `reshard`: frees the whole parameters, unless they are kept after forward."""
        was_whole = is_unsharded(self.group)
        start_ns = self.start()
        self._reshard()
        if was_whole:
            self.write("reshard", start_ns, freed=not is_unsharded(self.group))
        unit_notes.note(None)

    def post_backward(self, *unused: Any) -> None:
        """Torch's `post_backward`: reshards and reduces."""
        self._reduce_began_ns = self.start()
        self._post_backward(*unused)
        unit_notes.note(None)

    def all_reduced(self, reduced: torch.Tensor) -> None:
        """Gradients were all-reduced over the replicate axis."""
        self.write("all_reduce", self._reduce_began_ns, reduced.nbytes)

    def start(self) -> int:
        """This unit is about to start something. The time now, if anybody listens."""
        unit_notes.note(self.fqn)
        return time.monotonic_ns() if open_logs.logs else 0

    def write(self, kind: EventKind, start_ns: int, nbytes: int = 0, *, freed: bool = False) -> None:
        """Note that `kind` began at `start_ns` and ends now."""
        if not open_logs.logs:
            return
        end_ns = time.monotonic_ns()
        phase = PHASES.get(training_state(self.group), "other")
        record((kind, self.fqn, self._rank, start_ns or end_ns, end_ns, nbytes, phase, freed))


class NotedAllGather(DefaultAllGather):
    """Torch's all-gather, heard."""

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self._voice = voice

    def __call__(self, output_tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        start_ns = self._voice.start()
        work = super().__call__(output_tensor, *args, **kwargs)
        self._voice.write("all_gather", start_ns, output_tensor.nbytes)
        return work


class NotedReduceScatter(DefaultReduceScatter):
    """Torch's reduce-scatter, heard."""

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self._voice = voice

    def __call__(self, output_tensor: torch.Tensor, input_tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        start_ns = self._voice.start()
        work = super().__call__(output_tensor, input_tensor, *args, **kwargs)
        self._voice.write("reduce_scatter", start_ns, input_tensor.nbytes)
        return work


def _ddp_all_reduce(speaker, bucket):  # DDP compares annotations as objects, and here they would be text
    """DDP's own all-reduce of one bucket, heard."""
    fqn, ranks = speaker
    unit_notes.note(fqn)
    start_ns = time.monotonic_ns() if open_logs.logs else 0
    future = allreduce_hook(ranks, bucket)
    if open_logs.logs:
        end_ns = time.monotonic_ns()
        nbytes = bucket.buffer().nbytes
        record(("all_reduce", fqn, dist.get_rank(), start_ns or end_ns, end_ns, nbytes, "backward", False))
    unit_notes.note(None)
    return future
