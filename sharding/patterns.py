"""Names and patterns: how text typed by a user becomes nodes of a tree.

`*` stays inside one component of an FQN (`layers.*` is every layer, not what is below), `**` as a component crosses any
number of them, `?` is one character, `[...]` a set of characters. A name that exists exactly wins over its reading as a
pattern. `escape` makes a name literal. Patterns are matched against every name of a module, so a shared module is found
by any of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from sharding.errors import PlanError
from sharding.nodes import Node
from sharding.traversal import Tree

_SPECIAL = re.compile(r"([*?[])")


def escape(name: str) -> str:
    """The pattern that matches exactly `name`."""
    return _SPECIAL.sub(r"[\1]", name)


def is_pattern(text: str) -> bool:
    """Whether the text holds `*`, `?` or `[`; such a text may still be the exact name of a module."""
    return _SPECIAL.search(text) is not None


@functools.lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The regular expression of one pattern; matches whole FQNs."""
    parts = pattern.split(".")
    regex = ""
    for position, part in enumerate(parts):
        last = position == len(parts) - 1
        if part == "**":
            regex += r"[^.]+(?:\.[^.]+)*" if last else r"(?:[^.]+\.)*"
        else:
            regex += _component(part) + ("" if last else r"\.")
    return re.compile(regex, re.DOTALL)


def _component(part: str) -> str:
    regex = ""
    position = 0
    while position < len(part):
        char = part[position]
        close = part.find("]", position + 2)
        if part.startswith("**", position):
            regex += ".*"
            position += 1
        elif char == "*":
            regex += "[^.]*"
        elif char == "?":
            regex += "[^.]"
        elif char == "[" and close > 0:
            regex += "[" + re.escape(part[position + 1 : close]) + "]"
            position = close
        else:
            regex += re.escape(char)
        position += 1
    return regex


def find_nodes(tree: Tree, text: str, *, start: Node | None = None) -> list[Node]:
    """The nodes a name or pattern stands for, in pre-order.

    Args:
        tree: where to look.
        text: an exact name or a pattern, relative to `start`.
        start: the node names are relative to; the root by default. Only it and nodes below it are found.

    Raises:
        PlanError: nothing matches; names the close matches.
    """
    start = start or tree.root
    prefix = f"{start.fqn}." if start.fqn else ""
    if not is_pattern(text):
        return [tree.find(prefix + text if text else start.fqn)]
    exact = tree.fqns.get(prefix + text)
    if exact is not None:
        return [exact]
    regex = compile_pattern(text)
    nodes = tree.walk(start, frozenset())[1:]
    if not tree.has_shared and "**" not in text:  # one name each, of as many parts as the pattern has
        depth = start.depth + text.count(".") + 1
        nodes = [node for node in nodes if node.depth == depth]
    found = _matching(tree, nodes, prefix, regex)
    if not found:
        raise PlanError(
            f"the pattern {text!r} matches no module in {tree.root.cls_name} ('*' stays inside one "
            f"name between dots, '**' crosses them){tree.suggestion(text.replace('*', '0'))}"
        )
    return found


def _matching(tree: Tree, nodes: list[Node], prefix: str, regex: re.Pattern[str]) -> list[Node]:
    cut = len(prefix)
    if not tree.has_shared:  # one name each, and all of them begin with the prefix
        return [node for node in nodes if regex.fullmatch(node.fqn, cut)]
    return [
        node
        for node in nodes
        if any(name.startswith(prefix) and regex.fullmatch(name, cut) for name in tree.names(node))
    ]


def find_params(tree: Tree, text: str) -> list[tuple[Node, str]]:
    """The parameters a name or pattern stands for, as (holder node, attribute); empty if there are none."""
    path, _, attr = text.rpartition(".")
    if not is_pattern(text):
        try:
            holder = tree.find(path)
        except PlanError:
            return []
        return [(holder, attr)] if any(name == attr for name, _, _ in holder.params) else []
    regex = compile_pattern(text)
    return [
        (node, attr)
        for node in tree.nodes
        for attr, _, _ in node.params
        if any(regex.fullmatch(f"{name}.{attr}" if name else attr) for name in tree.names(node))
    ]


def as_names(target: str | Iterable[str]) -> tuple[str, ...]:
    """One name, or several, as a tuple.

    Raises:
        PlanError: something in it is no text.
    """
    names = (target,) if isinstance(target, str) or not isinstance(target, Iterable) else tuple(target)
    for name in names:
        if not isinstance(name, str):
            raise PlanError(
                f"a plan names modules by text, got {type(name).__name__}; give the module's FQN, such as 'layers.0'"
            )
    if not names:
        raise PlanError("an empty list names no module")
    return names
