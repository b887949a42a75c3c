"""A slow second opinion on what a set of marks means.

Written from the rules alone, with none of the package's code: plain recursion, every path enumerated, every set
rebuilt from scratch. It is only good for graphs of a dozen modules, which is what `strategies` makes. Where the
rules leave a point open (the status of a module without parameters that two paths put into different units) it says
None.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle_graph import Graph, Row, has
from torch import nn

CONTAINERS = (nn.ModuleList, nn.ModuleDict, nn.ParameterList, nn.ParameterDict)


@dataclass(eq=False)
class Mark:
    """One call as the rules see it: what was asked, of which rows, leaving out what."""

    api: str
    members: list[Row]
    policy: tuple[type, ...] | None = None
    ignored: list[Row] = field(default_factory=list)
    ignored_params: list[nn.Parameter] = field(default_factory=list)
    call: Mark | None = None

    @property
    def origin(self) -> Mark:
        return self.call or self


@dataclass
class Answer:
    """Everything the property test compares, in names."""

    dfs: list[str] = field(default_factory=list)
    names: dict[str, set[str]] = field(default_factory=dict)
    status: dict[str, str | None] = field(default_factory=dict)
    own_numel: dict[str, int] = field(default_factory=dict)
    total_numel: dict[str, int] = field(default_factory=dict)
    owner: dict[str, tuple[str, str | None]] = field(default_factory=dict)  # parameter -> (kind, fqn)
    param_names: dict[str, set[str]] = field(default_factory=dict)
    units: dict[str, list[str]] = field(default_factory=dict)  # pre-order: first member -> parameter names
    members: dict[str, list[str]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)  # replicate group -> parameter names
    local_root: dict[str, str] = field(default_factory=dict)
    within: dict[str, str | None] = field(default_factory=dict)
    orders: dict[str, list[str]] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)  # parameters that went to a common ancestor
    conflicts: set[str] = field(default_factory=set)  # kinds


class Oracle:
    """Answers for one root and one set of marks (see `Mark`)."""

    def __init__(
        self,
        graph: Graph,
        marks: list[Mark],
        loose: list[Row] | None = None,
        loose_params: list[nn.Parameter] | None = None,
    ) -> None:
        self.graph = graph
        self.marks = list(marks)
        self.loose = loose or []  # ignored modules that lie below no mark
        self.loose_params = loose_params or []
        self.answer = Answer()
        self._at = [(row, mark) for mark in self.marks for row in mark.members]

    def solve(self) -> Answer:
        self._rows()
        self._expand_policies()
        self._refusals()
        self._statuses()
        self._owners()
        self._units()
        self._orders()
        return self.answer

    # -- the tree ----------------------------------------------------------------------------------------------

    def _rows(self) -> None:
        seen: list[nn.Parameter] = []
        for row in self.graph.rows:
            self.answer.dfs.append(row.name)
            self.answer.names[row.name] = set(row.names)
            own = 0
            for attr, p in row.params:
                if not _inside(p, seen):
                    seen.append(p)
                    own += p.numel()
                    self.answer.param_names[_join(row.name, attr)] = self._names_of(p)
            self.answer.own_numel[row.name] = own
            unique: list[nn.Parameter] = []
            for other in self.graph.below(row):
                for _, p in other.params:
                    unique += [] if _inside(p, unique) else [p]
            self.answer.total_numel[row.name] = sum(p.numel() for p in unique)

    def _names_of(self, param: nn.Parameter) -> set[str]:
        return {
            _join(name, attr) for row in self.graph.rows for attr, p in row.params if p is param for name in row.names
        }

    def _users(self, param: nn.Parameter) -> list[Row]:
        return [row for row in self.graph.rows if any(p is param for _, p in row.params)]

    # -- marks -------------------------------------------------------------------------------------------------

    def _mark_at(self, row: Row) -> Mark | None:
        found = [mark for marked, mark in self._at if marked is row]
        return found[0] if found else None

    def _nearest(self, path: list[tuple[str, Row]]) -> Mark | None:
        for _, row in reversed(path):
            mark = self._mark_at(row)
            if mark is not None:
                return mark
        return None

    def _nearest_all(self, row: Row) -> list[Mark | None]:
        found: list[Mark | None] = []
        for path in row.paths:
            mark = self._nearest(path)
            if not any(mark is other for other in found):
                found.append(mark)
        return found

    def _expand_policies(self) -> None:
        """Inner calls first; a module that any path below the argument bars is not marked."""
        calls = [call for call in self.marks if call.policy is not None]
        for call in sorted(calls, key=lambda call: -len(call.members[0].paths[0])):
            made: list[tuple[Row, Mark]] = []
            for row in self.graph.rows:
                if row in call.members or not isinstance(row.inner, call.policy):
                    continue
                ways = {self._policy_may(call, path) for path in row.paths}
                if True in ways and False not in ways:
                    made.append((row, Mark("fully_shard", [row], call=call)))
            self.marks += [mark for _, mark in made]
            self._at += made

    def _policy_may(self, call: Mark, path: list[tuple[str, Row]]) -> bool | None:
        """None: the path does not come through the call's module. False: something on the way stops the policy."""
        start = [i for i, (_, row) in enumerate(path) if row in call.members]
        if not start:
            return None
        return not any(self._mark_at(row) is not None or row in call.ignored for _, row in path[start[-1] + 1 :])

    # -- what cannot run ---------------------------------------------------------------------------------------

    def _refusals(self) -> None:
        for mark in self.marks:
            for row in mark.members:
                if isinstance(row.inner, CONTAINERS) and not has_forward(row.inner):
                    self.answer.conflicts.add("container")
                if any(row is not other and has(path, other) for other in mark.members for path in row.paths):
                    self.answer.conflicts.add("nested_members")
        for row in self.graph.rows:
            ignored = any(self._ignored_by(path) is not None for path in row.paths)
            if row.params and not ignored and len(self._nearest_all(row)) > 1:
                self.answer.conflicts.add("shared_module")

    # -- statuses and owners -----------------------------------------------------------------------------------

    def _ignored_by(self, path: list[tuple[str, Row]]) -> Row | None:
        """The ignored row of the deciding call at or above the end of `path`, the lowest one."""
        mark = self._nearest(path)
        ignored = self.loose + (mark.origin.ignored if mark else [])
        for _, row in reversed(path):
            if mark is not None and row in mark.members:
                return None
            if row in ignored:
                return row
        return None

    def _statuses(self) -> None:
        for row in self.graph.rows:
            mark = self._mark_at(row)
            statuses = {self._status(row, path) for path in row.paths} if mark is None else {mark.api}
            self.answer.status[row.name] = statuses.pop() if len(statuses) == 1 else None

    def _status(self, row: Row, path: list[tuple[str, Row]]) -> str:
        mark, ignored = self._nearest(path), self._ignored_by(path)
        if ignored is not None:
            return "ignored" if ignored is row else "in_ignored"
        if mark is None:
            return "unmanaged"
        return "in_unit" if mark.api == "fully_shard" else "replicated"

    def _owners(self) -> None:
        self._owner_of: list[tuple[nn.Parameter, str, Mark | None]] = []
        for row in self.graph.rows:
            for attr, p in row.params:
                if not any(p is other for other, _, _ in self._owner_of):
                    self._own(p, _join(row.name, attr))

    def _own(self, p: nn.Parameter, name: str) -> None:
        paths = [path for user in self._users(p) for path in user.paths]
        marks: list[Mark | None] = []
        for path in paths:
            mark = self._nearest(path)
            if not any(mark is other for other in marks):
                marks.append(mark)
        calls = self._ignoring_calls(p, paths)
        if calls is not None:
            if not all(mark is None or self._left_out(mark, calls) for mark in marks):
                self.answer.conflicts.add("ignored_owned")
            self._settle(p, name, "ignored", None)
            return
        mark = marks[0] if len(marks) == 1 else self._share(p, name, paths, marks)
        if mark is None:
            self._settle(p, name, "unmanaged", None)
            return
        if mark.api == "fully_shard" and p.dim() == 0:
            self.answer.conflicts.add("unshardable_param")
        self._settle(p, name, "unit" if mark.api == "fully_shard" else "replicate", mark)

    def _ignoring_calls(self, p: nn.Parameter, paths: list) -> list[Mark] | None:
        """The calls that leave `p` out under one of its names; None if nobody does."""
        rows = [row for path in paths if (row := self._ignored_by(path)) is not None]
        calls = [mark for mark in self.marks if any(row in mark.ignored for row in rows)]
        calls += [mark for mark in self.marks if _inside(p, mark.ignored_params)]
        return calls if calls or rows or _inside(p, self.loose_params) else None

    def _left_out(self, mark: Mark, calls: list[Mark]) -> bool:
        """Whether `mark` never took what `calls` ignore: it is of such a call, or lies outside one."""
        return any(call is mark.origin or _above(mark, self._place(call)) for call in calls)

    def _settle(self, p: nn.Parameter, name: str, kind: str, mark: Mark | None) -> None:
        self._owner_of.append((p, kind, mark))
        self.answer.owner[name] = (kind, self._place(mark).name if mark is not None else None)

    def _share(self, p: nn.Parameter, name: str, paths: list, marks: list[Mark | None]) -> Mark | None:
        """Rule 5 for a parameter whose users are decided by several marks."""
        real = [mark for mark in marks if mark is not None]
        if all(mark.api == "replicate" for mark in real):
            return real[0]
        all_units = len(real) == len(marks) and all(mark.api == "fully_shard" for mark in real)
        roots = {self._local_root_on(path) for path in paths}
        if not all_units or len(roots) > 1 or any(mark.origin.policy is None for mark in real):
            self.answer.conflicts.add("shared_param")
            return real[0]
        common = [
            mark
            for mark in self.marks
            if mark.api == "fully_shard" and all(any(has(path, r) for r in mark.members) for path in paths)
        ]
        self.answer.moved.add(name)
        return max(common, key=lambda mark: max(len(r.paths[0]) for r in mark.members))

    # -- units and orders --------------------------------------------------------------------------------------

    def _index(self, row: Row) -> int:
        return next(i for i, r in enumerate(self.graph.rows) if r is row)

    def _place(self, mark: Mark) -> Row:
        return min(mark.members, key=self._index)

    def _fs_marks(self) -> list[Mark]:
        found = [mark for mark in self.marks if mark.api == "fully_shard"]
        return sorted(found, key=lambda mark: self._index(self._place(mark)))

    def _units(self) -> None:
        order = list(self.answer.param_names)
        for mark in self._fs_marks():
            name = self._place(mark).name
            self.answer.members[name] = [r.name for r in sorted(mark.members, key=self._index)]
            self.answer.units[name] = [n for n in order if self.answer.owner[n] == ("unit", name)]
            self.answer.within[name] = self._within(self._place(mark).paths[0])
            self.answer.local_root[name] = self._local_root(mark)
        for mark in self.marks:
            if mark.api == "replicate":
                name = self._place(mark).name
                self.answer.groups[name] = [n for n in order if self.answer.owner[n] == ("replicate", name)]

    def _within(self, path: list[tuple[str, Row]]) -> str | None:
        for number in range(len(path) - 2, -1, -1):
            row = path[number][1]
            mark = self._mark_at(row)
            if mark is not None and mark.api == "replicate":
                return f"replicate:{row.name}"
            if self._ignored_by(path[: number + 1]) is row:
                return f"ignored:{row.name}"
        return None

    def _local_root(self, mark: Mark) -> str:
        first = {self._local_root_on(row.paths[0]) for row in mark.members}
        further = {self._local_root_on(path) for row in mark.members for path in row.paths[1:]}
        if len(first) > 1 and not any(_above(mark, row) for row in mark.members):
            self.answer.conflicts.add("split_group")
        elif len(first) == 1 and further - first:
            self.answer.conflicts.add("two_local_roots")
        return self._local_root_on(self._place(mark).paths[0])

    def _local_root_on(self, path: list[tuple[str, Row]]) -> str:
        outermost = path[-1][1]
        for _, row in reversed(path):
            mark = self._mark_at(row)
            if mark is not None and mark.api == "replicate":
                break
            if mark is not None:
                outermost = self._place(mark)
        return outermost.name

    def _orders(self) -> None:
        starts = {f":{name}": self.answer.members[name] for name in set(self.answer.local_root.values())}
        for label, names in {"": [""], **starts}.items():
            seen: list[Row] = []
            for name in names:
                self._enter(self._row(name), seen)
            units = [n for n in self.answer.units if any(self._row(n) is r for r in seen)]
            self.answer.orders[f"units{label}"] = units
            self.answer.orders[f"handles{label}"] = [n for n in units if self.answer.units[n]]
        handles = self.answer.orders["handles"]
        self.answer.orders["init_composable"] = handles[::-1]
        post = [row.name for row in self.graph.postorder()]
        self.answer.orders["init_wrapper"] = sorted(handles, key=post.index)

    def _row(self, name: str) -> Row:
        return next(row for row in self.graph.rows if row.name == name)

    def _enter(self, row: Row, seen: list[Row]) -> None:
        mark = self._mark_at(row)
        if any(row is r for r in seen) or (mark is not None and mark.api == "replicate"):
            return
        seen.append(row)
        for _, child in row.edges:
            self._enter(child, seen)


def _inside(p: nn.Parameter, params: list[nn.Parameter]) -> bool:
    return any(p is other for other in params)


def has_forward(module: nn.Module) -> bool:
    """Whether something can call the module."""
    return type(module).forward is not nn.Module.forward


def _join(name: str, attr: str) -> str:
    return f"{name}.{attr}" if name else attr


def oracle_of(graph: Graph, wishes: list, ignores: list[Row], ignored_params: list[nn.Parameter]) -> Oracle:
    """Plan-like wishes as calls: what is to be ignored goes to every call above it, by any path."""
    marks = [Mark(api, members, policy) for api, members, policy in wishes]
    loose = [row for row in ignores if not any(_above(mark, row) for mark in marks)]
    loose_params = []
    for mark in marks:
        mark.ignored = [row for row in ignores if _above(mark, row)]
    for p in ignored_params:
        users = [row for row in graph.rows if _inside(p, [own for _, own in row.params])]
        above = [mark for mark in marks if any(_above(mark, row) or row in mark.members for row in users)]
        for mark in above:
            mark.ignored_params.append(p)
        loose_params += [] if above else [p]
    return Oracle(graph, marks, loose, loose_params)


def _above(mark: Mark, row: Row) -> bool:
    return any(row is not r and has(path, r) for r in mark.members for path in row.paths)
