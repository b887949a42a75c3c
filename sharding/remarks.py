"""Remarks on a finished layout: plans that run, but not as people think.

Each function looks for one thing and yields findings. Costs are not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sharding.layout import Layout
from sharding.sizes import sizes_of
from sharding.verdicts import Finding

GIANT_SHARE = 0.9


def remarks_on(layout: Layout) -> list[Finding]:
    """Everything there is to say, most serious first within each kind."""
    found: list[Finding] = []
    for remark in (_no_common_root, _giant_unit, _root_inside_replicate, _not_averaged, _empty_units):
        found += remark(layout)
    return found


def _no_common_root(layout: Layout) -> Iterator[Finding]:
    roots = [unit.fqn for unit in layout.units if unit.is_root and unit.within is None]
    if len(roots) > 1:
        yield Finding(
            "no_common_root",
            "warn",
            tuple(roots),
            f"{len(roots)} local roots ({some_names(roots)}) and nothing above them: each is gathered from its forward "
            "to the end of its backward, and nothing is prefetched from one to the next",
            "mark the module above them as fully_shard as well",
        )


def _giant_unit(layout: Layout) -> Iterator[Finding]:
    whole = sum(unit.numel for unit in layout.units)
    if not any(unit.numel >= GIANT_SHARE * whole for unit in layout.units):
        return
    _, total = sizes_of(layout.tree)
    repeated = Counter(node.cls_name for node in layout.tree.nodes if total[node.index] * 50 >= whole)
    block = next((cls for cls, count in repeated.most_common() if count >= 3 and cls != "Linear"), None)
    for unit in layout.units:
        if whole and block is not None and unit.numel >= GIANT_SHARE * whole:
            yield Finding(
                "giant_unit",
                "warn",
                (unit.fqn,),
                f"{_unit(unit.fqn)} holds {unit.numel:,} of {whole:,} sharded elements "
                f"({100 * unit.numel / whole:.0f} %): nearly everything is gathered at once",
                f"make units of the {repeated[block]} {block} modules: policy=by_class({block!r})",
            )


def _root_inside_replicate(layout: Layout) -> Iterator[Finding]:
    for unit in layout.units:
        if unit.is_root and unit.within is not None and unit.within.startswith("replicate:"):
            group = unit.within.partition(":")[2]
            yield Finding(
                "root_inside_replicate",
                "warn",
                (unit.fqn, group),
                f"{unit.fqn!r} lies inside the replicated {group!r} and is its own local root: it stays gathered from "
                "its forward to the end of its backward and is not prefetched",
                f"mark small modules inside as replicate and the module above {group!r} as fully_shard",
            )


def _not_averaged(layout: Layout) -> Iterator[Finding]:
    if not layout.units and not layout.replicate_groups:
        return
    left = [row for row in layout.owners.outside_units() if row.owner_kind != "replicate" and row.requires_grad]
    if left:
        names = [row.name for row in left]
        yield Finding(
            "not_averaged",
            "warn",
            tuple(names),
            f"{len(names)} trainable parameters ({some_names(names)}; {sum(row.numel for row in left):,} elements) "
            "have no owner: nobody averages their gradients, so they drift apart from rank to rank",
            "replicate the modules that hold them, freeze them, or average them yourself",
        )


def _empty_units(layout: Layout) -> Iterator[Finding]:
    empty = [unit.fqn for unit in layout.units if not unit.params and not unit.is_root]
    if empty:
        yield Finding(
            "empty_unit",
            "info",
            tuple(empty),
            f"{len(empty)} units have no parameters of their own ({some_names(empty)}) and get no handle",
            "clear their marks",
        )


def some_names(names: Sequence[str]) -> str:
    """The first few of these, quoted, and how many more there are."""
    shown = ", ".join(map(repr, names[:3]))
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _unit(fqn: str) -> str:
    return f"the unit {fqn!r}" if fqn else "the root unit"
