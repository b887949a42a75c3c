"""What comes back of a sharded or replicated module: its plan, its units, and what this rank holds of each entry.

Such a module is hooks and pieces of one rank and cannot leave it. The kernel gets a `ShardedModule` instead, on its way
back through `shipping.py`. No rank talks to another for it: what is cut comes as a `Shard` an entry (`shards.py`), so
the whole is put together in the kernel when it is asked for. This file knows no engine: a `DTensor` says what it is,
and the settings of an annotation tell the pieces of an engine that cuts otherwise (`sharding/resting.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sharding.errors import WorkerError
from sharding.workers import shards
from sharding.workers.shards import Shard

if TYPE_CHECKING:
    from torch import nn

    from sharding.plan import Plan
    from sharding.resting import RestingPiece
    from sharding.traversal import Tree

MAX_UNITS_SHOWN = 20


@dataclass(frozen=True)
class HeldUnit:
    """One unit of a sharded module: its name, and the names of its parameters, in order."""

    fqn: str
    param_names: tuple[str, ...]


@dataclass(frozen=True, repr=False, eq=False)
class ShardedModule:
    """One rank's part of a sharded or replicated module.

    Attributes:
        cls: its class name.
        engine: "flat" or "torch".
        plan: what was applied to it, to apply again or to read; None where torch's own verbs made it.
        units: what is gathered together, in pre-order.
        state: what this rank holds by the names of `state_dict()`: a `Shard` (with `.shape`, `.local()`, `.full()`) for
            what is cut, a tensor for what every rank holds whole.
    """

    cls: str
    engine: str
    plan: Plan | None
    units: tuple[HeldUnit, ...]
    state: dict[str, Any]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The whole shape of every tensor."""
        return {name: tuple(value.shape) for name, value in self.state.items() if hasattr(value, "shape")}

    def local(self) -> dict[str, Any]:
        """What the rank holds of every entry, as plain tensors of this process. Of a parameter that is cut flat, a
        piece of one dim.
        """
        return {name: value.local() if isinstance(value, Shard) else value for name, value in self.state.items()}

    def full(self) -> dict[str, Any]:
        """The whole state dict, put together here from what every rank returned at the same place.

        It is a state dict and not a module because only the ranks have run what makes the module: make one here and
        fill it, `model = build(); model.load_state_dict(returned.full())`.

        Raises:
            WorkerError: a rank returned something else there; the message names the entry.
        """
        made: dict[int, Any] = {}
        for name, value in self.state.items():
            if id(value) not in made:
                made[id(value)] = _whole(name, value)
        return {name: made[id(value)] for name, value in self.state.items()}

    def __repr__(self) -> str:
        lines = [
            f"ShardedModule({self.cls}, engine {self.engine!r}, {len(self.units)} units, {len(self.state)} entries)"
        ]
        lines += [f"  {unit.fqn or '(root)'}: {_listed(unit, self.shapes)}" for unit in self.units[:MAX_UNITS_SHOWN]]
        if (more := len(self.units) - MAX_UNITS_SHOWN) > 0:
            lines.append(f"  and {more} more units: .units")
        return "\n".join(lines)


def _whole(name: str, value: Any) -> Any:
    if not isinstance(value, Shard):
        return value
    try:
        return value.full()
    except WorkerError as error:
        raise WorkerError(f"{name!r}: {error}") from None


def _listed(unit: HeldUnit, shapes: dict[str, tuple[int, ...]]) -> str:
    some = [f"{name} {shapes.get(name, '')}" for name in unit.param_names[:4]]
    more = len(unit.param_names) - len(some)
    return ", ".join(some) + (f", and {more} more" if more > 0 else "") if some else "no parameters"


# In a rank


def is_sharded(value: Any) -> bool:
    """Whether it is a module with a verb's mark, or a DTensor, in it."""
    torch_nn = sys.modules.get("torch.nn")
    if torch_nn is None or not isinstance(value, torch_nn.Module):
        return False
    from sharding.annotations import annotation_of

    return any(annotation_of(each) is not None or _holds_dtensor(each) for each in value.modules())


def _holds_dtensor(module: nn.Module) -> bool:
    return any(hasattr(param, "device_mesh") for param in module._parameters.values() if param is not None)


def reduce_module(module: nn.Module) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """How a sharded module is pickled: as its `ShardedModule`. Changes nothing of it but that torch's engine rests."""
    from sharding.annotations import annotations_in, engine_of
    from sharding.plan import Plan
    from sharding.resolution import resolve_annotations
    from sharding.traversal import tree_of

    _put_to_rest(module)
    tree = tree_of(module)
    marks = annotations_in(tree)
    engine = next((name for name in map(engine_of, marks) if name is not None), "torch")
    if marks:
        layout = resolve_annotations(tree, marks)
        units = [HeldUnit(each.fqn, tuple(each.param_names)) for each in (*layout.units, *layout.replicate_groups)]
    else:
        units = _torch_units(tree)
    pieces: dict[int, Any] = {}
    for mark in marks:
        if not pieces and mark.origin.settings is not None:
            pieces = mark.origin.settings.pieces_in(tree)
    entries = list(_entries(module))
    sent = {id(value): _sent(value, pieces.get(id(value))) for _, value in entries}
    state = {name: sent[id(value)] for name, value in entries}
    plan = Plan.from_model(module) if marks else None
    return ShardedModule, (_class_name(tree.root.cls), engine, plan, tuple(units), state)


def _class_name(cls: type[nn.Module]) -> str:
    """The user's, where torch's engine put a class of its own in front."""
    return next(each for each in cls.__mro__ if not _is_torch_made(each)).__qualname__.rpartition("<locals>.")[2]


def _is_torch_made(cls: type) -> bool:
    """Whether torch's engine runs modules of this class."""
    fsdp_module = getattr(sys.modules.get("torch.distributed.fsdp"), "FSDPModule", None)
    return fsdp_module is not None and issubclass(cls, fsdp_module)


def _put_to_rest(module: nn.Module) -> None:
    """Have torch's engine show its pieces: after a forward, a root may still show the whole. No collective."""
    for each in module.modules():
        if _is_torch_made(type(each)):
            each.reshard()  # type: ignore[operator]


def _torch_units(tree: Tree) -> list[HeldUnit]:
    """What torch's own verbs gather together: the parameters below each marked module and no marked one below it."""
    names: dict[int, list[str]] = {node.index: [] for node in tree.nodes if _is_torch_made(node.cls)}
    for held in tree.held.values():
        owner = next((node for node in (held.first, *held.first.ancestors()) if node.index in names), None)
        if owner is not None:
            names[owner.index].append(held.name)
    return [HeldUnit(tree.nodes[index].fqn, tuple(mine)) for index, mine in names.items()]


def _entries(module: nn.Module) -> Iterator[tuple[str, Any]]:
    """What `state_dict()` lists, in its order and by clean names, without gathering anything."""
    from torch import nn

    for prefix, holder in _holders(module):
        yield from ((prefix + name, param) for name, param in holder._parameters.items() if param is not None)
        for name, buffer in holder._buffers.items():
            if buffer is not None and name not in holder._non_persistent_buffers_set:
                yield prefix + name, buffer
        if type(holder).get_extra_state is not nn.Module.get_extra_state:
            yield f"{prefix}_extra_state", holder.get_extra_state()


def _holders(root: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Every module with the prefix of its entries; a shared one by each name, one that holds its parent once."""
    from sharding.traversal import WRAPPER_NAMES

    stack: list[tuple[str, nn.Module, frozenset[int]]] = [("", root, frozenset((id(root),)))]
    while stack:
        prefix, module, above = stack.pop()
        yield prefix, module
        for name, child in reversed(module._modules.items()):
            if child is not None and id(child) not in above:
                inner = prefix if name in WRAPPER_NAMES else f"{prefix}{name}."
                stack.append((inner, child, above | {id(child)}))


def _sent(value: Any, piece: RestingPiece | None) -> Any:
    """What stands for an entry on its way: for a piece its `Shard`. A DTensor becomes one when it is pickled."""
    if piece is None:
        return value.detach() if hasattr(value, "detach") else value
    if len(piece.ranks) == 1:
        return piece.held.detach().view(piece.shape)
    return shards.flat_shard(piece.shape, piece.held.detach(), piece.ranks, piece.place)
