"""What a layout says of itself: conflicts, which cannot run, findings, worth knowing, and facts of its engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warn", "info"]


@dataclass(frozen=True)
class Conflict:
    """Something that cannot run: verbs and `Plan.apply` refuse a layout that has one.

    Attributes:
        kind: a short stable name.
        fqns: the modules and parameters concerned.
        message: what was found, and where.
        fix: what to do about it.
    """

    kind: str
    fqns: tuple[str, ...]
    message: str
    fix: str


@dataclass(frozen=True)
class Finding:
    """Something that runs, but that people want to know."""

    kind: str
    severity: Severity
    fqns: tuple[str, ...]
    message: str
    advice: str


@dataclass(frozen=True)
class Fact:
    """Something an engine does otherwise than the common rules say. It changes how a plan runs, never what is learnt.

    Attributes:
        kind: a short stable name.
        fqns: the units, groups or parameters it shows on.
        message: what is different.
    """

    kind: str
    fqns: tuple[str, ...]
    message: str
