"""What comes back of a DTensor: where it lies and what this rank holds of it; the whole when it is asked for.

A DTensor belongs to a process group and cannot leave its ranks. The kernel gets a `Shard` instead, on its way back
through `parcel.py`; of a module that is cut it gets one an entry (`sharded_modules.py`). The shards that all ranks of a
mesh returned at the same place of their results know each other (`Gathering`), so the whole is put together here,
without the ranks. Called by `call.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sharding.errors import WorkerError

if TYPE_CHECKING:
    import torch

Rule = tuple[str, int]  # ("cat", dim), ("strided", dim), ("flat", 0), ("same", 0), ("sum", 0), ("mean", 0)
_ADVICE = (
    "return `x.full_tensor()` from the function, or `x.full_tensor() if rank == 0 else None` to have it once. It is a "
    "collective of the ranks of its mesh."
)


@dataclass(frozen=True, repr=False, eq=False)
class Shard:
    """One rank's part of a DTensor, or of a parameter that is cut flat.

    Attributes:
        shape, dtype: of the whole tensor.
        placements: one for each axis of the mesh, as torch writes them; "Flat" for one dim of elements, cut anywhere.
        mesh_shape, mesh_axes: sizes of the mesh, and names of its axes if it has any.
        mesh_ranks: ranks of the mesh, in its order.
        coordinate: the rank's place on the mesh.
    """

    shape: tuple[int, ...]
    dtype: str
    placements: tuple[str, ...]
    mesh_shape: tuple[int, ...]
    mesh_axes: tuple[str, ...]
    mesh_ranks: tuple[int, ...]
    coordinate: tuple[int, ...]
    rules: tuple[Rule, ...]
    held: torch.Tensor
    family: list[Shard] = field(default_factory=list)

    def local(self) -> torch.Tensor:
        """What the rank holds, as a plain tensor of this process."""
        return self.held

    def full(self) -> torch.Tensor:
        """The whole tensor, put together here from what the ranks of the mesh returned at the same place. Of ranks that
        hold the same, one is enough.

        Raises:
            WorkerError: a rank of the mesh returned something else there, or a placement is not known.
        """
        parts = {self._place(each.coordinate): each.held for each in self.family if self._belongs_with(each)}
        sizes = [1 if rule == "same" else size for size, (rule, _) in zip(self.mesh_shape, self.rules, strict=True)]
        places = set(itertools.product(*map(range, sizes)))
        if set(parts) != places:
            raise WorkerError(
                f"this call returned {len(parts)} of the {len(places)} parts of this tensor at the same place of the "
                f"results; to put it together all are needed. Run the function on every rank of the mesh, or {_ADVICE}"
            )
        if unknown := [text for text, (rule, _) in zip(self.placements, self.rules, strict=True) if rule == "unknown"]:
            raise WorkerError(f"how parts with the placement {unknown[0]} make a whole is not known here: {_ADVICE}")
        return assembled(parts, self.rules).reshape(self.shape).clone()

    def _place(self, coordinate: tuple[int, ...]) -> tuple[int, ...]:
        """A rank's place among those that hold different parts."""
        return tuple(0 if rule == "same" else at for at, (rule, _) in zip(coordinate, self.rules, strict=True))

    def _belongs_with(self, other: Shard) -> bool:
        mine = (self.mesh_ranks, self.shape, self.dtype, self.placements)
        return mine == (other.mesh_ranks, other.shape, other.dtype, other.placements)

    def __repr__(self) -> str:
        axes = dict(zip(self.mesh_axes, self.mesh_shape, strict=True)) if self.mesh_axes else self.mesh_shape
        return (
            f"Shard(shape={self.shape}, dtype={self.dtype}, placements={', '.join(self.placements)}, mesh={axes}, "
            f"coordinate={self.coordinate}, local={tuple(self.held.shape)})"
        )


def assembled(parts: dict[tuple[int, ...], torch.Tensor], rules: Sequence[Rule]) -> torch.Tensor:
    """The whole, from the parts by their place on the mesh: one axis of the mesh after another is undone.

    The last axis cut last, so it is undone first; but a strided axis cut what a later one had already cut.
    """
    axes = sorted(range(len(rules)), key=lambda axis: (rules[axis][0] != "strided", -axis))
    for axis in axes:
        groups: dict[tuple[int, ...], list[torch.Tensor]] = {}
        for place in sorted(parts):
            groups.setdefault((*place[:axis], 0, *place[axis + 1 :]), []).append(parts[place])
        parts = {place: _undone(tensors, *rules[axis]) for place, tensors in groups.items()}
    (whole,) = parts.values()
    return whole


def _undone(tensors: list[torch.Tensor], rule: str, dim: int) -> torch.Tensor:
    import torch

    if rule == "same":
        return tensors[0]
    if rule in ("sum", "mean"):
        total = torch.stack(tensors).sum(0)
        return total if rule == "sum" else total / len(tensors)
    return torch.cat(tensors, dim)


class Gathering:
    """Makes the shards of one call's results, so that those at the same place of every rank's know each other."""

    def __init__(self) -> None:
        self._families: list[list[Shard]] = []

    def of_a_rank(self) -> dict[type, Callable[..., Any]]:
        """For `parcel.unpack`: what to make in place of each class, in the results of one more rank."""
        numbers = itertools.count()

        def make(*args: Any) -> Shard:
            number = next(numbers)
            if number == len(self._families):
                self._families.append([])
            shard = Shard(*args, family=self._families[number])
            shard.family.append(shard)
            return shard

        return {Shard: make}


def reduce_dtensor(tensor: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """How a DTensor is pickled: as its `Shard`."""
    mesh = tensor.device_mesh
    shard = (
        tuple(tensor.shape),
        str(tensor.dtype),
        tuple(map(str, tensor.placements)),
        tuple(mesh.shape),
        tuple(mesh.mesh_dim_names or ()),
        tuple(mesh.mesh.flatten().tolist()),
        tuple(mesh.get_coordinate() or ()),
        tuple(map(_rule, tensor.placements)),
        tensor.detach().to_local(),
    )
    return Shard, shard


class _OnItsWay:
    """In a rank: what arrives as the `Shard` of these arguments."""

    def __init__(self, *args: Any) -> None:
        self._args = args

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Shard, self._args


def flat_shard(shape: Sequence[int], held: torch.Tensor, ranks: tuple[int, ...], place: int) -> object:
    """What arrives as the `Shard` of a tensor whose elements were cut in their order; `held`: those of this rank."""
    mesh = ((len(ranks),), (), ranks, (place,))
    return _OnItsWay(tuple(shape), str(held.dtype), ("Flat",), *mesh, (("flat", 0),), held)


def _rule(placement: Any) -> Rule:
    """How parts with this placement make a whole."""
    kind = type(placement).__name__
    if kind in ("Shard", "_StridedShard"):
        return ("cat" if kind == "Shard" else "strided"), placement.dim
    if kind == "Replicate":
        return "same", 0
    reduction = {"sum": "sum", "avg": "mean"}.get(getattr(placement, "reduce_op", ""), "unknown")
    return reduction, 0
