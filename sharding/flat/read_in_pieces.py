"""A forward that failed because it read parameters of another unit, which show pieces: torch's error gets their names.

`self.child.weight` in a parent's forward is no call of `child`, so nothing gathers it, and torch finds a tensor of
another shape than the code expects. That cannot be seen before it fails, at no cost; afterwards the code that failed is
looked at.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator, Sequence
from types import TracebackType

from torch import nn

from sharding.flat.guards import is_in_pieces
from sharding.flat.state import ShardingState

_MARK = "it shows this rank's piece"


def explain(error: BaseException | None, states: Sequence[ShardingState]) -> None:
    """Add to the text of `error` which sharded parameters the forward that raised it names, if any.

    Args:
        error: what a forward raised.
        states: the units of its local tree, as they were then.
    """
    if not isinstance(error, (RuntimeError, IndexError, ValueError)) or len(error.args) != 1:
        return
    text = error.args[0]
    place = _failed_forward(error.__traceback__)
    if place is None or not isinstance(text, str) or _MARK in text:
        return
    found = next(_pieces_among(_attributes_at(place), states), None)
    if found is not None:
        code = place.tb_frame.f_code
        error.args = (f"{text}\n{code.co_filename}:{place.tb_lineno} (in {code.co_name}) uses {found}",)


def _failed_forward(trace: TracebackType | None) -> TracebackType | None:
    """The innermost place in a method of a user's module on the way to the error."""
    place = None
    while trace is not None:
        frame = trace.tb_frame
        first = frame.f_code.co_varnames[:1]
        owner = frame.f_locals.get(first[0]) if first else None
        if isinstance(owner, nn.Module) and not frame.f_globals.get("__name__", "").startswith("torch."):
            place = trace
        trace = trace.tb_next
    return place


def _attributes_at(place: TracebackType) -> set[str]:
    """The attributes that the line of a traceback reads."""
    code, line = place.tb_frame.f_code, place.tb_lineno
    starts = dict(dis.findlinestarts(code))
    names, now = set(), None
    for instruction in dis.get_instructions(code):
        now = starts.get(instruction.offset, now)
        if now == line and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            names.add(instruction.argval)
    return names


def _pieces_among(names: set[str], states: Sequence[ShardingState]) -> Iterator[str]:
    """What to say about each sharded parameter whose holder's and own name are among these attributes."""
    for state in states:
        if state.handle is None or not is_in_pieces(state):
            continue
        for slot in state.handle.slots:
            path = [part for part in f"{state.fqn}.{slot.name}".split(".") if part and not part.isdigit()]
            if len(path) > 1 and names.issuperset(path[-2:]):
                yield (
                    f"parameter {slot.name!r} of unit {state.fqn!r}. While that unit's own forward does not run, "
                    f"{_MARK}, {tuple(slot.param.shape)} of {tuple(slot.shape)}: "
                    "call the unit, leave it to the unit around it, or open sharding.unshard(...) around the use"
                )
