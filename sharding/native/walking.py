"""What runs on torch's engine below a module: parameter groups and DDP replicas, by name, in the order of the modules.

Also what torch's own `fully_shard` and `replicate` were called on directly: nothing here asks for a plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import nn

from sharding.errors import StateError
from sharding.native.torch_private import ParamGroup, ddp_state_of, param_groups_of, training_state
from sharding.traversal import Tree


@dataclass(frozen=True, eq=False)
class Running:
    """One module that torch's engine runs.

    Attributes:
        fqn: its name.
        module: the module.
        groups: its parameter groups, if it runs on FSDP2.
        ddp: the state of the DDP replicate on it, if there is one.
    """

    fqn: str
    module: nn.Module
    groups: tuple[ParamGroup, ...]
    ddp: Any | None = None


def running_in(tree: Tree) -> list[Running]:
    """Everything that runs, in pre-order; a unit of several modules once, at its first."""
    found: list[Running] = []
    met: set[int] = set()
    for node in tree.nodes:
        for module in node.modules:
            groups = [group for group in param_groups_of(module) if id(group) not in met]
            ddp = ddp_state_of(module)
            if groups or ddp is not None:
                met.update(map(id, groups))
                found.append(Running(node.fqn, module, tuple(groups), ddp))
    return found


def running_at_rest(tree: Tree, verb: str) -> list[Running]:
    """The same, refused while a step runs.

    Raises:
        StateError: called inside a forward or backward.
    """
    found = running_in(tree)
    for each in found:
        for group in each.groups:
            state = training_state(group)
            if state != "IDLE":
                inside = "forward" if state == "FORWARD" else "backward"
                raise StateError(
                    f"{verb} inside a {inside} of {each.fqn or 'the model'!r}; "
                    "call it between steps (after a failed step, model.reset_iter_state() on the root of torch's "
                    "engine makes it usable again)"
                )
    return found
