"""What the ranks of a call printed and displayed, to look at afterwards: all or one rank, equal lines once, searched.

`View` is made from events, so it works for a call that runs, one that is over, and one read back from a file. As text
it is the same everywhere (terminal, nbconvert, papermill); in a notebook it is drawn with tabs (`view_html.py`). Made
by `Run.view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from sharding.workers.record import RunEvent

MAX_FOLDED_LINES = 2000


@dataclass(frozen=True)
class Item:
    """A line that ranks printed, or a value that one displayed.

    Attributes:
        ranks: who; more than one for lines that are equal on all.
        text: without the label.
        data: the forms of a displayed value by MIME type, None for a line.
    """

    ranks: tuple[int, ...]
    text: str
    stream: str = "stdout"
    data: Mapping[str, Any] | None = None

    @property
    def label(self) -> str:
        if len(self.ranks) > 1:
            return f"[identical on all ranks ×{len(self.ranks)}]"
        return "".join(f"[rank {rank}]" for rank in self.ranks)

    def __str__(self) -> str:
        return "\n".join(f"{self.label} {line}" for line in self.text.splitlines() or [""])


@dataclass(frozen=True, repr=False)
class View:
    """Output of a call, in the order it arrived. Narrow it with the methods; print it, or show it in a notebook."""

    title: str
    ranks: tuple[int, ...]
    items: tuple[Item, ...]

    def rank(self, number: int) -> View:
        """What this rank alone printed and displayed."""
        return replace(self, items=tuple(item for item in self.items if number in item.ranks))

    def search(self, text: str) -> View:
        """The lines with `text` in them, in any case of its letters."""
        found = [item for item in self.items if text.casefold() in item.text.casefold()]
        return replace(self, items=tuple(found))

    def folded(self) -> View:
        """Lines that all ranks printed, in the same order, once; what differs stays between them."""
        return replace(self, items=tuple(fold(self.items, self.ranks)))

    def __str__(self) -> str:
        return "\n".join(map(str, self.items))

    def __repr__(self) -> str:
        return f"{self.title}\n{self}"

    def _repr_html_(self) -> str:
        from sharding.workers.view_html import page

        return page(self)


def view_of(events: Iterable[RunEvent], title: str, ranks: Sequence[int]) -> View:
    """The view of a call's events."""
    assembly = Assembly()
    for event in list(events):
        assembly.add(event)
    return View(title, tuple(ranks), tuple(assembly.items))


class Assembly:
    """The items of a call's events, made as the events come."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._places: dict[tuple[int, str], int] = {}

    def add(self, event: RunEvent) -> None:
        """Take one more event; what is neither output nor displayed is none of its business."""
        if event.kind == "log" and event.rank is not None:
            label = f"[rank {event.rank}] "
            lines = event.values["text"].splitlines()
            self.items += [Item((event.rank,), line.removeprefix(label), event.values["stream"]) for line in lines]
        elif event.kind == "display" and event.rank is not None:
            self._display(event.rank, event.values)

    def _display(self, rank: int, values: Mapping[str, Any]) -> None:
        """Add a displayed value, or put it where the one with its id is."""
        data, name = values["data"], values["display_id"]
        item = Item((rank,), str(data.get("text/plain", "")), "display", data)
        if values["update"] and (rank, name) in self._places:
            self.items[self._places[rank, name]] = item
            return
        if name is not None:
            self._places[rank, name] = len(self.items)
        self.items.append(item)


def fold(items: Sequence[Item], ranks: Sequence[int]) -> list[Item]:
    """The items with the lines that are equal on all ranks as one each. Each rank's own order stays."""
    of_rank = [[item for item in items if item.ranks == (rank,)] for rank in ranks]
    if len(ranks) < 2 or max(map(len, of_rank), default=0) > MAX_FOLDED_LINES:
        return list(items)
    common = _common([[_key(item) for item in mine] for mine in of_rank])
    folded: list[Item] = []
    starts = [0] * len(ranks)
    for key in common:
        for place, mine in enumerate(of_rank):
            end = next(i for i in range(starts[place], len(mine)) if _key(mine[i]) == key)
            folded += mine[starts[place] : end]
            starts[place] = end + 1
        folded.append(replace(of_rank[0][starts[0] - 1], ranks=tuple(ranks)))
    return folded + [item for start, mine in zip(starts, of_rank, strict=True) for item in mine[start:]]


def _key(item: Item) -> tuple[str, str]:
    """Equal for what can be folded; displayed values never are, since their data is not compared."""
    return item.stream, item.text if item.data is None else f"\0{id(item)}"


def _common(keys: Sequence[list[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Lines that all ranks have, in an order they have in common."""
    common = keys[0]
    for other in keys[1:]:
        blocks = SequenceMatcher(None, common, other, autojunk=False).get_matching_blocks()
        common = [key for block in blocks for key in common[block.a : block.a + block.size]]
    return common
