"""Who takes part: the engines a plan runs on, and the baselines beside them, each as a live model on this rank.

none    the model as it is, on one process: what all losses are measured against
ddp     torch's DistributedDataParallel around the whole model, whatever the plan says
fsdp1   torch's FullyShardedDataParallel with the plan's units as its wrapping policy
flat, torch   the plan itself, applied by that engine
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import torch
from torch import nn

from sharding.engines import ENGINES
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.plan import Plan

REFERENCE = "none"
CONTESTANTS = (*ENGINES, "ddp", "fsdp1", REFERENCE)


def read_contestants(engines: Iterable[str]) -> tuple[str, ...]:
    """The engines asked for, in that order, and the unsharded model at the end.

    Raises:
        PlanError: none, an unknown one, or one twice.
    """
    names = (engines,) if isinstance(engines, str) else tuple(engines)
    if not names:
        raise PlanError(f"compare needs at least one engine; choose from {', '.join(map(repr, CONTESTANTS))}")
    for name in names:
        if name not in CONTESTANTS:
            near = difflib.get_close_matches(str(name), CONTESTANTS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(map(repr, CONTESTANTS))}"
            raise PlanError(f"unknown engine {name!r}; {hint}")
        if names.count(name) > 1:
            raise PlanError(f"engine {name!r} is named twice; every engine takes part once")
    return (*(name for name in names if name != REFERENCE), REFERENCE)


def why_not(engine: str, plan: Plan, model: nn.Module, *, has_own_step: bool) -> str | None:
    """Why this engine cannot take part, as far as the plan alone tells; None if it can.

    Raises:
        PlanError: the plan names what the model does not have.
    """
    if engine == REFERENCE:
        return "a step of your own cannot be averaged over the ranks' inputs" if has_own_step else None
    if engine == "ddp":
        return None if any(param.requires_grad for param in model.parameters()) else "nothing in the model is trainable"
    layout = plan.resolve(model, engine="flat" if engine == "fsdp1" else engine)
    if layout.conflicts:
        return "; ".join(f"{conflict.message}: {conflict.fix}" for conflict in layout.conflicts)
    if engine == "fsdp1":
        from sharding.comparisons.fsdp1 import what_fsdp1_lacks

        return what_fsdp1_lacks(layout)
    return None


def remarks(engine: str, layout: Layout) -> tuple[str, ...]:
    """What makes this row differ from the unsharded model, or from the plan, by its nature."""
    if engine == REFERENCE:
        return ()
    found = []
    if any(owner.annotation.options.mixed_precision for owner in (*layout.units, *layout.replicate_groups)):
        found.append(
            "without the plan's mixed precision"
            if engine == "ddp"
            else "computes in the plan's mixed precision, the reference does not"
        )
    loose = [row for row in layout.params.values() if row.owner_kind in ("ignored", "unmanaged") and row.requires_grad]
    if loose:
        which = f"{loose[0].name!r}{f' and {len(loose) - 1} more' if len(loose) > 1 else ''}"
        found.append(
            f"averages the gradients of {which} too, which the plan leaves alone"
            if engine == "ddp"
            else f"the plan leaves {which} alone: every rank has gradients of its own, the reference their average"
        )
    return tuple(found)


def contestant(
    engine: str, plan: Plan, model: nn.Module, device: torch.device, *, finds_unused: bool = False
) -> nn.Module:
    """The model made ready for training by this engine. Collective but for "none"; may be a wrapper."""
    if engine == REFERENCE:
        return model
    if engine == "ddp":
        devices = [device] if device.type == "cuda" else None
        return nn.parallel.DistributedDataParallel(model, devices, find_unused_parameters=finds_unused)
    if engine == "fsdp1":
        from sharding.comparisons.fsdp1 import fsdp1

        return fsdp1(plan.resolve(model), device, plan.mesh_shape)
    return plan.apply(model, engine=engine)
