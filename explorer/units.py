"""The units of a layout as columns for the page: what is alike in every block is one run a column.

Where a unit begins and which modules it has is said by the areas (`areas.py`); here is all the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from explorer import runlength
from explorer.messages import UnitsState
from sharding.annotations import UnitOptions
from sharding.layout import Layout
from sharding.units import Unit

_OPTIONS = ("reshard_after_forward", "mixed_precision", "cpu_offload")


def units_state(layout: Layout) -> UnitsState:
    """The columns; see `messages.UnitsState`."""
    units = layout.units
    numbers = {unit.fqn: n for n, unit in enumerate(units)}
    apart = [_is_apart(layout, unit) for unit in units]
    places = _Places(layout)
    settings = _Settings()
    return UnitsState(
        num=len(units),
        nparams=runlength.encode_numbers([len(unit.params) for unit in units]),
        numel=runlength.encode_numbers([unit.numel for unit in units]),
        handle=runlength.encode_numbers([unit.index for unit in units]),
        init_c=runlength.encode_numbers([places.of("init_composable", unit) for unit in units]),
        init_w=runlength.encode_numbers([places.of("init_wrapper", unit) for unit in units]),
        local_root=runlength.encode_numbers([numbers[unit.local_root] for unit in units]),
        apart=_column([int(each) for each in apart]),
        within=_column([unit.within for unit in units]),
        setting=_column([settings.number_of(unit) for unit in units]),
        settings=settings.found,
    )


def _column(values: Sequence[Any]) -> list[Any] | None:
    return runlength.encode_column(values) if any(values) else None


def _is_apart(layout: Layout, unit: Unit) -> bool:
    return f"handles:{unit.local_root}" in layout.orders


class _Places:
    """Where each handle stands in the initialisation orders; every order is walked once."""

    def __init__(self, layout: Layout) -> None:
        self._orders = {name: {fqn: place for place, fqn in enumerate(order)} for name, order in layout.orders.items()}

    def of(self, order: str, unit: Unit) -> int | None:
        places = self._orders.get(f"{order}:{unit.local_root}", self._orders[order])
        return places.get(unit.fqn)


class _Settings:
    """The different settings of units, numbered as they are met; every object of options is looked at once."""

    def __init__(self) -> None:
        self.found: list[list[Any]] = []
        self._numbers: dict[int, int] = {}

    def number_of(self, unit: Unit) -> int:
        options = unit.annotation.options
        number = self._numbers.get(id(options))
        if number is None:
            each = [options.strategy, options_text(options)]
            if each not in self.found:
                self.found.append(each)
            number = self._numbers[id(options)] = self.found.index(each)
        return number


def options_text(options: UnitOptions) -> dict[str, str]:
    """The settings of a unit that differ from the defaults, beside its strategy."""
    default = UnitOptions()
    return {name: str(value) for name in _OPTIONS if (value := getattr(options, name)) != getattr(default, name)}
