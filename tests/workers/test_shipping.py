"""What travels, what does not, and what the user reads about it. No process is started here."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import cloudpickle
import pytest
import torch
from torch import nn

from sharding.errors import ShippingError
from sharding.workers import Workers, parcel, run, shipping

LOCK = threading.Lock()


def holds_a_lock() -> object:
    """A module-level function: it would travel by value, with the lock."""
    return LOCK


def module_level(x: int) -> int:
    """A function of a local module: it travels by value."""
    return x + OFFSET


OFFSET = 5


def refused(fn: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(ShippingError) as caught:
        shipping.ship(fn, args, kwargs)
    return str(caught.value)


def test_the_path_to_a_closure_variable_is_named() -> None:
    """Down to the object that cannot be pickled, with a fix for its kind."""

    class Loader:
        def __init__(self) -> None:
            self.guard = threading.Lock()

    def build() -> Callable[[], object]:
        loader = Loader()

        def train() -> object:
            return loader

        return train

    text = refused(build())
    assert "train cannot be sent to the workers: function 'train' → closure 'loader' → .guard → _thread.lock" in text
    assert "locks belong to one process: make it inside the function" in text


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: (lambda: LOCK, (), {}), "function '<lambda>' → global 'LOCK' → _thread.lock"),
        (lambda: (print, ([1, {"k": iter_of()}],), {}), "argument 0 of 'print' → [1] → key 'k' → generator"),
        (lambda: (holds_a_lock, (), {}), "function 'holds_a_lock' → global 'LOCK' → _thread.lock"),
        (lambda: (print, (), {"end": LOCK}), "argument 'end' of 'print' → _thread.lock"),
        (lambda: (functools.partial(print, LOCK), (), {}), "bound argument 0 → _thread.lock"),
        (lambda: (hooked().forward, (torch.ones(1),), {}), "._forward_hooks"),
    ],
    ids=["lambda", "container", "module", "keyword", "partial", "hook"],
)
def test_paths_go_through_whatever_holds_the_object(make: Callable[[], Any], path: str) -> None:
    """Globals, containers, keywords, partials, hooks of modules."""
    fn, args, kwargs = make()
    assert path in refused(fn, *args, **kwargs)


def iter_of() -> Iterator[int]:
    yield 1


def hooked() -> nn.Module:
    model = nn.Linear(1, 1)
    lock = threading.Lock()
    model.register_forward_hook(lambda *_: lock and None)
    return model


def test_the_search_is_quick_and_no_process_is_started() -> None:
    """The error comes at the call, before any rank exists."""
    workers = Workers(2)
    began = time.monotonic()
    with pytest.raises(ShippingError):
        workers.run(lambda: LOCK)
    assert time.monotonic() - began < 2
    assert workers.pids == [None, None]
    workers.close()


@pytest.mark.parametrize("value", [None, 3, [1]])
def test_a_function_that_was_called_instead_of_passed(value: object) -> None:
    """`w.run(train())` is told apart from a bad function."""
    with pytest.raises(
        TypeError, match=r"Was it called instead of passed\? Write run\(train, 10\), not run\(train\(10\)\)"
    ):
        run(value)  # type: ignore[arg-type]


def test_code_keeps_its_file_and_line() -> None:
    """cloudpickle alone would drop the file name, and tracebacks their source lines."""
    fn, _, _ = parcel.unpack(b"".join(shipping.ship(module_level, (), {}).payload))
    assert fn is not module_level
    assert fn.__code__.co_filename == __file__
    assert fn(1) == 6


def test_sources_of_cells_travel_along() -> None:
    """Code without a file on disk brings its lines."""
    import linecache

    text = "def cell():\n    return 1\n"
    linecache.cache["<cell-7>"] = (len(text), None, text.splitlines(True), "<cell-7>")
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "<cell-7>", "exec"), scope)
    shipment = shipping.ship(scope["cell"], (), {})
    assert shipment.sources["<cell-7>"]["lines"] == text.splitlines(True)
    assert shipping.ship(module_level, (), {}).sources == {}


def test_the_users_own_registrations_stay() -> None:
    """Local modules are registered during the pickling only."""
    before = cloudpickle.list_registry_pickle_by_value()
    shipping.ship(module_level, (1,), {})
    assert cloudpickle.list_registry_pickle_by_value() == before
