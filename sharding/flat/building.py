"""From a layout to running units: handles in initialisation order, states, hooks, local trees, names.

`build` does everything a verb does after its checks, and takes all of it back if anything fails half way.
Both verbs and both paths come here; the order of initialisation is the caller's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import torch
from torch import nn

from sharding.annotations import Annotation, register, unregister
from sharding.errors import AnnotationError
from sharding.flat import state_dict_hooks, step
from sharding.flat.agreement import Row, agree_on_model
from sharding.flat.axes import Axes, axes_for
from sharding.flat.first_rank import broadcast_from_first
from sharding.flat.guards import guard_uncalled, note_outer_owners
from sharding.flat.handle import FlatParamHandle
from sharding.flat.holdings import buffers_of, modules_by_owner
from sharding.flat.kept_buffers import KeptBuffers
from sharding.flat.local_tree import LocalTree
from sharding.flat.recording import Recorder
from sharding.flat.replica import Replica, replica_of
from sharding.flat.settings import EngineSettings
from sharding.flat.slot import relative_name, slots_of
from sharding.flat.state import ShardingState, attach, detach, state_of
from sharding.flat.structure import Structure
from sharding.flat.turns import turns_of
from sharding.layout import Layout
from sharding.nodes import Node
from sharding.precision import Precision, as_precision
from sharding.starting_values import check_initialisers, materialise
from sharding.units import ParamRow, ReplicateGroup, Unit


class Journal:
    """What to do, backwards, if a later step fails."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def note(self, undo: Callable[[], object]) -> None:
        self._undo.append(undo)

    def roll_back(self) -> None:
        while self._undo:
            self._undo.pop()()


def settings_of(annotation: Annotation) -> EngineSettings:
    """The run settings of the call that made an annotation."""
    return annotation.origin.settings or EngineSettings()


def build(layout: Layout, units: Sequence[Unit], groups: Sequence[ReplicateGroup], *, order: str) -> None:
    """Make the new units and groups of a layout run. Collective over the ranks of each; undone if it fails.

    Args:
        layout: the meaning of all annotations, old and new.
        units: the new units.
        groups: the new replicate groups.
        order: which of `layout.orders` handles are made in.
    """
    _check_owners(layout, units, groups)
    for unit in units:
        _axes(unit.annotation)
        check_initialisers(unit.params, settings_of(unit.annotation).param_init_fn)
    topic = _agree(units, groups)
    journal = Journal()
    modules = modules_by_owner(layout)
    try:
        for unit in _in_order(layout, units, order):
            _make_unit(unit, modules.get(unit.fqn, []), journal)
        for group in groups:
            _make_group(group, modules.get(group.fqn, []), journal)
    except BaseException:
        journal.roll_back()
        raise
    _settle(units, groups)
    rename(layout)
    plant_trees(layout, topic)
    _hang_replicas(layout, groups, topic)
    note_outer_owners(layout)


def _settle(units: Sequence[Unit], groups: Sequence[ReplicateGroup]) -> None:
    """Nothing will be undone: let go of what that would need."""
    for unit in units:
        state = state_of(unit.annotation.modules[0])
        if state is not None:
            state.buffers.settle()
            if state.handle is not None:
                state.handle.settle()
    for group in groups:
        replica = replica_of(group.module)
        if replica is not None:
            replica.buffers.settle()


def _check_owners(layout: Layout, units: Sequence[Unit], groups: Sequence[ReplicateGroup]) -> None:
    """Refuse to take a parameter away from a unit that runs already."""
    owned: dict[int, str] = {}
    for unit in layout.units:
        state = state_of(unit.annotation.modules[0])
        if state is not None and state.handle is not None:
            owned.update((id(slot.param), unit.fqn) for slot in state.handle.slots)
    for group in layout.replicate_groups:
        replica = replica_of(group.module)
        if replica is not None:
            owned.update((id(slot.param), group.fqn) for slot in replica.slots)
    for owner in (*units, *groups):
        for row in owner.params:
            if id(row.param) in owned:
                raise AnnotationError(
                    f"{row.name!r} is also used outside unit {owned[id(row.param)]!r}, which runs already, and would "
                    "have to move to the common parent: make one call with the policy on the outer module, or one "
                    "unit of all modules that use it"
                )


def _agree(units: Sequence[Unit], groups: Sequence[ReplicateGroup]) -> str:
    """Compare what is about to be marked with the other ranks; a topic for comparing its first forward."""
    rows: list[Row] = []
    for owner in (*units, *groups):
        rows += [(row.name, _describe(owner.fqn, row)) for row in owner.params]
    if not (units or groups):
        return ""
    annotation = (units[0] if units else groups[0]).annotation
    return agree_on_model(rows, _axes(annotation).world)


def _describe(fqn: str, row: ParamRow) -> str:
    shape = tuple(row.shape or ())
    kind = "trainable" if row.requires_grad else "frozen"
    return f"{shape}, {str(row.dtype).removeprefix('torch.')}, {kind}, in unit {fqn!r}"


def _axes(annotation: Annotation) -> Axes:
    strategy = annotation.options.strategy if annotation.api == "fully_shard" else "no_shard"
    return axes_for(strategy, settings_of(annotation).mesh)


def _in_order(layout: Layout, units: Sequence[Unit], order: str) -> list[Unit]:
    """Units in initialisation order; those without parameters last."""
    place = {fqn: index for index, fqn in enumerate(layout.orders[order])}
    others = {
        fqn: index
        for key, fqns in layout.orders.items()
        if key.startswith(f"{order}:")
        for index, fqn in enumerate(fqns)
    }
    return sorted(units, key=lambda unit: place.get(unit.fqn, others.get(unit.fqn, len(layout.modules))))


def _make_unit(unit: Unit, modules: Sequence[nn.Module], journal: Journal) -> None:
    annotation = unit.annotation
    settings = settings_of(annotation)
    axes = _axes(annotation)
    handle = None
    if unit.params:
        handle = _make_handle(unit, modules, settings, axes, journal)
    elif settings.sync_module_states:
        broadcast_from_first(buffers_of(modules), axes.world, Recorder(unit.fqn, axes.rank), settings.device)
    structure = Structure(modules)
    state = ShardingState(annotation.modules, annotation, handle, axes, structure, unit.fqn)
    moves = settings.device is not None or annotation.options.cpu_offload
    device = settings.device if handle is None or not moves else handle.device
    state.buffers = _keep_buffers(modules, state.precision, device, journal)
    attach(state)
    journal.note(lambda: detach(state))
    register(annotation)
    journal.note(lambda: unregister(annotation))
    step.install(state)
    state.hooks += state.buffers.hooks
    guard_uncalled(state)
    state_dict_hooks.install(state)


def _make_handle(
    unit: Unit, modules: Sequence[nn.Module], settings: EngineSettings, axes: Axes, journal: Journal
) -> FlatParamHandle:
    options = unit.annotation.options
    device = _device(unit, settings)
    _note_originals(unit.params, journal)
    retired = materialise(unit.params, settings.param_init_fn, device)
    handle = FlatParamHandle(
        unit.annotation.modules,
        slots_of(unit.params, _prefix(unit)),
        axes,
        device,
        unit.fqn,
        as_precision(options.mixed_precision),
        offloads=options.cpu_offload,
    )
    handle.retired = retired
    if settings.sync_module_states:
        buffers = buffers_of(modules)
        broadcast_from_first([*(slot.param for slot in handle.slots), *buffers], axes.world, handle.recorder, device)
    journal.note(handle.undo)
    handle.lay_out()
    return handle


def _keep_buffers(
    modules: Sequence[nn.Module], precision: Precision | None, device: torch.device | None, journal: Journal
) -> KeptBuffers:
    """Buffers live where their unit computes, in the dtype asked for."""
    buffers = KeptBuffers(modules, precision, device)
    journal.note(buffers.undo)
    return buffers


def _note_originals(rows: Sequence[ParamRow], journal: Journal) -> None:
    """Materialising replaces meta parameters; undoing puts them back."""
    for row in rows:
        if row.param.is_meta:
            for module, attr in row.users:
                journal.note(lambda m=module, a=attr, p=row.param: m._parameters.__setitem__(a, p))


def _device(unit: Unit, settings: EngineSettings) -> torch.device:
    if settings.device is not None:
        return settings.device
    device = next((row.param.device for row in unit.params if not row.param.is_meta), None)
    if device is not None and not (unit.annotation.options.cpu_offload and device.type == "cpu"):
        return device
    mesh = settings.mesh
    if mesh is not None:
        return torch.device(mesh.device_type)
    return torch.device("cuda", torch.cuda.current_device()) if _speaks_nccl() else torch.device("cpu")


def _speaks_nccl() -> bool:
    dist = torch.distributed
    return torch.cuda.is_available() and dist.is_initialized() and "nccl" in dist.get_backend()


def _prefix(unit: Unit) -> str:
    """What the names in a handle are relative to: its module, or for several the local root."""
    return unit.fqn if len(unit.fqns) == 1 else unit.local_root if unit.local_root != unit.fqn else ""


def _make_group(group: ReplicateGroup, modules: Sequence[nn.Module], journal: Journal) -> None:
    annotation = group.annotation
    settings = settings_of(annotation)
    axes = _axes(annotation)
    precision = as_precision(annotation.options.mixed_precision)
    replica = Replica(
        annotation.modules[0],
        annotation,
        slots_of(group.params, group.fqn),
        axes,
        group.fqn,
        annotation.options.bucket_cap_mb or settings.bucket_cap_mb,
        precision,
    )
    if settings.sync_module_states:
        tensors = [*(slot.param for slot in replica.slots), *buffers_of(modules)]
        broadcast_from_first(tensors, axes.world, replica.recorder)
    replica.buffers = _keep_buffers(modules, precision, None, journal)
    replica.attach(modules)
    journal.note(replica.detach)
    register(annotation)
    journal.note(lambda: unregister(annotation))


def rename(layout: Layout) -> None:
    """Names of all that runs, from the layout's root; handles' places in the order they were made."""
    for unit in layout.units:
        state = state_of(unit.annotation.modules[0])
        if state is None:
            continue
        state.fqn = unit.fqn
        if state.handle is not None:
            state.handle.fqn = state.handle.recorder.fqn = unit.fqn
            for slot, row in zip(state.handle.slots, unit.params, strict=True):
                slot.name = relative_name(row.name, _prefix(unit))
    for group in layout.replicate_groups:
        replica = replica_of(group.module)
        if replica is not None:
            replica.fqn = replica.recorder.fqn = group.fqn
    made = sorted(_handles(layout), key=lambda handle: handle.created_ns)
    for index, handle in enumerate(made):
        handle.init_index = index


def _handles(layout: Layout) -> list[FlatParamHandle]:
    states = (state_of(unit.annotation.modules[0]) for unit in layout.units)
    return [state.handle for state in states if state is not None and state.handle is not None]


def plant_trees(layout: Layout, topic: str) -> None:
    """Group the states of a layout by local root; trees that are as they were stay."""
    members: dict[str, list[ShardingState]] = {}
    for unit in layout.units:
        state = state_of(unit.annotation.modules[0])
        if state is not None:
            members.setdefault(unit.local_root, []).append(state)
    for states in members.values():
        old = {id(tree): tree for state in states if (tree := getattr(state, "tree", None)) is not None}
        if len(old) == 1 and _same(next(iter(old.values())).states, states):
            continue
        for tree in old.values():
            tree.settle()
            tree.dismiss()
        LocalTree(states, topic)


def _hang_replicas(layout: Layout, new: Sequence[ReplicateGroup], topic: str) -> None:
    """Let every group compare its first backward, and take part in those of the tree it lies in."""
    for group in new:
        replica = replica_of(group.module)
        if replica is not None:
            replica.turns = turns_of(replica.axes.world)
            replica.number = replica.turns.join(f"{topic}/{group.fqn}", replica.axes.world)
    for group in layout.replicate_groups:
        replica, node = replica_of(group.module), layout.tree.node_of(group.module)
        if replica is None or node is None:
            continue
        replica.is_alone = len(layout.replicate_groups) == 1 and next(_states_at(layout.tree.below(node)), None) is None
        state = next(_states_at(node.ancestors()), None)
        if state is not None:
            replica.is_alone, replica.tree_check = False, state.tree.backward_check
            if all(each is not replica for each in state.tree.replicas):
                state.tree.replicas.append(replica)


def _states_at(nodes: Iterable[Node]) -> Iterator[ShardingState]:
    for node in nodes:
        for module in node.modules:
            state = state_of(module)
            if state is not None:
                yield state


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
