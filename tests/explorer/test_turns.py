"""Jobs take turns, wherever they come from, and nothing stays when they are done."""

from __future__ import annotations

import threading

import pytest

from explorer.turns import Turns


def alive() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("turns-of-")]


def test_jobs_of_many_threads_run_one_at_a_time_and_in_order():
    """Each thread's jobs keep their order; no two jobs overlap."""
    turns = Turns("turns-of-many")
    done: list[tuple[int, int]] = []
    inside: list[int] = []

    def job(who: int, number: int) -> int:
        inside.append(who)
        assert len(inside) == 1
        done.append((who, number))
        inside.pop()
        return number

    def ask(who: int) -> None:
        for number in range(50):
            assert turns.ask(lambda: job(who, number)) == number  # noqa: B023

    threads = [threading.Thread(target=ask, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for who in range(8):
        assert [number for asker, number in done if asker == who] == list(range(50))


def test_a_job_may_ask():
    """It is its turn already."""
    turns = Turns("turns-of-nested")
    assert turns.ask(lambda: turns.ask(lambda: 7)) == 7


def test_what_a_job_raises_is_raised_where_it_was_asked_and_the_next_one_runs():
    """One refused edit does not end the session."""
    turns = Turns("turns-of-failing")
    with pytest.raises(ZeroDivisionError):
        turns.ask(lambda: 1 // 0)
    assert turns.ask(lambda: 1) == 1


def test_no_thread_stays():
    """A session that does nothing holds no thread."""
    turns = Turns("turns-of-idle")
    workers: list[threading.Thread] = []
    turns.ask(lambda: workers.append(threading.current_thread()))
    workers[0].join(5)
    assert alive() == []
    assert turns.ask(lambda: 2) == 2
