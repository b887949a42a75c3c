"""Composable sharding of PyTorch models: verbs, plans, layouts, an engine to watch, and workers to run it on.

    plan = Plan().fully_shard("", policy=by_class("Block"))     # wishes; no device, no process group
    layout = plan.resolve(model)                                # what they mean on this model, and what cannot run
    run(train, plan, nprocs=2)                                  # real processes, from a notebook too

Each name loads its part when it is first used: describing a plan imports no engine and no launcher, and the launcher
can start importing torch in its own process before this one does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from sharding.errors import (
    AnnotationError,
    ConflictError,
    PlanError,
    RankMismatchError,
    ShardingError,
    ShippingError,
    StateError,
    WorkerError,
)

if TYPE_CHECKING:
    from torch.distributed.fsdp.wrap import ModuleWrapPolicy

    from sharding.annotations import applied_apis
    from sharding.comparisons.comparing import compare
    from sharding.comparisons.comparison import Comparison
    from sharding.costs.duration import Rates
    from sharding.costs.report import Cost, cost
    from sharding.events import Event, EventLog, record_events
    from sharding.exports.exporting import export
    from sharding.flat.accumulation import no_sync
    from sharding.flat.checkpointing import load_state_dict, state_dict
    from sharding.flat.clipping import clip_grad_norm_
    from sharding.flat.forward_methods import register_forward_method
    from sharding.flat.handle import FlatParamHandle
    from sharding.flat.looking import (
        fully_sharded_modules_to_params,
        get_handles,
        get_root_states,
        get_states,
        unshard,
    )
    from sharding.flat.optimizer_check import check_optimizer
    from sharding.flat.optimizer_state import load_optimizer_state_dict, optimizer_state_dict
    from sharding.flat.removal import remove
    from sharding.flat.replicating import replicate
    from sharding.flat.sharding_verb import fully_shard
    from sharding.flat.state import ShardingState
    from sharding.flat.wrapper import FullyShardedDataParallel
    from sharding.layout import Layout, ModuleRow
    from sharding.memory_tracker import track_memory
    from sharding.patterns import escape
    from sharding.plan import Plan
    from sharding.policy import by_class, by_name, by_size
    from sharding.tracing.record import Trace
    from sharding.tracing.verb import trace
    from sharding.units import ParamRow, ReplicateGroup, Unit
    from sharding.verdicts import Conflict, Fact, Finding
    from sharding.workers.call import Run
    from sharding.workers.emission import emit
    from sharding.workers.one_shot import run
    from sharding.workers.pool import Workers

_LOADED_LATER = {
    "sharding.annotations": ("applied_apis",),
    "sharding.comparisons.comparing": ("compare",),
    "sharding.comparisons.comparison": ("Comparison",),
    "sharding.costs.duration": ("Rates",),
    "sharding.costs.report": ("Cost", "cost"),
    "sharding.during_training": (
        "check_optimizer",
        "clip_grad_norm_",
        "fully_sharded_modules_to_params",
        "get_handles",
        "get_root_states",
        "get_states",
        "load_optimizer_state_dict",
        "load_state_dict",
        "no_sync",
        "optimizer_state_dict",
        "register_forward_method",
        "remove",
        "state_dict",
        "unshard",
    ),
    "sharding.events": ("Event", "EventLog", "record_events"),
    "sharding.exports.exporting": ("export",),
    "sharding.flat.handle": ("FlatParamHandle",),
    "sharding.flat.replicating": ("replicate",),
    "sharding.flat.sharding_verb": ("fully_shard",),
    "sharding.flat.state": ("ShardingState",),
    "sharding.flat.wrapper": ("FullyShardedDataParallel",),
    "sharding.layout": ("Layout", "ModuleRow"),
    "sharding.memory_tracker": ("track_memory",),
    "sharding.patterns": ("escape",),
    "sharding.plan": ("Plan",),
    "sharding.policy": ("by_class", "by_name", "by_size"),
    "sharding.tracing.record": ("Trace",),
    "sharding.tracing.verb": ("trace",),
    "sharding.units": ("ParamRow", "ReplicateGroup", "Unit"),
    "sharding.verdicts": ("Conflict", "Fact", "Finding"),
    "sharding.workers.call": ("Run",),
    "sharding.workers.emission": ("emit",),
    "sharding.workers.one_shot": ("run",),
    "sharding.workers.pool": ("Workers",),
    "torch.distributed.fsdp.wrap": ("ModuleWrapPolicy",),
}
_HOME = {name: home for home, names in _LOADED_LATER.items() for name in names}

__all__ = [
    "AnnotationError",
    "Comparison",
    "Conflict",
    "ConflictError",
    "Cost",
    "Event",
    "EventLog",
    "Fact",
    "Finding",
    "FlatParamHandle",
    "FullyShardedDataParallel",
    "Layout",
    "ModuleRow",
    "ModuleWrapPolicy",
    "ParamRow",
    "Plan",
    "PlanError",
    "RankMismatchError",
    "Rates",
    "ReplicateGroup",
    "Run",
    "ShardingError",
    "ShardingState",
    "ShippingError",
    "StateError",
    "Trace",
    "Unit",
    "WorkerError",
    "Workers",
    "applied_apis",
    "by_class",
    "by_name",
    "by_size",
    "check_optimizer",
    "clip_grad_norm_",
    "compare",
    "cost",
    "emit",
    "escape",
    "export",
    "fully_shard",
    "fully_sharded_modules_to_params",
    "get_handles",
    "get_root_states",
    "get_states",
    "load_optimizer_state_dict",
    "load_state_dict",
    "no_sync",
    "optimizer_state_dict",
    "record_events",
    "register_forward_method",
    "remove",
    "replicate",
    "run",
    "state_dict",
    "trace",
    "track_memory",
    "unshard",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'sharding' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
