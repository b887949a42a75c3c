"""The timeline behind the peak beside two real ranks: at every event and gradient, what the engine holds for a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch.distributed as dist
from costed_models import WIDTH, Chain
from measured_step import on_meta, storage_nbytes
from torch import nn

from sharding import EventLog, Plan, Workers, by_class, cost, events, trace
from sharding.costs.assumed import assumed
from sharding.costs.flat_step import flat_step
from sharding.costs.ledger import Ledger
from sharding.costs.schedule import Places
from sharding.costs.traced import traced
from sharding.events import Writer
from sharding.flat.walking import all_states
from sharding.traversal import tree_of

CELLS = Plan().fully_shard("", policy=by_class("Cell"))
BF16 = {"param_dtype": "bfloat16", "reduce_dtype": "float32"}
FLAT = {
    "full shard": CELLS,
    "shard_grad_op": CELLS.defaults(strategy="shard_grad_op"),
    "root only": Plan().fully_shard(""),
    "no common root": Plan().fully_shard("cells.*"),
    "cast": CELLS.defaults(mixed_precision=BF16),
    "cast and reduced low": CELLS.defaults(mixed_precision={"param_dtype": "bfloat16"}),
    "kept by hand": CELLS.fully_shard("cells.0", reshard_after_forward=False),
    "root freed by hand": Plan().fully_shard("cells.*").fully_shard("", reshard_after_forward=True),
}

NESTED = {"nested": CELLS.fully_shard("cells.*.seq")}


class Sampler(EventLog):
    """Looks at the engine's memory whenever an event is written or a gradient has arrived."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.handles = [state.handle for _, state in all_states(tree_of(model)) if state.handle is not None]
        self.most = 0

    def writer(self) -> Writer:
        return self.sample

    def sample(self, _: Any = None) -> None:
        """Whole parameters, whole gradients, pieces being averaged and averaged ones."""
        self.most = max(self.most, storage_nbytes(self._tensors()))

    def look_when_laid_down(self) -> None:
        """Look also when a flat buffer has been made and the gradients that go there still wait."""

        def looking(make: Callable[[], torch.Tensor]) -> Callable[[], torch.Tensor]:
            def made() -> torch.Tensor:
                flat = make()
                self.sample()
                return flat

            return made

        for handle in self.handles:
            for gradients in handle.gradients:
                gradients._whole = looking(gradients._whole)

    def _tensors(self) -> Iterator[torch.Tensor]:
        for handle in self.handles:
            for buffer in handle.buffers:
                if buffer.full is not None:
                    yield buffer.full
            for gradients in handle.gradients:
                yield from gradients._waiting.values()
                yield from () if gradients._flat is None else (gradients._flat,)
                yield from () if gradients._reducing is None else gradients._reducing[:2]
                yield from (piece for piece, _, _ in gradients._averaged)


def most_at_once(plans: dict[str, Plan]) -> dict[str, int]:
    """The most bytes this rank ever held for the second step, beside what rests."""
    found = {}
    for name, plan in plans.items():
        model = Chain()
        plan.apply(model)
        sampler = Sampler(model)
        sampler.look_when_laid_down()
        for param in model.parameters():
            param.register_post_accumulate_grad_hook(sampler.sample)
        for _ in range(2):
            model.zero_grad()
            sampler.most = 0
            events.open_logs.add(sampler)
            model(torch.ones(3, WIDTH) * dist.get_rank()).square().mean().backward()
            events.open_logs.drop(sampler)
        found[name] = sampler.most
    return found


def most_in_step(plan: Plan) -> int:
    """The largest moment of the predicted step, beside what rests and what only passes through."""
    asked = cost(plan.resolve(on_meta(Chain)), world_size=2)
    schedule = assumed(asked.layout, Places(asked.layout, asked.kinds), asked.setting)
    ledger = Heights()
    flat_step(schedule, asked.kinds, asked.setting, ledger)
    return ledger.most


class Heights(Ledger):
    """A ledger that leaves out what is alive at one moment only."""

    most = 0

    def moment(self, name: str, *passing: tuple[str, int]) -> None:
        self.most = max(self.most, self.total)


@pytest.fixture(scope="module")
def measured() -> dict[str, int]:
    """The most each plan held, on rank 0 of 2."""
    with Workers(2, backend="gloo", timeout=60) as workers:
        first, second = workers.run(most_at_once, FLAT | NESTED)
    assert first == second
    return first


@pytest.mark.parametrize("name", [*FLAT, "nested"])
def test_the_largest_moment_is_what_ran(measured, name):
    """The largest moment of the assumed step is exact to the byte, for units in units too."""
    assert most_in_step((FLAT | NESTED)[name]) == measured[name]


@pytest.mark.parametrize("name", [*FLAT, "nested"])
def test_with_a_trace_it_is_the_same(measured, name):
    """The order that ran gives what the assumed order gives where modules run as they are registered."""
    plan = (FLAT | NESTED)[name]
    found = trace(Chain, torch.ones(3, WIDTH))
    asked = cost(plan.resolve(on_meta(Chain)), world_size=2, trace=found)
    schedule = traced(asked.layout, Places(asked.layout, asked.kinds), found, asked.setting)
    ledger = ParametersOnly()
    flat_step(schedule, asked.kinds, asked.setting, ledger)
    assert ledger.most == measured[name]


class ParametersOnly(Heights):
    """Leaves activations out too: what is measured beside are the engine's own buffers."""

    def activations(self, acts: tuple[int, int]) -> None:
        pass
