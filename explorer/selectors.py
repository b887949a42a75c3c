"""Selectors: a line of text that finds modules, on a tree with a plan on it.

    layers.*                      a name or pattern, as everywhere; `.` is the root
    type:Block params>10M         blanks: all of these hold
    unit:u7, tied                 commas: any of these holds
    h.** !type:LayerNorm          `!`: does not hold

Kinds are name, type, unit, status, finding and conflict, each with a pattern; quantities are params (at and below)
and own, with K, M, B or T; words are tied, frozen and shared. Between `[` and `]` no sign is special. The page reads
the same language to count while one types; a file of cases holds both to it.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from explorer.areas import LETTERS
from explorer.remarks import index_of
from sharding.errors import PlanError
from sharding.layout import Layout
from sharding.patterns import compile_pattern, find_nodes

KINDS = ("name", "type", "unit", "status", "finding", "conflict")
WORDS = ("tied", "frozen", "shared")
QUANTITIES = ("params", "own")

_SCALES = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
_COMPARED = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq}
_BOUND = re.compile(r"([^<>=]*)(>=|<=|>|<|=)(\d+(?:\.\d+)?)([KMBT]?)", re.IGNORECASE)
_TOKEN = re.compile(r"(?:\[[^\]]+\]|[^,\s])+|,")
_SIGN = re.compile(r"\s*(>=|<=|>|<|=)\s*")


@dataclass(frozen=True)
class Term:
    """One condition: a kind (or word, or quantity) with its text, turned round by `!`."""

    kind: str
    text: str = ""
    negated: bool = False


Selector = tuple[tuple[Term, ...], ...]


def read_selector(text: str) -> Selector:
    """A selector as alternatives of terms.

    Raises:
        PlanError: it cannot be read; says which part, and what would be one.
    """
    alternatives: list[tuple[Term, ...]] = []
    tokens = _TOKEN.findall(_joined(text))
    for is_comma, part in itertools.groupby([*tokens, ","], lambda token: token == ","):
        if is_comma and len(list(part)) > 1:
            raise _unreadable(text, text.strip() and ",", "an alternative is empty")
        if not is_comma:
            alternatives.append(tuple(_term(text, token) for token in part))
    if not tokens or tokens[0] == ",":
        raise _unreadable(text, "", "it says nothing" if not tokens else "an alternative is empty")
    return tuple(alternatives)


def select(layout: Layout, text: str) -> list[int]:
    """The pre-order indices of the modules that a selector finds.

    Raises:
        PlanError: the selector cannot be read.
    """
    facts = _Facts(layout)
    found: set[int] = set()
    for terms in read_selector(text):
        kept = set(range(len(layout.modules)))
        for term in terms:
            held = set(facts.holds(term))
            kept = kept - held if term.negated else kept & held
        found |= kept
    return sorted(found)


def selected(layout: Layout, text: str) -> list[int]:
    """The same, refusing to find nothing.

    Raises:
        PlanError: no module is found, or the selector cannot be read.
    """
    found = select(layout, text)
    if not found:
        terms = [term for alternative in read_selector(text) for term in alternative]
        if len(terms) == 1 and terms[0].kind == "name":
            find_nodes(layout.tree, terms[0].text)  # says what is near
        raise PlanError(f"the selector {text.strip()!r} finds no module in {layout.tree.root.cls_name}")
    return found


def _joined(text: str) -> str:
    """Without blanks around the signs of comparison, but for those in brackets."""
    parts = re.split(r"(\[[^\]]+\])", text)
    return "".join(part if place % 2 else _SIGN.sub(r"\1", part) for place, part in enumerate(parts))


def _term(selector: str, token: str) -> Term:
    negated = token.startswith("!")
    text = token[1:] if negated else token
    bare = re.sub(r"\[[^\]]+\]", "", text)
    if text in WORDS:
        return Term(text, "", negated)
    if _SIGN.search(bare):
        return Term(*_bound(selector, token, text), negated)
    kind, _, rest = text.partition(":") if ":" in bare else ("name", "", text)
    if kind not in KINDS:
        raise _unreadable(selector, token, f"{kind!r} is none of {', '.join(KINDS)}")
    if not rest or rest.startswith("!"):
        raise _unreadable(selector, token, "something is missing")
    return Term(kind, rest, negated)


def _bound(selector: str, token: str, text: str) -> tuple[str, str]:
    match = _BOUND.fullmatch(text)
    if match is None or match[1] not in QUANTITIES:
        raise _unreadable(selector, token, "a comparison is params or own, a sign, and a number such as 10M")
    return match[1], text[len(match[1]) :]


def _unreadable(selector: str, part: str, why: str) -> PlanError:
    where = f"{part!r} in the selector {selector.strip()!r}" if part else f"the selector {selector!r}"
    return PlanError(
        f"cannot read {where}: {why}. A selector is a name or pattern, {', '.join(f'{kind}:…' for kind in KINDS[1:])}, "
        f"params>10M, own>1K, {', '.join(WORDS)}; blanks mean and, commas or, ! not"
    )


class _Facts:
    """What holds for which modules of a layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._tree = layout.tree

    def holds(self, term: Term) -> Iterable[int]:
        if term.kind in QUANTITIES:
            return self._compared(term)
        return getattr(self, f"_{term.kind}")(term.text)

    def _name(self, text: str) -> Iterator[int]:
        if text == ".":
            return iter((0,))
        try:
            return (node.index for node in find_nodes(self._tree, text))
        except PlanError:
            return iter(())

    def _type(self, text: str) -> Iterator[int]:
        matches = _Pattern(text)
        return (row.index for row in self._layout.modules if matches(row.cls) or matches(row.cls.rpartition(".")[2]))

    def _unit(self, text: str) -> Iterator[int]:
        matches = _Pattern(f"u{text}" if text.isdecimal() else text)
        numbers = {fqn: n for n, unit in enumerate(self._layout.units) for fqn in unit.fqns if matches(f"u{n}")}
        inside = ("fully_shard", "in_unit")
        return (row.index for row in self._layout.modules if row.unit in numbers and row.status in inside)

    def _status(self, text: str) -> Iterator[int]:
        matches = _Pattern(text)
        wanted = {status for status, letter in LETTERS.items() if text == letter or matches(status)}
        return (row.index for row in self._layout.modules if row.status in wanted)

    def _finding(self, text: str) -> Iterator[int]:
        matches = _Pattern(text)
        return (index for each in self._layout.findings if matches(each.kind) for index in self._of(each.fqns))

    def _conflict(self, text: str) -> Iterator[int]:
        matches = _Pattern(text)
        return (index for each in self._layout.conflicts if matches(each.kind) for index in self._of(each.fqns))

    def _of(self, fqns: Sequence[str]) -> Iterator[int]:
        return (index_of(self._tree, fqn) for fqn in fqns)

    def _compared(self, term: Term) -> Iterator[int]:
        match = _BOUND.fullmatch(term.kind + term.text)
        assert match is not None
        holds, bound = _COMPARED[match[2]], float(match[3]) * _SCALES[match[4].upper()]
        sizes = [row.own_numel for row in self._layout.modules]
        if term.kind == "params":
            before = [0, *itertools.accumulate(sizes)]
            sizes = [before[node.end] - before[node.index] for node in self._tree.nodes]
        return (index for index, numel in enumerate(sizes) if holds(numel, bound))

    def _tied(self, _: str) -> Iterator[int]:
        return self._holding(lambda held: len(held.users) > 1)

    def _frozen(self, _: str) -> Iterator[int]:
        return self._holding(lambda held: not held.param.requires_grad)

    def _holding(self, holds: Callable[..., bool]) -> Iterator[int]:
        wanted = {key for key, held in self._tree.held.items() if holds(held)}
        return (node.index for node in self._tree.nodes if any(id(param) in wanted for _, param, _ in node.params))

    def _shared(self, _: str) -> Iterator[int]:
        return (target.index for node in self._tree.nodes for _, target, kind in node.references if kind == "shared")


class _Pattern:
    """Whether a word matches a pattern as a whole."""

    def __init__(self, text: str) -> None:
        self._regex = compile_pattern(text)

    def __call__(self, word: str) -> bool:
        return self._regex.fullmatch(word) is not None
