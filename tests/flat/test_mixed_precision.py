"""Mixed precision: gathered and computed in one dtype, reduced in another, resting and stepped in their own."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest
import torch
import torch.distributed as dist
from cast_oracle import exact_values, train_with_casts
from parity import inputs, loss_of
from small_models import WIDTH, Block, TwoBlocks
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecision, MixedPrecisionPolicy
from torch.distributed.fsdp import fully_shard as torch_fully_shard

import sharding
from sharding import by_class, fully_shard, record_events, replicate
from sharding.flat.replica import replica_of
from sharding.precision import Precision

BF16, F16, F32 = torch.bfloat16, torch.float16, torch.float32
TOLERANCE = 1e-6
"""The casts are the same, so only the order of float32 sums can differ."""

POLICIES = [
    Precision(BF16),
    Precision(BF16, F32),
    Precision(F16, F16),
    Precision(None, BF16),
]


def furthest(some: list[torch.Tensor], others: list[torch.Tensor]) -> float:
    """The largest distance between two lists of tensors; a rank may hold nothing of some."""
    return max((a - b).abs().max().item() for a, b in zip(some, others, strict=True) if a.numel())


def by_blocks(m: nn.Module, strategy: str = "full_shard", **settings: Any) -> None:
    fully_shard(m, policy=by_class(Block), strategy=strategy, **settings)


def replicated(m: nn.Module, **settings: Any) -> None:
    replicate(m, **settings)


def replicated_around(m: nn.Module, **settings: Any) -> None:
    fully_shard(m.u1, **settings)
    replicate(m, **settings)


@pytest.mark.parametrize("precision", POLICIES)
@pytest.mark.parametrize("strategy", ["full_shard", "shard_grad_op", "no_shard"])
def test_parity_with_casts(ranks, strategy, precision):
    """Losses, gradients and weights of an unsharded model that computes with the same casts."""
    for difference in ranks.run(train_with_casts, TwoBlocks, partial(by_blocks, strategy=strategy), precision):
        assert difference.worst < TOLERANCE, difference
        assert difference.num_gradients == 3 * 15


def whole(m: nn.Module, **settings: Any) -> None:
    fully_shard(m, **settings)


@pytest.mark.parametrize("mark", [whole, replicated])
def test_output_dtype(ranks, mark):
    """What a unit returns is cast on the way out, and its gradient on the way back."""
    for difference in ranks.run(train_with_casts, TwoBlocks, mark, Precision(BF16, F32, output_dtype=F32)):
        assert difference.worst < TOLERANCE, difference
        assert difference.num_gradients == 3 * 15


@pytest.mark.parametrize("precision", POLICIES)
@pytest.mark.parametrize("mark", [replicated, replicated_around])
def test_parity_of_replicate(ranks, mark, precision):
    """The same for `replicate`, alone and around a sharded unit."""
    for difference in ranks.run(train_with_casts, TwoBlocks, mark, precision):
        assert difference.worst < TOLERANCE, difference
        assert difference.num_gradients == 3 * 15


def beside_fsdp2(settings: dict[str, Any]) -> float:
    """Largest difference of losses, gradients and weights from torch's own engine with the same policy."""
    torch.manual_seed(0)
    model = TwoBlocks()
    other = copy.deepcopy(model)
    policy = MixedPrecisionPolicy(**settings)
    fully_shard(model, policy=by_class(Block), mixed_precision=policy)
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    for module in (other.u1, other.u2, other):
        torch_fully_shard(module, mesh=mesh, mp_policy=policy)
    pairs = [(m, torch.optim.SGD(m.parameters(), lr=0.1)) for m in (model, other)]
    worst = 0.0
    for step in range(3):
        losses = []
        for each, optimizer in pairs:
            loss = loss_of(each(inputs(step, dist.get_rank())))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        worst = max(worst, abs(losses[0] - losses[1]))
    whole = model.state_dict()
    distances = [(whole[name] - p.full_tensor()).abs().max().item() for name, p in other.named_parameters()]  # type: ignore[attr-defined]
    return max(worst, *distances)


@pytest.mark.parametrize("settings", [{"param_dtype": BF16}, {"param_dtype": BF16, "reduce_dtype": F32}])
def test_parity_with_fsdp2(ranks, settings):
    """Torch's own engine, given the same policy, trains to the same weights."""
    for worst in ranks.run(beside_fsdp2, settings):
        assert worst < TOLERANCE


class Seen(nn.Module):
    """Writes down what dtypes its forward meets."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("scale", torch.ones(WIDTH))
        self.register_buffer("count", torch.ones(1, dtype=torch.long))
        self.met: list[torch.dtype] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.met = [x.dtype, self.l.weight.dtype, self.scale.dtype, self.count.dtype]  # type: ignore[union-attr]
        return self.l(x) * self.scale


class Nest(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before, self.inner, self.after = Seen(), Seen(), Seen()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.after(self.inner(self.before(x)))


def only_inner(verb: str) -> list[list[torch.dtype]]:
    m = Nest()
    precision = Precision(BF16, F32, buffer_dtype=BF16, output_dtype=F32)
    {"fully_shard": fully_shard, "replicate": replicate}[verb](m.inner, mixed_precision=precision)
    fully_shard(m)
    m(inputs(0, 0)).sum().backward()
    return [each.met for each in (m.before, m.inner, m.after)]


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_one_submodule_only(ranks, verb):
    """Inputs, parameters and buffers of that unit alone are cast, and what it returns; integers are not."""
    plain, cast = [F32, F32, F32, torch.long], [BF16, BF16, BF16, torch.long]
    assert ranks.run(only_inner, verb) == [[plain, cast, plain]] * 2


class Uncastable(nn.Module):
    """A frozen base beside trainable parameters, an integer table, a float8 and a complex parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.base = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
        self.l = nn.Linear(WIDTH, WIDTH)
        self.table = nn.Parameter(torch.arange(3), requires_grad=False)
        self.small = nn.Parameter(torch.ones(5).to(torch.float8_e4m3fn), requires_grad=False)
        self.wave = nn.Parameter(torch.ones(3, dtype=torch.complex64), requires_grad=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert self.table.dtype == torch.long
        assert self.small.dtype == torch.float8_e4m3fn
        assert self.wave.dtype == torch.complex64
        return self.l(self.base(x)) * self.small.to(x.dtype) + self.table.sum()


@pytest.mark.parametrize("mark", [by_blocks, replicated])
def test_what_is_never_cast(ranks, mark):
    """Integers, float8 and complex parameters stay what they are; a frozen float base computes with the rest."""
    for difference in ranks.run(train_with_casts, Uncastable, mark, Precision(BF16, F32)):
        assert difference.worst < TOLERANCE, difference
        assert difference.num_gradients == 3 * 2


class Recomputed(nn.Module):
    """Activation checkpointing around a unit and inside one."""

    def __init__(self) -> None:
        super().__init__()
        self.around = checkpoint_wrapper(Block())
        self.inside = Block()
        self.inside.seq = checkpoint_wrapper(self.inside.seq)  # type: ignore[assignment]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inside(self.around(x))


def recomputed_beside(verb: str) -> float:
    """Largest distance of the gradients from those of the same model without checkpointing."""
    found = []
    for build in (Recomputed, Plain):
        torch.manual_seed(0)
        m = build()
        mark = by_blocks if verb == "fully_shard" else replicated
        mark(m, mixed_precision=Precision(BF16, F32))
        m(inputs(0, dist.get_rank())).float().square().mean().backward()
        found.append([param.grad for param in m.parameters()])
    return furthest(*found)


class Plain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.around, self.inside = Block(), Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inside(self.around(x))


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_activation_checkpointing(ranks, verb):
    """A forward that runs again in backward computes in the same dtypes."""
    assert ranks.run(recomputed_beside, verb) == [0.0, 0.0]


def exactness() -> list[Any]:
    """Whether looking, state dicts and loading keep every bit, in one dtype."""
    torch.manual_seed(0)
    m = TwoBlocks()
    before = {name: value.clone() for name, value in m.state_dict().items()}
    by_blocks(m, mixed_precision=Precision(BF16))
    m(inputs(0, 0))  # leaves the root unsharded
    looked = exact_values(m)
    same = [all(torch.equal(each[name], before[name]) for name in before) for each in (looked, m.state_dict())]
    with sharding.unshard(m):
        for param in m.parameters():
            param.data.add_(2**-12)
    changed = {name: value + 2**-12 for name, value in before.items()}
    written = m.state_dict()
    same.append(all(torch.equal(written[name], changed[name]) for name in before))
    sharding.remove(m)
    same.append(all(torch.equal(param, changed[name]) for name, param in m.named_parameters()))
    return same


def test_looking_does_not_round(ranks):
    """`unshard`, state dicts and `remove` show and keep the values the optimizer steps on."""
    assert ranks.run(exactness) == [[True] * 4] * 2


def bytes_of(precision: Precision) -> dict[str, int]:
    m = TwoBlocks()
    by_blocks(m, mixed_precision=precision)
    with record_events() as log:
        m(inputs(0, 0)).float().sum().backward()
    return {kind: sum(event.nbytes for event in log.of(kind)) for kind in ("all_gather", "reduce_scatter")}


def test_bytes(ranks):
    """All-gathers carry the compute dtype, reduce-scatters the reduce dtype."""
    block, root = 90, 56
    for got in ranks.run(bytes_of, Precision(BF16, F32)):
        assert got == {"all_gather": 2 * (root + 4 * block), "reduce_scatter": 4 * (root + 2 * block)}


def dtypes_met(buffer_dtype: torch.dtype, **settings: Any) -> list[list[torch.dtype]]:
    m = Nest()
    policy = MixedPrecision(param_dtype=BF16, buffer_dtype=buffer_dtype, **settings)
    fully_shard(m, policy=by_class(Seen), mixed_precision=policy)
    m(inputs(0, 0)).sum().backward()
    return [each.met[:3] for each in (m.before, m.inner, m.after)]


def test_mixed_precision_of_fsdp1(ranks):
    """Torch's `MixedPrecision` casts the root's input only, unless told otherwise."""
    assert ranks.run(dtypes_met, BF16) == [[[BF16] * 3] * 3] * 2
    assert ranks.run(dtypes_met, F32, cast_forward_inputs=True) == [[[BF16, BF16, F32]] * 3] * 2
    with pytest.raises(RuntimeError, match="dtype"):  # a float32 buffer makes the second unit's input float32
        ranks.run(dtypes_met, F32)


def large_gradients(verb: str) -> float:
    m = nn.Linear(2, 2, bias=False)
    mark = fully_shard if verb == "fully_shard" else replicate
    mark(m, mixed_precision=Precision(F32, F16))
    (m(torch.ones(1, 2)) * 40_000).sum().backward()
    return m.weight.grad.max().item()


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_float16_sums_do_not_overflow(ranks, verb):
    """Two gradients of 40,000 average to 40,000, although float16 ends at 65,504."""
    assert ranks.run(large_gradients, verb) == [40_000.0, 40_000.0]


def accumulated(verb: str) -> list[Any]:
    """Gradients of two backwards, the first without synchronisation, and those of both taken apart."""
    torch.manual_seed(0)
    model = TwoBlocks()
    found = []
    for split in (True, False):
        m = copy.deepcopy(model)
        mark = by_blocks if verb == "fully_shard" else replicated
        mark(m, mixed_precision=Precision(BF16, F32))
        for step in range(2):
            if split and step == 0:
                with sharding.no_sync(m):
                    loss_of(m(inputs(step, dist.get_rank()))).backward()
            else:
                loss_of(m(inputs(step, dist.get_rank()))).backward()
        found.append([param.grad for param in m.parameters()])
    return [furthest(*found), found[0][0].dtype]


@pytest.mark.parametrize("verb", ["fully_shard", "replicate"])
def test_no_sync_sums_in_the_reduce_dtype(ranks, verb):
    """bf16 gradients of two backwards are added up in float32."""
    for distance, dtype in ranks.run(accumulated, verb):
        assert distance < TOLERANCE
        assert dtype == F32


@pytest.mark.parametrize("verb", [fully_shard, replicate])
def test_one_rank(verb):
    """Without any process group the casts are the same."""
    torch.manual_seed(0)
    m = TwoBlocks()
    twin = copy.deepcopy(m)
    verb(m, mixed_precision=Precision(BF16))
    m(inputs(0, 0)).float().square().mean().backward()
    casts = {name: param.to(BF16) for name, param in twin.named_parameters()}
    torch.func.functional_call(twin, casts, (inputs(0, 0).to(BF16),)).float().square().mean().backward()
    for mine, its in zip(m.parameters(), twin.parameters(), strict=True):
        assert mine.dtype == F32
        assert torch.equal(mine.grad, its.grad)


def planned() -> torch.dtype:
    m = TwoBlocks()
    sharding.Plan().defaults(mixed_precision={"param_dtype": "bfloat16"}).fully_shard(
        "", policy=by_class("Block")
    ).apply(m)
    return m(inputs(0, 0)).dtype


def test_from_a_plan(ranks):
    """`Plan.apply` takes it as the verbs do."""
    assert ranks.run(planned) == [BF16, BF16]


def planned_group() -> list[Any]:
    """A replicate group with settings of its own, by a plan and by hand; what it runs with, and the plan read back."""
    found = []
    for by_plan in (True, False):
        m = TwoBlocks()
        if by_plan:
            plan = sharding.Plan().replicate("u1", mixed_precision={"param_dtype": "bfloat16"}, bucket_cap_mb=1e-4)
            sharding.Plan.from_json(plan.to_json()).apply(m)
        else:
            replicate(m.u1, mixed_precision=Precision(BF16), bucket_cap_mb=1e-4)
        met: list[torch.dtype] = []
        m.u1.register_forward_hook(lambda module, args, output, met=met: met.append(output.dtype))
        m.u1(inputs(0, 0))
        found.append((met, len(replica_of(m.u1).buckets), sharding.Plan.from_model(m).code()))
    return found


def test_a_replicate_group_of_a_plan_has_its_own_settings(ranks):
    """Precision and buckets as the verb's, also through JSON and read back from the model."""
    for by_plan, by_hand in ranks.run(planned_group):
        assert by_plan == by_hand
        assert by_plan[0] == [BF16]
        assert by_plan[1] > 1
        assert by_plan[2] == (
            "Plan().replicate('u1', mixed_precision={'param_dtype': 'bfloat16'}, bucket_cap_mb=0.0001)"
        )


def test_settings_that_cannot_be_read():
    """Refused by name before anything changes."""
    m = TwoBlocks()
    for verb in (fully_shard, replicate):
        with pytest.raises(sharding.PlanError, match="no field 'param'"):
            verb(m, mixed_precision={"param": "bf16"})
        with pytest.raises(sharding.PlanError, match="the dtype the optimizer steps on"):
            verb(m, mixed_precision=MixedPrecision(BF16, keep_low_precision_grads=True))
    assert sharding.applied_apis(m) == ()
