"""A rank that is missed inside a unit's collective: the card names the unit, whatever engine waits."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
import torch.distributed as dist
from engine_models import TwoBlocks
from oracle_run import Case, inputs, loss_of

from sharding import Plan, by_class
from sharding.workers import Workers

BLOCKS = Case(TwoBlocks, Plan().fully_shard("", policy=by_class("Block")))


@pytest.fixture(scope="module")
def quick() -> Iterator[Workers]:
    """Ranks whose hangs are told soon."""
    with Workers(2, backend="gloo", timeout=60, hang_after=0.4) as workers:
        yield workers


def held_up(engine: str, folder: str, name: str, backward: bool) -> None:
    """Rank 1 is held up in this module of its second step until the file `go` is there."""
    model, _ = BLOCKS.applied(engine)
    loss_of(model(inputs(0, dist.get_rank()))).backward()
    waits = dist.get_rank() == 1

    def hold_up(*_: object) -> None:
        while waits and not os.path.exists(os.path.join(folder, "go")):
            time.sleep(0.01)

    module = model.get_submodule(name)
    if backward:
        module.register_full_backward_hook(hold_up)
    else:
        module.register_forward_hook(hold_up)
    loss_of(model(inputs(1, dist.get_rank()))).backward()


@pytest.mark.parametrize(("name", "backward", "unit"), [("l", False, "u1"), ("u2.lin", True, "u2")])
def test_the_card_names_the_unit(quick, engine, tmp_path, name, backward, unit):
    """In forward the gather of the next unit, in backward the averaging of the one that is done."""
    call = quick.start(held_up, engine, str(tmp_path), name, backward)
    call.on_event(lambda event: event.kind == "hang" and (tmp_path / "go").touch())
    call.result(60)
    hang = next(event for event in call.events if event.kind == "hang" and not event.values["again"])
    assert hang.values["unit"] == unit
    assert hang.values["text"].startswith("rank 1 has not arrived at ")
    assert f"of unit '{unit}'; rank 0 waits" in hang.values["text"]
