"""The exported HTML file: interactive from the disk, silent on the network, readable where no script runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer import explore
from sharding.plan import Plan

sys.path.insert(0, str(Path(__file__).parents[1] / "explorer"))
from explored_models import GPT, experts

pytestmark = pytest.mark.browser

PLAN = Plan().fully_shard("")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """75,396 modules with a unit a layer, as one file."""
    ex = explore(experts(), plan=PLAN.fully_shard("model.layers.*"), view="text")
    return ex.save(tmp_path_factory.mktemp("saved") / "experts.html")


@pytest.fixture
def page(browser: Browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def opened(page: Page, path: Path):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    widget = page.locator(".shx")
    expect(widget).to_have_attribute("data-ready", "1")
    return widget, requests


def test_it_folds_and_answers_from_the_disk_with_no_request(page, saved):
    """One file, at most 100 KB for 75,000 modules; the panels are in it; the page stays small."""
    assert saved.stat().st_size <= 100 * 1024
    widget, requests = opened(page, saved)
    expect(page.locator("#static")).to_have_count(0)
    expect(widget.locator("[data-role=totals]")).to_contain_text("75,396 modules")
    layers = widget.locator('.row[data-fqn="model.layers.3–60"]:visible')
    expect(layers).to_have_attribute("data-status", "F")
    before = widget.locator(".row:visible").count()
    layers.locator("[data-cell=fold]").click()
    expect(widget.locator('.row[data-fqn="model.layers.3–60.mlp"]:visible')).to_have_count(0)
    assert widget.locator(".row:visible").count() < before
    widget.locator("[data-tab=orders]").click()
    expect(widget.locator("[data-role=orders]")).to_contain_text("62")
    assert widget.locator("*").count() <= 600
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []


def test_a_mark_is_refused_with_the_reason(page, saved):
    """There is no kernel to ask; the tree stays as it was saved."""
    widget, _ = opened(page, saved)
    row = widget.locator('.row[data-fqn="model.embed_tokens"]:visible')
    row.locator("[data-cell=name]").click()
    expect(widget.locator("[data-cmd=ignore]")).to_be_visible()
    page.keyboard.press("i")
    expect(widget.locator("[data-role=status]")).to_contain_text("No kernel is behind it")
    expect(row).to_have_attribute("data-status", "f")


def test_without_scripts_the_static_tree_is_read(browser, saved):
    """Mail readers, previews, locked-down machines."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(saved.as_uri())
    expect(page.locator("#static details").first).to_be_visible()
    expect(page.locator("#static")).to_contain_text("layers.3–60")
    context.close()


def test_names_that_close_a_script_do_not(page, tmp_path):
    """Class and attribute names come from anybody's model."""
    model = GPT()
    model.add_module("</script><b>", GPT(depth=1).head)
    widget, _ = opened(page, explore(model, view="text").save(tmp_path / "odd.html"))
    expect(widget.locator('.row[data-fqn="</script><b>"]:visible')).to_be_visible()


def test_on_paper_it_is_the_static_tree(page, saved):
    """A list that scrolls would print what is in view."""
    opened(page, saved)
    page.emulate_media(media="print")
    page.evaluate("() => { dispatchEvent(new Event('beforeprint')); }")
    expect(page.locator("#static")).to_be_visible()
    expect(page.locator("#page")).to_be_hidden()
    page.evaluate("() => { dispatchEvent(new Event('afterprint')); }")
    expect(page.locator("#static")).to_have_count(0)
