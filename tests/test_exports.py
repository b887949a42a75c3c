"""The public surface: frozen here, so that a change of it is a decision."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sharding

SHARDING = [
    "AnnotationError", "Comparison", "Conflict", "ConflictError", "Cost", "Event", "EventLog", "Fact", "Finding",
    "FlatParamHandle", "FullyShardedDataParallel", "Layout", "ModuleRow", "ModuleWrapPolicy", "ParamRow", "Plan",
    "PlanError", "RankMismatchError", "Rates", "ReplicateGroup", "Run", "ShardingError", "ShardingState",
    "ShippingError", "StateError", "Trace", "Unit", "WorkerError", "Workers", "applied_apis", "by_class", "by_name",
    "by_size", "check_optimizer", "clip_grad_norm_", "compare", "cost", "emit", "escape", "export", "fully_shard",
    "fully_sharded_modules_to_params", "get_handles", "get_root_states", "get_states", "load_optimizer_state_dict",
    "load_state_dict", "no_sync", "optimizer_state_dict", "record_events", "register_forward_method", "remove",
    "replicate", "run", "state_dict", "trace", "track_memory", "unshard",
]  # fmt: skip


def test_sharding_offers_exactly_these_names():
    """`__all__` is the frozen list, and every name in it can be had."""
    assert sorted(sharding.__all__) == sorted(SHARDING)
    for name in SHARDING:
        assert getattr(sharding, name) is not None
    assert set(SHARDING) <= set(dir(sharding))


def test_an_unknown_name_is_an_attribute_error():
    """A misspelt name does not load anything."""
    with pytest.raises(AttributeError, match="'fully_shared'"):
        _ = sharding.fully_shared


def test_a_function_is_not_hidden_by_a_file_of_its_name():
    """Importing submodules leaves `sharding.run` and the others callable."""
    code = (
        "import sharding, sharding.workers, sharding.workers.pool, sharding.flat, sharding.flat.replicating, explorer\n"
        "for name in ('run', 'emit', 'replicate', 'fully_shard', 'remove', 'unshard', 'state_dict', 'no_sync'):\n"
        "    assert callable(getattr(sharding, name)), name\n"
        "assert callable(explorer.explore)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_importing_starts_and_loads_nothing():
    """`import sharding, explorer`: no process group, no CUDA, no process, no thread, no engine, no launcher."""
    code = (
        "import os, sys, threading, torch\n"
        "import sharding, explorer\n"
        "assert not torch.distributed.is_initialized()\n"
        "assert not torch.cuda.is_initialized()\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
        "import psutil\n"
        "assert not psutil.Process().children(), psutil.Process().children()\n"
        "loaded = [name for name in sys.modules if name.startswith(('sharding.flat', 'sharding.workers'))]\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
