"""`trace`: the trace made of short copies is the trace of the whole model, and the model is left alone."""

from __future__ import annotations

import pytest
import torch
import torch.distributed as dist
from torch import nn
from traced_models import WIDTH, Block, ByNumber, Decoder, Looks, Twice, TwoStacks

from sharding import Plan, PlanError, by_class, cost, fully_shard, trace

IDS = torch.zeros(3, 11, dtype=torch.long)
X = torch.zeros(5, WIDTH)


@pytest.mark.parametrize(
    ("build", "inputs", "num_runs"),
    [
        *[(lambda depth=depth: Decoder(depth), IDS, 1) for depth in (4, 5, 6, 12)],
        (lambda: Decoder(9, keeps_all=True), IDS, 1),
        (lambda: Decoder(8, checkpoints=True), IDS, 1),
        (TwoStacks, X, 3),
    ],
    ids=["4", "5", "6", "12", "keeps all", "checkpointed", "three runs"],
)
def test_a_trace_of_short_copies_is_the_whole_models(build, inputs, num_runs):
    """Event by event and byte by byte, with activations by dtype; the bytes end where they began, but for the loss."""
    short, whole = trace(build, inputs), trace(build, inputs, shorten=False)
    assert len(short.repeats) == num_runs
    assert whole.repeats == ()
    assert list(short.events) == list(whole.events)
    assert (short.num_forward, short.saved, short.calls) == (whole.num_forward, whole.saved, whole.calls)
    assert 0 <= short.moments[-1].nbytes <= 2 * 8


def test_what_is_alive_is_what_autograd_saves():
    """A chain of two layers and a relu: the sizes are those one can count by hand."""
    model = nn.Sequential(nn.Linear(WIDTH, 16), nn.ReLU(), nn.Linear(16, 4))
    found = trace(model, X, loss=lambda output, inputs: output.sum())
    assert found.order == ("", "0", "1", "2")
    kept = 4 * (5 * 16) + 4 * (5 * 4) + 4  # what relu gave, the output, the loss
    assert found.activation_nbytes <= kept + 4 * 5 * 16
    assert found.activation_nbytes >= 4 * (5 * 16) + 4
    gradients = [event.name for event in found.events if event.kind == "gradient"]
    assert sorted(gradients) == ["0.bias", "0.weight", "2.bias", "2.weight"]
    assert gradients.index("2.weight") < gradients.index("0.weight")


def test_dtypes_follow_the_precision_asked_for():
    """In bfloat16 almost all that is alive is bfloat16, and about half as much."""
    full, half = trace(Decoder(6), IDS), trace(Decoder(6), IDS, mixed_precision={"param_dtype": "bfloat16"})
    assert {each.dtype for each in full.saved} == {"float32", "bool"}
    by_dtype = {each.dtype: each.nbytes for each in half.saved}
    assert by_dtype["bfloat16"] > 0.6 * half.activation_nbytes
    assert half.activation_nbytes < 0.75 * full.activation_nbytes


def test_the_model_is_left_alone():
    """No value, gradient, hook, attribute or process group is touched, and no torch state."""
    model = Decoder(6)
    before = [param.detach().clone() for param in model.parameters()]
    state = torch.random.get_rng_state()
    trace(model, IDS)
    assert all(torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))
    assert all(param.grad is None for param in model.parameters())
    assert torch.equal(state, torch.random.get_rng_state())
    assert not dist.is_initialized()
    blocks = [block for block in model.blocks if isinstance(block, Block)]
    assert [block.calls for block in blocks] == [[]] * 6
    assert all(not module._forward_hooks and not module._forward_pre_hooks for module in model.modules())
    model(IDS).sum().backward()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            Twice,
            r"cannot be shortened: 'blocks.1' runs 2 times in one forward; trace\(..., shorten=False\) runs the whole",
        ),
        (ByNumber, "cannot be shortened: a copy with 2 repeats of each block failed with IndexError"),
        (Looks, "cannot be traced: a copy with 2 repeats of each block on fake tensors, .* look at values"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_be_traced_is_refused(build, message):
    """The reason is said, and what would do; without shortening the first two can be traced."""
    with pytest.raises(PlanError, match=message):
        trace(build, IDS)
    if build is not Looks:
        assert trace(build, IDS, shorten=False).calls["blocks.3"] == (2 if build is Twice else 1)


@pytest.mark.filterwarnings("ignore:.*torch.jit.script_method:DeprecationWarning")  # torch's own, on its first import
def test_compiled_blocks_are_traced_as_what_they_were_made_of():
    """`torch.compile` around the model or its blocks changes neither names nor bytes, and the user's is not run."""
    model = Decoder(5)
    plain = trace(model, IDS)
    for place, block in enumerate(list(model.blocks)):
        model.blocks[place] = torch.compile(block)  # type: ignore[assignment]
    assert list(trace(torch.compile(model), IDS).events) == list(plain.events)  # type: ignore[arg-type]


def test_a_sharded_model_and_no_inputs_are_refused():
    """A rank's pieces cannot be run whole; a model needs something to run on, and shapes."""
    with pytest.raises(PlanError, match="'weight' is lazy and has no shape yet"):
        trace(nn.LazyLinear(4), X)
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH))
    with pytest.raises(PlanError, match="trace needs something to feed the model"):
        trace(model, None)
    fully_shard(model)
    with pytest.raises(PlanError, match=r"carries live annotations: .* sharding.remove\(model\) first"):
        trace(model, X)


def test_a_layout_learns_the_order_of_running():
    """`layout.orders` has "forward": units as they began, not as they are registered."""

    class Backwards(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.last, self.first = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.last(self.first(x))

    layout = Plan().fully_shard("*").fully_shard("").resolve(Backwards())
    assert "forward" not in layout.orders
    found = trace(Backwards(), X)
    assert found.on(layout).orders["forward"] == ["first", "last"]
    with pytest.raises(PlanError, match="the trace is of another model: it has 'emb'"):
        trace(Decoder(4), IDS).on(layout)
    deeper = Plan().fully_shard("").resolve(Decoder(5))
    with pytest.raises(PlanError, match=r"it has 21 modules, Layout.* has 25"):
        cost(deeper, trace=trace(Decoder(4), IDS))


def test_modules_in_plain_lists_are_the_copies():
    """A list beside the registered modules does not lead back to the user's model."""

    class Listed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(2))
            self.backwards = [self.layers[1], self.layers[0]]

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for layer in self.backwards:
                x = layer(x)
            return x

    assert trace(Listed(), X).order == ("", "layers.1", "layers.0")


def test_costs_know_calls_and_what_is_never_reached():
    """A cell that runs twice gathers twice, one that does not run not at all, a frozen one at the start once."""

    class Odd(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.frozen = nn.Linear(WIDTH, WIDTH).requires_grad_(False)
            self.cell, self.spare = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.cell(self.cell(self.frozen(x)))

    layout = Plan().fully_shard("", policy=by_class("Linear")).resolve(Odd())
    asked = cost(layout, trace=trace(Odd(), X))
    rows = {(row.unit, row.kind, row.phase): row.count for row in asked.collectives}
    assert rows == {
        ("frozen", "all_gather", "forward"): 1,
        ("cell", "all_gather", "forward"): 2,
        ("cell", "all_gather", "backward"): 1,
        ("cell", "reduce_scatter", "backward"): 1,
    }
    assert all(row.is_certain for row in asked.collectives)
    assert sum(each.count for each in asked.traffic) == 5
    assert "activations" in {term.label for term in asked.peak.terms}
