"""The exported script under real torchrun: the losses of the notebook's run, two machines, and how it fails."""

from __future__ import annotations

import contextlib
import io
import json
import types
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torchrun
from exported_models import Block, Decoder, cross_entropy, failing, tied, tokens

from explorer import explore
from sharding import Plan, by_class, run
from sharding.exports.exporting import export

POLICY = Plan().fully_shard("", policy=by_class(Block))
MIXED = Plan().fully_shard("", strategy="shard_grad_op").replicate("norm").fully_shard("layers.*")
SETTINGS: dict[str, Any] = {"example_inputs": tokens, "loss": cross_entropy, "steps": 3, "lr": 0.01, "seed": 5}


def notebook_losses(build: Any, plan: Plan, engine: str) -> list[list[float]]:
    """What `ex.run` reports."""
    ex = explore(build, plan=plan, example_inputs=tokens, loss=cross_entropy, view="text")
    run = ex.run(nprocs=2, steps=3, lr=0.01, seed=5, engine=engine, backend="gloo")
    return [each["losses"] for each in run.result(60)]


@pytest.mark.parametrize("engine", ["flat", "torch"])
def test_it_gives_exactly_the_losses_of_the_notebook(engine, tmp_path):
    """Every rank, every step, bit for bit; dropout included."""
    script = tmp_path / "train.py"
    script.write_text(export(POLICY, Decoder, kind="torchrun", engine=engine, **SETTINGS))
    ended = torchrun.one_machine(script)
    assert ended.returncode == 0, ended.stderr[-3000:]
    found = torchrun.losses_of(ended.stdout)
    assert [len(each) for each in found] == [3, 3]
    assert found == notebook_losses(Decoder, POLICY, engine)
    assert found[0] != found[1]


def test_it_runs_on_two_machines(tmp_path):
    """Two agents, one rendezvous, one process each, tied weights and a replicate: the notebook's losses again."""
    script = tmp_path / "train.py"
    script.write_text(export(MIXED, tied, kind="torchrun", **SETTINGS))
    ended = torchrun.machines(script)
    assert [status for status, _, _ in ended] == [0, 0], [stderr[-2000:] for _, _, stderr in ended]
    found = torchrun.losses_of("\n".join(stdout for _, stdout, _ in ended))
    assert found == notebook_losses(tied, MIXED, "flat")


def test_a_rank_that_fails_leaves_an_error_file(tmp_path):
    """Elastic's error.json of that rank has the message and the script's own line."""
    script = tmp_path / "train.py"
    script.write_text(export(POLICY, Decoder, kind="torchrun", **{**SETTINGS, "example_inputs": failing}))
    ended = torchrun.one_machine(script, 2, "--log-dir", str(tmp_path / "logs"))
    assert ended.returncode != 0
    (error_file,) = [path for path in (tmp_path / "logs").rglob("error.json") if path.parent.name == "1"]
    error = json.loads(error_file.read_text())["message"]
    assert error["message"] == "FileNotFoundError: no shard of data for rank 1"
    assert "train.py" in error["extraInfo"]["py_callstack"]
    assert "no shard of data for rank 1" in ended.stderr


def test_the_command_in_its_head_is_for_the_plan(tmp_path):
    """As many processes as the mesh has, the file's name, what must be importable."""
    plan = Plan().fully_shard("", strategy="hybrid_shard").defaults(mesh_shape=(2, 4))
    text = export(plan, Decoder, kind="torchrun", name="pretrain.py", **SETTINGS)
    assert "torchrun --standalone --nproc-per-node 8 pretrain.py" in text
    assert "torchrun --nnodes 2 --nproc-per-node 4 --rdzv-backend c10d" in text
    assert "Needs torch and sharding and exported_models where it runs." in text
    assert "from exported_models import Decoder" in text
    assert "PLAN = Plan().defaults(mesh_shape=(2, 4)).fully_shard('', strategy='hybrid_shard')" in text


def run_main(text: str) -> str:
    """The script's `main` on a rank that has its process group already; what it prints."""
    names: dict[str, Any] = {"__name__": "train"}
    exec(compile(text, "train.py", "exec"), names)
    names["join_ranks"] = lambda: torch.device("cpu")
    names["dist"] = types.SimpleNamespace(get_rank=dist.get_rank, destroy_process_group=lambda: None)
    with contextlib.redirect_stdout(io.StringIO()) as heard:
        names["main"]()
    return heard.getvalue()


def count_up(model: Any, optimizer: Any, rank: int, step: int) -> dict[str, Any]:
    """A step of one's own."""
    optimizer.zero_grad()
    output = model(tokens(rank, step))
    output.square().mean().backward()
    optimizer.step()
    return {"loss": float(step), "size": output.numel()}


def test_a_step_of_ones_own_is_the_loop():
    """Its metrics are what is printed; policies that are functions travel as the names they chose."""
    plan = Plan().fully_shard("", policy=lambda module, recurse, nonwrapped_numel: recurse or isinstance(module, Block))
    text = export(plan, Decoder, kind="torchrun", step=count_up, steps=2)
    assert "metrics = STEP(model, optimizer, rank, step)" in text
    assert "loss_on" not in text
    heard = run(run_main, text, nprocs=2, backend="gloo", timeout=60)
    rows = [json.loads(line) for line in heard[1].splitlines()]
    assert rows == [{"rank": 1, "step": step + 1, "loss": float(step), "size": 165} for step in (0, 1)]
