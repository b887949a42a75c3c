"""The "torchrun" kind: one file that trains by the plan wherever `torchrun` starts it, as `ex.run` does.

The loop is written out, so that it can be changed; seeds, inputs and losses come from the same functions as a run's,
so that it gives the same losses. With @record a rank that fails leaves elastic's error.json behind.
"""

from __future__ import annotations

import datetime
import json
import math
import os
import re
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.elastic.multiprocessing.errors import record

import sharding
from sharding.errors import PlanError
from sharding.exports.carried import Carried
from sharding.exports.joining import JOIN_RANKS
from sharding.plan import Plan
from sharding.training import Training, inputs_of, loss_on, seed_step

_NAMES: dict[str, Any] = {
    "json": json,
    "os": os,
    "torch": torch,
    "dist": dist,
    "record": record,
    **{name: getattr(sharding, name) for name in ("Plan", "by_class", "by_name", "by_size")},
    "inputs_of": inputs_of,
    "loss_on": loss_on,
    "seed_step": seed_step,
    **dict.fromkeys(("PLAN", "ENGINE", "STEPS", "LR", "SEED", "BUILD", "INPUTS", "LOSS", "STEP", "main", "join_ranks")),
}
"""Names the script uses itself."""
_PLAN_WORDS = ("Plan", "by_class", "by_name", "by_size")


@dataclass(frozen=True)
class Settings:
    """How the script trains: engine, number of AdamW steps, and for how many ranks the command in its head is."""

    engine: str = "flat"
    steps: int = 10
    nprocs: int = 2


def torchrun_script(plan: Plan, training: Training, settings: Settings, *, name: str = "train.py") -> str:
    """The text of the script.

    Args:
        plan: without policies that are functions.
        training: model and parts of a step; the model must be a builder.
        settings: how it trains.
        name: the file's name in the command.

    Raises:
        PlanError: the model is a live module, there are no inputs, or something cannot be written into a script.
    """
    if isinstance(training.given, nn.Module):
        raise PlanError(
            f"a script has to build the model on every rank, and a live {type(training.given).__name__} cannot be "
            "written into it: give the function that builds it"
        )
    if training.step is None and training.example_inputs is None:
        raise PlanError(
            "a script needs something to feed the model: example_inputs=x, a tuple, a dict or f(rank, step); or a "
            "whole step=f(model, optimizer, rank, step)"
        )
    carried = Carried(_NAMES)
    build = carried.expression(training.given, "the builder")
    parts, step = _step(carried, training)
    imports = sorted({"import json", "import os", "import torch", "import torch.distributed as dist", *carried.imports})
    uses = [name for name in ("inputs_of", "loss_on", "seed_step") if f"{name}(" in step + _MAIN]
    return "\n".join(
        [
            _head(plan, carried, settings.nprocs, name),
            "from __future__ import annotations\n",
            *imports,
            "from torch.distributed.elastic.multiprocessing.errors import record\n",
            f"from sharding import {', '.join(_words(plan))}",
            f"from sharding.training import {', '.join(uses)}\n",
            *carried.definitions,
            _constants(plan, training, settings),
            f"BUILD = {build}",
            *parts,
            JOIN_RANKS,
            _MAIN.format(step=step),
        ]
    )


def _words(plan: Plan) -> list[str]:
    """What the text of the plan is made of."""
    text = _plan_text(plan)
    return [word for word in _PLAN_WORDS if word == "Plan" or re.search(rf"\b{word}\(", text)]


def _step(carried: Carried, training: Training) -> tuple[list[str], str]:
    """What a step is made of, by name; and the lines of one step, as deep as the loop's body."""
    if training.step is not None:
        own = carried.expression(training.step, "step")
        return [f"STEP = {own}"], "        metrics = STEP(model, optimizer, rank, step)"
    inputs = carried.expression(training.example_inputs, "example_inputs")
    loss = "None" if training.loss is None else carried.expression(training.loss, "loss")
    lines = [
        "        optimizer.zero_grad()",
        "        loss = loss_on(model, inputs_of(INPUTS, rank, step, device), LOSS)",
        "        loss.backward()",
        "        optimizer.step()",
        '        metrics = {"loss": loss.detach().item()}',
    ]
    return [f"INPUTS = {inputs}", f"LOSS = {loss}"], "\n".join(lines)


def _head(plan: Plan, carried: Carried, nprocs: int, name: str) -> str:
    if plan.mesh_shape is not None:
        nprocs = math.prod(plan.mesh_shape)
    half = -(-nprocs // 2)
    needed = " and ".join(["torch", "sharding", *(each for each in carried.modules if each != "sharding")])
    return f'''"""Training by a plan. Written by sharding.export(..., kind="torchrun") on {datetime.date.today()}.

One machine:
    torchrun --standalone --nproc-per-node {nprocs} {name}
Several, the same on each:
    torchrun --nnodes 2 --nproc-per-node {half} --rdzv-backend c10d --rdzv-endpoint HOST:29400 --rdzv-id 1 {name}

Needs {needed} where it runs. Prints one JSON line a rank and step.
"""
'''


def _constants(plan: Plan, training: Training, settings: Settings) -> str:
    return (
        f"\nPLAN = {_plan_text(plan)}\nENGINE = {settings.engine!r}\n"
        f"STEPS, LR, SEED = {settings.steps!r}, {training.lr!r}, {training.seed!r}"
    )


def _plan_text(plan: Plan) -> str:
    """The plan as the code that makes it; as JSON where that code would need more than the public names."""
    code = plan.code()
    try:
        again = eval(code, {name: getattr(sharding, name) for name in _PLAN_WORDS})
        is_whole = again == Plan.from_json(plan.to_json())
    except NameError:
        is_whole = False
    if is_whole:
        return code
    text = plan.to_json().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'Plan.from_json(\n    """{text}"""\n)'


_MAIN = """

@record
def main() -> None:
    device = join_ranks()
    rank = dist.get_rank()
    torch.manual_seed(SEED)
    model = BUILD().to(device)
    PLAN.apply(model, engine=ENGINE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR)
    for step in range(STEPS):
        seed_step(SEED, rank, step)
{step}
        line = json.dumps({{"rank": rank, "step": step + 1, **metrics}})
        print(line + "\\n", end="", flush=True)  # one write, so that ranks do not get into each other's lines
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""
