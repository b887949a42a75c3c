"""Run-time objects that belong to one process and one model: copying or pickling them is refused with a way out."""

from __future__ import annotations

from typing import Any

from sharding.errors import StateError


class LiveOnly:
    """Refuses to be copied or pickled, and so does a module that carries it."""

    fqn: str

    def __copy__(self) -> Any:
        raise StateError(self._refusal("copied"))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        raise StateError(self._refusal("copied"))

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise StateError(self._refusal("pickled"))

    def _refusal(self, verb: str) -> str:
        where = f"a model with a unit at {self.fqn!r}" if self.fqn else "a sharded or replicated model"
        return (
            f"{where} cannot be {verb}: it holds one rank's pieces and live hooks. Take a state_dict() of it, build a "
            "fresh model and apply the plan to that, or call sharding.remove(model) first"
        )
