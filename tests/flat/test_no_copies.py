"""Nothing is copied beyond what the collectives copy: a step's operations, counted against the plain model's."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.distributed as dist
from parity import inputs
from small_models import WIDTH, Block, TwoBlocks
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from sharding import by_class, fully_shard, get_handles, replicate
from sharding.flat.collectives import ProcessGroupRanks
from sharding.flat.handle import Residence
from sharding.precision import Precision

VIEWS = ("view", "narrow", "slice", "detach", "alias", "as_strided", "t.", "expand", "split", "chunk", "select")


def counted(run: Callable[[], object]) -> tuple[Counter[str], int]:
    """The operations that run, views left out, and the bytes that `copy_` writes."""
    ops: Counter[str] = Counter()
    copied: list[int] = []

    class Counted(TorchDispatchMode):  # made here: such a class cannot travel to the ranks
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = str(func).removeprefix("aten.")
            if not name.startswith(VIEWS):
                ops[name if name.startswith("c10d") else name.split(".")[0]] += 1
                if name.startswith("copy_"):
                    copied.append(args[0].nbytes)
            return func(*args, **(kwargs or {}))

    with Counted():
        run()
    return ops, sum(copied)


def step_of(model: nn.Module) -> None:
    model(inputs(0, dist.get_rank())).sum().backward()


def raw_reduce_scatters() -> tuple[Counter[str], int]:
    """What gloo itself runs for the reduce-scatters of a step, beside the calls."""
    ranks = ProcessGroupRanks(dist.group.WORLD)
    ops, num_bytes = Counter(), 0
    for numel in (56, 90, 90):
        shard, full = torch.zeros(numel // 2), torch.zeros(numel)
        each, nbytes = counted(lambda shard=shard, full=full: ranks.reduce_scatter(shard, full).wait())
        ops.update({name: count for name, count in each.items() if not name.startswith("c10d")})
        num_bytes += nbytes
    return ops, num_bytes


def extra_operations(verb: str, settings: dict[str, Any], num_steps: int = 2) -> tuple[dict[str, int], int]:
    """What the last of a few marked steps runs beyond a plain model's step: operations, and bytes copied."""
    torch.manual_seed(0)
    plain = TwoBlocks()
    marked = copy.deepcopy(plain)
    if verb == "replicate":
        replicate(marked, **settings)
    else:
        fully_shard(marked, policy=by_class(Block), **settings)
    found = []
    for model in (marked, plain):
        for _ in range(num_steps - 1):
            step_of(model)
            model.zero_grad()
        found.append(counted(lambda model=model: step_of(model)))
    (mine, copied), (its, copied_by_itself) = found
    mine.subtract(its)
    if any("scatter" in name for name in mine):
        raw, copied_raw = raw_reduce_scatters()
        mine.subtract(raw)
        copied -= copied_raw
    return {name: count for name, count in mine.items() if count}, copied - copied_by_itself


NUMEL = 2 * 90 + 55
NUM_PARAMS, NUM_UNITS = 15, 3


def named(ops: dict[str, int]) -> dict[str, int]:
    """Collectives by what they are, whatever this torch calls them."""
    kinds = {"gather": "all_gather", "scatter": "reduce_scatter", "allreduce": "all_reduce"}
    renamed: Counter[str] = Counter()
    for name, count in ops.items():
        kind = next((kinds[part] for part in kinds if name.startswith("c10d") and part in name), name)
        renamed[kind] += count
    return dict(renamed)


@pytest.mark.parametrize("strategy", ["full_shard", "shard_grad_op"])
def test_one_pass_over_each_gradient_and_none_over_parameters(ranks, strategy):
    """One copy a gradient, straight into the flat buffer; two allocations and one division a unit; no other work.

    Only the root's buffer has padding (one element) to zero.
    """
    num_gathers = 5 if strategy == "full_shard" else 3
    for ops, num_copied_bytes in ranks.run(extra_operations, "fully_shard", {"strategy": strategy}):
        assert named(ops) == {
            "all_gather": num_gathers,
            "reduce_scatter": NUM_UNITS,
            "copy_": NUM_PARAMS,
            "empty": 2 * NUM_UNITS,
            "mul_": NUM_UNITS,
            "zero_": 1,
        }
        assert num_copied_bytes == 4 * NUMEL


def test_no_shard(ranks):
    """The same without gathers: one flat buffer a unit, one all-reduce of it."""
    for ops, num_copied_bytes in ranks.run(extra_operations, "fully_shard", {"strategy": "no_shard"}):
        assert named(ops) == {"all_reduce": NUM_UNITS, "copy_": NUM_PARAMS, "empty": NUM_UNITS, "mul_": NUM_UNITS}
        assert num_copied_bytes == 4 * NUMEL


def test_replicate(ranks):
    """One copy a gradient into its bucket, nothing else."""
    for ops, num_copied_bytes in ranks.run(extra_operations, "replicate", {}):
        assert named(ops) == {"all_reduce": 1, "copy_": NUM_PARAMS, "mul_": 1}
        assert num_copied_bytes == 4 * NUMEL


def test_mixed_precision(ranks):
    """One staging copy of the piece a gather, casting; the gradient's one pass casts; its piece is cast back."""
    settings = {"mixed_precision": Precision(torch.bfloat16, torch.float32)}
    for ops, num_copied_bytes in ranks.run(extra_operations, "fully_shard", settings):
        got = named(ops)
        assert got["copy_"] == NUM_PARAMS + 5
        assert got["_to_copy"] == 1  # the root's input
        assert got["empty"] == 2 * NUM_UNITS
        pieces = 2 * (28 + 4 * 45)
        assert num_copied_bytes == 4 * NUMEL + pieces


@pytest.mark.parametrize("reduce_dtype", [torch.bfloat16, torch.float32])
def test_replicate_with_mixed_precision(ranks, reduce_dtype):
    """One pass a gradient, which casts it into its bucket; parameters and input are cast once, in forward."""
    settings = {"mixed_precision": Precision(torch.bfloat16, reduce_dtype)}
    for ops, num_copied_bytes in ranks.run(extra_operations, "replicate", settings):
        got = named(ops)
        assert got["all_reduce"] == 1
        assert got["copy_"] == NUM_PARAMS
        assert num_copied_bytes == reduce_dtype.itemsize * NUMEL
        back = 0 if reduce_dtype is torch.float32 else NUM_PARAMS  # averaged gradients, in the optimizer's dtype
        assert got["_to_copy"] == NUM_PARAMS + 1 + back


def one_memory() -> bool:
    """Whether parameters compute in the very buffer that was gathered into."""
    m = nn.Sequential(Block(), Block())
    fully_shard(m, policy=by_class(Block))
    (handle, other) = get_handles(m)
    handle.unshard()
    handle.wait()
    assert handle.residence is Residence.UNSHARDED
    assert other.residence is Residence.SHARDED
    full = handle.buffers[0].full
    addresses = [param.data_ptr() for param in m[0].parameters()]
    starts = [full.data_ptr() + 4 * start for start in handle.buffers[0].partition.offsets]
    handle.reshard(free=True)
    return addresses == starts and full.untyped_storage().size() == 0


def test_parameters_are_gathered_where_they_are_used(ranks):
    """Each parameter starts at its offset in the gathered buffer, whose memory is gone afterwards."""
    assert WIDTH == 5
    assert ranks.run(one_memory) == [True, True]
