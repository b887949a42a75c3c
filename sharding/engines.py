"""The engines a plan can run on, and what each makes of a layout.

The rules decide owners and units once, for every engine (`resolution.py`). What an engine does otherwise is added here:
named facts, and conflicts for what it cannot run. Nothing is imported from an engine; its facts are plain knowledge,
which its tests compare with what runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sharding.annotations import engine_of
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.torch_facts import with_torch_facts
from sharding.torch_limits import torch_conflicts
from sharding.verdicts import Conflict

ENGINES = ("flat", "torch")


def check_engine(engine: str) -> None:
    """Refuse a name that is no engine's.

    Raises:
        PlanError: naming the engines.
    """
    if engine not in ENGINES:
        raise PlanError(f"unknown engine {engine!r}; this version knows {', '.join(map(repr, ENGINES))}")


def as_engine_runs(layout: Layout) -> Layout:
    """The layout with its engine's facts stated and its limits among the conflicts."""
    if layout.engine == "torch":
        layout = with_torch_facts(layout)
        limits = torch_conflicts(layout)
    else:
        limits = _flat_conflicts(layout)
    found = (*_foreign(layout), *limits)
    return replace(layout, conflicts=(*layout.conflicts, *found)) if found else layout


def _foreign(layout: Layout) -> Iterator[Conflict]:
    for owner in (*layout.units, *layout.replicate_groups):
        runs_on = engine_of(owner.annotation)
        if runs_on not in (None, layout.engine):
            yield Conflict(
                "engines",
                (owner.fqn,),
                f"{owner.annotation.api} on {owner.fqn!r} runs on engine {runs_on!r} already, and this is for "
                f"{layout.engine!r}: one model runs on one engine",
                "make one plan for the whole model and apply it to a fresh one",
            )


def _flat_conflicts(layout: Layout) -> Iterator[Conflict]:
    for unit in layout.units:
        size = unit.annotation.options.reshard_after_forward
        if size is not None and not isinstance(size, bool):
            yield Conflict(
                "reshard_to_some",
                (unit.fqn,),
                f"unit {unit.fqn!r} is to keep pieces for {size} ranks after forward, which this engine does not do",
                "use reshard_after_forward=True or False, or engine='torch'",
            )
