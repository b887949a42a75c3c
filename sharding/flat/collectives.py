"""What the ranks of one mesh axis do together: the only file of this engine that calls `torch.distributed` collectives.

`Collectives` is small on purpose: four collectives, each started without waiting, over the ranks of one axis.
`OneRank` does nothing, `ProcessGroupRanks` talks, `RecordingRanks` pretends to be one of many and writes down
what it was asked. Who averages, what is cut and when to wait is decided by the callers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal, Protocol

import torch
import torch.distributed as dist

ReduceKind = Literal["sum", "max"]

# torch 2.13 renamed these two and warns about the old names, the only ones older versions have
_all_gather = getattr(dist, "all_gather_single", None) or dist.all_gather_into_tensor
_reduce_scatter = getattr(dist, "reduce_scatter_single", None) or dist.reduce_scatter_tensor


class Work(Protocol):
    """A collective on its way."""

    def wait(self) -> object: ...


class Done:
    """A collective that needs no waiting."""

    def wait(self) -> None:
        return None


DONE = Done()


class Collectives(ABC):
    """The ranks along one axis.

    Attributes:
        rank: this rank's place on the axis.
        world_size: number of ranks on the axis.
    """

    rank: int
    world_size: int

    @abstractmethod
    def all_gather(self, full: torch.Tensor, shard: torch.Tensor) -> Work:
        """Fill `full` with every rank's `shard`, in rank order. Any dtype: the bytes travel."""

    @abstractmethod
    def reduce_scatter(self, shard: torch.Tensor, full: torch.Tensor) -> Work:
        """Fill `shard` with this rank's piece of the sum of every rank's `full`."""

    @abstractmethod
    def all_reduce(self, tensor: torch.Tensor, kind: ReduceKind = "sum") -> Work:
        """Reduce `tensor` in place over the ranks."""

    @abstractmethod
    def broadcast(self, tensor: torch.Tensor) -> Work:
        """Overwrite `tensor` with that of the axis's first rank."""


class OneRank(Collectives):
    """An axis of size one: nothing to communicate."""

    rank = 0
    world_size = 1

    def all_gather(self, full: torch.Tensor, shard: torch.Tensor) -> Work:
        full.copy_(shard)
        return DONE

    def reduce_scatter(self, shard: torch.Tensor, full: torch.Tensor) -> Work:
        shard.copy_(full)
        return DONE

    def all_reduce(self, tensor: torch.Tensor, kind: ReduceKind = "sum") -> Work:
        return DONE

    def broadcast(self, tensor: torch.Tensor) -> Work:
        return DONE


class ProcessGroupRanks(Collectives):
    """The ranks of a process group."""

    def __init__(self, group: dist.ProcessGroup) -> None:
        self.group = group
        self.rank = dist.get_rank(group)
        self.world_size = dist.get_world_size(group)

    def all_gather(self, full: torch.Tensor, shard: torch.Tensor) -> Work:
        return _started(_all_gather(full.view(torch.uint8), shard.view(torch.uint8), group=self.group, async_op=True))

    def reduce_scatter(self, shard: torch.Tensor, full: torch.Tensor) -> Work:
        return _started(_reduce_scatter(shard, full, group=self.group, async_op=True))

    def all_reduce(self, tensor: torch.Tensor, kind: ReduceKind = "sum") -> Work:
        op = dist.ReduceOp.MAX if kind == "max" else dist.ReduceOp.SUM
        return _started(dist.all_reduce(tensor, op, group=self.group, async_op=True))

    def broadcast(self, tensor: torch.Tensor) -> Work:
        raw = tensor if tensor.dim() == 0 else tensor.view(torch.uint8)
        return _started(dist.broadcast(raw, group=self.group, group_src=0, async_op=True))


def _started(work: Work | None) -> Work:
    """torch gives None where this rank takes no part."""
    return DONE if work is None else work


@dataclass
class RecordingRanks(Collectives):
    """One rank of many that talks to nobody: uses its own values for the others' and writes down each request.

    Attributes:
        calls: `(name, nbytes of the larger buffer)` in order.
    """

    rank: int = 0
    world_size: int = 2
    calls: list[tuple[str, int]] = field(default_factory=list)

    def all_gather(self, full: torch.Tensor, shard: torch.Tensor) -> Work:
        self.calls.append(("all_gather", full.nbytes))
        full.view(self.world_size, -1).copy_(shard)
        return DONE

    def reduce_scatter(self, shard: torch.Tensor, full: torch.Tensor) -> Work:
        self.calls.append(("reduce_scatter", full.nbytes))
        shard.copy_(full.view(self.world_size, -1)[self.rank]).mul_(self.world_size)
        return DONE

    def all_reduce(self, tensor: torch.Tensor, kind: ReduceKind = "sum") -> Work:
        self.calls.append(("all_reduce", tensor.nbytes))
        if kind == "sum":
            tensor.mul_(self.world_size)
        return DONE

    def broadcast(self, tensor: torch.Tensor) -> Work:
        self.calls.append(("broadcast", tensor.nbytes))
        return DONE
