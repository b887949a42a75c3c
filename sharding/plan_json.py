"""Plans as text: versioned JSON, and the line of Python that makes the plan again."""

from __future__ import annotations

import json
from typing import Any

from sharding.errors import PlanError
from sharding.plan import Mark, Plan, options_from
from sharding.policy import policy_from_data
from sharding.precision import Precision

VERSION = 1
_VERBS = ("fully_shard", "replicate", "ignore", "clear")


def dump(plan: Plan) -> str:
    """Write a plan as JSON text."""
    data: dict[str, Any] = {"version": VERSION, "marks": [_mark_data(mark) for mark in plan.marks]}
    if plan.settings:
        data["defaults"] = _option_data(plan.settings)
    if plan.mesh_shape:
        data["mesh_shape"] = list(plan.mesh_shape)
    if plan.muted:
        data["muted"] = [list(pair) for pair in plan.muted]
    return json.dumps(data, indent=1)


def _mark_data(mark: Mark) -> dict[str, Any]:
    data: dict[str, Any] = {"verb": mark.verb, "names": list(mark.names)}
    if mark.grouped:
        data["grouped"] = True
    if mark.policy is not None:
        data["policy"] = mark.policy.to_data()
    if mark.ignored:
        data["ignored"] = list(mark.ignored)
    if mark.options:
        data["options"] = _option_data(mark.options)
    return data


def _option_data(options: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return {name: value.to_data() if isinstance(value, Precision) else value for name, value in options}


def load(text: str) -> Plan:
    """Read a plan from JSON text."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, TypeError) as error:
        raise PlanError(f"this is no JSON: {error}") from None
    if not isinstance(data, dict) or "marks" not in data:
        raise PlanError("this JSON is no plan: it needs an object with 'version' and 'marks'")
    if data.get("version") != VERSION:
        raise PlanError(f"plan version {data.get('version')!r} is unknown; this code reads version {VERSION}")
    try:
        plan = Plan(
            tuple(_mark(each) for each in data["marks"]),
            options_from(data.get("defaults", {})),
            muted=tuple((finding, reason) for finding, reason in data.get("muted", [])),
        )
        return plan.defaults(mesh_shape=data["mesh_shape"]) if "mesh_shape" in data else plan
    except PlanError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise PlanError(f"this plan is damaged: {type(error).__name__} {error}") from None


def _mark(data: dict[str, Any]) -> Mark:
    if data["verb"] not in _VERBS:
        raise PlanError(f"unknown verb {data['verb']!r} in a plan; known are {', '.join(_VERBS)}")
    for names in (data["names"], data.get("ignored", [])):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise PlanError(f"the names of a mark are a list of text, got {names!r}")
    return Mark(
        data["verb"],
        tuple(data["names"]),
        policy_from_data(data["policy"]) if "policy" in data else None,
        bool(data.get("grouped", False)),
        tuple(data.get("ignored", ())),
        options_from(data.get("options", {}), data["verb"]),
    )


def code_of(plan: Plan) -> str:
    """One expression that makes the plan again."""
    code = "Plan()"
    defaults = [f"{name}={_value(value)}" for name, value in plan.settings]
    if plan.mesh_shape:
        defaults.append(f"mesh_shape={plan.mesh_shape!r}")
    if defaults:
        code += f".defaults({', '.join(defaults)})"
    for mark in plan.marks:
        code += "." + code_of_mark(mark)
    for finding, reason in plan.muted:
        code += f".mute({finding!r}, reason={reason!r})"
    return code


def code_of_mark(mark: Mark) -> str:
    """The call that makes one mark, such as `fully_shard('layers.*')`."""
    target = repr(mark.names[0]) if len(mark.names) == 1 and not mark.grouped else repr(list(mark.names))
    arguments = [target]
    if mark.policy is not None and repr(mark.policy) != "by_name()":
        arguments.append(f"policy={mark.policy!r}")
    if mark.ignored:
        arguments.append(f"ignored={list(mark.ignored)!r}")
    arguments += [f"{name}={_value(value)}" for name, value in mark.options]
    return f"{mark.verb}({', '.join(arguments)})"


def _value(value: Any) -> str:
    return repr(value.to_data()) if isinstance(value, Precision) else repr(value)
