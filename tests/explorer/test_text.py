"""The text form, character by character where that is short."""

from __future__ import annotations

import io
import sys

import pytest
from explored_models import GPT, Mod, Named, chain, with_cycle
from torch import nn

from explorer.text import text_of
from sharding.plan import Plan

WORKED = """\
Mod  [F u0 #0]  40
├── submod1  Linear  [F u1 #1 H0]  20
└── submod2  Submod2  [f u0 #2]  20
    └── subsubmod  Linear  [R #3]  20
5 modules"""


def test_the_worked_tree():
    """Marks, units, numbers, handles and sizes in one line each."""
    plan = Plan().fully_shard("").fully_shard("submod1").replicate("submod2.subsubmod")
    text = text_of(plan.resolve(Mod()), ascii_only=False)
    tree = text.split("\n")
    assert tree[:4] == WORKED.split("\n")[:4]
    assert tree[-1] == "4 modules, 2 units, 40 parameters: 20 sharded, 20 replicated"


def test_repeated_blocks_are_one_line_with_their_numbers():
    """The range, how many, and how unit, pre-order number and handle go on."""
    plan = Plan().fully_shard("").fully_shard("h.*")
    text = text_of(plan.resolve(GPT(depth=80)), ascii_only=False)
    assert "│   └── h.0–79  Block ×80  [F u1–80 #3+4k H1+k]  296 each" in text.split("\n")
    assert "│       ├── up  Linear  [f u1–80 #5+4k]  144" in text.split("\n")


def test_ascii_where_the_terminal_has_nothing_else(monkeypatch):
    """No character that a terminal in the C locale could not write; asked of the terminal itself."""
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    text = text_of(Plan().resolve(GPT(depth=3)))
    monkeypatch.undo()
    assert text.isascii()
    assert "|   `-- h.0-2  Block x3" in text


def test_shared_modules_and_cycles_are_one_line():
    """They are told, not followed."""
    text = text_of(Plan().resolve(with_cycle()), ascii_only=False)
    assert "│   └── owner  ↻ back to the root (#0)" in text
    assert "└── b  ↪ same as a (#1)" in text


def test_conflicts_and_findings_are_told_under_the_tree():
    """The row has a sign, the sentence says what to do."""
    text = text_of(Plan().fully_shard("h").resolve(GPT()), ascii_only=False)
    assert "h  ModuleList  [!F" in text
    assert "! fully_shard on 'h': a ModuleList has no forward" in text
    assert "mark its children instead" in text


def test_no_line_is_longer_than_the_width():
    """Long names and classes give way; the marks stay whole."""
    cls = type("AVeryLongClassNameThatNobodyCouldWantToReadInFullInATerminal", (nn.Linear,), {})
    model = Named(**{"a_parameterised_projection_with_a_long_name_" * 2: cls(2, 2)})
    for line in text_of(Plan().fully_shard("").resolve(model), ascii_only=False).split("\n"):
        assert len(line) <= 80
    assert "[f u0 #1]  6" in text_of(Plan().fully_shard("").resolve(model))


def test_a_chain_of_10_000_modules_is_drawn():
    """No recursion, and the guides do not grow with the depth."""
    text = text_of(Plan().resolve(chain(10_000)), ascii_only=False, max_rows=None)
    lines = text.split("\n")
    assert len(lines) == 10_002
    assert max(map(len, lines)) < 120


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\nb", "tab\there"])
def test_names_cannot_move_the_cursor(name):
    """Control characters are written out."""
    text = text_of(Plan().resolve(Named(**{name: nn.ReLU()})), ascii_only=False)
    assert "\x1b" not in text
    assert len(text.split("\n")) == 3
