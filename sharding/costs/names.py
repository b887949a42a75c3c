"""Names of many units as one: `layers.0–79`, `layers.0–79.{k_proj,v_proj}`, or the first and how many more."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

MAX_CHOICES = 4


def shared_name(names: Sequence[str]) -> str:
    """One name for all of these, exact where there is one."""
    if len(names) == 1:
        return names[0] or "(root)"
    paths = [name.split(".") for name in names]
    rest = f"{names[0] or '(root)'} and {len(names) - 1:,} more"
    if len({len(path) for path in paths}) > 1:
        return rest
    columns = [list(dict.fromkeys(column)) for column in zip(*paths, strict=True)]
    if prod(len(column) for column in columns) != len(names):
        return rest
    words = [_word(column) for column in columns]
    return rest if None in words else ".".join(word for word in words if word is not None)


def _word(choices: Sequence[str]) -> str | None:
    if len(choices) == 1:
        return choices[0]
    if all(choice.isdecimal() for choice in choices):
        numbers = [int(choice) for choice in choices]
        if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return f"{numbers[0]}–{numbers[-1]}"
    return f"{{{','.join(choices)}}}" if len(choices) <= MAX_CHOICES else None
