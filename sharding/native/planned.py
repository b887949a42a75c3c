"""A plan on torch's engine: what `Plan.apply(engine="torch")` calls. The same two functions as the other engine has."""

from __future__ import annotations

from typing import Any

from torch.distributed.device_mesh import DeviceMesh

from sharding.layout import Layout
from sharding.native.building import build, check
from sharding.native.settings import TorchSettings, read_settings


def settings_of_verbs(mesh: DeviceMesh | None, given: dict[str, Any]) -> dict[str, TorchSettings]:
    """The run settings of each verb of a plan.

    Raises:
        PlanError: a setting this engine does not have, or a mesh that does not fit.
    """
    return read_settings(mesh, given)


def build_layout(layout: Layout) -> None:
    """Make a layout without conflicts run. Collective; everything is checked before anything is changed."""
    check(layout)
    build(layout)
