"""`export`: a plan as text to take elsewhere. Reads what was given, and asks the file of the kind.

Kinds: "torch" (a script of torch's own calls), "torchrun" (a script that trains by the plan), "accelerate" (its
configuration file), "json".
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from torch import nn

from sharding.apply import refuse_conflicts
from sharding.builder import model_of
from sharding.engines import check_engine
from sharding.errors import PlanError
from sharding.exports.accelerate_yaml import accelerate_yaml
from sharding.exports.json_text import json_text
from sharding.exports.torch_script import torch_script
from sharding.exports.torchrun_script import Settings, torchrun_script
from sharding.plan import Plan
from sharding.training import Training

KINDS = ("torch", "torchrun", "accelerate", "json")
_OF_TORCHRUN = ("engine", "example_inputs", "loss", "step", "steps", "nprocs", "lr", "seed", "name")


def export(
    plan: Plan,
    model: nn.Module | Callable[[], nn.Module],
    *,
    kind: str = "torch",
    **settings: Any,
) -> str:
    """A plan as text. No process group, no device, nothing is run; a builder is called on the meta device.

    Args:
        plan: the plan.
        model: the module or its builder. A script carries the builder: imported where it can be, else with its source.
        kind: "torch": a script of FSDP2's own calls that needs nothing but torch. "torchrun": a script that trains by
            the plan as `ex.run` does, under torchrun. "accelerate": the configuration file of `accelerate launch`, with
            what it cannot say as comments. "json": for `Plan.from_json`, with what it meant here.
        settings: for "torchrun": `engine`, `example_inputs`, `loss`, `step`, `steps`, `lr`, `seed` as for `ex.run` and
            `explore`; `nprocs` and `name` for the command in its head. For "accelerate": `nprocs`.

    Raises:
        PlanError: an unknown kind or setting, a name the model does not have, or something that has no text.
        ConflictError: the plan cannot run on the engine the script is for.
    """
    if not isinstance(plan, Plan):
        raise PlanError(f"export takes a sharding.Plan, got {type(plan).__name__}")
    if kind not in KINDS:
        near = difflib.get_close_matches(str(kind), KINDS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(map(repr, KINDS))}"
        raise PlanError(f"unknown kind {kind!r}; {hint}")
    _check_settings(kind, settings)
    live = model_of(model, verb="export")
    if kind == "torch":
        return torch_script(plan, live, builder=None if isinstance(model, nn.Module) else model)
    if kind == "accelerate":
        return accelerate_yaml(plan, live, **settings)
    plan = _written_out(plan, live)
    if kind == "json":
        return json_text(plan, live)
    return _torchrun(plan, model, live, settings)


def _check_settings(kind: str, settings: dict[str, Any]) -> None:
    known = {"torchrun": _OF_TORCHRUN, "accelerate": ("nprocs",)}.get(kind, ())
    for name in settings:
        if name not in known:
            known_text = f"known are {', '.join(known)}" if known else "it has none"
            raise PlanError(f"the kind {kind!r} has no setting {name!r}; {known_text}")


def _written_out(plan: Plan, live: nn.Module) -> Plan:
    """The plan with a text: policies that are functions become the names they chose."""
    try:
        plan.to_json()
    except PlanError:
        return plan.expanded(live)
    return plan


def _torchrun(plan: Plan, model: Any, live: nn.Module, given: dict[str, Any]) -> str:
    training = Training(model, **{name: given[name] for name in _OF_TRAINING if name in given})
    settings = Settings(**{name: given[name] for name in ("engine", "steps", "nprocs") if name in given})
    check_engine(settings.engine)
    refuse_conflicts(plan.resolve(live, engine=settings.engine))
    return torchrun_script(plan, training, settings, name=given.get("name", "train.py"))


_OF_TRAINING = ("example_inputs", "loss", "step", "lr", "seed")
