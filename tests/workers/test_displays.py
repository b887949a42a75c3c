"""What ranks display: the forms of a value, the functions user code calls, and where it appears."""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import Any

import pytest
import torch.distributed as dist

from sharding.workers import RunEvent, Workers, figures
from sharding.workers.displays import MAX_NBYTES, bundle_of, limited


class Rich:
    """A value with several forms, one of which fails."""

    def __repr__(self) -> str:
        return "plain"

    def _repr_html_(self) -> str:
        return "<b>rich</b>"

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        return b"\x89PNG", {"width": 1}

    def _repr_latex_(self) -> None:
        return None

    def _repr_svg_(self) -> str:
        raise ValueError("no")


class Bundled:
    """A value that gives all its forms at once, one of them bound to a page that a rank does not have."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {"text/plain": "mine", "text/html": "<i>", "application/vnd.jupyter.widget-view+json": {"model_id": "7"}}


class Broken:
    """Its text cannot be had."""

    def __repr__(self) -> str:
        raise ValueError("no")


def test_all_forms_of_a_value_travel() -> None:
    """Bytes as base64; methods that fail or say nothing are left out."""
    png = base64.b64encode(b"\x89PNG").decode()
    assert bundle_of(Rich()) == {"text/plain": "plain", "text/html": "<b>rich</b>", "image/png": png}
    assert bundle_of(Bundled()) == {"text/plain": "mine", "text/html": "<i>"}
    assert bundle_of(Rich) == {"text/plain": repr(Rich)}
    assert bundle_of(Broken()) == {"text/plain": "<its text cannot be shown: ValueError>"}


def test_what_is_too_big_for_a_page_is_its_text() -> None:
    """With its size."""
    cut = limited({"text/plain": "a picture", "image/png": "x" * MAX_NBYTES})
    assert cut == {"text/plain": "a picture (5 MB, too big to be shown)"}


def displayed(events: list[RunEvent]) -> list[tuple[int | None, dict[str, Any]]]:
    return [(event.rank, dict(event.values)) for event in events if event.kind == "display"]


def test_display_is_there_and_arrives_once_a_rank(workers: Workers, capsys: pytest.CaptureFixture[str]) -> None:
    """As in every cell; where no notebook is, its plain text is printed."""

    def show() -> None:
        if dist.get_rank() == 1:
            display(Rich())  # type: ignore[name-defined]  # noqa: F821

    workers.run(show)
    assert workers.last is not None
    ((rank, values),) = displayed(workers.last.events)
    assert (rank, values["update"], values["display_id"]) == (1, False, None)
    assert values["data"]["text/html"] == "<b>rich</b>"
    assert json.dumps([event.to_dict() for event in workers.last.events])
    assert capsys.readouterr().out == "[rank 1] plain\n"


def test_functions_of_ipython_work_in_a_rank(workers: Workers) -> None:
    """`display`, handles with `update`, `publish_display_data`; clearing does nothing."""

    def show() -> None:
        from IPython.display import HTML, clear_output, display, publish_display_data

        handle = display(HTML("<p>1"), display_id=True)
        handle.update(HTML("<p>2"))  # type: ignore[union-attr]
        display({"text/plain": "raw"}, raw=True, display_id="mine")
        publish_display_data({"image/png": b"\x89"})
        clear_output()

    workers[0].run(show)
    assert workers.last is not None
    first, second, raw, png = (values for _, values in displayed(workers.last.events))
    assert (first["data"]["text/html"], first["update"]) == ("<p>1", False)
    assert (second["data"]["text/html"], second["update"]) == ("<p>2", True)
    assert first["display_id"] == second["display_id"] is not None
    assert (raw["data"], raw["display_id"]) == ({"text/plain": "raw"}, "mine")
    assert png["data"] == {"image/png": base64.b64encode(b"\x89").decode()}


def test_bars_of_progress_are_seen_while_they_move(workers: Workers) -> None:
    """Also the one made of widgets, which a notebook's `tqdm.auto` ships: it becomes the plain one."""
    made_of_widgets = pytest.importorskip("tqdm.notebook").tqdm

    def work(bar: Any, folder: str) -> bool:
        import time

        for step in bar(range(3), mininterval=0):
            while step == 2 and not os.path.exists(folder):
                time.sleep(0.01)
        return bar.__module__ == "tqdm.std"

    read, write = os.pipe()
    run = workers[0].start(work, made_of_widgets, f"/proc/{os.getpid()}/fd/{write}.never")
    seen = run._page_bell.wait_for(lambda: "2/3" in run._bars.get(0, ""), 60)
    os.close(read)
    os.close(write)
    run.interrupt()
    assert seen
    assert run.wait(60)
    assert run._bars == {}
    assert "[rank 0]" in run.output


@pytest.mark.parametrize(
    ("chosen", "ours"),
    [("", True), ("module://matplotlib_inline.backend_inline", True), ("agg", False), ("module://my.backend", False)],
)
def test_the_back_end_of_figures_is_ours_unless_the_user_chose(chosen: str, ours: bool) -> None:
    """The notebook's inline one cannot work in a rank."""
    assert figures.choose({"MPLBACKEND": chosen} if chosen else {}) == ({"MPLBACKEND": figures.BACKEND} if ours else {})


def test_figures_are_displayed_by_show_and_at_the_end(workers: Workers) -> None:
    """Each once, as a picture, and closed."""
    pytest.importorskip("matplotlib")

    def draw() -> int:
        import matplotlib.pyplot as plt

        plt.figure()
        plt.plot([1, 2])
        plt.show()
        plt.figure()
        return len(plt.get_fignums())

    assert workers.run(draw) == [1, 1]
    assert workers.last is not None
    shown = displayed(workers.last.events)
    assert sorted(rank or 0 for rank, _ in shown) == [0, 0, 1, 1]
    assert all(values["data"]["image/png"].startswith("iVBOR") for _, values in shown)
    assert workers.run(lambda: len(sys.modules["matplotlib.pyplot"].get_fignums())) == [0, 0]
