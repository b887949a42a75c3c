"""Calls on real ranks: what goes in, what comes back, in which order, from which thread."""

from __future__ import annotations

import functools
import os
import threading
from dataclasses import dataclass
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import nn

from sharding.errors import ShippingError, WorkerError
from sharding.workers import Workers, run


@dataclass(frozen=True)
class Point:
    """A class of a local module: by value there, the same class here."""

    x: int


class Net(nn.Module):
    """A module class of a local module."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.Parameter(torch.tensor([1, 2]), requires_grad=False)
        self.layer = nn.Linear(2, 2)


def rank() -> int:
    return dist.get_rank()


def summed(x: torch.Tensor) -> torch.Tensor:
    """All-reduce of x * (rank + 1)."""
    x = x * (dist.get_rank() + 1)
    dist.all_reduce(x)
    return x


def test_results_come_in_rank_order(workers: Workers) -> None:
    """Whoever answers first."""

    def slow_first() -> int:
        if dist.get_rank() == 0:
            dist.barrier()
        else:
            dist.barrier()
        return dist.get_rank()

    assert workers.run(slow_first) == [0, 1]


def test_the_process_group_is_ready(workers: Workers) -> None:
    """A collective in the first line works."""
    got = workers.run(summed, torch.ones(3))
    assert all(torch.equal(tensor, torch.full((3,), 3.0)) for tensor in got)


def test_tensors_are_copies_on_both_ways(workers: Workers) -> None:
    """An optimizer in a rank must not move the notebook's weights."""
    mine = torch.zeros(4)

    def change(x: torch.Tensor) -> torch.Tensor:
        x += 1
        return x

    first, second = workers.run(change, mine)
    assert mine.sum() == 0
    assert first.sum() == second.sum() == 4
    first += 1
    assert second.sum() == 4


def test_arguments_are_taken_when_the_call_is_made(workers: Workers) -> None:
    """Not when its turn comes; big tensors are no exception."""
    big = torch.zeros(1_000_000)
    runs = [workers.start(lambda x: x.sum().item(), big) for _ in range(3)]
    big += 1
    assert [run.result(60) for run in runs] == [[0.0, 0.0]] * 3


def test_views_keep_their_shape_and_are_writable(workers: Workers) -> None:
    """Strides, offsets, empty tensors, dtypes; and nobody's memory is shared."""
    base = torch.arange(24, dtype=torch.bfloat16).reshape(4, 6)
    sent = {"t": base.t(), "slice": base[1:3, ::2], "empty": torch.empty(0, 3), "bool": torch.tensor([True])}
    for got in workers.run(lambda x: x, sent):
        assert {name: tensor.stride() for name, tensor in got.items()} == {n: t.stride() for n, t in sent.items()}
        assert all(torch.equal(got[name], sent[name]) for name in sent)
        got["t"] += 1
    assert base[0, 1] == 1


def test_shipping_much_is_noticed(workers: Workers) -> None:
    """With the size and the variable."""
    weights = torch.zeros(15_000_000)
    with pytest.warns(UserWarning, match=r"ships 60 MB to the workers, most of it in closure 'weights'"):
        assert workers.run(lambda: weights.sum().item()) == [0.0, 0.0]


def test_big_values_travel_too(workers: Workers) -> None:
    """Beyond what fits into a datagram or a pipe."""
    big = torch.arange(2_000_000)
    got = workers.run(lambda x: x + 1, big)
    assert all(torch.equal(tensor, big + 1) for tensor in got)


def test_integer_parameters_survive(workers: Workers) -> None:
    """They have no gradient and stay frozen."""
    for net in workers.run(lambda net: net, Net()):
        assert type(net) is Net
        assert net.steps.tolist() == [1, 2]
        assert not net.steps.requires_grad
        assert net.layer.weight.requires_grad


def test_classes_keep_their_identity_across_calls(workers: Workers) -> None:
    """`isinstance` holds in live ranks and here."""

    def keep(point: Point) -> None:
        global kept
        kept = point

    def same(point: Point) -> bool:
        return type(point) is type(kept) and point == kept

    workers.run(keep, Point(3))
    assert workers.run(same, Point(3)) == [True, True]
    (back, _) = workers.run(lambda: Point(4))
    assert type(back) is Point


def test_keyword_arguments_partials_and_methods(workers: Workers) -> None:
    """Whatever can be called can be sent."""
    assert workers.run(lambda a, *, b: a + b, 1, b=2) == [3, 3]
    assert workers.run(functools.partial(pow, 2), 5) == [32, 32]
    assert workers.run("abc".upper) == ["ABC", "ABC"]


def test_the_users_arguments_may_be_called_like_ours(workers: Workers) -> None:
    """`fn` is positional only; the one-shot form has `kwargs` for the rest."""
    assert workers.run(lambda fn, timeout: fn + timeout, fn=1, timeout=2) == [3, 3]
    assert run(lambda nprocs: nprocs, nprocs=1, kwargs={"nprocs": 7}) == [7]


def test_one_rank_alone(workers: Workers) -> None:
    """`w[1].run` gives the value itself."""
    assert workers[1].run(rank) == 1
    assert workers[-2].run(rank) == 0
    with pytest.raises(WorkerError, match="there is no rank 2: these workers have ranks 0 to 1"):
        workers[2]


def test_pushed_values_are_globals_there(workers: Workers) -> None:
    """And win over a value of the same name here; assignments with `global` stay."""

    def double() -> int:
        global weight
        weight = weight * 2
        return weight

    workers.push(weight=10)
    workers[1].push(weight=100)
    assert workers.run(double) == [20, 200]
    assert workers.pull("weight") == [20, 200]
    assert workers[0].pull("weight") == 20


def test_a_misspelt_name_gets_its_close_matches(workers: Workers) -> None:
    """As everywhere."""
    workers.push(weight=1)
    with pytest.raises(WorkerError, match=r"this rank has no value 'wieght'.*Did you mean 'weight'"):
        workers.pull("wieght")


def test_two_ranks_at_the_same_time(workers: Workers) -> None:
    """Calls on different ranks do not wait for each other: here they need each other."""

    def meet() -> int:
        dist.barrier()
        return dist.get_rank()

    runs = [workers[0].start(meet), workers[1].start(meet)]
    assert [run.result(30) for run in runs] == [0, 1]


def test_calls_from_many_threads_take_turns(workers: Workers) -> None:
    """Each gets its own answer."""
    got: dict[int, list[torch.Tensor]] = {}

    def call(number: int) -> None:
        got[number] = workers.run(summed, torch.tensor([number]))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {number: tensors[1].item() for number, tensors in got.items()} == {n: 3 * n for n in range(6)}


def test_many_launches_at_once_do_not_meet() -> None:
    """Groups from several threads on one zygote; the full form is `benchmarks/parallel.py`."""
    got: dict[int, list[torch.Tensor]] = {}

    def launch(number: int) -> None:
        for again in range(2):
            got[2 * number + again] = run(summed, torch.tensor([2 * number + again]))

    threads = [threading.Thread(target=launch, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert {number: [t.item() for t in pair] for number, pair in got.items()} == {n: [3 * n] * 2 for n in range(8)}


def test_ranks_are_seeded_apart_and_alike_at_every_launch() -> None:
    """Forked ranks would otherwise continue one random state."""

    def draw() -> tuple[float, float]:
        import random

        return torch.rand(1).item(), random.random()

    first, second = run(draw), run(draw)
    assert first == second
    assert first[0] != first[1]


def test_a_rank_sees_what_torchrun_would_set(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """RANK and friends, the working directory, its share of the cores, and no secret."""
    monkeypatch.setenv("JPY_PARENT_PID", "1")
    monkeypatch.setenv("MY_API_KEY", "secret")
    monkeypatch.setenv("CUDA_SECRET_KEY", "secret")
    monkeypatch.setenv("NCCL_DEBUG", "WARN")

    def look() -> dict[str, Any]:
        return {"env": dict(os.environ), "cwd": os.getcwd(), "threads": torch.get_num_threads(), "ppid": os.getppid()}

    for number, seen in enumerate(run(look)):
        env = seen["env"]
        assert (env["RANK"], env["LOCAL_RANK"], env["WORLD_SIZE"]) == (str(number), str(number), "2")
        assert env["NCCL_DEBUG"] == "WARN"
        assert "secret" not in str(env)
        assert "JPY_PARENT_PID" not in env
        assert seen["cwd"] == os.getcwd()
        assert seen["threads"] == workers.describe().num_threads
        assert seen["ppid"] != os.getpid()


def test_four_ranks_and_one_rank() -> None:
    """Other world sizes than the usual two; a group of one works too."""
    assert [t.item() for t in run(summed, torch.ones(1), nprocs=4)] == [10.0] * 4
    assert [t.item() for t in run(summed, torch.ones(1), nprocs=1)] == [1.0]


def test_nobody_answers_in_a_rank_and_that_is_said(workers: Workers) -> None:
    """Python's own words would be about an end of file; a debugger would go on as if told to."""

    def ask() -> str:
        return input("name? ")

    def stop() -> None:
        breakpoint()

    with pytest.raises(EOFError, match=r"input\('name\? '\) in a rank: nobody can answer there"):
        workers[0].run(ask)
    with pytest.raises(EOFError, match=r"breakpoint\(\) in a rank"):
        workers[0].run(stop)


def test_workers_inside_workers_are_refused_by_name(workers: Workers) -> None:
    """Not by whichever lock they hold; and what was called is named as the user called it."""
    with pytest.raises(ShippingError) as caught:
        workers.run(workers.run, int)
    assert "object of the method → sharding.workers.pool.Workers" in str(caught.value)
    assert "fix: workers belong to the process that made them" in str(caught.value)
    with pytest.raises(ShippingError, match=r"^push cannot be sent to the workers: .* key 'a' → _thread.lock"):
        workers.push(a=threading.Lock())
