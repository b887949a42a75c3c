"""What an exported file holds; that it works in a browser is tested there."""

from __future__ import annotations

import json
import re

import pytest
from explored_models import GPT

from explorer import explore
from sharding.errors import PlanError
from sharding.plan import Plan


def test_the_file_holds_the_states_and_the_static_form():
    """One document: what the widget would draw, and what is seen without scripts."""
    ex = explore(GPT(), plan=Plan().fully_shard("h.*"), view="text")
    page = ex.export("html")
    found = re.search(r'<script type="application/json" id="saved">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    states = json.loads(found[1])["states"]
    assert json.loads(states["tree"]) == json.loads(json.dumps(ex._session.tree_data()))
    assert json.loads(states["plan"])["areas"] == ex._session.plan_data()["areas"]
    assert ex.html() in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_saving_picks_the_kind_by_the_ending(tmp_path):
    """Five endings; another one is refused with the list."""
    ex = explore(GPT(), plan=Plan().fully_shard("h.*"), view="text")
    for ending, kind in {".html": "html", ".json": "json", ".py": "python", ".txt": "text", ".gv": "dot"}.items():
        assert ex.save(tmp_path / f"kept{ending}").read_text(encoding="utf-8") == ex.export(kind)
    assert Plan.from_json((tmp_path / "kept.json").read_text()) == ex.plan
    with pytest.raises(PlanError, match=r"cannot tell what 'kept.pdf' should hold; endings are .json, .py, .html"):
        ex.save(tmp_path / "kept.pdf")
    with pytest.raises(PlanError, match="unknown kind 'svg'"):
        ex.export("svg")
