"""What hangs, by the states of the ranks: the text of the card, and what is no hang."""

from __future__ import annotations

from typing import Any

from sharding.workers.hangs import HangWatch
from sharding.workers.record import Record, RunEvent


def collective(seq: int, op: str = "all_reduce", **fields: Any) -> dict[str, Any]:
    """A collective that waits, unless told otherwise."""
    known = {"sizes": [[4]], "dtypes": ["Float"], "group": "default_pg", "over": False, "waits_s": 12.0, "unit": None}
    return {"seq": seq, "op": op, **known, **fields}


def state(entered: int, *recent: dict[str, Any], line: str = "", world_size: int = 2) -> dict[str, Any]:
    """What a rank says."""
    groups = {"0": {"ranks": list(range(world_size)), "entered": entered}}
    return {"groups": groups, "recent": {"0": list(recent)} if recent else {}, "line": line}


def test_the_card_names_who_is_missing_at_what_of_which_unit() -> None:
    """One line that says it, then where each rank is."""
    watch = HangWatch(10.0)
    assert watch.hear(1, state(2, line="Cell In[3], line 9, in load: time.sleep(100)")) is None
    waiting = collective(3, "all_gather", unit="layers.0")
    hang = watch.hear(0, state(3, waiting, line="Cell In[3], line 4, in train: loss.backward()"))
    assert hang is not None
    assert hang.text.splitlines() == [
        "rank 1 has not arrived at all_gather #3 (Float [4]) of unit 'layers.0'; rank 0 waits for 12 s",
        "  rank 0 is at Cell In[3], line 4, in train: loss.backward()",
        "  rank 1 is at Cell In[3], line 9, in load: time.sleep(100)",
    ]
    assert (hang.why, hang.unit, hang.waiting, hang.others) == ("missing", "layers.0", (0,), (1,))


def test_the_root_and_other_groups_are_named_too() -> None:
    """The FQN of the root is empty, and a subgroup has a description."""
    watch = HangWatch(10.0)
    watch.hear(1, state(0))
    hang = watch.hear(0, state(1, collective(1, unit="", group="mesh_dp", sizes=[], dtypes=[])))
    assert hang is not None
    assert hang.text.startswith("rank 1 has not arrived at all_reduce #1 of the root unit in group 'mesh_dp';")


def test_several_ranks_each_way() -> None:
    """In the plural, and a rank that never said anything, and one that is through."""
    watch = HangWatch(10.0)
    watch.finish(2, state(0, world_size=4)["groups"])
    watch.hear(1, state(1, world_size=4))
    hang = watch.hear(0, state(1, collective(1, "barrier"), world_size=4))
    assert hang is not None
    head = hang.text.splitlines()[0]
    assert head == "ranks 2, 3 have not arrived at barrier #1 (Float [4]); ranks 0, 1 wait for 12 s"
    assert "  rank 2 has already returned from the call" in hang.text
    assert "  rank 3 gives no sign: stopped, or in native code that does not let Python run" in hang.text


def test_short_waits_and_progress_are_no_hang() -> None:
    """Everybody has entered, or not long ago."""
    watch = HangWatch(10.0)
    watch.hear(1, state(3))
    assert watch.hear(0, state(3, collective(3))) is None
    assert watch.hear(0, state(4, collective(4, waits_s=9.0))) is None
    assert watch.hear(0, state(4, collective(4, over=True))) is None


def test_different_collectives_under_one_number_are_told_at_once() -> None:
    """Not after the time of a hang; with what each rank entered and where it is."""
    watch = HangWatch(10.0)
    watch.hear(1, state(3, collective(3, "broadcast", waits_s=2.0), line="b"))
    hang = watch.hear(0, state(3, collective(3, waits_s=2.0), line="a"))
    assert hang is not None
    assert hang.text.splitlines() == [
        "different collectives under number 3: rank 0 all_reduce #3 (Float [4]), rank 1 broadcast #3 (Float [4])",
        "  rank 0 is at a",
        "  rank 1 is at b",
    ]


def test_different_sizes_count_where_all_ranks_must_agree() -> None:
    """An all-reduce of 4 and of 8; a scatter has other sizes on its source."""
    for op, found in (("all_reduce", True), ("scatter", False)):
        watch = HangWatch(10.0)
        watch.hear(1, state(3, collective(3, op, sizes=[[8]], waits_s=2.0)))
        assert (watch.hear(0, state(3, collective(3, op, waits_s=2.0))) is not None) is found


def test_a_hang_that_goes_on_is_told_again_but_not_at_every_look() -> None:
    """Live for whoever watches events; a cell shows its card once."""
    watch = HangWatch(0.0001)
    watch.hear(1, state(0))
    first, second = (watch.hear(0, state(1, collective(1))) for _ in range(2))
    assert first is not None
    assert not first.again
    assert second is None or second.again
    slow = HangWatch(10.0)
    slow.hear(1, state(0))
    assert [slow.hear(0, state(1, collective(1))) is None for _ in range(3)] == [False, True, True]


def test_hangs_are_never_dropped_from_the_record() -> None:
    """Like all the launcher says."""
    record = Record()
    record._num_user = 10**9
    record.add(RunEvent("hang", None, 0, 1, 1, {}))
    record.add(RunEvent("mine", None, 0, 1, 1, {}))
    assert [event.kind for event in record.events] == ["hang"]
