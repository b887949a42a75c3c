"""The "json" kind: the plan as `Plan.from_json` reads it, with what it meant on the model it was exported for.

The second part (`made_for`) is for people and other tools: torch's version, the model's class, a hash of its
structure, and every unit and replicate group with its parameters. Reading the plan back does not depend on it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import torch
from torch import nn

from sharding.plan import Plan
from sharding.traversal import Tree


def json_text(plan: Plan, model: nn.Module) -> str:
    """The plan as text; it has no policies that are functions.

    Raises:
        PlanError: the plan names what the model does not have.
    """
    layout = plan.resolve(model)
    made_for = {
        "torch": torch.__version__,
        "model": layout.tree.root.cls_name,
        "structure": structure_hash(layout.tree),
        "units": [_owner(unit.fqns, "fully_shard", unit.param_names) for unit in layout.units]
        + [_owner((group.fqn,), "replicate", group.param_names) for group in layout.replicate_groups],
        "ignored": [row.name for row in layout.params.values() if row.owner_kind == "ignored"],
        "unmanaged": [row.name for row in layout.params.values() if row.owner_kind == "unmanaged"],
    }
    return json.dumps({**json.loads(plan.to_json()), "made_for": made_for}, indent=1)


def structure_hash(tree: Tree) -> str:
    """The same for models of the same modules, classes, parameter names, shapes, dtypes and sharing."""
    digest = hashlib.sha256()
    for node in tree.nodes:
        digest.update(f"{'|'.join(tree.names(node))}:{node.cls_name}\n".encode())
        for attr, param, _ in node.params:
            digest.update(f" {attr} {tree.held[id(param)].shape} {param.dtype} {tree.held[id(param)].name}\n".encode())
    return digest.hexdigest()[:16]


def _owner(fqns: tuple[str, ...], api: str, params: tuple[str, ...]) -> dict[str, Any]:
    return {"modules": list(fqns), "api": api, "params": list(params)}
