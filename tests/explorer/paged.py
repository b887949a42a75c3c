"""The plan payload read back as the page reads it, in plain and slow Python."""

from __future__ import annotations

from typing import Any

from explorer import runlength
from sharding.traversal import Tree


class PagedPlan:
    """What the page knows of a plan.

    Attributes:
        status: a letter a module.
        unit_of: number of the unit of each module, -1 for none.
        units: a dict a unit, in order, with "index", "fqns" and every column.
        remarks: conflicts and findings with "fqns" and "indices".
    """

    def __init__(self, payload: dict[str, Any], tree: Tree) -> None:
        self._tree = tree
        size = len(tree.nodes)
        self.status = [""] * size
        head = [-1] * size
        members: dict[int, list[int]] = {}
        for index, (num, code) in runlength.decode(payload["areas"], 2):
            letter, back = code[0], int(code[1:] or 0)
            first = index - back if letter in "Ff" else -1
            self.status[index : index + num] = [letter] + [letter.lower()] * (num - 1)
            head[index : index + num] = [first] * num
            if letter == "F":
                members.setdefault(first, []).append(index)
        self._heads = sorted(members)
        self.unit_of = [self._heads.index(first) if first >= 0 else -1 for first in head]
        self.units = self._units(payload["units"], members)
        self.remarks = [self._remark(each) for each in (*payload["conflicts"], *payload["findings"])]

    def _units(self, columns: dict[str, Any], members: dict[int, list[int]]) -> list[dict[str, Any]]:
        num = columns["num"]
        assert num == len(self._heads)
        numbers = ("nparams", "numel", "handle", "init_c", "init_w", "local_root")
        known = {name: runlength.decode_numbers(columns[name], num) for name in numbers}
        for name, default in (("apart", 0), ("within", None), ("setting", 0)):
            known[name] = runlength.decode_column(columns.get(name, [default]), num)
        return [
            {
                "index": head,
                "fqns": [self._tree.nodes[index].fqn for index in members[head]],
                **{name: column[n] for name, column in known.items()},
                "strategy": columns["settings"][known["setting"][n]][0],
                "options": columns["settings"][known["setting"][n]][1],
            }
            for n, head in enumerate(self._heads)
        ]

    def _remark(self, remark: dict[str, Any]) -> dict[str, Any]:
        places = runlength.decode(remark["at"], 1)
        names = [(self._tree.nodes[index].fqn, attr) for index, (attr,) in places]
        fqns = [".".join(filter(None, each)) for each in names]
        return {**remark, "indices": [index for index, _ in places], "fqns": fqns}

    def order(self, name: str, local_root: int | None = None) -> list[str]:
        """An order of the model's root ("handles", "init_composable", "init_wrapper"), or of a local root apart."""
        units = [unit for unit in self.units if unit["init_c"] is not None]
        units = [unit for unit in units if (unit["local_root"] == local_root if unit["apart"] else local_root is None)]
        key = {"handles": lambda unit: -unit["init_c"], "init_composable": lambda unit: unit["init_c"]}
        units.sort(key=key.get(name, lambda unit: unit["init_w"]))
        return [unit["fqns"][0] for unit in units]
