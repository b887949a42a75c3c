"""From a layout to torch's calls: `fully_shard` and `replicate`, inside out, each told exactly what it owns.

Torch gives a call every parameter below its module that no inner call has taken. Who owns a parameter is decided by
the layout alone, so each call is told to ignore whatever below it is not its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import nn
from torch.distributed.fsdp import CPUOffloadPolicy, FSDPModule, MixedPrecisionPolicy, OffloadPolicy, fully_shard

from sharding.annotations import register
from sharding.errors import AnnotationError, PlanError, StateError
from sharding.layout import Layout
from sharding.native.first_rank import broadcast_from_first
from sharding.native.membership import note_model
from sharding.native.recording import give_voice
from sharding.native.settings import TorchSettings, device_of
from sharding.native.torch_private import (
    flattened,
    pairs_of_forms,
    param_groups_of,
    replicate_with_ddp,
    replicate_with_fsdp,
    torch_apis,
)
from sharding.nodes import Node
from sharding.precision import as_precision
from sharding.starting_values import check_initialisers, materialise
from sharding.strategies import HYBRID, KEEPS_AFTER_FORWARD
from sharding.units import ParamRow, ReplicateGroup, Unit


def check(layout: Layout) -> None:
    """Refuse what only a live model, this mesh or these settings can tell.

    Raises:
        AnnotationError: torch's own calls are on the model already.
        PlanError: a strategy or reshard choice that does not fit the mesh, or parameters nothing can give memory.
    """
    for node in layout.tree.nodes:
        for module in node.modules:
            if torch_apis(module) or isinstance(module, FSDPModule):
                raise AnnotationError(
                    f"{node.shown} has torch's own {', '.join(torch_apis(module)) or 'fully_shard'} on it: apply a "
                    "plan to a fresh model"
                )
    for unit in layout.units:
        settings: TorchSettings = unit.annotation.origin.settings
        _check_mesh(unit, settings)
        check_initialisers(unit.params, settings.param_init_fn)
    for group in layout.replicate_groups:
        if group.annotation.options.bucket_cap_mb and group.annotation.origin.settings.replicate_with != "ddp":
            raise PlanError(
                f"replicate({group.fqn!r}, bucket_cap_mb=...): bucket_cap_mb is a setting of DDP; apply with "
                "replicate_with='ddp', or leave it out"
            )
        check_initialisers(group.params, group.annotation.origin.settings.param_init_fn)


def _check_mesh(unit: Unit, settings: TorchSettings) -> None:
    mesh = settings.mesh
    if unit.strategy in HYBRID and mesh.ndim != 2:
        raise PlanError(
            f"unit {unit.fqn!r} is to run with {unit.strategy!r} on a mesh of {mesh.ndim} axis; give the plan "
            "defaults(mesh_shape=(replicate, shard)), or pass mesh="
        )
    size, ranks = unit.annotation.options.reshard_after_forward, mesh.size(mesh.ndim - 1)
    if isinstance(size, int) and not isinstance(size, bool) and (ranks % size or not 1 < size < ranks):
        between = [number for number in range(2, ranks) if ranks % number == 0]
        raise PlanError(
            f"unit {unit.fqn!r} is to keep pieces for {size} ranks after forward, but it is cut over {ranks}; "
            f"possible are {', '.join(map(str, between)) or 'only True and False'}"
        )


def build(layout: Layout) -> None:
    """Make every unit and replicate group run, innermost first. Collective where values are broadcast.

    Raises:
        StateError: torch, or a function that gives values, failed half way; the model is of no more use.
    """
    modules = _modules_by_owner(layout)
    owners: list[Unit | ReplicateGroup] = [*layout.units, *layout.replicate_groups]
    for owner in sorted(owners, key=lambda each: -layout.tree.fqns[each.fqn].index):
        try:
            _give_values(owner, modules.get(id(owner.annotation), []))
            _make(layout, owner)
        except Exception as error:
            raise StateError(
                f"making {owner.fqn!r} run on torch's engine failed ({type(error).__name__}: {error}), and torch's "
                "calls cannot be taken back: part of this model is cut already; build a fresh one"
            ) from error


def _make(layout: Layout, owner: Unit | ReplicateGroup) -> None:
    """One call of torch's, heard under its name and noted on the modules."""
    settings: TorchSettings = owner.annotation.origin.settings
    if isinstance(owner, Unit):
        _shard(layout, owner)
    else:
        _replicate(layout, owner)
    taken = sum(len(pairs_of_forms(group)) for group in param_groups_of(owner.annotation.modules[0]))
    if taken != len(owner.params) and settings.replicate_with == "fsdp":
        raise StateError(f"torch took {taken} parameters where the layout gives it {len(owner.params)}")
    give_voice(owner.fqn, owner.annotation.modules[0], flattened(settings.mesh).get_group())
    register(owner.annotation)
    for module in owner.annotation.modules:
        note_model(module, layout.tree.root.module)


def _give_values(owner: Unit | ReplicateGroup, modules: Sequence[nn.Module]) -> None:
    """Memory for meta parameters, and rank 0's values, right before the unit is cut."""
    settings: TorchSettings = owner.annotation.origin.settings
    materialise(owner.params, settings.param_init_fn, device_of(settings.mesh))
    if settings.sync_module_states:
        tensors = [*_live(owner.params), *_buffers_of(modules)]
        broadcast_from_first(tensors, flattened(settings.mesh), owner.fqn)


def _live(rows: Iterable[ParamRow]) -> Iterator[nn.Parameter]:
    """The parameters as they are now; materialising replaces them."""
    for row in rows:
        module, attr = row.users[0]
        param = module._parameters[attr]
        if param is not None:
            yield param


def _modules_by_owner(layout: Layout) -> dict[int, list[nn.Module]]:
    """The modules with buffers that each annotation decides for, by the annotation's id."""
    found: dict[int, list[nn.Module]] = {}
    for node in layout.tree.nodes:
        modules = [module for module in node.modules if module._buffers]
        if modules:
            found.setdefault(id(layout.labels.decides[node.index]), []).extend(modules)
    return found


def _buffers_of(modules: Iterable[nn.Module]) -> list[torch.Tensor]:
    held = (buffer for module in modules for buffer in module._buffers.values())
    return list({id(buffer): buffer for buffer in held if buffer is not None}.values())


def _shard(layout: Layout, unit: Unit) -> None:
    settings: TorchSettings = unit.annotation.origin.settings
    modules: Any = list(unit.modules)
    fully_shard(
        modules if len(modules) > 1 else modules[0],
        mesh=settings.mesh,
        reshard_after_forward=_reshard(unit),
        mp_policy=_precision(unit),
        offload_policy=_offload(unit),
        ignored_params=_not_its_own(layout, unit),
    )


def _reshard(unit: Unit) -> bool | int | None:
    """Torch's None: the root keeps its parameters until its backward is over, others free them after forward."""
    chosen = unit.annotation.options.reshard_after_forward
    return False if chosen is None and unit.strategy in KEEPS_AFTER_FORWARD else chosen


def _precision(owner: Unit | ReplicateGroup) -> MixedPrecisionPolicy:
    precision = as_precision(owner.annotation.options.mixed_precision)
    if precision is None:
        return MixedPrecisionPolicy()
    casts = precision.cast_forward_inputs
    if isinstance(owner, Unit) and owner.is_root and precision.cast_root_forward_inputs is not None:
        casts = precision.cast_root_forward_inputs
    return MixedPrecisionPolicy(precision.param_dtype, precision.reduce_dtype, precision.output_dtype, casts)


def _offload(unit: Unit) -> OffloadPolicy:
    if not unit.annotation.options.cpu_offload:
        return OffloadPolicy()
    return CPUOffloadPolicy(pin_memory=torch.accelerator.is_available())


def _replicate(layout: Layout, group: ReplicateGroup) -> None:
    settings: TorchSettings = group.annotation.origin.settings
    mesh = flattened(settings.mesh)
    if settings.replicate_with == "fsdp":
        replicate_with_fsdp(
            group.module, mesh=mesh, mp_policy=_precision(group), ignored_params=_not_its_own(layout, group)
        )
        return
    left_out = nn.ParameterList(_not_its_own(layout, group) or ())
    cap = group.annotation.options.bucket_cap_mb or settings.bucket_cap_mb
    options: dict[str, Any] = {} if cap is None else {"bucket_cap_mb": cap}
    replicate_with_ddp(
        group.module,
        ignored_modules=[left_out],
        process_group=mesh.get_group(),
        device_id=device_of(mesh),
        find_unused_parameters=settings.find_unused_parameters,
        **options,
    )


def _not_its_own(layout: Layout, owner: Unit | ReplicateGroup) -> set[nn.Parameter] | None:
    """Parameters at and below the owner's modules that the layout gives to somebody else; None if there are none."""
    own = {id(param) for param in _live(owner.params)}
    below: dict[int, nn.Parameter] = {}
    for node in layout.labels.nodes_of(owner.annotation):
        for each in layout.tree.walk(node, frozenset()):
            below.update((id(param), param) for param in _params_at(each))
    return {param for key, param in below.items() if key not in own} or None


def _params_at(node: Node) -> Iterator[nn.Parameter]:
    for module in node.modules:
        for param in module._parameters.values():
            if param is not None:
                yield param
