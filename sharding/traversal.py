"""The module tree: one left-to-right depth-first walk, without recursion, that everything else reads.

`tree_of(model)` follows `model.modules()` order and keeps what that iterator forgets: parents, further names of shared
modules, back references of cycles, direct parameters. It reads `_modules` and `_parameters` only and compares objects
by identity, so a user's `__eq__`, `__hash__`, `__repr__` or property never runs. Who owns a parameter is decided
elsewhere (`resolution.py`).

Wrappers that only hold another module (activation checkpointing, `torch.compile`, this project's own wrapper) and what
they hold are one node: their names never show.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property

from torch import nn

from sharding.collector import collector_paused
from sharding.errors import PlanError
from sharding.nodes import Node, depth_first
from sharding.parameters import Held, held_by_id

CHECKPOINTED = "_checkpoint_wrapped_module"
"""What a wrapper that checkpoints activations calls the module it holds."""

WRAPPER_NAMES = frozenset({CHECKPOINTED, "_orig_mod", "_fsdp_wrapped_module"})

MAX_NAMES = 64
"""How many names of one module are listed; sharing inside sharing doubles them at every level."""


class Tree:
    """All modules below one root, in pre-order, each once. Made by `tree_of`."""

    def __init__(self, nodes: list[Node], node_by_id: dict[int, Node]) -> None:
        self.nodes = nodes
        self._node_by_id = node_by_id
        self.has_shared = any(node.aliases for node in nodes)

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def node_of(self, module: nn.Module) -> Node | None:
        """The node of a module object, or None if it is not in this tree."""
        return self._node_by_id.get(id(module))

    def below(self, node: Node) -> list[Node]:
        """The node and everything first reached below it, in pre-order."""
        return self.nodes[node.index : node.end]

    def names(self, node: Node) -> tuple[str, ...]:
        """Every clean name of a module, the first being its FQN; at most `MAX_NAMES`."""
        if not self.has_shared:
            return (node.fqn,)
        return tuple(self._names[node.index])

    @cached_property
    def _names(self) -> dict[int, list[str]]:
        return _names_by_index(self.root)

    @cached_property
    def held(self) -> dict[int, Held]:
        """Every parameter once, by its id, in the order of first names."""
        return held_by_id(self.nodes)

    @cached_property
    def param_names(self) -> list[str]:
        """The first name of every parameter, in order."""
        return [held.name for held in self.held.values()]

    @cached_property
    def held_at(self) -> dict[int, list[Held]]:
        """The parameters that each node holds first, by its index."""
        found: dict[int, list[Held]] = {}
        for held in self.held.values():
            found.setdefault(held.first.index, []).append(held)
        return found

    @cached_property
    def reached_twice(self) -> AbstractSet[int]:
        """Indices of the nodes that are shared or below a shared one: those with more than one name."""
        found: set[int] = set()
        for node in self.nodes if self.has_shared else ():
            if node.aliases or (node.parent is not None and node.parent.index in found):
                found.add(node.index)
        return found

    @cached_property
    def held_twice(self) -> list[Held]:
        """The parameters that several modules hold, or one module with several names."""
        return [held for held in self.held.values() if held.others or held.first.index in self.reached_twice]

    @cached_property
    def by_class(self) -> dict[type[nn.Module], list[Node]]:
        """The nodes of every class, by the class of the innermost module, in pre-order."""
        found: dict[type[nn.Module], list[Node]] = {}
        for node in self.nodes:
            found.setdefault(type(node.modules[-1]), []).append(node)
        return found

    def walk(self, start: Node, barred: AbstractSet[int]) -> list[Node]:
        """The nodes met from `start` left to right, depth first.

        Args:
            start: where to begin.
            barred: indices of nodes that are not entered: they contribute nothing, nor does what is only below them.

        Returns:
            Nodes in pre-order. Shared modules are met by whichever path comes first; back references are not followed.
        """
        if self.has_shared:
            return depth_first(start, lambda node: node.index not in barred)[0]
        if not barred:
            return self.below(start)
        met: list[Node] = []
        index = start.index
        while index < start.end:
            node = self.nodes[index]
            if index in barred:
                index = node.end
            else:
                met.append(node)
                index += 1
        return met

    def find(self, path: str) -> Node:
        """The node a typed path leads to, with or without wrapper names, by any of its names.

        Raises:
            PlanError: no such module; names the close matches.
        """
        node = self.fqns.get(path)
        if node is None:
            node = self._follow(path)
        if node is None:
            raise PlanError(f"no module named {path!r} in {self.root.cls_name}{self.suggestion(path)}")
        return node

    @cached_property
    def fqns(self) -> dict[str, Node]:
        """Every node by its first name."""
        return {node.fqn: node for node in self.nodes}

    def suggestion(self, path: str) -> str:
        """The end of an error message: names near `path`, or where to look."""
        leaf = path.rpartition(".")[2]
        near = [name for name in self.fqns if name.rpartition(".")[2] == leaf][:3]
        near = near or difflib.get_close_matches(path, list(self.fqns)[:5000], n=3, cutoff=0.6)
        if near:
            return "; did you mean " + " or ".join(repr(name) for name in near) + "?"
        top = [repr(child.fqn) for child in self.root.children[:8]]
        return f"; its children are {', '.join(top)}" if top else "; it has no children"

    def _follow(self, path: str) -> Node | None:
        node = self.root
        for part in path.split("."):
            if part in WRAPPER_NAMES:
                continue
            step = _edge(node, part)
            if step is None:
                return None
            node = step
        return node


@collector_paused
def tree_of(root: nn.Module) -> Tree:
    """Walk `root` once and return its tree.

    Args:
        root: the module to walk; parameters may be on the meta device.

    Raises:
        PlanError: `root` is no module, or a module in it never ran `nn.Module.__init__`.
    """
    if not isinstance(root, nn.Module):
        raise PlanError(f"expected an nn.Module, got {type(root).__name__}; pass the model itself")
    nodes: list[Node] = []
    seen: dict[int, Node] = {}
    referring: dict[int, Node] = {}
    chain: tuple[nn.Module, ...] = ()
    walk: list[tuple[Iterator[tuple[str, nn.Module | None]], Node | None]] = [(iter([("", root)]), None)]
    while walk:
        edges, parent = walk[-1]
        for attr, module in edges:
            if module is None:
                continue
            node = seen.get(id(module))
            if node is None:
                chain = _chain(module)
                node = _wrapped_before(chain, seen) if len(chain) > 1 else None
            if node is None:
                node = Node(chain, len(nodes), attr, parent)
                nodes.append(node)
                below = _open(node, seen)
                if below is not None:
                    walk.append((below, node))
                    break
            elif parent is not None:
                parent.references = [*parent.references, (attr, node, "shared")]
                referring[parent.index] = parent
        else:
            walk.pop()
            if parent is not None:
                parent.end = len(nodes)
    _tell_references([referring[index] for index in sorted(referring)])
    return Tree(nodes, seen)


def _open(node: Node, seen: dict[int, Node]) -> Iterator[tuple[str, nn.Module | None]] | None:
    """List the node with its parent, note its parameters, and return its edges downwards, if it has any."""
    if node.parent is not None:
        node.parent.children.append(node)
    module = node.modules[0]
    if len(node.modules) > 1:
        return _open_chain(node, seen)
    seen[id(module)] = node
    if module._parameters:
        node.params = [(name, p, module) for name, p in module._parameters.items() if p is not None]
    if not module._modules:
        return None
    node.children = []
    return iter(module._modules.items())


def _open_chain(node: Node, seen: dict[int, Node]) -> Iterator[tuple[str, nn.Module | None]]:
    """The same for a wrapper and what it wraps: what any of them holds, the outermost first."""
    node.children = []
    edges: list[tuple[str, nn.Module | None]] = []
    for member in node.modules:
        seen[id(member)] = node
        own = [(name, p, member) for name, p in member._parameters.items() if p is not None]
        node.params = [*node.params, *own]
        edges += [edge for edge in member._modules.items() if edge[0] not in WRAPPER_NAMES]
    return iter(edges)


def _wrapped_before(chain: tuple[nn.Module, ...], seen: dict[int, Node]) -> Node | None:
    """The node of a module that was listed bare, or in another wrapper, before this wrapper around it was met."""
    node = seen.get(id(chain[-1]))
    if node is not None:
        node.modules = (*chain[:-1], *node.modules)
        seen.update((id(wrapper), node) for wrapper in chain)
    return node


def _chain(module: nn.Module) -> tuple[nn.Module, ...]:
    """The module, or a wrapper followed by what it wraps."""
    try:
        inner = module._modules
    except AttributeError:
        raise PlanError(
            f"a {type(module).__qualname__} has no registered children or parameters: it never ran "
            "nn.Module.__init__; call super().__init__() first thing in its __init__"
        ) from None
    if not inner or WRAPPER_NAMES.isdisjoint(inner):
        return (module,)
    chain = [module]
    met = {id(module)}
    while (held := _wrapped(chain[-1])) is not None and id(held) not in met:
        chain.append(held)
        met.add(id(held))
    return tuple(chain)


def _wrapped(module: nn.Module) -> nn.Module | None:
    return next((module._modules[name] for name in WRAPPER_NAMES if name in module._modules), None)


def _tell_references(referring: list[Node]) -> None:
    """Tell back references from shared ones, and let shared modules know who else holds them."""
    for node in referring:
        node.references = [
            (attr, target, "back" if target.contains(node) else "shared") for attr, target, _ in node.references
        ]
        for attr, target, kind in node.references:
            if kind == "shared":
                target.aliases = [*target.aliases, (node, attr)]


def _edge(node: Node, attr: str) -> Node | None:
    """The node that attribute `attr` of `node` holds, if it holds one."""
    for member in node.modules:
        held = member._modules.get(attr)
        if held is not None:
            break
    else:
        return None
    for child in node.children:
        if any(module is held for module in child.modules):
            return child
    return next((target for name, target, _ in node.references if name == attr), None)


def _names_by_index(root: Node) -> dict[int, list[str]]:
    """All names of all nodes, by following every path but back references."""
    names: dict[int, list[str]] = {}
    stack: list[tuple[Node, str]] = [(root, "")]
    while stack:
        node, name = stack.pop()
        known = names.setdefault(node.index, [])
        if len(known) >= MAX_NAMES:
            continue
        known.append(name)
        prefix = f"{name}." if name else ""
        edges = [(child, child.fqn.rpartition(".")[2]) for child in node.children]
        edges += [(target, attr) for attr, target, kind in node.references if kind == "shared"]
        stack += [(target, prefix + attr) for target, attr in reversed(edges)]
    for index, known in names.items():
        known.sort(key=lambda name, first=known[0]: name != first)
        names[index] = known
    return names
