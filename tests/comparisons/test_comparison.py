"""A comparison as table, picture and data: what is shown for numbers that are known."""

from __future__ import annotations

import base64
import json
import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
import torch
from torch import nn

from sharding import Comparison, Plan, PlanError, cost, trace
from sharding.comparisons.comparison import Row, Traffic

FLAT = Row(
    "flat",
    losses=((1.0, 2.0), (0.5, 1.5)),
    seconds=(0.002, 0.004, 0.003),
    peak_nbytes=(1000, 1200),
    collectives=(Traffic("all_gather", 5, 4000), Traffic("reduce_scatter", 3, 2000)),
)
TORCH = replace(FLAT, engine="torch", losses=((1.0, 2.0), (0.5, 1.25)), seconds=(0.004, 0.004, 0.009))
DDP = Row("ddp", "failed", "rank 0 of 2: RuntimeError: <unused> & gone")
NONE = Row("none", losses=((1.0, 2.0), (0.5, 1.5)), seconds=(0.001, 0.001, 0.001), peak_nbytes=(4000,))
SHOWN = Comparison(Plan().fully_shard(""), (FLAT, TORCH, DDP, NONE), 2, "gloo", ("cpu", "cpu"), 2)

GOLDEN = """\
The same plan, seeds and batches on 2 ranks over gloo (cpu): 2 steps, times in turns over 3 rounds
engine  loss difference  step time / flat  peak bytes a rank  all_gather   reduce_scatter
flat    0                1 (3 ms)          1,000-1,200        5 (4,000 B)  3 (2,000 B)
torch   2.5e-01          2.00 (1.50-2.50)  1,000-1,200        5 (4,000 B)  3 (2,000 B)
ddp     failed           -                 -                  -            -
none    reference        0.33 (0.29-0.42)  4,000              0            0
ddp: failed: rank 0 of 2: RuntimeError: <unused> & gone
peak: bytes of all tensors alive, each storage once, in the second step; collectives: of that step, count and bytes of \
whole buffers
step time: median of the ratios of each round, in brackets their middle half; slowest rank; 'none' trains a whole copy \
a rank and sends nothing"""


def test_the_table():
    """Word for word."""
    assert SHOWN.text() == repr(SHOWN) == GOLDEN


def test_ratios_are_taken_in_each_round():
    """The ratio of medians would be 4/3."""
    ratio = SHOWN.ratio("torch")
    assert ratio is not None
    assert ratio.median == pytest.approx(2)
    assert SHOWN.ratio("ddp") is None
    assert SHOWN.row("torch").step_seconds == 0.004


@pytest.mark.parametrize(
    ("mine", "theirs", "wanted"),
    [
        (((1.0,),), ((1.5,),), 0.5),
        (((math.nan,),), ((math.nan,),), 0.0),
        (((math.inf,),), ((math.inf,),), 0.0),
        (((math.nan,),), ((1.0,),), math.inf),
        ((), ((1.0,),), None),
    ],
)
def test_the_difference_of_losses(mine, theirs, wanted):
    """Of losses that are not finite only the same ones are no distance apart."""
    rows = (replace(FLAT, losses=mine), replace(NONE, losses=theirs))
    assert replace(SHOWN, rows=rows).loss_difference("flat") == wanted


def test_a_row_that_is_not_there():
    """Names those that are."""
    with pytest.raises(PlanError, match="engine 'fsdp1' did not take part; 'flat', 'torch', 'ddp', 'none' did"):
        SHOWN.row("fsdp1")


def test_the_picture_is_a_drawing_of_these_rows():
    """Well-formed, names every row, tells kinds apart, and no bar leaves the page."""
    root = ElementTree.fromstring(SHOWN.picture())
    texts = ["".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")]
    assert {"flat", "torch", "ddp", "none", "2.00", "1.2 kB", "6 kB in 8", "all_gather", "reduce_scatter"} <= set(texts)
    assert "failed: rank 0 of 2: RuntimeError: <unused> & gone" in texts
    width = float(root.attrib["width"])
    for bar in root.iter("{http://www.w3.org/2000/svg}rect"):
        assert float(bar.attrib.get("x", 0)) + float(bar.attrib["width"]) <= width
    assert not [each for each in root.iter() if each.tag.endswith(("style", "script", "foreignObject"))]


def test_the_notebook_form_survives_where_nobody_is_trusted():
    """The drawing inside an image, inline styles, text escaped."""
    page = SHOWN._repr_html_()
    assert not re.search(r"<(svg|style|script)", page)
    assert "&lt;unused&gt; &amp; gone" in page
    drawing = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert drawing is not None
    assert base64.b64decode(drawing[1]).decode() == SHOWN.picture()
    assert page.count("<tr>") == 5


def test_the_data_is_plain():
    """JSON-ready, with what the table shows."""
    data = json.loads(json.dumps(SHOWN.to_data()))
    assert data["base"] == "flat"
    torch_row = data["rows"][1]
    assert torch_row["loss_difference"] == 0.25
    assert torch_row["ratio"] == [pytest.approx(2), pytest.approx(1.5), pytest.approx(2.5)]
    assert torch_row["collectives"] == [["all_gather", 5, 4000], ["reduce_scatter", 3, 2000]]


def test_without_times_and_steps():
    """Nothing was timed: no base, no ratios, and the picture says so."""
    rows = tuple(replace(row, seconds=()) for row in SHOWN.rows)
    bare = replace(SHOWN, rows=rows)
    assert bare.base is None
    assert bare.ratio("flat") is None
    assert "no times taken" in bare.text()
    assert "step time (not taken)" in bare.picture()


def test_rates_are_read_off_a_comparison():
    """All of the unsharded step is arithmetic; all that the sharded one takes longer is sending."""
    model = nn.Linear(8, 8, bias=False)
    layout, traced = SHOWN.plan.resolve(model), trace(model, torch.zeros(4, 8))
    found = SHOWN.rates(cost(layout, trace=traced))
    assert found.flops_per_s == 2 * 2 * 4 * 8 * 8 / 0.001
    assert found.bytes_per_s == pytest.approx(2 * 4 * 8 * 8 // 2 / (0.003 - 0.001))
    assert found.source == "from the comparison of 'flat' with the unsharded model, 2 ranks over gloo"
    assert cost(layout, world_size=64, trace=traced, rates=found).time.missing == ()
    assert found.fields == {"flops_per_s": found.flops_per_s, "bytes_per_s": found.bytes_per_s, "latency_s": 0.0}
    as_fast = Comparison(SHOWN.plan, (replace(FLAT, seconds=NONE.seconds), NONE), 2, "gloo", ("cpu",), 2)
    assert as_fast.rates(cost(layout, trace=traced)).bytes_per_s is None


def test_rates_are_refused_where_something_is_missing():
    """No trace, another number of ranks, no times: each says what to do."""
    model = nn.Linear(8, 8, bias=False)
    layout, traced = SHOWN.plan.resolve(model), trace(model, torch.zeros(4, 8))
    untimed = replace(SHOWN, rows=(FLAT, replace(NONE, seconds=())))
    for comparison, asked, message in (
        (SHOWN, cost(layout), "ask for them with a trace"),
        (SHOWN, cost(layout, world_size=3, trace=traced), "are for 3 ranks and the comparison ran on 2"),
        (untimed, cost(layout, trace=traced), "no times were taken of 'none'"),
        (SHOWN, 3, "rates are read with a Cost of the same plan, got int"),
    ):
        with pytest.raises(PlanError, match=message):
            comparison.rates(asked)
