"""Who owns each parameter: one row a parameter, and the rows of every owner.

A parameter with one name falls to the label of the module that holds it. One with several names, or left out by
itself, is settled first (`sharing.py`). Rows of labels that an edit did not touch are taken over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from sharding.annotations import Annotation
from sharding.labels import IgnoredRoot, Label, Labels
from sharding.parameters import Held
from sharding.sharing import Shared, settle, settle_ignored_param
from sharding.touched import Touched
from sharding.units import OwnerKind, ParamRow
from sharding.verdicts import Conflict, Finding

Key = Label | Literal["alone"]
"""What an owner is found by: the label of its modules, or "alone" for parameters that are ignored by themselves."""


@dataclass(eq=False)
class Owner:
    """The parameters of one unit, replicate group or ignored module, or of nobody.

    Attributes:
        kind: as in rows.
        fqn: as in rows.
        rows: its parameters, in the order of first names.
        numel: their elements.
        verdicts: what there is to say against its annotation; None before it was looked at.
    """

    kind: OwnerKind
    fqn: str | None
    rows: tuple[ParamRow, ...] = ()
    numel: int = 0
    verdicts: Sequence[Conflict | Finding] | None = None


class Owners:
    """Every parameter with its owner. Made by `owners_of`.

    Attributes:
        params: one row a parameter by its first name, in the order of first names.
        conflicts, findings: what was met while settling parameters with several names.
        kept: keys whose owners are those of the layout before.
    """

    def __init__(self, labels: Labels, ignored: Mapping[int, Sequence[Annotation]], before: Owners | None) -> None:
        self.params: dict[str, ParamRow] = {} if before is None else dict(before.params)
        self.conflicts: list[Conflict] = []
        self.findings: list[Finding] = []
        self.kept: AbstractSet[Key] = frozenset()
        self._labels = labels
        self._ignored = ignored
        self._by_key: dict[Key, Owner] = {}
        self._settled: dict[int, tuple[Held, Key]] = {}

    def __iter__(self) -> Iterator[Owner]:
        """Everybody who has parameters, in no order."""
        return iter(self._by_key.values())

    def outside_units(self) -> list[ParamRow]:
        """Rows of parameters that no unit has, in the order of first names."""
        rows = [row for owner in self if owner.kind != "unit" for row in owner.rows]
        return sorted(rows, key=attrgetter("place"))

    def of(self, label: Label) -> Owner:
        """The owner a label stands for; one without parameters where it decides for no module."""
        owner = self._by_key.get(label)
        return Owner(*self._named(label)) if owner is None else owner

    def settle(self) -> None:
        """Give the parameters with several names, and those ignored by themselves, to whom they belong."""
        tree = self._labels.tree
        ignored = [held for param in self._ignored if (held := tree.held.get(param)) is not None]
        for held in sorted({*tree.held_twice, *ignored}, key=attrgetter("place")):
            self._settled[held.place] = held, self._owner_of(Shared(held.nodes, self._names(held)), id(held.param))

    def gather(self, touched: Touched, before: Owners | None) -> None:
        """Write the rows of touched labels, and take over those of the others."""
        if before is None:
            self.params = dict.fromkeys(self._labels.tree.param_names)  # type: ignore[assignment]
            for key, held in self._held_of_all().items():
                self._own(key, held, None)
            return
        keys: set[Key] = {*touched.labels, *self._labels.ignored.values(), "alone"}
        keys |= self._resettled(before) | before._resettled(self)
        self._by_key = {key: owner for key, owner in before._by_key.items() if key not in keys and _stays(key)}
        self.kept = frozenset(self._by_key)
        for key in keys:
            self._own(key, self._held_of(key), before._by_key.get(key))

    def _held_of_all(self) -> dict[Key, list[Held]]:
        """The parameters of every key, in the order of first names."""
        settled, decides = self._settled, self._labels.decides
        found: dict[Key, list[Held]] = {key: [] for key in self._labels.marks.values()}
        for held in self._labels.tree.held.values():
            key = settled[held.place][1] if held.place in settled else decides[held.first.index]
            known = found.get(key)
            if known is None:
                found[key] = [held]
            else:
                known.append(held)
        return found

    def _held_of(self, key: Key) -> list[Held]:
        """The parameters of one key, in the order of first names, without looking at those of others."""
        held = [each for each, owner in self._settled.values() if owner == key]
        if key == "alone":
            return held
        at = self._labels.tree.held_at
        in_region = [each for index in self._labels.region(key) if index in at for each in at[index]]
        found = [each for each in in_region if each.place not in self._settled]
        return sorted([*found, *held], key=attrgetter("place")) if held else found

    def _resettled(self, other: Owners) -> set[Key]:
        """Who has, here, the parameters that were settled here or there and not with the same outcome."""
        places = {*self._settled, *other._settled}
        differ = [place for place in places if self._settled.get(place) != other._settled.get(place)]
        decides = self._labels.decides
        found: set[Key] = set()
        for place in differ:
            held, key = self._settled.get(place) or (other._settled[place][0], None)
            found.add(key if place in self._settled else decides[held.first.index])
        return found

    def _own(self, key: Key, mine: Sequence[Held], before: Owner | None) -> None:
        """Give a key its parameters; its owner before stays if it had the same."""
        kind, fqn = self._named(key)
        params, settled = self.params, self._settled
        rows: list[ParamRow] = []
        for held in mine:
            row = params.get(held.name)
            if row is None or row.owner_kind != kind or row.unit != fqn:
                names = self._names(held) if held.place in settled else None
                row = params[held.name] = ParamRow(held, kind, fqn, names)
            rows.append(row)
        if rows or key is None or (isinstance(key, Annotation) and self._labels.marked(key)):
            same = tuple(rows)
            if before is None or before.fqn != fqn or before.rows != same:
                before = Owner(kind, fqn, same, sum([held.numel for held in mine]))
            self._by_key[key] = before

    def _names(self, held: Held) -> tuple[str, ...]:
        names: dict[str, None] = {}
        for node, (_, attr) in zip(held.nodes, held.users, strict=True):
            names.update((f"{name}.{attr}" if name else attr, None) for name in self._labels.tree.names(node))
        return tuple(names)

    def _owner_of(self, shared: Shared, param: int) -> Key:
        calls = self._ignored.get(param)
        if calls is not None:
            conflict = settle_ignored_param(shared, self._labels, calls) if calls else None
            if conflict is None:
                return "alone"
            self.conflicts.append(conflict)
        label, remark = settle(shared, self._labels)
        if isinstance(remark, Conflict):
            self.conflicts.append(remark)
        elif remark is not None:
            self.findings.append(remark)
        return label

    def _named(self, key: Key) -> tuple[OwnerKind, str | None]:
        if key is None:
            return "unmanaged", None
        if key == "alone":
            return "ignored", None
        if isinstance(key, IgnoredRoot):
            return "ignored", key.node.fqn
        return "unit" if key.api == "fully_shard" else "replicate", self._labels.first_node(key).fqn


def owners_of(
    labels: Labels,
    ignored: Mapping[int, Sequence[Annotation]],
    touched: Touched,
    before: Owners | None = None,
) -> Owners:
    """Give every parameter its one owner.

    Args:
        labels: what decides for each module.
        ignored: calls that name each parameter to be left out, by its id.
        touched: where `labels` differ from those of `before`.
        before: the owners of another layout of the same tree.
    """
    owners = Owners(labels, ignored, before)
    owners.settle()
    owners.gather(touched, before)
    return owners


def _stays(key: Key) -> bool:
    """Whether the same key can stand for an owner of the next layout: what is ignored gets a new one each time."""
    return key is None or isinstance(key, Annotation)
