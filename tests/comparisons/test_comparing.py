"""`compare` on real workers: all engines on one plan, those that cannot, and those that fail."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any

import psutil
import pytest
import torch
from compared_models import WIDTH, Block, Net, Unused, Unwrappable, batches
from torch import nn

from sharding import Comparison, ConflictError, Plan, PlanError, ShippingError, WorkerError, by_class, compare, cost
from sharding.builder import model_of
from sharding.comparisons.comparing import Contest, Progress
from sharding.comparisons.contestants import remarks
from sharding.comparisons.trial import Trial
from sharding.training import Training

PLAN = Plan().fully_shard("", policy=by_class(Block))
ALL = ("flat", "torch", "ddp", "fsdp1")


@functools.cache
def of_all() -> Comparison:
    """All engines on one plan, run once for several tests."""
    return compare(Net, PLAN, engines=ALL, example_inputs=batches, steps=3, rounds=3, backend="gloo", timeout=60)


def test_every_engine_trains_as_the_unsharded_model_does():
    """Losses of every rank in every step, beside the unsharded model on all inputs."""
    found = of_all()
    assert [row.engine for row in found.rows] == [*ALL, "none"]
    assert {row.outcome for row in found.rows} == {"ran"}, found.text()
    reference = found.row("none").losses
    assert [len(each) for each in reference] == [2, 2, 2]
    assert reference[0][0] != reference[0][1]
    for engine in ALL:
        assert len(found.row(engine).losses) == 3
        difference = found.loss_difference(engine)
        assert difference is not None
        assert difference < 1e-5, engine


def test_the_collectives_are_those_the_plan_costs():
    """Count and bytes of the flat engine are the cost model's, of torch's what its own would be: one a unit."""
    found = of_all()
    costs = cost(PLAN.resolve(model_of(Net, verb="compare")), world_size=2)
    wanted = {
        kind: (
            sum(each.count for each in costs.collectives if each.kind == kind),
            sum(each.count * each.nbytes for each in costs.collectives if each.kind == kind),
        )
        for kind in ("all_gather", "reduce_scatter")
    }
    seen = {each.kind: (each.count, each.nbytes) for each in found.row("flat").collectives}
    assert seen == wanted
    for engine in ("flat", "torch"):
        assert set(found.row(engine).predicted or ()) == set(found.row(engine).collectives)
        assert f"{engine}: collectives as predicted, to the byte" in found.text()
    assert found.row("ddp").predicted is None
    others = {engine: {each.kind: each.count for each in found.row(engine).collectives} for engine in ALL[1:]}
    assert others["torch"] == others["fsdp1"] == {"all_gather": 5, "reduce_scatter": 3}
    whole = 4 * sum(param.numel() for param in Net().parameters())
    assert next(each for each in found.row("ddp").collectives if each.kind == "all_reduce").nbytes == whole
    assert found.row("none").collectives == ()


def test_peaks_hold_at_least_what_rests_on_a_rank():
    """Parameters, gradients and both moments: all of it for the unsharded model, about half on each of two ranks."""
    found = of_all()
    numel = sum(param.numel() for param in Net().parameters())
    assert len(found.row("none").peak_nbytes) == 1
    assert found.row("none").peak_nbytes[0] >= 4 * 4 * numel
    for engine in ("flat", "torch", "fsdp1"):
        peaks = found.row(engine).peak_nbytes
        assert len(peaks) == 2
        assert all(4 * 4 * numel / 2 <= peak < found.row("none").peak_nbytes[0] for peak in peaks), engine
    assert min(found.row("ddp").peak_nbytes) >= 4 * 4 * numel


def test_times_are_ratios_of_rounds():
    """One time a round; the base's ratio is 1; the median lies in the middle half."""
    found = of_all()
    assert found.base == "flat"
    assert {len(row.seconds) for row in found.rows} == {3}
    own = found.ratio("flat")
    assert own is not None
    assert (own.median, own.low, own.high) == (1, 1, 1)
    for engine in (*ALL, "none"):
        ratio = found.ratio(engine)
        assert ratio is not None
        assert 0 < ratio.low <= ratio.median <= ratio.high
    one, two = found.ratio("torch"), found.ratio("flat", to="torch")
    assert one is not None
    assert two is not None
    assert one.median * two.median == pytest.approx(1)


def test_an_engine_that_cannot_says_why_and_the_others_run():
    """A replicate inside cannot be said with FSDP1."""
    plan = Plan().fully_shard("").replicate("blocks.0")
    found = compare(Net, plan, engines=("fsdp1", "flat"), example_inputs=batches, steps=1, rounds=0, backend="gloo")
    assert found.row("fsdp1").outcome == "cannot"
    assert "the plan replicates 'blocks.0', and FSDP1 cannot leave a replicate inside" in found.text()
    assert found.loss_difference("flat") == pytest.approx(0, abs=1e-6)
    assert found.base is None
    assert "no times taken" in found.text()


def test_what_differs_by_nature_is_said():
    """Parameters the plan leaves alone, and mixed precision, each from the side of plan and of DDP."""
    bfloat = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
    layout = PLAN.ignore("stem").defaults(mixed_precision=bfloat).resolve(Net())
    assert remarks("flat", layout) == (
        "computes in the plan's mixed precision, the reference does not",
        "the plan leaves 'stem.weight' and 1 more alone: every rank has gradients of its own, the reference their "
        "average",
    )
    assert remarks("ddp", layout) == (
        "without the plan's mixed precision",
        "averages the gradients of 'stem.weight' and 1 more too, which the plan leaves alone",
    )
    assert remarks("none", layout) == ()


def test_mixed_precision_shows_in_the_losses():
    """Its remark stands under the table, and the difference is neither nothing nor everything."""
    plan = PLAN.defaults(mixed_precision={"param_dtype": "bfloat16", "reduce_dtype": "float32"})
    found = compare(Net, plan, engines=("flat",), example_inputs=batches, steps=1, rounds=0, backend="gloo")
    assert "flat: computes in the plan's mixed precision, the reference does not" in found.text()
    difference = found.loss_difference("flat")
    assert difference is not None
    assert 0 < difference < 0.1


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (Plan().fully_shard("blocks.0"), "FSDP1 always makes the root a unit, and this plan does not: mark it"),
        (Plan().fully_shard(["stem", "head"]).fully_shard(""), "one unit of 'stem', 'head': FSDP1 wraps one module"),
        (
            Plan().fully_shard("", mixed_precision={"output_dtype": "float16"}),
            "unit '' asks for outputs in torch.float16, which FSDP1 cannot",
        ),
    ],
    ids=["no root", "list", "output dtype"],
)
def test_what_fsdp1_lacks_is_named(plan, why):
    """Before anything starts; the plan's own engine would run it."""
    with pytest.raises(ConflictError, match=why):
        Contest(_trial(plan=plan), ["fsdp1"])


def test_an_engine_that_fails_loses_nothing_of_the_others():
    """DDP's wrapper breaks this model in its forward; flat comes after it on new ranks."""
    found = compare(Unwrappable, PLAN, engines=("ddp", "flat"), example_inputs=batches, steps=2, rounds=1)
    ddp = found.row("ddp")
    assert (ddp.outcome, ddp.losses, ddp.seconds) == ("failed", (), ())
    assert "RuntimeError: called by a wrapper" in ddp.why
    assert "\n" not in ddp.why
    assert "[rank 0] about to fail" in ddp.output
    assert found.row("flat").seconds
    assert found.base == "flat"


def test_ddp_looks_for_unused_parameters_where_it_must():
    """It fails in its second step, tries again as its message says, and the row says so."""
    found = compare(Unused, PLAN, engines=("ddp", "flat"), example_inputs=batches, steps=2, rounds=1, backend="gloo")
    ddp = found.row("ddp")
    assert ddp.outcome == "ran", found.text()
    assert ddp.seconds
    assert ddp.remarks == ("with find_unused_parameters=True: not every parameter is used in every forward",)
    assert found.loss_difference("ddp") == pytest.approx(0, abs=1e-6)


def build_twice() -> nn.Module:
    """Ends its process when it is built for the third time there: on rank 0, in the turn of the first engine."""
    os.environ["BUILT_BEFORE"] = built = str(int(os.environ.get("BUILT_BEFORE", "0")) + 1)
    if built == "3":
        os._exit(7)
    return Net()


def test_where_no_times_can_be_taken_the_rest_stays():
    """Every contestant that fails in its turn goes without a time; all else of its row stays."""
    found = compare(build_twice, PLAN, engines=("flat",), example_inputs=batches, steps=1, rounds=1, backend="gloo")
    assert {row.engine: row.outcome for row in found.rows}["flat"] == "ran"
    assert found.row("flat").losses
    assert found.row("flat").why.startswith("no time taken: rank ")


def test_a_model_given_by_value_stays_as_it_was():
    """It travels; what the ranks do to their copies does not come back, and every engine starts from its values."""
    model = Net()
    before = [param.detach().clone() for param in model.parameters()]
    found = compare(model, PLAN, engines=("flat",), example_inputs=batches, steps=2, rounds=1, backend="gloo")
    assert found.loss_difference("flat") == pytest.approx(0, abs=1e-6)
    assert all(torch.equal(one, two) for one, two in zip(before, model.parameters(), strict=True))
    with torch.no_grad():
        first = model(batches(0, 0)).square().mean().item()
    assert found.row("flat").losses[0][0] == pytest.approx(first)


def own_step(model: nn.Module, optimizer: torch.optim.Optimizer, rank: int, step: int) -> dict[str, Any]:
    """Reports no loss."""
    optimizer.zero_grad()
    model(batches(rank, step)).sum().backward()
    optimizer.step()
    return {"accuracy": 1.0}


def test_a_step_of_ones_own_has_no_reference():
    """The unsharded row says so, and there is no difference to show."""
    found = compare(Net, PLAN, engines=("flat",), step=own_step, steps=1, rounds=0, backend="gloo")
    assert found.row("none").outcome == "cannot"
    assert found.row("none").why == "a step of your own cannot be averaged over the ranks' inputs"
    assert found.row("flat").losses == ()
    assert found.loss_difference("flat") is None
    assert found.row("flat").collectives


def wrong_width(rank: int, step: int) -> torch.Tensor:
    return torch.ones(2, WIDTH + 1)


def test_when_nobody_gets_through_the_first_error_is_raised():
    """A mistake of the user's is an exception and not a table of failures; no worker is left."""
    contest = Contest(_trial(example_inputs=wrong_width), ["flat"], backend="gloo")
    with pytest.raises(RuntimeError, match=r"rank . of 2.*shapes cannot be multiplied"):
        contest.run()
    pids = [pid for pid in contest._workers.pids if pid is not None]
    assert not any(map(psutil.pid_exists, pids))
    assert "closed" in repr(contest._workers)


def test_what_cannot_travel_is_refused():
    """As for a run: the path to what cannot be pickled."""
    model = Net()
    model.lock = threading.Lock()
    with pytest.raises(ShippingError, match=r"\.lock"):
        compare(model, PLAN, engines=("flat",), example_inputs=batches, steps=1, backend="gloo")


def test_it_can_be_stopped_from_another_thread():
    """`interrupt` ends it: `run` raises, and says so."""
    contest = Contest(_trial(steps=100_000), ["flat"], backend="gloo", tell=lambda seen: _stop_at(seen, contest))
    with pytest.raises(WorkerError, match="the comparison was stopped"):
        contest.run()


def _stop_at(seen: Progress, contest: Contest) -> None:
    if seen.done:
        contest.interrupt()


def test_progress_is_told_to_the_end():
    """Parts only grow; the last is the whole."""
    told: list[Progress] = []
    contest = Contest(_trial(steps=2), ["flat"], backend="gloo", tell=told.append)
    contest.run()
    done = [each.done for each in told]
    assert done == sorted(done)
    assert told[-1].total == contest.total
    assert {each.doing for each in told} == {"flat alone", "none alone", "in turns"}


def _trial(*, plan: Plan = PLAN, steps: int = 1, **parts: Any) -> Trial:
    return Trial(Training(Net, **{"example_inputs": batches, **parts}), plan, steps, rounds=1)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"engines": ()}, "compare needs at least one engine; choose from 'flat', 'torch', 'ddp', 'fsdp1', 'none'"),
        ({"engines": ("flatt",)}, "unknown engine 'flatt'; did you mean 'flat'?"),
        ({"engines": ("deepspeed",)}, "unknown engine 'deepspeed'; choose from 'flat'"),
        ({"engines": ("flat", "flat")}, "engine 'flat' is named twice; every engine takes part once"),
        ({"steps": 0}, "steps=0: give a whole number, 1 or more"),
        ({"rounds": -1}, "rounds=-1: give a whole number, 0 or more"),
        ({"example_inputs": None}, "compare needs something to feed the model: example_inputs=x"),
        ({"step": own_step, "loss": len}, "step replaces loss: give one of them"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, text):
    """Before any worker starts."""
    with pytest.raises(PlanError, match=text.replace("?", r"\?").replace("(", r"\(")):
        compare(Net, PLAN, **{"example_inputs": batches, **settings})


def annotated() -> nn.Module:
    """A builder that uses a verb itself."""
    from sharding import fully_shard

    return fully_shard(Net())


@pytest.mark.parametrize(
    ("given", "plan", "text"),
    [
        (Net, {"": "plan"}, "compare takes a sharding.Plan, got dict"),
        (3, PLAN, "compare takes a module or a function that builds one, got int"),
        (Net, Plan().fully_shard("blokcs"), "'blokcs'.*blocks"),
        (annotated, PLAN, "the builder annotates its model already"),
        (Net, PLAN.defaults(mesh_shape=(2, 2)), "a mesh of 2 x 2 ranks, but nprocs=2; give nprocs=4, or set"),
    ],
    ids=["plan", "model", "name", "annotated", "mesh"],
)
def test_what_cannot_be_compared_is_refused(given, plan, text):
    """What is no plan, no model, or names what is not there."""
    with pytest.raises(PlanError, match=text):
        compare(given, plan, example_inputs=batches)


def test_a_plan_that_no_engine_runs_is_refused_with_each_ones_reason():
    """Nothing is started for the reference alone."""
    plan = Plan().fully_shard("stem").fully_shard(["stem", "head"])
    with pytest.raises(
        ConflictError, match=r"(?s)none of the engines asked for can run this plan:\n- flat: .*- torch: "
    ):
        compare(Net, plan, example_inputs=batches)
