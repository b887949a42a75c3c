"""What a script carries along from where it was written: imports, definitions and values, in an order that works.

Whatever can be imported elsewhere is imported. What a notebook defines comes along as source, with everything it
uses, and so on; plain values and small tensors are written out. What has no text is refused, with who needs it.
"""

from __future__ import annotations

import base64
import builtins
import dataclasses
import functools
import inspect
import math
import symtable
import sys
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import nn

from sharding.errors import PlanError
from sharding.exports.source_text import source_text

MAX_TENSOR_NBYTES = 256 * 1024
TENSOR = '''

def tensor(dtype: torch.dtype, shape: tuple[int, ...], data: str) -> torch.Tensor:
    """A tensor from its bytes."""
    return torch.frombuffer(bytearray(base64.b64decode(data)), dtype=dtype).reshape(shape)'''


class Carried:
    """Collects what a script needs. Ask `expression` for each thing, then write `imports` and `definitions`.

    Args:
        reserved: names the script uses itself, with what they stand for.
    """

    def __init__(self, reserved: Mapping[str, Any]) -> None:
        self.imports: dict[str, None] = {}
        self.definitions: list[str] = []
        self.modules: dict[str, None] = {}
        self._named: dict[str, Any] = dict(reserved)

    def expression(self, value: Any, role: str) -> str:
        """Python text that stands for `value` in the script.

        Args:
            value: a function, class, module, `functools.partial`, tensor, plain value, or a container of these.
            role: what it is for, for messages: "the builder", "example_inputs".

        Raises:
            PlanError: it has no text; or two different things have one name.
        """
        if isinstance(value, functools.partial):
            self._import("functools", functools)
            parts = [self.expression(each, role) for each in (value.func, *value.args)]
            parts += [f"{name}={self.expression(each, role)}" for name, each in value.keywords.items()]
            return f"functools.partial({', '.join(parts)})"
        if _is_definition(value):
            return self._definition(value, role)
        if isinstance(value, torch.Tensor):
            return self._tensor(value, role)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value, role)
        if isinstance(value, (list, tuple, set, dict)) and type(value) in (list, tuple, set, dict):
            return self._container(value, role)
        return self._plain(value, role)

    def _plain(self, value: Any, role: str) -> str:
        if value is None or type(value) in (bool, int, str, bytes):
            return repr(value)
        if type(value) is float:
            return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
        if isinstance(value, (torch.dtype, torch.Size, torch.device)):
            self._import("torch", torch)
            return repr(value)
        name = getattr(value, "__name__", None)
        home = sys.modules.get(getattr(value, "__module__", None) or "")
        if name and _can_be_imported(home) and getattr(home, name, None) is value:  # a function of C
            return self._from(home, name, value, role)
        raise PlanError(
            f"{role} needs {_described(value)}, which cannot be written into a script; put it into a module, or make "
            "it inside the function that uses it"
        )

    def _container(self, value: Any, role: str) -> str:
        if isinstance(value, dict):
            pairs = (f"{self.expression(key, role)}: {self.expression(each, role)}" for key, each in value.items())
            return "{" + ", ".join(pairs) + "}"
        parts = ", ".join(self.expression(each, role) for each in value)
        if isinstance(value, list):
            return f"[{parts}]"
        if isinstance(value, set):
            return "{" + parts + "}" if value else "set()"
        return f"({parts},)" if len(value) == 1 else f"({parts})"

    def _dataclass(self, value: Any, role: str) -> str:
        """The call that makes it again; what its class works out by itself is not passed."""
        fields = [each.name for each in dataclasses.fields(value) if each.init]
        given = ", ".join(f"{name}={self.expression(getattr(value, name), role)}" for name in fields)
        return f"{self.expression(type(value), role)}({given})"

    def _tensor(self, value: torch.Tensor, role: str) -> str:
        if type(value) is not torch.Tensor or value.layout is not torch.strided or value.is_meta:
            raise PlanError(f"{role} holds {_described(value)}, which cannot be written into a script")
        if value.nbytes > MAX_TENSOR_NBYTES:
            raise PlanError(
                f"{role} holds a tensor of {value.nbytes:,} bytes, and a script carries at most {MAX_TENSOR_NBYTES:,}; "
                "give a function f(rank, step) that makes or loads it"
            )
        self._import("torch", torch)
        if not value.numel():
            return f"torch.empty({tuple(value.shape)}, dtype={value.dtype})"
        self._import("base64", base64)
        if "tensor" not in self._named:
            self._named["tensor"] = TENSOR
            self.definitions.append(TENSOR)
        elif self._named["tensor"] is not TENSOR:
            raise PlanError(_two_things("tensor"))
        raw = value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
        return f"tensor({value.dtype}, {tuple(value.shape)}, {base64.b64encode(raw).decode()!r})"

    def _definition(self, value: Any, role: str) -> str:
        """A function or class: its name, once it is imported or defined."""
        if _is_reachable(value):
            return self._from(sys.modules.get(value.__module__), value.__qualname__, value, role)
        name = value.__name__
        if name == "<lambda>":
            text = source_text(value, role)
            self._carry_uses(text, value, role)
            return text
        self._define(name, value, role)
        return name

    def _define(self, name: str, value: Any, role: str) -> None:
        """Make `name` mean `value` in the script."""
        if name in self._named:
            if self._named[name] is not value and not _equal_plain(self._named[name], value):
                raise PlanError(_two_things(name))
            return
        if isinstance(value, ModuleType):
            self._import(name, value, role)
            return
        is_own = _is_definition(value) and value.__name__ == name
        if is_own and not _is_reachable(value):
            self._named[name] = value
            text = source_text(value, role)
            self._carry_uses(text, value, role)
            self.definitions.append("\n\n" + text.rstrip())
            return
        text = self.expression(value, role)
        if text != name:
            self._named[name] = value
            after_def = self.definitions and self.definitions[-1].startswith("\n")
            self.definitions.append(("\n\n" if after_def else "") + f"{name} = {text}")

    def _carry_uses(self, text: str, value: Any, role: str) -> None:
        """Everything global that a definition reads."""
        known = _scope_of(value)
        for name in sorted(_global_names(text)):
            if name in known:
                self._define(name, known[name], role)

    def _import(self, name: str, module: ModuleType, role: str = "the script") -> None:
        if self._named.get(name, module) is not module:
            raise PlanError(_two_things(name))
        if name in self._named:
            return
        if not _can_be_imported(module):
            raise PlanError(f"{role} needs the module {module.__name__!r}, which a script cannot import")
        self._named[name] = module
        self.imports[f"import {module.__name__}" + ("" if module.__name__ == name else f" as {name}")] = None
        self._note(module)

    def _from(self, home: ModuleType | None, qualname: str, value: Any, role: str) -> str:
        """`from home import name`; an inner one is reached through what holds it."""
        assert home is not None
        if home is builtins:
            return qualname
        outer = qualname.partition(".")[0]
        held = value if outer == qualname else getattr(home, outer)
        if self._named.get(outer, held) is not held:
            raise PlanError(_two_things(outer))
        if outer not in self._named:
            self._named[outer] = held
            self.imports[f"from {home.__name__} import {outer}"] = None
            self._note(home)
        return qualname

    def _note(self, module: ModuleType) -> None:
        """Remember a module that does not come with torch or Python: it must be there where the script runs."""
        top = module.__name__.partition(".")[0]
        if top not in sys.stdlib_module_names and top != "torch":
            self.modules[top] = None


def _can_be_imported(module: ModuleType | None) -> bool:
    """Whether another process finds this module by its name."""
    if module is None or module.__name__ == "__main__":
        return False
    return getattr(module, "__spec__", None) is not None


def _is_definition(value: Any) -> bool:
    """Whether source defines it: a class, a function, or a function behind decorators."""
    return isinstance(value, type) or (callable(value) and isinstance(inspect.unwrap(value), FunctionType))


def _is_reachable(value: Any) -> bool:
    """Whether importing its module and following its qualified name leads to it."""
    home = sys.modules.get(value.__module__ or "")
    found: Any = home
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return _can_be_imported(home) and found is value


def _scope_of(value: Any) -> dict[str, Any]:
    """What names mean inside a function or class: globals, and over them what it closes over."""
    functions = list(_functions_of(value)) if isinstance(value, type) else [inspect.unwrap(value)]
    home = sys.modules.get(value.__module__ or "")
    known: dict[str, Any] = {} if home is None else dict(vars(home))
    for function in functions:
        known.update(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                known[name] = cell.cell_contents
            except ValueError:  # not bound yet: the definition itself
                continue
    known.pop("__class__", None)
    return known


def _functions_of(value: type) -> list[FunctionType]:
    held = (getattr(each, "__func__", getattr(each, "fget", each)) for each in vars(value).values())
    return [each for each in held if isinstance(each, FunctionType) and each.__module__ == value.__module__]


def _global_names(text: str) -> set[str]:
    """Names a piece of source reads and does not make itself; annotations are never evaluated in the script."""
    found: set[str] = set()
    open_tables = [symtable.symtable("from __future__ import annotations\n" + text, "<script>", "exec")]
    while open_tables:
        table = open_tables.pop()
        open_tables += table.get_children()
        is_module = table.get_type() == "module"
        for symbol in table.get_symbols():
            reads = symbol.is_referenced() and not symbol.is_assigned() if is_module else symbol.is_global()
            if reads and not hasattr(builtins, symbol.get_name()):
                found.add(symbol.get_name())
    return found


def _equal_plain(one: Any, two: Any) -> bool:
    return type(one) is type(two) and type(one) in (bool, int, float, str, type(None)) and one == two


def _two_things(name: str) -> str:
    return f"the script would need two different things called {name!r}; rename one of them"


def _described(value: Any) -> str:
    if isinstance(value, nn.Module):
        return f"a live module ({type(value).__name__})"
    if isinstance(value, torch.Tensor):
        return f"a {type(value).__name__} on {value.device}"
    return f"a {type(value).__name__}"
