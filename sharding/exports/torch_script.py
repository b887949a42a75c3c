"""The "torch" kind: a script of torch's own calls (FSDP2) that needs nothing of this project.

Its `shard(model, mesh)` is the plan; around it the process group, the mesh, the model on the meta device where its
modules can initialise themselves, and the optimizer after sharding, which is where people go wrong.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from sharding.apply import refuse_conflicts
from sharding.errors import PlanError
from sharding.exports.carried import Carried
from sharding.exports.joining import JOIN_RANKS
from sharding.exports.torch_calls import Calls, is_hybrid
from sharding.layout import Layout
from sharding.plan import Plan

_NAMES: dict[str, Any] = {
    "os": os,
    "torch": torch,
    "dist": dist,
    **dict.fromkeys(
        ("init_device_mesh", "fully_shard", "replicate", "MixedPrecisionPolicy", "CPUOffloadPolicy", "DeviceMesh")
    ),
    "nn": nn,
    **dict.fromkeys(("shard", "main", "join_ranks", "BUILD")),
}
"""Names the script uses itself."""


def torch_script(plan: Plan, model: nn.Module, *, builder: Callable[[], nn.Module] | None) -> str:
    """The text of the script.

    Args:
        plan: the plan.
        model: what it is resolved on.
        builder: what builds the model in the script; None leaves that to whoever uses its `shard`.

    Raises:
        ConflictError: torch's engine cannot run the plan.
        PlanError: the builder cannot be written into a script.
    """
    layout = plan.resolve(model, engine="torch")
    refuse_conflicts(layout)
    calls = Calls(layout)
    carried = Carried(_NAMES)
    build = None if builder is None else carried.expression(builder, "the builder")
    imports = sorted(
        {"import os", "import torch", "import torch.distributed as dist", "from torch import nn", *carried.imports},
        key=lambda line: line.split()[1],
    )
    parts = [
        _head(layout, build),
        "from __future__ import annotations\n",
        *imports,
        "from torch.distributed.device_mesh import DeviceMesh, init_device_mesh",
        *_torch_imports(calls),
        "",
        *carried.definitions,
        _shard(calls),
        *([] if build is None else [f"\n\nBUILD = {build}", JOIN_RANKS, _main(plan, layout)]),
    ]
    return "\n".join(parts)


def _torch_imports(calls: Calls) -> list[str]:
    fsdp = sorted(calls.uses - {"replicate"})
    lines = [f"from torch.distributed.fsdp import {', '.join(fsdp)}"] if fsdp else []
    if "replicate" in calls.uses:
        lines.append("from torch.distributed._composable.replicate_with_fsdp import replicate")
    return lines


def _head(layout: Layout, build: str | None) -> str:
    name = layout.tree.root.cls_name
    how = (
        "    torchrun --standalone --nproc-per-node 2 this_file.py\n"
        if build is not None
        else "The model was given as an object: build it as you do, call shard(model, mesh), then make the optimizer.\n"
    )
    return (
        f'"""{name} sharded by torch\'s own calls. Written by sharding.export(..., kind="torch") on '
        f'{datetime.date.today()} for torch {torch.__version__}.\n\n{how}"""\n'
    )


def _shard(calls: Calls) -> str:
    lines = calls.lines or ["pass"]
    if "replicate" in calls.uses:
        lines = ["everyone = mesh if mesh.ndim == 1 else mesh._flatten()", *lines]
    body = "\n".join(f"    {line}" for line in lines)
    return (
        "\n\ndef shard(model: nn.Module, mesh: DeviceMesh) -> nn.Module:\n"
        '    """Inside out: what is called first is not touched by what comes later."""\n'
        f"{body}\n    return model"
    )


def _main(plan: Plan, layout: Layout) -> str:
    lines = ["device = join_ranks()", _mesh(plan, layout), *_model(layout)]
    lines += ["optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)  # after sharding: it holds the pieces"]
    lines += ["num_params = len(optimizer.param_groups[0]['params'])"]
    lines += ['print(f"rank {dist.get_rank()} is ready to train {num_params} parameters\\n", end="", flush=True)']
    lines += ["dist.destroy_process_group()"]
    body = "\n".join(f"    {line}" for line in lines)
    return f'\n\ndef main() -> None:\n{body}\n\n\nif __name__ == "__main__":\n    main()\n'


def _mesh(plan: Plan, layout: Layout) -> str:
    shape = plan.mesh_shape
    if shape is not None and len(shape) == 2:
        return f'mesh = init_device_mesh(device.type, {shape}, mesh_dim_names=("replicate", "shard"))'
    if is_hybrid(layout):
        raise PlanError("a hybrid unit needs a mesh of two axes: give the plan defaults(mesh_shape=(replicate, shard))")
    return 'mesh = init_device_mesh(device.type, (dist.get_world_size(),), mesh_dim_names=("shard",))'


def _model(layout: Layout) -> list[str]:
    """The lines that build, shard and initialise."""
    why_not = why_not_on_meta(layout)
    if why_not is not None:
        return [
            f"torch.manual_seed(0)  # built for real on every rank: {why_not}",
            "model = BUILD().to(device)",
            "shard(model, mesh)",
        ]
    return [
        'with torch.device("meta"):  # no memory yet: every rank allocates its own pieces below',
        "    model = BUILD()",
        "shard(model, mesh)",
        "model.to_empty(device=device)",
        "torch.manual_seed(0)",
        "for module in model.modules():",
        '    if hasattr(module, "reset_parameters"):',
        "        module.reset_parameters()",
    ]


def why_not_on_meta(layout: Layout) -> str | None:
    """Why the model cannot begin without memory: something nothing would initialise, or a tie that would break."""
    for row in layout.params.values():
        if len(row.users) > 1:
            return f"{row.name} is tied, and to_empty would make two of it"
    for node in layout.tree.nodes:
        for module in node.modules:
            tensors = {**module._parameters, **module._buffers}
            held = [name for name, tensor in tensors.items() if tensor is not None]
            if held and not hasattr(module, "reset_parameters"):
                return f"{type(module).__name__} has {held[0]} and no reset_parameters()"
    return None
