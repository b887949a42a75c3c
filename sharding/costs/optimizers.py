"""Named optimizers: what each of torch's keeps for a parameter, part by part.

Every state tensor has the shape and dtype of what the parameter shows at rest, which is this rank's piece without
padding; a step counter is one float32 a parameter, also where a rank's piece is empty.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharding.errors import PlanError

STEP_COUNTER_NBYTES = 4


@dataclass(frozen=True)
class OptimizerParts:
    """What one optimizer keeps.

    Attributes:
        name: as the user types it.
        like_param: names of the states that are as large as the parameter's piece.
        has_step: whether there is a step counter a parameter.
    """

    name: str
    like_param: tuple[str, ...] = ()
    has_step: bool = False


OPTIMIZERS = {
    each.name: each
    for each in (
        OptimizerParts("adamw", ("exp_avg", "exp_avg_sq"), has_step=True),
        OptimizerParts("adam", ("exp_avg", "exp_avg_sq"), has_step=True),
        OptimizerParts("adagrad", ("sum",), has_step=True),
        OptimizerParts("rmsprop", ("square_avg",), has_step=True),
        OptimizerParts("sgd"),
        OptimizerParts("sgd_momentum", ("momentum_buffer",)),
        OptimizerParts("none"),
    )
}
"""Torch's defaults. "sgd_momentum" is SGD with momentum above 0; "none" leaves the optimizer out."""


def optimizer_parts(name: str) -> OptimizerParts:
    """The optimizer of this name.

    Raises:
        PlanError: unknown; the message lists those that are known.
    """
    parts = OPTIMIZERS.get(name.lower()) if isinstance(name, str) else None
    if parts is None:
        found = repr(name) if isinstance(name, str) else type(name).__name__
        raise PlanError(f"optimizer={found}; known by name are {', '.join(map(repr, OPTIMIZERS))}")
    return parts
