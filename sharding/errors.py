"""Every exception this project raises on purpose, as one family.

    ShardingError
    ├── PlanError          a plan, policy, pattern or setting that cannot be read on this model   (ValueError)
    │   └── ConflictError  a layout with conflicts was asked to run; carries the conflicts
    ├── AnnotationError    a verb was refused: wrong order, twice, incompatible                   (RuntimeError)
    ├── StateError         a sharded model was used in a way that cannot work                     (RuntimeError)
    │   └── RankMismatchError   the ranks hold different models or ran different things
    └── WorkerError        the launcher: a rank died, could not start, did not answer in time     (RuntimeError)
        └── ShippingError  a function or value that cannot travel to a worker                     (TypeError)

Each message says what was found, where (FQN, rank) and what to do. An exception raised by the user's own code inside a
rank is not wrapped: it comes back as its own class (see `workers/failure.py`).
"""

from __future__ import annotations

from typing import Any


class ShardingError(Exception):
    """Base of everything this project raises on purpose."""


class PlanError(ShardingError, ValueError):
    """A plan, policy, pattern or setting cannot be read on this model."""


class ConflictError(PlanError):
    """A layout with conflicts was asked to run.

    Attributes:
        conflicts: the `Conflict` objects of the layout, each with `.kind`, `.fqns`, `.message` and `.fix`.
    """

    def __init__(self, message: str, conflicts: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.conflicts = tuple(conflicts)


class AnnotationError(ShardingError, RuntimeError):
    """A verb was refused before it changed anything: wrong order of calls, twice, or incompatible."""


class StateError(ShardingError, RuntimeError):
    """A sharded model was used in a way that cannot work."""


class RankMismatchError(StateError):
    """The ranks hold different models, or ran different things."""


class WorkerError(ShardingError, RuntimeError):
    """The launcher failed: a rank died, could not start, or did not answer in time."""


class ShippingError(WorkerError, TypeError):
    """A function or value cannot travel to a worker."""
