"""Figures as a table: quantity, goal, median of what was measured, met or not."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from quantities import QUANTITIES, Quantity
from sizes import SIZES

HEAD = ("quantity", "size", "goal", "measured", "of", "")


@dataclass(frozen=True)
class Figure:
    """A quantity of one size, and everything that was measured of it."""

    quantity: str
    size: str
    values: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def met(self) -> bool | None:
        """Whether the median keeps to the goal, to the digit shown; None where there is none."""
        goal = QUANTITIES[self.quantity].goal(self.size)
        return None if goal is None else round(self.median, 2 if goal < 1 else 1) <= goal


def show(figures: Iterable[Figure]) -> None:
    """Print the table in the order of `QUANTITIES`, and what load the machine had."""
    places = {name: place for place, name in enumerate(QUANTITIES)}
    ordered = sorted(figures, key=lambda figure: (places[figure.quantity], list(SIZES).index(figure.size)))
    lines = [HEAD, *(_cells(figure) for figure in ordered)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEAD))]
    last = ""
    for line in lines:
        shown = ("" if line[0] == last else line[0], *line[1:])
        last = line[0]
        left = "  ".join(cell.ljust(width) for cell, width in zip(shown[:2], widths[:2], strict=True))
        right = "  ".join(cell.rjust(width) for cell, width in zip(shown[2:5], widths[2:5], strict=True))
        print(f"{left}  {right}  {shown[5]}")
    goals = [figure.met for figure in ordered if figure.met is not None]
    print(f"{sum(goals)} of {len(goals)} goals met; load {', '.join(f'{load:.1f}' for load in os.getloadavg())}")


def _cells(figure: Figure) -> tuple[str, ...]:
    quantity = QUANTITIES[figure.quantity]
    goal = quantity.goal(figure.size)
    spread = f" ({_number(min(figure.values), quantity)} to {_number(max(figure.values), quantity)})"
    varies = len(figure.values) > 1 and max(figure.values) > min(figure.values)
    return (
        quantity.words,
        SIZES[figure.size].label,
        "" if goal is None else f"≤ {_number(goal, quantity)}",
        _number(figure.median, quantity) + (spread if varies else ""),
        str(len(figure.values)),
        {None: "", True: "met", False: "MISSED"}[figure.met],
    )


def _number(value: float, quantity: Quantity) -> str:
    digits = 3 if value < 1 and value else 1 if value < 1000 and quantity.unit != "" and value % 1 else 0
    return f"{value:,.{digits}f} {quantity.unit}".rstrip()
