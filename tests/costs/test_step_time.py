"""How long arithmetic and communication take at given rates: checked by hand, and what is missing is said."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from sharding import Plan, PlanError, Rates, cost, trace

WIDTH, ROWS = 8, 4
MODEL = nn.Sequential(nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False))
LAYOUT = Plan().fully_shard("").fully_shard("*").resolve(MODEL)
TRACE = trace(MODEL, torch.zeros(ROWS, WIDTH))
PRODUCT = 2 * ROWS * WIDTH * WIDTH
PARAMS = 4 * WIDTH * WIDTH


def test_bars_are_operations_and_bytes_over_rates():
    """Two products forward, three backward (the inputs need no gradient); each unit gathers, and is reduced."""
    found = cost(LAYOUT, trace=TRACE, rates=Rates(1000.0, 100.0, 0.5)).time
    forward, backward = found.phases
    assert (TRACE.forward_flops, TRACE.flops) == (2 * PRODUCT, 5 * PRODUCT)
    assert (forward.compute_s, backward.compute_s) == (2 * PRODUCT / 1000, 3 * PRODUCT / 1000)
    sent = PARAMS // 2  # of two ranks each sends half a buffer
    assert forward.communication_s == pytest.approx(2 * sent / 100 + 2 * 0.5)
    assert backward.communication_s == pytest.approx(4 * sent / 100 + 4 * 0.5)
    assert found.compute_s == forward.compute_s + backward.compute_s
    assert found.communication_s == forward.communication_s + backward.communication_s
    assert found.missing == ()


def test_every_step_of_an_accumulation_computes_and_only_the_last_averages():
    """Three forwards and backwards: all gathers and all products three times, reductions once."""
    once, thrice = (cost(LAYOUT, trace=TRACE, accumulation_steps=steps, rates=Rates(1.0, 1.0)).time for steps in (1, 3))
    assert thrice.compute_s == 3 * once.compute_s
    assert thrice.communication_s == 3 * 2 * PARAMS + 2 * PARAMS // 2
    assert once.communication_s == 2 * PARAMS + 2 * PARAMS // 2


def test_what_is_missing_is_said_and_not_guessed():
    """Without a trace no compute, without a rate no bar; on one rank nothing is sent at all."""
    assert cost(LAYOUT).time is None
    untraced = cost(LAYOUT, rates=Rates(bytes_per_s=1.0)).time
    assert untraced.compute_s is None
    assert untraced.missing == ("compute: a trace, which counts the operations", "compute: flops_per_s")
    unlinked = cost(LAYOUT, trace=TRACE, rates=Rates(1.0)).time
    assert (unlinked.communication_s, unlinked.missing) == (None, ("communication: bytes_per_s",))
    alone = cost(LAYOUT, world_size=1, trace=TRACE, rates=Rates(1.0)).time
    assert (alone.communication_s, alone.missing) == (0.0, ())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"flops_per_s": 0}, "flops_per_s=0; give operations a second, such as 4e14, more than 0"),
        ({"bytes_per_s": "fast"}, "bytes_per_s='fast'; give bytes a second, more than 0"),
        ({"bytes_per_s": float("nan")}, "bytes_per_s=nan; give bytes a second"),
        ({"latency_s": -1}, "latency_s=-1; give seconds a collective, 0 or more"),
        ({"flops_per_s": True}, "flops_per_s=True; give operations a second"),
    ],
    ids=str,
)
def test_rates_that_make_no_sense_are_refused(given, message):
    """What was found, and what would do."""
    with pytest.raises(PlanError, match=message):
        Rates(**given)


def test_as_text():
    """Bars at one scale, the rates and where they come from, and that they are assumed."""
    text = cost(LAYOUT, trace=TRACE, rates=Rates(PRODUCT * 10.0, PARAMS * 5.0, source="by hand")).to_text()
    assert text.endswith(
        """\
Time of a step, each by itself, at 5.12e+03 FLOPs/s, 1.28e+03 bytes/s a rank (by hand):
  forward   compute        200 ms  ####################
  forward   communication  200 ms  ####################
  backward  compute        300 ms  ##############################
  backward  communication  400 ms  ########################################
  assumed: those rates throughout; at least the longer of the two, how far they overlap is not known"""
    )
