"""Runs on real workers: what is trained, what the page is told, and how a run ends."""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Any

import psutil
import pytest
import torch
from explored_models import GPT, Block, Mod
from recording_comm import page_sends
from torch import nn

from explorer import explore
from explorer.runs import MAX_RATE, Run
from sharding.errors import PlanError, ShippingError, WorkerError
from sharding.plan import Plan
from sharding.policy import by_class
from sharding.training import default_loss, inputs_of

LIMIT_S = 60


def build() -> nn.Module:
    return GPT(depth=2, tied=True)


def tokens(rank: int, step: int) -> torch.Tensor:
    """Different for every rank and step."""
    return torch.randint(0, 16, (3, 5), generator=torch.Generator().manual_seed(100 * step + rank))


def cross_entropy(output: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return nn.functional.cross_entropy(output.flatten(0, 1), ids.flatten())


def until(run: Run, reached: Any) -> None:
    """Wait, with a limit, until a run that goes on has come that far."""
    limit = time.monotonic() + LIMIT_S
    while not reached() and time.monotonic() < limit:
        assert not run.wait(0.02), run.error
    assert reached()


def nothing_is_left(run: Run) -> bool:
    """No rank and no thread of the run."""
    names = [thread.name for thread in threading.enumerate() if thread.name == f"explorer-run-{run.id}"]
    children = [child for child in psutil.Process().children(recursive=True) if child.status() != "zombie"]
    ranks = [child for child in children if child.pid in set(filter(None, run._workers.pids))]
    return not ranks and not (names and not run._thread.join(5) and run._thread.is_alive())


@pytest.mark.parametrize(
    "plan",
    [
        Plan().fully_shard("", policy=by_class(Block)),
        Plan().fully_shard("").replicate("h.0").fully_shard("h.1.up", strategy="shard_grad_op"),
    ],
    ids=["policy", "mixed"],
)
def test_a_run_trains_as_the_unsharded_model_does(plan):
    """Two ranks with inputs of their own: the mean of their losses is the loss of the model that is not sharded."""
    ex = explore(build, plan=plan, example_inputs=tokens, loss=cross_entropy, view="text")
    run = ex.run(nprocs=2, steps=3, reference=True)
    results = run.result(LIMIT_S)
    assert (run.phase, run.done, ex.runs) == ("done", True, (run,))
    assert [row[0] for row in run.losses] == [1, 2, 3]
    assert [[row[1 + rank] for row in run.losses] for rank in (0, 1)] == [each["losses"] for each in results]
    assert run.losses[0][1] != run.losses[0][2]
    torch.testing.assert_close([sum(row[1:]) / 2 for row in run.losses], run.reference)
    assert nothing_is_left(run)


def test_the_events_of_the_first_step_are_those_of_the_plan():
    """Units are gathered in the forward in the order they run; the page gets rank 0's as short rows."""
    ex = explore(Mod, example_inputs=torch.ones(2, 4), view="text")
    ex.fully_shard("")
    ex.fully_shard("submod1")
    ex.fully_shard("submod2")
    run = ex.run(steps=2)
    run.result(LIMIT_S)
    assert {row[0] for row in run.events[0]} == {1, 2}
    first = [row[1:4] for row in run.events[1] if row[0] == 1]
    gathered = [unit for phase, kind, unit in first if (phase, kind) == ("F", "G")]
    assert gathered == ["submod1", "submod2"]
    assert [unit for _, kind, unit in first if kind == "S"] == ["submod2", "submod1"]
    assert run.state().events == [row[1:] for row in run.events[0]]


def test_the_page_follows_a_run_it_started(recorded):
    """Command, batches with rising numbers, and the whole run in the trait at the end."""
    ex = explore(build, plan=Plan().fully_shard(""), example_inputs=tokens, view="widget")
    widget = ex.widget
    page_sends(widget, {"id": 1, "cmd": "run", "nprocs": 2, "steps": 4})
    ex._session.turns.ask(lambda: None)
    (run,) = ex.runs
    first = json.loads(next(update["run"] for update in widget.comm.updates if "run" in update))
    assert (first["id"], first["phase"], first["nprocs"], first["steps"]) == ("r1", "starting", 2, 4)
    run.result(LIMIT_S)
    replies = [each for each in widget.comm.posted if each["type"] == "reply"]
    assert replies == [{"type": "reply", "id": 1, "ok": True, "rev": 0}]
    batches = [each for each in widget.comm.posted if each["type"] == "run"]
    assert [each["seq"] for each in batches] == list(range(1, len(batches) + 1))
    assert [row for each in batches for row in each["losses"]] == run.losses
    assert len(batches) <= MAX_RATE * run.seconds + 2
    last = json.loads(widget.run)
    assert (last["phase"], last["step"], last["backend"], last["devices"]) == ("done", 4, "gloo", "cpu")
    assert last["losses"] == run.losses
    assert last["error"] is None


def shout(model: nn.Module, optimizer: Any, rank: int, step: int) -> dict[str, Any]:
    """A step of one's own: prints, and measures something else."""
    print("hello from", rank)
    return {"accuracy": 0.5 + rank, "loss": float("nan")}


def test_a_step_of_ones_own_gives_metrics_and_its_output_is_kept(recorded):
    """No inputs and no loss are needed; a loss that is not finite stays readable for the page."""
    ex = explore(Mod, step=shout, view="widget")
    widget = ex.widget
    run = ex.run(steps=2)
    results = run.result(LIMIT_S)
    assert results[1]["metrics"][0]["accuracy"] == 1.5
    assert run.losses[0][1] != run.losses[0][1]
    assert "hello from 1" in run.output
    state = json.loads(widget.run)
    assert state["losses"] == [[1, None, None], [2, None, None]]
    assert sorted(state["log"]) == [[rank, f"hello from {rank}"] for rank in (0, 0, 1, 1)]


def bad_on_rank_1(rank: int, step: int) -> torch.Tensor:
    if rank == 1 and step == 1:
        raise ValueError("no more data")
    return torch.ones(2, 4)


def test_an_error_of_a_rank_is_readable_and_the_next_run_works(recorded):
    """Its own class, with the rank; the page gets a title and the user's lines; nothing is left."""
    ex = explore(Mod, plan=Plan().fully_shard(""), example_inputs=bad_on_rank_1, view="widget")
    widget = ex.widget
    run = ex.run(steps=3)
    with pytest.raises(ValueError, match="rank 1 of 2"):
        run.result(LIMIT_S)
    state = json.loads(widget.run)
    assert (run.phase, state["phase"]) == ("failed", "failed")
    assert "rank 1 of 2" in state["error"]["title"]
    assert "ValueError: no more data" in state["error"]["title"]
    assert "bad_on_rank_1" in state["error"]["detail"]
    assert "in train" not in state["error"]["detail"]
    assert nothing_is_left(run)
    assert ex.run(steps=1).wait(LIMIT_S)
    assert [each.phase for each in ex.runs] == ["failed", "done"]


def endless(model: nn.Module, optimizer: Any, rank: int, step: int) -> dict[str, Any]:
    """One step, then a rank that is busy for good."""
    while step > 0:
        pass
    return {"loss": 1.0}


@pytest.mark.parametrize("how", ["python", "page"])
def test_stop_ends_a_run_and_leaves_nothing(recorded, how):
    """From the page and from Python; meanwhile a second run is refused."""
    ex = explore(Mod, step=endless, view="widget")
    widget = ex.widget
    run = ex.run(steps=5)
    until(run, lambda: run.losses)
    with pytest.raises(PlanError, match="run r1 is still going"):
        ex.run()
    with pytest.raises(WorkerError, match="is not over after"):
        run.result(timeout=0.01)
    if how == "python":
        ex.stop()
    else:
        page_sends(widget, {"id": 5, "cmd": "stop"})
        assert {"type": "reply", "id": 5, "ok": True, "rev": 0} in widget.comm.posted
    assert run.wait(LIMIT_S)
    assert run.phase == "stopped"
    assert json.loads(widget.run)["phase"] == "stopped"
    assert nothing_is_left(run)
    with pytest.raises(WorkerError, match="interrupt"):
        run.result()
    ex.stop()


def test_a_rank_that_dies_is_told_without_words_about_a_next_call(recorded):
    """The workers of a run are closed with it: what the next call would find is nobody's business."""

    def dies_on_one(output: torch.Tensor, inputs: Any) -> torch.Tensor:
        if torch.distributed.get_rank() == 1:
            os._exit(3)
        return output.sum()

    ex = explore(Mod, plan=Plan().fully_shard(""), example_inputs=torch.ones(2, 4), loss=dies_on_one)
    ex._repr_mimebundle_()
    run = ex.run(steps=1)
    with pytest.raises(WorkerError, match="exited with status 3"):
        run.result(LIMIT_S)
    shown = json.loads(ex.widget.run)["error"]
    assert shown["title"] == "The workers failed"
    assert shown["detail"].startswith("rank 1 of 2 (pid ")
    assert all(line.startswith("also rank 0") for line in shown["detail"].splitlines()[1:])


def test_a_model_that_holds_itself_is_trained():
    """Torch's own `to` never ends on such a model; a run does not ask for it where nothing has to move."""

    def circular() -> nn.Module:
        model = Mod()
        model.submod1.up = model
        return model

    ex = explore(circular, plan=Plan().fully_shard(""), example_inputs=torch.ones(2, 4), view="text")
    run = ex.run(steps=2)
    run.result(LIMIT_S)
    assert run.losses[0] != run.losses[1]


def test_edits_do_not_wait_for_a_run():
    """The plan of a run is the one it was started with."""
    ex = explore(Mod, step=endless, view="text")
    ex.fully_shard("")
    run = ex.run(steps=5)
    until(run, lambda: run.losses)
    ex.replicate("submod1")
    assert run.plan == Plan().fully_shard("")
    assert not run.done
    ex.stop()
    assert run.done


def test_a_module_travels_by_value_and_stays_as_it_was():
    """The weights trained are the module's own; those in the notebook do not move."""
    torch.manual_seed(3)
    model = Mod()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    ex = explore(model, plan=Plan().fully_shard(""), example_inputs={"x": torch.ones(2, 4)}, view="text")
    run = ex.run(steps=2)
    run.result(LIMIT_S)
    torch.testing.assert_close(run.losses[0][1], model(torch.ones(2, 4)).square().mean().item())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_a_module_that_cannot_travel_proposes_a_builder():
    """Said before any worker starts."""
    model = Mod()
    model.lock = threading.Lock()
    ex = explore(model, example_inputs=torch.ones(2, 4), view="text")
    with pytest.raises(ShippingError, match=r"(?s)lock.*explore\(build\)"):
        ex.run()
    assert ex.runs == ()


def test_a_sharded_model_is_read_but_does_not_travel():
    """A live model starts from what was applied to it; its pieces stay here."""
    from sharding.flat import fully_shard, replicate

    model = Mod()
    replicate(model.submod1)
    fully_shard(model)
    ex = explore(model, example_inputs=torch.ones(2, 4), view="text")
    assert [row.status for row in ex.layout.modules] == ["fully_shard", "replicate", "in_unit", "in_unit"]
    with pytest.raises(PlanError, match="live annotations"):
        ex.run()


def test_inputs_and_the_default_loss():
    """A tensor, a tuple, a dict or a function; `output.loss`, or the mean square of the output."""
    cpu = torch.device("cpu")
    x = torch.ones(2)
    assert inputs_of(x, 0, 0, cpu) is x
    assert inputs_of((x, [x, 3]), 0, 0, cpu) == (x, (x, 3))
    assert inputs_of({"x": x}, 0, 0, cpu) == {"x": x}
    assert inputs_of(lambda rank, step: (rank, step), 2, 5, cpu) == (2, 5)
    assert default_loss(2 * x).item() == 4
    assert default_loss((x, 3)).item() == 1
    assert default_loss({"loss": 3 * x.sum()}).item() == 6
    with pytest.raises(PlanError, match=r"no loss can be made from Tensor; give explore loss="):
        default_loss(torch.ones(2, dtype=torch.long))
