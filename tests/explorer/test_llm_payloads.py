"""What the page's tests read about language models is what Python sends today."""

from __future__ import annotations

import json

import pytest
from llm_payloads import FILE, SHOWN, payload


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_tests_read_what_python_sends(name):
    """Another payload, or another version of transformers: `python tests/explorer/llm_payloads.py`."""
    assert json.loads(FILE.read_text(encoding="utf-8"))[name] == payload(name)
