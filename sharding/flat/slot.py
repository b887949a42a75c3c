"""One parameter of a unit: the live `nn.Parameter`, its names, and every module that holds it.

The engine never replaces a parameter. It swaps what the parameter shows (`.data`), so optimizers, ties and names keep
working; a slot is how it finds the object and notices when somebody else replaced it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn

from sharding.units import ParamRow


@dataclass
class Slot:
    """One parameter and where it hangs.

    Attributes:
        name: clean name, relative to the unit's module.
        param: the live parameter.
        users: `(module, attribute)` of every holder; tied parameters have several.
        shape: shape of the whole parameter.
    """

    name: str
    param: nn.Parameter
    users: tuple[tuple[nn.Module, str], ...]
    shape: torch.Size

    @property
    def numel(self) -> int:
        return self.shape.numel()

    def current(self) -> nn.Parameter | None:
        """What the first holder holds now."""
        module, attr = self.users[0]
        return module._parameters.get(attr)

    def replaced_at(self) -> tuple[nn.Module, str] | None:
        """A holder that no longer holds this parameter, if any."""
        param = self.param
        for module, attr in self.users:
            if module._parameters.get(attr) is not param:
                return module, attr
        return None


def slots_of(rows: Sequence[ParamRow], prefix: str) -> tuple[Slot, ...]:
    """The slots of a unit's rows, with names relative to `prefix`."""
    slots = []
    for row in rows:
        module, attr = row.users[0]
        param = module._parameters[attr]
        assert param is not None, row.name
        slots.append(Slot(relative_name(row.name, prefix), param, row.users, param.shape))
    return tuple(slots)


def relative_name(name: str, prefix: str) -> str:
    """`name` without `prefix` and its dot; the whole name where it lies elsewhere (several modules, a tied one)."""
    return name[len(prefix) + 1 :] if prefix and name.startswith(prefix + ".") else name
