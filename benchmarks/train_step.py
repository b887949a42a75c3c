"""A training step of this project's engine beside torch's FSDP2, FSDP1 and DDP, interleaved in one run.

    python benchmarks/train_step.py [--rounds 5]

An 8-layer GPT of width 256 on two gloo ranks, one thread each: milliseconds a step (median over rounds, slowest rank),
the ratio of throughputs to each competitor, and the limit: the step without communication plus the raw collectives of
the plan. Then the peak memory of a rank: on a CPU all tensors that live, on CUDA `max_memory_allocated`.
Then the host's overhead: 64 tiny units on one rank, microseconds a unit a step beyond the plain model's; and what
recording events costs on both models.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import warnings
from collections.abc import Callable

import torch
import torch.distributed as dist
from torch import nn

from sharding import Plan, by_class, record_events, run
from sharding.comparisons.meter import Meter

WIDTH, LAYERS, HEADS, VOCABULARY, LENGTH, BATCH = 256, 8, 4, 512, 64, 4
TINY_UNITS = 64
MIB = 2**20


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        q, k, v = (
            part.view(batch, length, HEADS, -1).transpose(1, 2) for part in self.qkv(self.ln_1(x)).chunk(3, dim=-1)
        )
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.h = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1], device=ids.device))
        for block in self.h:
            x = block(x)
        return self.head(x)


class TinyUnits(nn.Module):
    """Many small units, so that what is measured is the host."""

    def __init__(self) -> None:
        super().__init__()
        self.units = nn.ModuleList([nn.Linear(8, 8) for _ in range(TINY_UNITS)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for unit in self.units:
            x = unit(x)
        return x


def ours(model: nn.Module, unit: type[nn.Module]) -> nn.Module:
    return Plan().fully_shard("", policy=by_class(unit)).apply(model)


def fsdp2(model: nn.Module, unit: type[nn.Module]) -> nn.Module:
    from torch.distributed.fsdp import fully_shard

    for module in model.modules():
        if isinstance(module, unit):
            fully_shard(module)
    return fully_shard(model)


def fsdp1(model: nn.Module, unit: type[nn.Module]) -> nn.Module:
    from torch.distributed.fsdp import FullyShardedDataParallel
    from torch.distributed.fsdp.wrap import ModuleWrapPolicy

    return FullyShardedDataParallel(
        model, auto_wrap_policy=ModuleWrapPolicy({unit}), use_orig_params=True, device_id=device()
    )


def ddp(model: nn.Module, unit: type[nn.Module]) -> nn.Module:
    return nn.parallel.DistributedDataParallel(model)


def plain(model: nn.Module, unit: type[nn.Module]) -> nn.Module:
    return model


ENGINES: dict[str, Callable[[nn.Module, type[nn.Module]], nn.Module]] = {
    "ours": ours,
    "FSDP2": fsdp2,
    "FSDP1": fsdp1,
    "DDP": ddp,
    "plain": plain,
}


def device() -> torch.device:
    """Where this rank computes."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda", dist.get_rank() % torch.cuda.device_count())


def wait_for_device() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def time_steps(step: Callable[[], None], count: int) -> float:
    """Milliseconds a step, after one that is not counted."""
    step()
    wait_for_device()
    dist.barrier()
    start = time.perf_counter()
    for _ in range(count):
        step()
    wait_for_device()
    return 1e3 * (time.perf_counter() - start) / count


def gpt_step(name: str) -> Callable[[], None]:
    torch.manual_seed(0)
    model = ENGINES[name](GPT().to(device()), Block)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    ids = torch.randint(VOCABULARY, (BATCH, LENGTH), device=device())

    def step() -> None:
        logits = model(ids)
        nn.functional.cross_entropy(logits.flatten(0, 1), ids.flatten()).backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def raw_collectives() -> Callable[[], None]:
    """The collectives of one step of our plan, and nothing else."""
    sizes = [sum(p.numel() for p in Block().parameters())] * LAYERS
    sizes.append(sum(p.numel() for p in GPT().parameters()) - sum(sizes))
    ranks = dist.get_world_size()
    whole = [torch.zeros((size + ranks - 1) // ranks * ranks, device=device()) for size in sizes]
    pieces = [buffer.view(ranks, -1)[0].clone() for buffer in whole]

    def step() -> None:
        for index, (buffer, piece) in enumerate(zip(whole, pieces, strict=True)):
            for _ in range(1 if index == LAYERS else 2):
                dist.all_gather_into_tensor(buffer, piece)
            dist.reduce_scatter_tensor(piece, buffer)

    return step


def compare_steps(rounds: int, count: int) -> dict[str, list[float]]:
    """On every rank: milliseconds a step of every engine, all engines once a round."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    steps = {name: gpt_step(name) for name in ENGINES}
    steps["collectives"] = raw_collectives()
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            times[name].append(time_steps(step, count))
    return times


def peak_memory(name: str) -> tuple[float, float]:
    """MiB of a rank before the third step of an engine, and at its peak in that step; every tensor counts.

    What the process group copies for itself does not: gloo frees that on threads of its own, where no profiler sees it.
    """
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    if torch.cuda.is_available():
        return _peak_on_cuda(name)
    with Meter() as meter:
        step = gpt_step(name)
        for _ in range(2):
            step()
        meter.begin()
        before = meter.nbytes
        step()
    return before / MIB, meter.peak_nbytes / MIB


def _peak_on_cuda(name: str) -> tuple[float, float]:
    step = gpt_step(name)
    for _ in range(2):
        step()
    wait_for_device()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    step()
    wait_for_device()
    return before / MIB, torch.cuda.max_memory_allocated() / MIB


def tiny_step(name: str) -> Callable[[], None]:
    model, x = ENGINES[name](TinyUnits(), nn.Linear), torch.randn(2, 8)
    return lambda: model(x).sum().backward()


def event_cost(rounds: int, make_step: Callable[[str], Callable[[], None]]) -> tuple[list[float], list[float], int]:
    """Milliseconds a step without and with events, in turns and each first as often; and how many events there are."""
    torch.set_num_threads(1)
    step = make_step("ours")
    off, on, num_events = [], [], 0
    for number in range(rounds):
        for recorded in (number % 2 == 0, number % 2 == 1):
            if recorded:
                with record_events() as log:
                    on.append(time_steps(step, 5))
                num_events = len(log) // 6
            else:
                off.append(time_steps(step, 5))
    return off, on, num_events


def compare_overhead(rounds: int) -> dict[str, list[float]]:
    """On one rank: microseconds a step of 64 tiny units."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    steps = {name: tiny_step(name) for name in ENGINES if name != "DDP"}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            times[name].append(1e3 * time_steps(step, 10))
    return times


def print_memory() -> None:
    print("MiB of a rank: at rest, at the peak of a step (larger rank; tensors alive, on CUDA max_memory_allocated)")
    peaks = {name: max(run(peak_memory, name, nprocs=2), key=lambda pair: pair[1]) for name in ENGINES}
    for name, (rest, peak) in peaks.items():
        print(f"  {name:12}{rest:8.1f}{peak:8.1f}   ours / {name}: {peaks['ours'][1] / peak:.2f}x")


def print_overhead(rounds: int) -> None:
    tiny = {name: statistics.median(values) for name, values in run(compare_overhead, rounds, nprocs=1)[0].items()}
    print(f"{TINY_UNITS} tiny units on one rank; microseconds a unit a step beyond the plain model's")
    beyond = {name: value - tiny["plain"] for name, value in tiny.items()}
    for name, value in beyond.items():
        print(f"  {name:12}{value / TINY_UNITS:8.1f}")
    print(f"  ours / FSDP2: {beyond['ours'] / beyond['FSDP2']:.2f}x")


def print_events(rounds: int) -> None:
    print("recording events: a step with it / without (median of turns, and the middle half of them)")
    for label, make_step, nprocs, turns in (
        ("the GPT on two ranks", gpt_step, 2, 3 * rounds),
        (f"{TINY_UNITS} tiny units on one rank", tiny_step, 1, 40 * rounds),
    ):
        ranks = run(event_cost, turns, make_step, nprocs=nprocs)
        off, on, count = max(ranks, key=lambda rank: statistics.median(rank[1]))
        low, middle, high = statistics.quantiles(b / a for a, b in zip(off, on, strict=True))
        each_ns = 1e6 * statistics.median(b - a for a, b in zip(off, on, strict=True)) / count
        print(f"  {label}: {middle:.3f} ({low:.3f}-{high:.3f}), {count} events a step, {each_ns:.0f} ns each")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5)
    given = arguments.parse_args()
    ranks = run(compare_steps, given.rounds, 5, nprocs=2)
    slowest = {name: [max(pair) for pair in zip(*(rank[name] for rank in ranks), strict=True)] for name in ranks[0]}
    median = {name: statistics.median(values) for name, values in slowest.items()}
    limit = median["plain"] + median["collectives"]
    print(f"torch {torch.__version__}, {os.cpu_count()} cores, 2 gloo ranks, one thread each; milliseconds a step")
    for name, value in median.items():
        print(f"  {name:12}{value:8.1f}   throughput of ours / {name}: {value / median['ours']:.2f}x")
    print(f"  {'limit':12}{limit:8.1f}   ours / limit: {median['ours'] / limit:.2f}x")
    print_memory()
    print_overhead(given.rounds)
    print_events(given.rounds)


if __name__ == "__main__":
    main()
