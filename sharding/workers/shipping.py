"""Functions and values on their way to a rank and back: by value where the rank could not import them.

What a notebook cell or `__main__` defines, and modules below the working directory (which may be edited
between calls), travel by value through cloudpickle; installed packages travel by name. Code keeps its real
file name and brings its source lines along, so a traceback in a rank shows the cell. Everything is checked
when the call is made: `culprit.py` finds what cannot travel. Used by the kernel for calls and by ranks for
results.
"""

from __future__ import annotations

import contextlib
import functools
import io
import linecache
import os
import pickle
import sys
import sysconfig
import threading
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cloudpickle

from sharding.errors import ShippingError
from sharding.workers import culprit, parcel, sharded_modules

NOTICE_NBYTES = 50 * 1024 * 1024
_OWN_PACKAGES = ("sharding", "explorer")
_DYNAMIC = "<dynamic-code>"
_reduce_code = cloudpickle.Pickler.dispatch_table[types.CodeType]


@dataclass(frozen=True)
class Shipment:
    """A call made ready to travel: the pickled (fn, args, kwargs), and the sources its code came from."""

    name: str
    payload: parcel.Parts
    sources: Mapping[str, Mapping[str, Any]]


class _Pickler(cloudpickle.Pickler):
    """cloudpickle, but code objects keep their file name, which is noted, and tensors are put beside the
    pickle. On the way back from a rank, sharded modules become what `sharded_modules.py` says.
    """

    def __init__(self, file: io.BytesIO, *, is_result: bool) -> None:
        self._is_result = is_result
        self.filenames: set[str] = set()
        self.buffers: list[pickle.PickleBuffer] = []
        # Before `__init__`, which reads it.
        own: dict[type, Callable[[Any], Any]] = {types.CodeType: self._code, **parcel.reducers()}
        self.dispatch_table = {**cloudpickle.Pickler.dispatch_table, **own}  # pyright: ignore[reportAttributeAccessIssue]
        super().__init__(file, protocol=parcel.PROTOCOL, buffer_callback=self.buffers.append)

    def reducer_override(self, obj: Any) -> Any:
        if self._is_result and sharded_modules.is_sharded(obj):
            return sharded_modules.reduce_module(obj)
        return super().reducer_override(obj)

    def _code(self, code: types.CodeType) -> tuple[Any, ...]:
        self.filenames.add(code.co_filename)
        make, args, *rest = _reduce_code(code)
        return make, tuple(code.co_filename if arg == _DYNAMIC else arg for arg in args), *rest


def dumps(value: Any, *, is_result: bool = False) -> parcel.Parts:
    """Pickle `value` the way everything travels here."""
    return _dump(value, is_result=is_result)[0]


def _dump(value: Any, *, is_result: bool = False) -> tuple[parcel.Parts, set[str]]:
    file = io.BytesIO()
    pickler = _Pickler(file, is_result=is_result)
    pickler.dump(value)
    return parcel.parts_of(file.getbuffer(), pickler.buffers), pickler.filenames


def ship(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Shipment:
    """Make a call ready to travel, or say what cannot and why. Starts nothing.

    Raises:
        ShippingError: `fn` is not callable, or something it holds or gets cannot be pickled; the message has
        the path.
    """
    __tracebackhide__ = True
    check_callable(fn)
    name = function_name(fn)
    try:
        with _local_modules_by_value():
            payload, filenames = _dump((fn, tuple(args), dict(kwargs)))
    except Exception as error:
        with _local_modules_by_value():
            path = culprit.path_in_call(fn, args, kwargs, dumps)
        message = culprit.message(f"{name} cannot be sent to the workers", path, error)
        raise ShippingError(message) from None  # its reason is in the message
    if (nbytes := parcel.num_bytes(payload)) > NOTICE_NBYTES:
        warnings.warn(culprit.size_notice(name, nbytes, fn, args, kwargs), stacklevel=4)
    return Shipment(name, payload, {filename: _source(filename) for filename in filenames if _needs_source(filename)})


def ship_result(value: Any, rank: int, max_nbytes: float) -> parcel.Parts:
    """Pickle what a function returned in a rank.

    Raises:
        ShippingError: it cannot travel (the message has the path), or is bigger than `max_nbytes`.
    """
    dump = functools.partial(dumps, is_result=True)
    try:
        parts = dump(value)
    except Exception as error:
        path = culprit.path_in_value(value, f"result of rank {rank}", dump)
        raise ShippingError(culprit.message("the result cannot be sent back", path, error)) from error
    if (nbytes := parcel.num_bytes(parts)) > max_nbytes:
        raise ShippingError(
            f"the result of rank {rank} is {nbytes / 1e6:,.0f} MB, and above {max_nbytes / 1e6:,.0f} MB results are "
            f"not sent. Return less; keep it in the ranks (assign it to a `global` name) and look at parts of it; "
            f"save it to a file there; or allow it: Workers(..., max_result_mb={nbytes / 1e6 + 1:.0f})."
        )
    return parts


def function_name(fn: Any) -> str:
    """How a call is named in messages and events."""
    fn = getattr(fn, "func", fn)
    return getattr(fn, "__name__", None) or type(fn).__name__


def check_callable(fn: Any) -> None:
    """Raise a ShippingError when `fn` was called instead of passed."""
    __tracebackhide__ = True
    if not callable(fn):
        raise ShippingError(
            f"run takes the function itself, and got {'None' if fn is None else f'a {type(fn).__name__}'}. "
            f"Was it called instead of passed? Write run(train, 10), not run(train(10))."
        )


_registry_lock = threading.RLock()


@contextlib.contextmanager
def _local_modules_by_value() -> Iterator[None]:
    """Modules below the working directory travel by value inside the block; the user's own registrations
    stay.
    """
    with _registry_lock:
        already = cloudpickle.list_registry_pickle_by_value()
        mine = [module for name, module in list(sys.modules.items()) if name not in already and _is_local(name, module)]
        for module in mine:
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            for module in mine:
                cloudpickle.unregister_pickle_by_value(module)


_INSTALLED = tuple(
    os.path.join(os.path.realpath(sysconfig.get_paths()[name]), "") for name in ("stdlib", "purelib", "platlib")
)


def _is_local(name: str, module: Any) -> bool:
    filename = getattr(module, "__file__", None)
    if not isinstance(module, types.ModuleType) or not isinstance(filename, str) or module.__name__ != name:
        return False
    if name == "__main__" or name.partition(".")[0] in _OWN_PACKAGES:
        return False
    here = os.path.join(os.getcwd(), "")
    return filename.startswith(here) and not filename.startswith(_INSTALLED) and "site-packages" not in filename


def _needs_source(filename: str) -> bool:
    return filename in linecache.cache and not os.path.exists(filename)


def _source(filename: str) -> dict[str, Any]:
    return {"lines": linecache.getlines(filename), "label": _cell_label(filename)}


def _cell_label(filename: str) -> str:
    """ "Cell In[3]" for code of a notebook cell. IPython keeps the numbers in a private map; without it, no
    label.
    """
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    compiler = getattr(get_shell() if get_shell is not None else None, "compile", None)
    number = getattr(compiler, "_filename_map", {}).get(filename)
    return "" if number is None else f"Cell In[{number}]"
