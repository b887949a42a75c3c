"""The log of events: bounded, read as `Event`s, open only inside its block."""

from __future__ import annotations

from sharding import Event, record_events
from sharding.events import open_logs, record


def of_unit(fqn: str) -> Event:
    """An event of a unit as it is read, from the row it was written as."""
    record(("all_gather", fqn, 1, 10, 20, 64, "backward", False))
    return Event("all_gather", fqn, 1, 10, 20, 64, "backward")


def test_rows_are_read_as_events():
    """By iteration, by place and by kind; as plain data too."""
    with record_events() as log:
        wanted = [of_unit("a"), of_unit("b")]
        record(("reshard", "b", 1, 20, 30, 0, "backward", True))
    assert list(log)[:2] == wanted
    assert log[-1].freed
    assert log.of("all_gather") == wanted
    assert log[0].to_dict() == {
        "kind": "all_gather",
        "fqn": "a",
        "rank": 1,
        "start_ns": 10,
        "end_ns": 20,
        "nbytes": 64,
        "phase": "backward",
        "freed": False,
    }


def test_only_the_last_are_kept():
    """What no longer fits is counted."""
    with record_events(limit=2) as log:
        wanted = [of_unit(fqn) for fqn in "abcde"]
    assert list(log) == wanted[-2:]
    assert (len(log), log.dropped) == (2, 3)
    assert repr(log) == "EventLog(2 events, 3 dropped)"


def test_logs_inside_one_another():
    """Each gets what happens inside its own block; none is open afterwards."""
    with record_events() as outer:
        first = of_unit("a")
        with record_events() as inner:
            second = of_unit("b")
        third = of_unit("c")
    of_unit("d")
    assert list(outer) == [first, second, third]
    assert list(inner) == [second]
    assert open_logs.logs == ()
