"""Rates read off a comparison: how fast this machine computed, and how fast its links were for one rank.

Two measured steps and two predicted numbers: the unsharded step gives the arithmetic, what a sharded step took longer
gives the links. That counts everything else a sharded step does (copies, waiting) as sending, so links look slower than
they are, and faster where sending hid behind arithmetic.
"""

from __future__ import annotations

from sharding.comparisons.comparison import Comparison
from sharding.comparisons.contestants import REFERENCE
from sharding.costs.duration import Rates
from sharding.costs.report import Cost
from sharding.errors import PlanError


def rates_of(comparison: Comparison, cost: Cost) -> Rates:
    """See `Comparison.rates`."""
    if not isinstance(cost, Cost):
        raise PlanError(f"rates are read with a Cost of the same plan, got {type(cost).__name__}")
    if cost.trace is None or not cost.trace.flops:
        raise PlanError("the costs know no operations: ask for them with a trace, cost(layout, trace=trace(model, x))")
    if cost.world_size != comparison.nprocs:
        raise PlanError(
            f"the costs are for {cost.world_size} ranks and the comparison ran on {comparison.nprocs}; ask for "
            f"cost(..., world_size={comparison.nprocs})"
        )
    engine = cost.setting.engine
    alone, sharded = _seconds(comparison, REFERENCE), _seconds(comparison, engine)
    flops = cost.setting.accumulation_steps * cost.trace.flops
    sent = sum(each.ring_nbytes for each in cost.traffic)
    longer = sharded - alone
    return Rates(
        flops / alone,
        sent / longer if sent and longer > 0 else None,
        source=f"from the comparison of {engine!r} with the unsharded model, {comparison.nprocs} ranks over "
        f"{comparison.backend}",
    )


def _seconds(comparison: Comparison, engine: str) -> float:
    seconds = comparison.row(engine).step_seconds
    if seconds is None:
        raise PlanError(f"no times were taken of {engine!r}; compare(..., rounds=7) takes them")
    return seconds
