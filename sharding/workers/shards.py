"""What comes back of a DTensor: where it lies and what this rank holds of it, not the whole.

A DTensor belongs to a process group and cannot leave its ranks. The kernel gets a `Shard` instead, on its way back
through `parcel.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from sharding.errors import WorkerError

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, repr=False)
class Shard:
    """One rank's part of a DTensor.

    Attributes:
        shape, dtype: of the whole tensor.
        placements: one for each axis of the mesh, as torch writes them.
        mesh_shape, mesh_axes: sizes of the mesh, and names of its axes if it has any.
        coordinate: the rank's place on the mesh.
    """

    shape: tuple[int, ...]
    dtype: str
    placements: tuple[str, ...]
    mesh_shape: tuple[int, ...]
    mesh_axes: tuple[str, ...]
    coordinate: tuple[int, ...]
    held: torch.Tensor

    def local(self) -> torch.Tensor:
        """What the rank holds, as a plain tensor of this process."""
        return self.held

    def full(self) -> NoReturn:
        """The whole tensor is in no single rank's answer: always raises, and says what to do."""
        raise WorkerError(
            "this is one rank's part of a DTensor; putting the whole together is a collective of its ranks. Return "
            "`x.full_tensor()` from the function, or `x.full_tensor() if rank == 0 else None` to have it once."
        )

    def __repr__(self) -> str:
        axes = dict(zip(self.mesh_axes, self.mesh_shape, strict=True)) if self.mesh_axes else self.mesh_shape
        return (
            f"Shard(shape={self.shape}, dtype={self.dtype}, placements={', '.join(self.placements)}, mesh={axes}, "
            f"coordinate={self.coordinate}, local={tuple(self.held.shape)})"
        )


def reduce_dtensor(tensor: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """How a DTensor is pickled: as its `Shard`."""
    mesh = tensor.device_mesh
    shard = (
        tuple(tensor.shape),
        str(tensor.dtype),
        tuple(map(str, tensor.placements)),
        tuple(mesh.shape),
        tuple(mesh.mesh_dim_names or ()),
        tuple(mesh.get_coordinate() or ()),
        tensor.detach().to_local(),
    )
    return Shard, shard
