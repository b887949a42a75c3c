"""The exported HTML file in a browser: how soon it is read, what it costs, how quickly it moves."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from moves import measure_moves
from playwright.sync_api import Browser, Page
from table import Figure

WATCHING = "\n".join(
    Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8") for name in ("watching", "moves")
)
WINDOW: Any = {"width": 1280, "height": 900}
SEEN = "() => performance.getEntriesByName('rows').length > 0"
MAIN_THREAD = ("toplevel", "blink.user_timing", "disabled-by-default-devtools.timeline")
EMPTY = """<!doctype html><title>empty</title><p>nothing
<script>requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("rows")));</script>"""
PANELS = ".shx [role=tab]"


def measure_export(size: str, browser: Browser, file: Path, repeats: int) -> Iterator[Figure]:
    """Every opening is a browser context of its own, so nothing is cached."""
    empty = file.with_name("empty.html")
    empty.write_text(EMPTY, encoding="utf-8")
    idle = min(_main_thread(browser, empty) for _ in range(3))
    paints, rows, busy, heaps = [], [], [], []
    for _ in range(repeats):
        with opened(browser, file) as page:
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            rows.append(page.evaluate("performance.getEntriesByName('rows')[0].startTime"))
        busy.append(_main_thread(browser, file) - idle)
    with opened(browser, empty) as page:
        nothing = _heap(page)
    for _ in range(2):
        with opened(browser, file) as page:
            page.locator(PANELS).first.wait_for()
            heaps.append((_heap(page) - nothing) / 1e6)
    found = {"first_paint": paints, "rows_paint": rows, "main_thread": busy, "heap": heaps}
    yield from (Figure(quantity, size, values) for quantity, values in found.items())
    yield from _contents(size, browser, file)


def measure_moving(size: str, browser: Browser, file: Path, repeats: int) -> Iterator[Figure]:
    """Moves in the exported page: there is no host beside it."""
    with opened(browser, file) as page:
        page.locator(PANELS).first.wait_for()
        yield from measure_moves(size, page.locator(".shx"), repeats)


@contextlib.contextmanager
def opened(browser: Browser, file: Path) -> Iterator[Page]:
    """The file on a fresh page, its rows seen."""
    context = browser.new_context(viewport=WINDOW)
    try:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.add_init_script(WATCHING)
        page.goto(file.as_uri())
        page.wait_for_function(SEEN)
        yield page
    finally:
        context.close()


def _main_thread(browser: Browser, file: Path) -> float:
    """Milliseconds the page's main thread worked from the start of the navigation until the rows were seen."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(WATCHING)
    browser.start_tracing(page=page, categories=list(MAIN_THREAD))
    page.goto(file.as_uri())
    page.wait_for_function(SEEN)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    context.close()
    (end,) = (each for each in events if each["name"] == "rows" and each.get("cat") == "blink.user_timing")
    began = max(each["ts"] for each in events if each["name"] == "navigationStart" and each["ts"] < end["ts"])
    tasks = [
        each
        for each in events
        if each["name"].endswith("RunTask") and (each["pid"], each["tid"]) == (end["pid"], end["tid"]) and "dur" in each
    ]
    outer = [each for each in tasks if began <= each["ts"] <= end["ts"] and each["name"] == tasks[0]["name"]]
    return sum(each.get("tdur", each["dur"]) for each in outer) / 1e3


def _heap(page: Page) -> float:
    """Bytes of the scripts' memory after a collection, typed arrays included."""
    session = page.context.new_cdp_session(page)
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    return usage["usedSize"] + usage["backingStorageSize"]


def _contents(size: str, browser: Browser, file: Path) -> Iterator[Figure]:
    """The most elements in any tab with all rows open, and what was asked from a network."""
    with opened(browser, file) as page:
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        page.wait_for_function(SEEN)
        page.locator(PANELS).first.wait_for()
        page.locator("[data-cmd=open_all]").click()
        counts = []
        for tab in page.locator(PANELS).all():
            tab.click()
            page.evaluate("frame_of(() => undefined).then(() => frame_of(() => undefined))")
            counts.append(page.locator(".shx *").count())
    asked = [url for url in requests if not url.startswith(("file:", "blob:", "data:"))]
    yield Figure("elements", size, [max(counts)])
    yield Figure("requests", size, [len(asked)])
