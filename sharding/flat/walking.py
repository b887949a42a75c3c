"""Finding what runs: states and replicas below a module, in the order of `module.modules()`.

Used by everything users call on a model between or around steps. A walk "of one local tree" does not enter `replicate`
below its start; a walk "of everything" does. Which is right is a matter of the verb that asks.
"""

from __future__ import annotations

from sharding.annotations import annotation_of
from sharding.flat.replica import Replica, replica_of
from sharding.flat.state import ShardingState, state_of
from sharding.nodes import Node, depth_first
from sharding.traversal import Tree


def states_reached(tree: Tree) -> list[tuple[Node, ShardingState]]:
    """The states a walk from the root meets without entering `replicate` below it, in pre-order, each once."""
    start = tree.root

    def enters(node: Node) -> bool:
        return node is start or not _is_replicated(node)

    before, _ = depth_first(start, enters)
    return _states_of(before)


def all_states(tree: Tree) -> list[tuple[Node, ShardingState]]:
    """Every state at or below the root, in pre-order, each once."""
    return _states_of(tree.nodes)


def all_replicas(tree: Tree) -> list[tuple[Node, Replica]]:
    """Every replicate group at or below the root, in pre-order."""
    found = []
    for node in tree.nodes:
        for module in node.modules:
            replica = replica_of(module)
            if replica is not None:
                found.append((node, replica))
    return found


def _is_replicated(node: Node) -> bool:
    marks = (annotation_of(module) for module in node.modules)
    return any(mark is not None and mark.api == "replicate" for mark in marks)


def _states_of(nodes: list[Node]) -> list[tuple[Node, ShardingState]]:
    found: dict[int, tuple[Node, ShardingState]] = {}
    for node in nodes:
        for module in node.modules:
            state = state_of(module)
            if state is not None:
                found.setdefault(id(state), (node, state))
    return list(found.values())
