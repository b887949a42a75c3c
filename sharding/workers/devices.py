"""Which rank runs where: the map of ranks, devices and back end, as a pure function of what the machine has.

`place` decides and refuses; `machine_gpus` and `machine_cores` look at the real machine. Nothing here starts
anything or initialises CUDA. Called by `Workers`, which shows the placement before anything runs.
"""

from __future__ import annotations

import difflib
import glob
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sharding.errors import WorkerError

_DRIVERS = ("/dev/nvidia*", "/dev/dxg", "/dev/kfd")  # Linux, WSL, ROCm
BACKENDS = ("auto", "gloo", "nccl")
HELD_NBYTES = 1_000_000_000


@dataclass(frozen=True, repr=False)
class Placement:
    """Ranks, devices and back end of one group.

    Attributes:
        backend: "gloo" or "nccl".
        devices: the device of each rank, "cpu" or "cuda:1".
        num_threads: CPU threads of each rank.
        reason: why this back end.
        gpus: names of the GPUs the machine showed.
    """

    backend: str
    devices: tuple[str, ...]
    num_threads: int
    reason: str
    gpus: tuple[str, ...] = ()

    @property
    def nprocs(self) -> int:
        return len(self.devices)

    def __repr__(self) -> str:
        ranks = "rank" if self.nprocs == 1 else "ranks"
        head = f"{self.nprocs} {ranks} over {self.backend}: {self.reason}"
        return "\n".join([head, *(self._line(rank) for rank in range(self.nprocs))])

    __str__ = __repr__

    def _line(self, rank: int) -> str:
        device = self.devices[rank]
        name = f" ({self.gpus[int(device[5:])]})" if device.startswith("cuda:") else ""
        threads = "thread" if self.num_threads == 1 else "threads"
        return f"  rank {rank}: {device}{name}, {self.num_threads} CPU {threads}"


def place(nprocs: int, backend: str, *, gpus: Sequence[str], num_cores: int) -> Placement:
    """Decide where `nprocs` ranks run on a machine with these `gpus` (names) and cores.

    Raises:
        WorkerError: the wish cannot be met; the message has the reason and what can be had instead. Never
        fewer ranks.
    """
    check_wish(nprocs, backend)
    if backend == "nccl":
        _check_nccl(nprocs, gpus)
    num_threads = max(1, num_cores // nprocs)
    if backend != "gloo" and len(gpus) >= nprocs:
        devices = tuple(f"cuda:{index}" for index in range(nprocs))
        return Placement("nccl", devices, num_threads, "a GPU for every rank", tuple(gpus))
    reason = _gloo_reason(nprocs, backend, gpus)
    return Placement("gloo", ("cpu",) * nprocs, num_threads, reason, tuple(gpus))


def check_wish(nprocs: int, backend: str) -> None:
    """Refuse what no machine could do."""
    if isinstance(nprocs, bool) or not isinstance(nprocs, int) or nprocs < 1:
        raise WorkerError(f"nprocs={nprocs!r}: the number of ranks must be a whole number, 1 or more.")
    if backend not in BACKENDS:
        close = difflib.get_close_matches(str(backend), BACKENDS, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise WorkerError(f"backend={backend!r} is not one of {', '.join(map(repr, BACKENDS))}.{hint}")


def _check_nccl(nprocs: int, gpus: Sequence[str]) -> None:
    if len(gpus) >= nprocs:
        return
    have = f"{len(gpus)} GPU" + ("" if len(gpus) == 1 else "s") if gpus else "no GPU"
    fewer = f", or nprocs={len(gpus)}" if gpus else ""
    raise WorkerError(
        f'backend="nccl" with nprocs={nprocs}, but this machine shows {have}: NCCL needs one GPU for every '
        f'rank and refuses two ranks on one GPU. Use backend="gloo" (runs {nprocs} ranks on the CPU){fewer}.'
    )


def _gloo_reason(nprocs: int, backend: str, gpus: Sequence[str]) -> str:
    if backend == "gloo":
        return "asked for"
    if not gpus:
        return "no GPU on this machine"
    have = "1 GPU" if len(gpus) == 1 else f"{len(gpus)} GPUs"
    return f"{nprocs} ranks and only {have}, and NCCL needs one for every rank"


def remark(placement: Placement, wish: str, held: Mapping[str, int]) -> str:
    """What a user should know before the ranks start, empty for nothing: GPUs that stay idle, memory that is taken.

    `held`: bytes of each device that this process holds itself.
    """
    if wish == "auto" and placement.backend == "gloo" and placement.gpus:
        return f'{placement.reason}; they run over gloo on the CPU. backend="gloo" says so without this warning.'
    taken = [
        f"{held[device] / 1e9:.0f} GB of {device}" for device in placement.devices if held.get(device, 0) >= HELD_NBYTES
    ]
    return f"this process holds {', '.join(taken)}, which the rank there has to do without." if taken else ""


def machine_held() -> dict[str, int]:
    """Bytes of each GPU that this process has taken, without initialising CUDA in it."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return {}
    return {f"cuda:{index}": torch.cuda.memory_reserved(index) for index in range(torch.cuda.device_count())}


def machine_gpus() -> tuple[str, ...]:
    """Names of the GPUs this process may use, without initialising CUDA in it; without importing torch where no
    driver is.
    """
    if "torch" not in sys.modules and not any(map(glob.glob, _DRIVERS)):
        return ()
    import torch

    if not torch.distributed.is_nccl_available():
        return ()
    return tuple(f"GPU {index}" for index in range(torch.cuda.device_count()))


def machine_cores() -> int:
    """CPU cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
