"""Which object inside a function, an argument or a result cannot be pickled, and what to do about it.

A search from the outside in: the first part that cannot be pickled by itself is entered, until nothing inside
it is to blame. Called by `shipping.py` after pickling failed, so its price is paid by failures only, and it
is bounded.
"""

from __future__ import annotations

import functools
import inspect
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

SEARCH_LIMIT_S = 2.0
MAX_DEPTH = 25

Dumps = Callable[[Any], object]
Part = tuple[str, Any]

_FIXES = {
    "lock": "locks belong to one process: make it inside the function",
    "RLock": "locks belong to one process: make it inside the function",
    "generator": "a generator cannot travel: pass a list, or make the generator inside the function",
    "TextIOWrapper": "an open file cannot travel: pass its path and open it inside the function",
    "BufferedReader": "an open file cannot travel: pass its path and open it inside the function",
    "BufferedWriter": "an open file cannot travel: pass its path and open it inside the function",
    "socket": "a connection cannot travel: open it inside the function",
    "ProcessGroup": "process groups belong to one process: the workers have their own, ready to use",
    "Workers": "workers belong to the process that made them: make others inside the function, or call run there",
    "OneRank": "workers belong to the process that made them: make others inside the function, or call run there",
    "Run": "a call belongs to the process that made it: pass its .result()",
    "Thread": "threads belong to one process: start it inside the function",
}
_DEFAULT_FIX = "make it inside the function, or pass the plain values it is made from"


def message(what: str, path: Sequence[Part], error: Exception) -> str:
    """The text of a ShippingError: what was wanted, the path to the object, the reason and a fix."""
    value = path[-1][1] if path else None
    name = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
    where = " → ".join([*(label for label, _ in path), name])
    reason = str(error).split("\n", 1)[0]
    fix = _known_fix(value) or _DEFAULT_FIX
    return f"{what}: {where}\n  reason: {reason}\n  fix: {fix}."


def _known_fix(value: Any) -> str | None:
    return next((fix for cls in type(value).__mro__ if (fix := _FIXES.get(cls.__name__))), None)


def path_in_call(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], dumps: Dumps) -> list[Part]:
    """Labels and objects from the call down to the one that cannot be pickled."""
    parts = [(f"function {_name(fn)!r}", fn)]
    parts += [(f"argument {index} of {_name(fn)!r}", value) for index, value in enumerate(args)]
    parts += [(f"argument {name!r} of {_name(fn)!r}", value) for name, value in kwargs.items()]
    return _Search(dumps).descend(parts)


def path_in_value(value: Any, label: str, dumps: Dumps) -> list[Part]:
    """As `path_in_call`, for one value."""
    return _Search(dumps).descend([(label, value)])


def _name(fn: Any) -> str:
    return getattr(fn, "__name__", None) or type(fn).__name__


class _Search:
    def __init__(self, dumps: Dumps) -> None:
        self._dumps = dumps
        self._until = time.monotonic() + SEARCH_LIMIT_S
        self._seen: set[int] = set()

    def descend(self, parts: Sequence[Part]) -> list[Part]:
        path: list[Part] = []
        level: Iterator[Part] = iter(parts)
        while len(path) < MAX_DEPTH and time.monotonic() < self._until:
            guilty = next((part for part in level if self._fails(part[1])), None)
            if guilty is None:
                break
            path.append(guilty)
            if _known_fix(guilty[1]):
                break
            level = parts_of(guilty[1])
        return path

    def _fails(self, value: Any) -> bool:
        if isinstance(value, (int, float, str, bytes, bool, type(None))) or id(value) in self._seen:
            return False
        self._seen.add(id(value))
        try:
            self._dumps(value)
        except Exception:
            return True
        return False


def parts_of(value: Any) -> Iterator[Part]:
    """What pickling `value` by value would pickle too, with a label for each."""
    if isinstance(value, types.FunctionType):
        yield from _function_parts(value)
    elif isinstance(value, functools.partial):
        yield f"function {_name(value.func)!r}", value.func
        yield from ((f"bound argument {index}", item) for index, item in enumerate(value.args))
        yield from ((f"bound argument {name!r}", item) for name, item in value.keywords.items())
    elif isinstance(value, types.MethodType):
        yield "object of the method", value.__self__
        yield f"function {_name(value)!r}", value.__func__
    elif isinstance(value, Mapping):
        yield from ((f"key {key!r}", item) for key, item in value.items())
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from ((f"[{index}]", item) for index, item in enumerate(value))
    elif isinstance(value, type):
        yield from ((f"{value.__name__}.{name}", item) for name, item in vars(value).items() if _own(name))
    else:
        yield from _object_parts(value)


def _own(name: str) -> bool:
    return name not in ("__dict__", "__weakref__", "__doc__", "__module__")


def _function_parts(fn: types.FunctionType) -> Iterator[Part]:
    found = inspect.getclosurevars(fn)
    yield from ((f"closure {name!r}", item) for name, item in found.nonlocals.items())
    yield from ((f"global {name!r}", item) for name, item in found.globals.items())
    for code in _inner_codes(fn.__code__):
        yield from ((f"global {name!r}", fn.__globals__[name]) for name in code.co_names if name in fn.__globals__)
    yield from ((f"default {index}", item) for index, item in enumerate(fn.__defaults__ or ()))
    yield from ((f"default {name!r}", item) for name, item in (fn.__kwdefaults__ or {}).items())
    yield from ((f"attribute {name!r}", item) for name, item in vars(fn).items())


def _inner_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _inner_codes(const)


def _object_parts(value: Any) -> Iterator[Part]:
    """State first: it names attributes. A class that is to blame itself comes last."""
    state = getattr(value, "__dict__", None)
    if isinstance(state, dict):
        yield from ((f".{name}", item) for name, item in state.items())
    for slot in getattr(type(value), "__slots__", ()):
        if isinstance(slot, str) and hasattr(value, slot):
            yield f".{slot}", getattr(value, slot)
    if type(value).__module__ != "builtins":
        yield f"class {type(value).__qualname__}", type(value)


def size_notice(name: str, nbytes: int, fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """What a call is told that ships much: how much, and which variable holds most of it."""
    parts = [(f"argument {index}", value) for index, value in enumerate(args)]
    parts += [(f"argument {key!r}", value) for key, value in kwargs.items()]
    parts += list(parts_of(fn))
    label, _ = max(parts, key=lambda part: _tensor_nbytes(part[1]), default=("the function", fn))
    return (
        f"{name} ships {nbytes / 1e6:,.0f} MB to the workers, most of it in {label}. "
        f"Make it inside the function, or push it once with `push(name=...)`."
    )


def _tensor_nbytes(value: Any) -> int:
    nn = sys.modules.get("torch.nn")
    if nn is not None and isinstance(value, nn.Module):
        return sum(parameter.nbytes for parameter in value.parameters())
    if isinstance(value, (list, tuple)):
        return sum(map(_tensor_nbytes, value))
    nbytes: object = getattr(value, "nbytes", 0)
    return nbytes if isinstance(nbytes, int) else 0
