"""What a policy may choose from, and what it chose.

A call gives its policy a `Scope`: the submodules it may still mark. The policy answers with a `Choice`. Used by
`policy.py`, `torch_policies.py` and `resolution.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

from sharding.nodes import Node
from sharding.traversal import Tree

_index = attrgetter("index")


@dataclass(frozen=True)
class Scope:
    """What a policy may choose from.

    Attributes:
        tree: the whole tree.
        argument: the node the call was given.
        barred: indices of nodes that are not looked into: annotated and ignored ones.
        ignored: ids of parameters the call leaves out.
    """

    tree: Tree
    argument: Node
    barred: AbstractSet[int] = frozenset()
    ignored: frozenset[int] = frozenset()

    @cached_property
    def candidates(self) -> Sequence[Node]:
        """The submodules of the argument that may be marked, in pre-order."""
        return self.tree.walk(self.argument, self.barred)[1:]

    def among(self, nodes: Iterable[Node]) -> list[Node]:
        """The candidates among some nodes, in pre-order; looks at all candidates only where modules are shared."""
        if self.tree.has_shared:
            allowed = {node.index for node in self.candidates}
            return sorted((node for node in nodes if node.index in allowed), key=_index)
        begin, end = self.argument.index + 1, self.argument.end
        barred = deque(sorted(index for index in self.barred if begin <= index < end))
        found: list[Node] = []
        for node in sorted(nodes, key=_index):
            while barred and barred[0] <= node.index:
                begin = max(begin, self.tree.nodes[barred.popleft()].end)
            if begin <= node.index < end:
                found.append(node)
        return found


@dataclass
class Choice:
    """What a policy chose, and what it noticed.

    Attributes:
        units: overrides of `UnitOptions` by a candidate's index.
        notes: (node, sentence about it): why something was not marked.
        warnings: the same for what the user probably did not mean.
    """

    units: dict[int, dict[str, Any]] = field(default_factory=dict)
    notes: list[tuple[Node, str]] = field(default_factory=list)
    warnings: list[tuple[Node, str]] = field(default_factory=list)
