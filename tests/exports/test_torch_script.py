"""The script of torch's own calls: what it says, and that it makes the same units as the plan."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
import torchrun
from exported_models import Block, Decoder, Odd, tied
from torch import nn

from sharding import ConflictError, Plan, PlanError, by_class, run
from sharding.builder import model_of
from sharding.exports.exporting import export

POLICY = Plan().fully_shard("", policy=by_class(Block))
BFLOAT = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}

UNITS = [
    (Decoder, POLICY),
    (tied, POLICY),
    (tied, Plan().fully_shard("").fully_shard("norm").ignore("embed")),
    (Decoder, POLICY.fully_shard("layers.*.up", reshard_after_forward=False).fully_shard("layers.2.down")),
    (Decoder, Plan().fully_shard("").fully_shard("layers.*").fully_shard(["norm", "head"])),
    (Decoder, Plan().fully_shard("").replicate("layers.1").fully_shard("layers.1.up").ignore("layers.2.norm")),
    (Decoder, Plan().fully_shard("layers.*", mixed_precision=BFLOAT, strategy="shard_grad_op").ignore("layers.*.norm")),
    (Decoder, Plan().fully_shard("").ignore("head.weight").fully_shard("layers.0", cpu_offload=True)),
    (Odd, Plan().fully_shard("").fully_shard("parts.*").fully_shard("a-b").fully_shard("a-b.2")),
    (Odd, Plan().fully_shard("").ignore("scale").fully_shard(["parts.1", "a-b.0"])),
]


def functions_of(text: str) -> dict[str, Any]:
    """The script, imported and not run."""
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), names)
    return names


def units_made(text: str, build: Any) -> dict[tuple[str, ...], dict[str, Any]]:
    """What torch's own calls made of a fresh model, on this rank: parameters of each call, by its modules."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import FSDPModule

    from sharding.native.torch_private import param_groups_of

    model = build()
    names = {id(module): name for name, module in model.named_modules()}
    functions_of(text)["shard"](model, init_device_mesh("cpu", (torch.distributed.get_world_size(),)))
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for module in model.modules():
        for group in param_groups_of(module) if isinstance(module, FSDPModule) else ():
            infos = [each._module_info for each in group.fsdp_params]
            members = tuple(sorted(names[id(each)] for each in group.modules))
            found[members] = {
                "params": [f"{names[id(info.module)]}.{info.param_name}".lstrip(".") for info in infos],
                "reshards": group._reshard_after_forward,
                "dtype": str(group.mp_policy.param_dtype),
                "offloads": type(group.offload_policy).__name__ == "CPUOffloadPolicy",
            }
    return found


def all_units_made(cases: list[tuple[str, Any]]) -> list[dict[tuple[str, ...], dict[str, Any]]]:
    """Every case on this rank, one after the other."""
    return [units_made(text, build) for text, build in cases]


def units_planned(build: Any, plan: Plan) -> dict[tuple[str, ...], dict[str, Any]]:
    """The layout's unit table for torch's engine."""
    layout = plan.resolve(model_of(build, verb="export"), engine="torch")
    table: dict[tuple[str, ...], dict[str, Any]] = {}
    for unit in layout.units:
        options = unit.annotation.options
        keeps = options.reshard_after_forward is False or options.strategy == "shard_grad_op" or unit.is_root
        dtype = getattr(options.mixed_precision, "param_dtype", None)
        table[tuple(sorted(unit.fqns))] = {
            "params": list(unit.param_names),
            "reshards": not keeps,
            "dtype": str(dtype),
            "offloads": options.cpu_offload,
        }
    for group in layout.replicate_groups:
        table[(group.fqn,)] = {"params": list(group.param_names)}
    return {members: unit for members, unit in table.items() if unit["params"]}


def test_the_script_makes_the_units_of_the_plan():
    """On two ranks: every call's parameters in their order, reshard choice, precision and offload; nothing else."""
    cases = [(export(plan, build, kind="torch"), build) for build, plan in UNITS]
    for seen in run(all_units_made, cases, nprocs=2, backend="gloo", timeout=60):
        for (build, plan), made in zip(UNITS, seen, strict=True):
            planned = units_planned(build, plan)
            assert made.keys() == planned.keys(), plan
            assert {members: {name: made[members][name] for name in planned[members]} for members in made} == planned


def calls_of(plan: Plan, build: Any) -> str:
    """The lines of `shard` after its docstring."""
    text = export(plan, build, kind="torch")
    return text[text.index("def shard") : text.index("    return model")].split('"""\n', 1)[1]


def test_equal_neighbours_are_one_loop():
    """Bottom up, explicit choices, inner loops inside."""
    plan = POLICY.fully_shard(["norm", "head"])
    assert calls_of(plan, Decoder) == (
        "    for layer in model.layers:\n"
        "        fully_shard(layer, mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard([model.norm, model.head], mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard(model, mesh=mesh, reshard_after_forward=False)\n"
    )


def test_a_layer_that_differs_breaks_the_loop():
    """The layers before and after it are slices."""
    plan = POLICY.fully_shard("layers.2", strategy="shard_grad_op").fully_shard("layers.*.up")
    assert calls_of(plan, partial(Decoder, 5)) == (
        "    for layer in model.layers[0:2]:\n"
        "        fully_shard(layer.up, mesh=mesh, reshard_after_forward=True)\n"
        "        fully_shard(layer, mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard(model.layers[2].up, mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard(model.layers[2], mesh=mesh, reshard_after_forward=False)\n"
        "    for layer in model.layers[3:5]:\n"
        "        fully_shard(layer.up, mesh=mesh, reshard_after_forward=True)\n"
        "        fully_shard(layer, mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard(model, mesh=mesh, reshard_after_forward=False)\n"
    )


def test_names_that_are_no_words_are_reached_otherwise():
    """Keys of a dict, `getattr` for the rest; what a call must leave out is named from where it is."""
    plan = Plan().fully_shard("").fully_shard("parts.*").fully_shard("a-b.2").ignore("scale")
    assert calls_of(plan, Odd) == (
        "    fully_shard(model.parts['1'], mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard(model.parts['class'], mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard(getattr(model, 'a-b')[2], mesh=mesh, reshard_after_forward=True)\n"
        "    fully_shard(model, mesh=mesh, reshard_after_forward=False, "
        "ignored_params={model.get_parameter(name) for name in ('scale',)})\n"
    )


def test_the_model_begins_without_memory_only_where_it_can():
    """Ties and modules that cannot initialise themselves are built for real, and the script says why."""
    assert 'with torch.device("meta")' in export(POLICY, Decoder)
    assert "built for real on every rank: embed.weight is tied" in export(POLICY, tied)
    text = export(Plan().fully_shard(""), Odd)
    assert "built for real on every rank: Odd has scale and no reset_parameters()" in text


def test_a_mesh_of_two_axes_is_made():
    """Hybrid: axis 0 replicates."""
    plan = Plan().fully_shard("", strategy="hybrid_shard").defaults(mesh_shape=(2, 2))
    text = export(plan, Decoder)
    assert 'mesh = init_device_mesh(device.type, (2, 2), mesh_dim_names=("replicate", "shard"))' in text


def test_a_live_module_gives_the_function_alone():
    """Nothing pretends to build it."""
    text = export(POLICY, Decoder(2))
    assert "The model was given as an object: build it as you do, call shard(model, mesh)" in text
    assert "def main" not in text
    assert set(functions_of(text)) >= {"shard"}


def test_what_torch_cannot_run_is_refused():
    """With the engine's own words, and before anything is written."""
    with pytest.raises(ConflictError, match="'no_shard', which torch's fully_shard does not have"):
        export(Plan().fully_shard("", strategy="no_shard"), Decoder)
    with pytest.raises(PlanError, match="a hybrid unit needs a mesh of two axes"):
        export(Plan().fully_shard("", strategy="hybrid_shard"), Decoder)


def test_it_runs_under_torchrun(tmp_path: Path):
    """The whole of it: mesh, meta, shard, memory, optimizer."""
    script = tmp_path / "fsdp.py"
    script.write_text(export(POLICY, Decoder, kind="torch"))
    ended = torchrun.one_machine(script)
    assert ended.returncode == 0, ended.stderr[-3000:]
    count = len(list(Decoder().parameters()))
    lines = sorted(line for line in ended.stdout.splitlines() if line.startswith("rank"))
    assert lines == [f"rank {rank} is ready to train {count} parameters" for rank in (0, 1)]


def deep(depth: int) -> nn.Module:
    """Lists in lists: every level is a loop in a loop."""
    return nn.Linear(2, 2) if depth == 0 else nn.Sequential(deep(depth - 1), deep(depth - 1))


def test_loops_lie_in_loops():
    """64 units in a dozen lines."""
    lines = calls_of(Plan().fully_shard("", policy=by_class(nn.Linear)), partial(deep, 6)).splitlines()
    assert [line.strip().split(" in ")[0] for line in lines[:6]] == [
        "for module",
        *(f"for module{number}" for number in range(2, 7)),
    ]
    assert len(lines) == 8
