"""The map of ranks, devices and back end, decided from a given list of GPUs: no GPU needed."""

from __future__ import annotations

import pytest

from sharding.errors import WorkerError
from sharding.workers.devices import place, remark

TWO = ("H100", "H100")


def test_auto_takes_nccl_when_every_rank_has_a_gpu() -> None:
    """One rank a GPU, in order, spare GPUs unused."""
    placement = place(2, "auto", gpus=(*TWO, "H100"), num_cores=8)
    assert (placement.backend, placement.devices) == ("nccl", ("cuda:0", "cuda:1"))
    assert placement.num_threads == 4


def test_auto_takes_gloo_otherwise_and_says_why() -> None:
    """Never fewer ranks than asked for."""
    placement = place(4, "auto", gpus=TWO, num_cores=2)
    assert (placement.backend, placement.devices, placement.num_threads) == ("gloo", ("cpu",) * 4, 1)
    assert "4 ranks and only 2 GPUs" in str(placement)
    assert "no GPU on this machine" in str(place(2, "auto", gpus=(), num_cores=2))


def test_gloo_can_be_asked_for_where_nccl_would_do() -> None:
    """The wish wins over "auto"."""
    assert place(2, "gloo", gpus=TWO, num_cores=2).devices == ("cpu", "cpu")


@pytest.mark.parametrize(("nprocs", "gpus", "have"), [(2, ("H100",), "1 GPU"), (3, (), "no GPU"), (3, TWO, "2 GPUs")])
def test_nccl_is_refused_without_a_gpu_for_every_rank(nprocs: int, gpus: tuple[str, ...], have: str) -> None:
    """The refusal has the reason and the gloo offer."""
    with pytest.raises(WorkerError) as refused:
        place(nprocs, "nccl", gpus=gpus, num_cores=2)
    text = str(refused.value)
    assert f"this machine shows {have}: NCCL needs one GPU for every rank" in text
    assert f'Use backend="gloo" (runs {nprocs} ranks on the CPU)' in text


@pytest.mark.parametrize("nprocs", [0, -1, True, 2.0, "2"])
def test_the_number_of_ranks_is_a_whole_number(nprocs: object) -> None:
    """Also no bool and no float."""
    with pytest.raises(WorkerError, match="must be a whole number, 1 or more"):
        place(nprocs, "auto", gpus=(), num_cores=2)  # type: ignore[arg-type]


def test_a_misspelt_backend_gets_its_close_match() -> None:
    """As every misspelt name."""
    with pytest.raises(WorkerError, match="Did you mean 'nccl'"):
        place(2, "ncll", gpus=TWO, num_cores=2)


def test_idle_gpus_and_taken_memory_are_remarked_on() -> None:
    """Before anything starts; nothing is said where there is nothing to say."""
    crowded = place(3, "auto", gpus=TWO, num_cores=4)
    assert remark(crowded, "auto", {}).startswith("3 ranks and only 2 GPUs, and NCCL needs one for every rank; they")
    assert remark(place(3, "gloo", gpus=TWO, num_cores=4), "gloo", {}) == ""
    both = place(2, "auto", gpus=TWO, num_cores=4)
    assert remark(both, "auto", {"cuda:0": 10**8}) == ""
    held = {"cuda:0": 30 * 10**9, "cuda:2": 30 * 10**9}
    assert remark(both, "auto", held) == "this process holds 30 GB of cuda:0, which the rank there has to do without."


def test_a_placement_prints_as_a_table() -> None:
    """What `describe` shows in a notebook."""
    assert str(place(2, "nccl", gpus=TWO, num_cores=2)).splitlines() == [
        "2 ranks over nccl: a GPU for every rank",
        "  rank 0: cuda:0 (H100), 1 CPU thread",
        "  rank 1: cuda:1 (H100), 1 CPU thread",
    ]
