"""How many ranks a machine can hold: decided from given limits, before anything starts."""

from __future__ import annotations

import warnings

import pytest

from sharding.errors import WorkerError
from sharding.workers import Workers, run
from sharding.workers.launcher import launcher
from sharding.workers.limits import RANK_NBYTES, Limits, check, machine_limits


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (
            Limits(memory_nbytes=3 * RANK_NBYTES),
            "about 3 ranks: 0.2 GB of memory are free, and a rank takes",
        ),
        (
            Limits(num_files=104),
            "about 10 ranks: a process may hold 104 files open, and this one needs 4",
        ),
        (Limits(num_processes=5), "about 5 ranks: only 5 more processes are allowed"),
        (Limits(10**12, 104, 12), "about 10 ranks: a process may hold"),
    ],
)
def test_what_would_run_out_is_said_with_how_many_fit(limits: Limits, text: str) -> None:
    """The tightest limit counts."""
    with pytest.raises(WorkerError, match=f"nprocs=11: this machine has room for {text}"):
        check(11, limits, num_cores=2)


def test_what_fits_or_is_not_known_passes() -> None:
    """Without a word, up to many ranks a core; then with one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(32, Limits(), num_cores=2)
        check(2, machine_limits(), num_cores=2)
    with pytest.warns(UserWarning, match="33 ranks on 2 CPU cores: they take turns"):
        check(33, Limits(), num_cores=2)


def test_a_million_ranks_are_refused_before_anything_starts() -> None:
    """Both forms, and the zygote is not even asked."""
    launcher.shutdown()
    with pytest.raises(WorkerError, match=r"nprocs=1000000: this machine has room for about \d+ ranks: "):
        run(int, nprocs=1_000_000)
    with pytest.raises(WorkerError, match="nprocs=1000000"):
        Workers(1_000_000)
    assert launcher.pid is None
