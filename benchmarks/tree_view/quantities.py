"""What is measured, and what it should be: the rows of the table, each with its goal by size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

KIB = 1024
ANY = "any size"


@dataclass(frozen=True)
class Quantity:
    """A row of the table.

    Attributes:
        words: what it is called.
        unit: of its figures: "B", "ms", "MB" or "" for a count.
        goals: the most it may be, by size (`ANY`: where no other is given).
        group: the probe that measures it, the name `--rows` takes.
    """

    words: str
    unit: str
    group: str
    goals: Mapping[str, float] = field(default_factory=dict)

    def goal(self, size: str) -> float | None:
        """The most it may be for a size, None where none is set."""
        return self.goals.get(size, self.goals.get(ANY))


_FOLDING = ("gpt2", "llama70b", "experts")
_FIRST_PAINT = {"llama70b": 120, "experts": 150, "distinct": 250, "million": 900}

QUANTITIES: dict[str, Quantity] = {
    "module_bytes": Quantity(
        "bytes of the tree, a module", "B", "bytes", {"llama70b": 4, "moe12k": 4, "experts": 0.1, "distinct": 5}
    ),
    "packed_bytes": Quantity("the same, zlib", "B", "bytes", {"distinct": 1}),
    "state_bytes": Quantity(
        "saved widget state, page module in it",
        "B",
        "bytes",
        dict.fromkeys(_FOLDING, 48 * KIB),
    ),
    "module_file": Quantity("page module (explorer.js)", "B", "bytes", {ANY: 40 * KIB}),
    "panels_file": Quantity("panels, on demand (extras.js)", "B", "bytes"),
    "static_bytes": Quantity("static HTML form", "B", "bytes", {ANY: 64 * KIB}),
    "export_bytes": Quantity("exported HTML file", "B", "bytes", dict.fromkeys(_FOLDING, 100 * KIB)),
    "walk": Quantity("Python: walk and classes", "ms", "python", {"moe12k": 40, "experts": 250}),
    "plan_work": Quantity("Python: an edit, layout and payload", "ms", "python", {ANY: 5}),
    "first_paint": Quantity("exported HTML: first contentful paint", "ms", "export", _FIRST_PAINT),
    "rows_paint": Quantity("exported HTML: live rows, second frame", "ms", "export", _FIRST_PAINT),
    "main_thread": Quantity("exported HTML: main thread, beyond an empty page", "ms", "export", {"experts": 60}),
    "heap": Quantity("exported HTML: memory beyond the same", "MB", "export", {"experts": 8, "million": 80}),
    "elements": Quantity("elements, the worst tab, all open", "", "export", {ANY: 600}),
    "requests": Quantity("exported HTML: requests", "", "export", {ANY: 0}),
    "toggle": Quantity("fold or open a row, all open", "ms", "moves", {ANY: 4}),
    "expand": Quantity("open all, close all", "ms", "moves", {ANY: 8}),
    "search": Quantity("a key in the search box", "ms", "moves", {ANY: 16}),
    "scroll": Quantity("scroll, all open: frame", "ms", "moves", {ANY: 16.7}),
    "scroll_worst": Quantity("scroll, all open: worst frame", "ms", "moves", {ANY: 33}),
    "lab_rows": Quantity("Lab: Shift+Enter to rows", "ms", "lab", {"experts": 500}),
    "lab_messages": Quantity("Lab: messages until then", "", "lab", {ANY: 12}),
    "lab_bytes": Quantity("Lab: bytes until then", "B", "lab", {"experts": 30 * KIB}),
    "lab_own_bytes": Quantity("Lab: of them without the page module", "B", "lab"),
    "edit_paint": Quantity("Lab: an edit painted", "ms", "lab", {"experts": 6, ANY: 16}),
    "edit_median": Quantity("Lab: confirmed by Python, median", "ms", "lab", {ANY: 60}),
    "edit_late": Quantity("Lab: confirmed by Python, 95th percentile", "ms", "lab", {ANY: 120}),
    "edit_up": Quantity("Lab: an edit's command", "B", "lab", {ANY: 200}),
    "edit_down": Quantity("Lab: what comes back", "B", "lab", {ANY: KIB}),
}

GROUPS = tuple(dict.fromkeys(quantity.group for quantity in QUANTITIES.values()))
ELSEWHERE = "own SVG: not here, the exports have their own measure"
