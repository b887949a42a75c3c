"""The source of a function or class that lives in a notebook or another place nothing can be imported from.

Unlike `inspect.getsource` it finds classes of notebook cells too (by the code of their methods), and says plainly
when there is no source. Called for each definition a script has to carry along.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import sys
import textwrap
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from sharding.errors import PlanError

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def source_text(value: Any, role: str) -> str:
    """The text that defines a function or class with its decorators, or a lambda as an expression; no indentation.

    Args:
        value: a class, a function, or a function behind decorators.
        role: what it is for, for the message.

    Raises:
        PlanError: there is no source, several lambdas in one line, or a function wrapped otherwise than by decorators.
    """
    wrapped, value = value, value if isinstance(value, type) else inspect.unwrap(value)
    known = [(code, lines) for code in _codes(value) if (lines := linecache.getlines(code.co_filename))]
    for code, lines in known:
        tree = _parsed("".join(lines), value, role)
        if code.co_name == "<lambda>" and value.__name__ == "<lambda>":
            return _lambda(tree, "".join(lines), code, role)
        for node in ast.walk(tree):
            if isinstance(node, _Definition) and node.name == value.__name__ and _covers(node, value, code):
                if wrapped is not value and not node.decorator_list:
                    raise PlanError(
                        f"{role} needs {value.__name__!r} wrapped by a call; write the wrapper as a decorator"
                    )
                return _segment(node, lines)
    text = _class_in_cells(value) if isinstance(value, type) else None
    return text or _from_inspect(value, role)


def _segment(node: _Definition, lines: list[str]) -> str:
    last = node.end_lineno or node.lineno
    return textwrap.dedent("".join(lines[_first_line(node) - 1 : last])).rstrip() + "\n"


def _class_in_cells(value: type) -> str | None:
    """A class without methods of its own has no code to go by: the last cell that defines one of that name with these
    very attributes.
    """
    for filename in reversed([name for name in linecache.cache if not os.path.exists(name)]):
        lines = linecache.getlines(filename)
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name == value.__name__ and _names_in(node) <= _names_of(value):
                return _segment(node, lines)
    return None


def _names_in(node: ast.ClassDef) -> set[str]:
    """What the body of a class makes."""
    assigned = [each for part in node.body if isinstance(part, ast.Assign) for each in part.targets]
    assigned += [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
    named = {part.name for part in node.body if isinstance(part, _Definition)}
    return named | {each.id for each in assigned if isinstance(each, ast.Name)}


def _names_of(value: type) -> set[str]:
    return {*vars(value), *vars(value).get("__annotations__", {})}


def _codes(value: Any) -> Iterator[CodeType]:
    """Code that was written inside the definition."""
    if isinstance(value, FunctionType):
        yield value.__code__
        return
    for each in vars(value).values():
        each = getattr(each, "__func__", getattr(each, "fget", each))
        each = inspect.unwrap(each) if callable(each) else each
        if isinstance(each, FunctionType) and each.__qualname__.startswith(value.__qualname__):
            yield each.__code__


def _covers(node: _Definition, value: Any, code: CodeType) -> bool:
    if isinstance(value, FunctionType):
        return _first_line(node) == code.co_firstlineno
    return isinstance(node, ast.ClassDef) and node.lineno <= code.co_firstlineno <= (node.end_lineno or 0)


def _first_line(node: _Definition) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _parsed(text: str, value: Any, role: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:
        raise PlanError(_no_source(value, role)) from None


def _lambda(tree: ast.Module, text: str, code: CodeType, role: str) -> str:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda) and _may_be(node, code)]
    if len(found) > 1 and sys.version_info >= (3, 11):
        places = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
        found = [node for node in found if all(_spans(node.body, place) for place in places)] if places else found
    segment = ast.get_source_segment(text, found[0]) if len(found) == 1 else None
    if segment is None:
        raise PlanError(f"{role} is a lambda that cannot be told from others in its line; write it as a def")
    return f"({segment})"


def _may_be(node: ast.Lambda, code: CodeType) -> bool:
    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    count = code.co_argcount + code.co_kwonlyargcount
    return node.lineno == code.co_firstlineno and names == list(code.co_varnames[:count])


def _spans(node: ast.expr, place: tuple[int, int]) -> bool:
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return (node.lineno, node.col_offset) <= place < end


def _from_inspect(value: Any, role: str) -> str:
    try:
        return textwrap.dedent(inspect.getsource(value))
    except (OSError, TypeError):
        raise PlanError(_no_source(value, role)) from None


def _no_source(value: Any, role: str) -> str:
    name = getattr(value, "__qualname__", type(value).__name__)
    return f"{role} needs {name!r}, whose source cannot be found; put it into a module, so that a script can import it"
