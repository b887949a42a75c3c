"""The page of proofs names tests that exist, for every rule, in every section."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGES = [TESTS.parent / "docs" / "semantics_proofs.md", TESTS / "flat" / "test_original_design.py"]
NAMED = re.compile(r"`(?P<file>[\w/]*test_\w+\.py)::(?P<name>test_\w+)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_named_exists(page):
    """Each `file::test` is a function in that file, below `tests/` or beside the page."""
    named = [(each["file"], each["name"]) for each in NAMED.finditer(page.read_text())]
    assert named
    for file, name in named:
        place = next((path for path in (TESTS / file, page.parent / file) if path.exists()), None)
        assert place is not None, file
        assert f"\ndef {name}(" in place.read_text(), f"{file} has no {name}"


def test_every_rule_has_a_proof():
    """Sections 2 to 8 are all there, and no row is without a test."""
    text = PAGES[0].read_text()
    assert re.findall(r"^## (\d)", text, re.MULTILINE) == list("2345678")
    rows = [line for line in text.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) > 100
    assert all(NAMED.search(row) for row in rows)
