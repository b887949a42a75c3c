"""The oracle's own reading of a module graph: every row, and every path to it, by plain recursion."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import nn

WRAPPER_ATTRS = ("_checkpoint_wrapped_module", "_orig_mod", "_fsdp_wrapped_module")


@dataclass(eq=False)
class Row:
    """One module, together with the wrappers around it."""

    chain: list[nn.Module]
    edges: list[tuple[str, Row]] = field(default_factory=list)  # without back references
    back: list[tuple[str, Row]] = field(default_factory=list)
    params: list[tuple[str, nn.Parameter]] = field(default_factory=list)
    paths: list[list[tuple[str, Row]]] = field(default_factory=list)  # every way here from the root, this row last
    tree_children: list[Row] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [".".join(attr for attr, _ in path[1:]) for path in self.paths]

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def inner(self) -> nn.Module:
        return self.chain[-1]


class Graph:
    """Every row below a root in pre-order, with every path to it."""

    def __init__(self, root: nn.Module) -> None:
        self.rows: list[Row] = []
        self._row_of: dict[int, Row] = {}
        self.root = self._visit(root, [])
        self._walk_paths("", self.root, [])

    def _visit(self, module: nn.Module, stack: list[Row]) -> Row:
        row = Row([])
        self.rows.append(row)
        self._absorb(module, row, [*stack, row])
        return row

    def _absorb(self, module: nn.Module, row: Row, stack: list[Row]) -> None:
        row.chain.append(module)
        self._row_of[id(module)] = row
        row.params += [(attr, p) for attr, p in module._parameters.items() if p is not None]
        for attr, child in module._modules.items():
            if child is None:
                continue
            known = self._row_of.get(id(child))
            if known is None and attr in WRAPPER_ATTRS:
                self._absorb(child, row, stack)
            elif known is None:
                below = self._visit(child, stack)
                row.edges.append((attr, below))
                row.tree_children.append(below)
            elif any(known is above for above in stack):
                row.back.append((attr, known))
            else:
                row.edges.append((attr, known))

    def _walk_paths(self, attr: str, row: Row, above: list[tuple[str, Row]]) -> None:
        path = [*above, (attr, row)]
        row.paths.append(path)
        for child_attr, child in row.edges:
            self._walk_paths(child_attr, child, path)

    def below(self, row: Row) -> list[Row]:
        """`row` and what hangs under it, in pre-order of the whole tree, back references not followed."""
        return [other for other in self.rows if any(has(path, row) for path in other.paths)]

    def postorder(self, row: Row | None = None) -> list[Row]:
        row = row or self.root
        return [r for child in row.tree_children for r in self.postorder(child)] + [row]


def has(path: list[tuple[str, Row]], row: Row) -> bool:
    """Whether a path comes through `row`."""
    return any(r is row for _, r in path)
