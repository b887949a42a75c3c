"""Parameters that another parallelism has cut already say so in the payload of the tree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_module, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

from explorer.classes import classes_of
from sharding.traversal import tree_of


@pytest.fixture
def alone() -> Iterator[None]:
    """A process group of this process."""
    dist.init_process_group("gloo", rank=0, world_size=1, store=dist.HashStore())
    yield
    dist.destroy_process_group()


def flags(model: nn.Module) -> dict[str, str]:
    """Of every parameter, by name."""
    tree = tree_of(model)
    classes = classes_of(tree)
    own = {node.fqn: classes.rows[classes.of[node.index]][1] for node in tree.nodes}
    return {f"{fqn}.{attr}".lstrip("."): said for fqn, params in own.items() for attr, _, _, said in params}


def mesh(*names: str) -> DeviceMesh:
    return init_device_mesh("cpu", (1,) * len(names), mesh_dim_names=names)


@pytest.mark.usefixtures("alone")
def test_tensor_parallel_parameters_say_so_and_others_do_not() -> None:
    """A bias of a row-wise module is whole on every rank: a DTensor, but not cut."""
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4))
    parallelize_module(model, mesh("tp"), {"0": ColwiseParallel(), "1": RowwiseParallel()})
    said = flags(model)
    assert said == {"0.weight": "T", "0.bias": "T", "1.weight": "T", "1.bias": "D", "2.weight": "", "2.bias": ""}


@pytest.mark.usefixtures("alone")
def test_each_axis_that_cuts_is_named() -> None:
    """Cut along two axes, both letters; along an axis of another name, or none, neither."""
    model = nn.Module()
    grid = mesh("ep", "tp")
    for name, placements in {"both": (Shard(0), Shard(1)), "one": (Shard(0), Replicate())}.items():
        tensor = distribute_tensor(nn.Linear(4, 4).weight.detach(), grid, placements)
        model.register_parameter(name, nn.Parameter(tensor))
    model.other = distribute_module(nn.Linear(4, 4), mesh("rows"))
    assert flags(model) == {"both": "ET", "one": "E", "other.weight": "D", "other.bias": "D"}
