"""Optimizer state that is to be loaded: understood, matched by name, and checked, before anything changes.

Understood are the two forms torch writes: nested, `{"state": {name: {entry: value}}, "param_groups": [...]}` with names
under "params", and flat, `{"state.<name>.<entry>": value, "param_groups.<name>.<option>": value}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.optim.optimizer import Optimizer

from sharding.errors import StateError
from sharding.flat.optimizer_state_parameters import Stepped
from sharding.flat.optimizer_state_placeholders import entries_expected

NOT_OPTIONS = ("params", "param_names")


@dataclass(frozen=True)
class Saved:
    """Optimizer state by the first names of this model's parameters.

    Attributes:
        state: name -> entry -> value.
        options: name -> the options of the group it was saved in.
    """

    state: dict[str, dict[str, Any]]
    options: dict[str, dict[str, Any]]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys([*self.options, *self.state]))


def read_saved(given: Mapping[str, Any], first_names: Mapping[str, str]) -> Saved:
    """Either form, by first names.

    Raises:
        StateError: it is keyed by number, or is no optimizer state at all.
    """
    if "state" not in given:
        given = _nested(given, first_names)
    keys = [*given["state"], *(name for group in given.get("param_groups", ()) for name in group["params"])]
    if any(not isinstance(key, str) for key in keys):
        raise StateError(
            "this optimizer state is keyed by number, as optimizer.state_dict() writes it, and numbers do not say "
            "which parameter they mean; save it with sharding.optimizer_state_dict(model, optimizer), or on a plain "
            "model with torch.distributed.checkpoint.state_dict.get_optimizer_state_dict"
        )
    options = {}
    for group in given.get("param_groups", ()):
        kept = {key: value for key, value in group.items() if key not in NOT_OPTIONS}
        options.update((first_names.get(name, name), kept) for name in group["params"])
    state = {first_names.get(name, name): dict(entries) for name, entries in given["state"].items()}
    return Saved(state, options)


def _nested(flat: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The nested form of a flat one."""
    parts: dict[str, dict[str, dict[str, Any]]] = {"state": {}, "param_groups": {}}
    for key, value in flat.items():
        part, _, rest = key.partition(".")
        if part not in parts:
            raise StateError(
                f"{key!r} is no entry of optimizer state; expected the keys 'state' and 'param_groups', or flat ones "
                "such as 'state.layer.weight.exp_avg'"
            )
        name = _longest(rest, names)
        parts[part].setdefault(name, {})[rest[len(name) + 1 :]] = value
    groups = [{"params": [name], **options} for name, options in parts["param_groups"].items()]
    return {"state": parts["state"], "param_groups": groups}


def _longest(rest: str, names: Iterable[str]) -> str:
    """The name a flat key begins with; for an unknown one all but its last part."""
    fitting = [name for name in names if rest.startswith(name + ".")]
    return max(fitting, key=len, default=rest.rpartition(".")[0])


def merged_options(
    params: Sequence[Stepped], saved: Saved, optimizer: Optimizer
) -> tuple[list[dict[str, Any]], list[str]]:
    """The options of each group of the optimizer, with the saved ones of its parameters; and what forbids that."""
    merged, problems = [], []
    for number, group in enumerate(optimizer.param_groups):
        options = {key: value for key, value in group.items() if key != "params"}
        source: dict[str, str] = {}
        for each in params:
            if each.group != number:
                continue
            for key, value in saved.options.get(each.name, {}).items():
                if key in source and not _equal(options[key], value):
                    problems.append(
                        f"parameter group {number}: {key!r} was {options[key]} for {source[key]!r} and {value} for "
                        f"{each.name!r}, which were in different groups; group them as they were saved."
                    )
                    break
                options[key] = value
                source.setdefault(key, each.name)
        merged.append(options)
    return merged, problems


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor) or isinstance(other, torch.Tensor):
        return torch.equal(torch.as_tensor(one).cpu(), torch.as_tensor(other).cpu())
    return one == other


def problems_with(
    params: Sequence[Stepped],
    saved: Saved,
    options: Sequence[Mapping[str, Any]],
    optimizer: Optimizer,
    *,
    strict: bool,
) -> list[str]:
    """Why this state cannot be loaded, in the words torch uses for models; empty if it can."""
    missing, misshaped = [], []
    known_names = set(saved.names)
    expected = _Expected(optimizer, options)
    for each in params:
        if each.name not in known_names:
            missing += [each.name] if strict else []
        elif saved.state.get(each.name):
            absent, odd = _compare_entries(each, saved.state[each.name], expected)
            missing += absent
            misshaped += odd
    unexpected = sorted(known_names - {each.name for each in params}) if strict else []
    problems = []
    if unexpected:
        problems.append(f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. strict=False leaves them out.")
    if missing:
        problems.append(
            f"Missing key(s) in state_dict: {_quoted(missing)}. strict=False starts whole parameters fresh."
        )
    return problems + misshaped


class _Expected:
    """What the optimizer would keep for a parameter, asked once a group, dtype, device and number of dims."""

    def __init__(self, optimizer: Optimizer, options: Sequence[Mapping[str, Any]]) -> None:
        self._optimizer = optimizer
        self._options = options
        self._entries: dict[tuple[int, torch.dtype, torch.device, int], list[str]] = {}

    def entries(self, each: Stepped) -> list[str]:
        """Names of entries; none where the optimizer cannot be asked."""
        param = each.param
        key = (each.group, param.dtype, param.device, param.dim())
        if key not in self._entries:
            like = torch.zeros((1,) * param.dim(), dtype=param.dtype, device=param.device)
            self._entries[key] = list(entries_expected(self._optimizer, self._options[each.group], like) or ())
        return self._entries[key]

    def shape(self, each: Stepped, entry: str) -> torch.Size:
        """Shape of an entry of a parameter this rank holds whole; not every optimizer keeps tensors like it."""
        found = entries_expected(self._optimizer, self._options[each.group], each.param.detach()) or {}
        value = found.get(entry)
        return value.shape if isinstance(value, torch.Tensor) else each.shape


def _compare_entries(each: Stepped, entries: Mapping[str, Any], expected: _Expected) -> tuple[list[str], list[str]]:
    """Entries this optimizer would keep that were not saved, and saved ones of another shape."""
    absent = [f"{each.name}.{entry}" for entry in expected.entries(each) if entry not in entries]
    messages = []
    for entry, value in entries.items():
        if not isinstance(value, torch.Tensor) or not value.dim() or value.shape == each.shape:
            continue
        shape = each.shape if each.buffer is not None else expected.shape(each, entry)
        if value.shape != shape:
            messages.append(
                f"size mismatch for {each.name}.{entry}: copying a param with shape {value.shape} from checkpoint, "
                f"the shape in current model is {shape}."
            )
    return absent, messages


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
