"""The static form: safe, small, foldable, and readable on any background."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
import torch
from explored_models import GPT, Named, chain, experts
from torch import nn

from explorer.html import MAX_NBYTES, html_of
from sharding.plan import Plan

NASTY = ["<img src=x onerror=alert(1)>", "</details></div>", "&amp;", "a\"b'c", "<script>1</script>"]


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that tags nest."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("name", NASTY)
def test_names_that_are_markup_stay_names(name):
    """Names of modules, classes and remarks are text, whatever they hold."""
    cls = type(name, (nn.Linear,), {})
    model = Named()
    model._modules[name] = cls(2, 2)
    page = Reader(html_of(Plan().resolve(model)))
    assert set(page.tags) <= {"div", "span", "b", "details", "summary", "ul", "li"}
    assert {attribute for _, attribute, _ in page.attributes} <= {"style", "open"}
    assert name in "".join(page.words)


def test_only_inline_styles_and_every_colour_with_its_background():
    """`<style>` and `<svg>` are taken out of untrusted notebooks; a bare colour vanishes on a dark page."""
    plan = Plan().fully_shard("").replicate("h.1").ignore("h.2").fully_shard("h.0")
    page = Reader(html_of(plan.resolve(GPT())))
    assert not set(page.tags) & {"style", "svg", "script", "link", "img"}
    styles = [value for _, name, value in page.attributes if name == "style"]
    for style in styles:
        assert bool(re.search(r"(?<![-\w])color:", style)) == ("background:" in style)


def test_every_status_has_a_letter_beside_its_colour():
    """Colour is never the only sign."""
    plan = Plan().fully_shard("h.0").replicate("h.1").ignore("h.2")
    page = html_of(plan.resolve(GPT()))
    for letter in "FfRrIi-":
        assert f">{letter}</span>" in page


def test_repeated_blocks_fold_and_levels_open():
    """A run is one line; deep levels are closed, the first ones open."""
    page = html_of(Plan().fully_shard("").fully_shard("h.*").resolve(GPT(depth=80)))
    assert "<b>h.0–79</b> Block ×80" in page
    assert "u1–80" in page
    assert page.count("<details open>") == 3


@pytest.mark.parametrize("kind", ["experts", "distinct", "chain"])
def test_it_is_never_larger_than_64_kilobytes(kind):
    """75,000 modules fold; what does not fold is cut by whole levels, and says so."""
    if kind == "experts":
        model = experts()
    elif kind == "chain":
        model = chain(5000)
    else:
        with torch.device("meta"):
            model = nn.Sequential(*[nn.Sequential(nn.Linear(1, 1 + k), nn.ReLU()) for k in range(3000)])
    page = html_of(Plan().fully_shard("").resolve(model))
    assert len(page.encode()) <= MAX_NBYTES
    assert ("more" in page or "below" in page) == (kind != "experts")
    Reader(page)
