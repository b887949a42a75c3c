"""The registry: which composable calls were applied to which live module.

An `Annotation` is one such call, or the share of a policy call that fell on one submodule. What was applied lives in
the `__dict__` of the module itself, so it disappears with the module and no user object is ever hashed or compared.
The record refuses to be copied or pickled, which is what stops `copy.deepcopy(sharded_model)` with a sentence instead
of a broken twin.

Nothing here checks whether a call makes sense: `resolution.py` decides that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any, Literal

from torch import nn

from sharding.errors import StateError
from sharding.traversal import Tree

Api = Literal["fully_shard", "replicate"]
MadeBy = Literal["hand", "policy", "wrapper"]

_KEY = "_sharding_record"


@dataclass(frozen=True)
class UnitOptions:
    """What a unit is run with. Field names and values are those of `fully_shard` and `replicate`.

    Attributes:
        strategy: "full_shard", "shard_grad_op", "no_shard", "hybrid_shard" or "hybrid_shard_zero2".
        reshard_after_forward: None for what the strategy says, else forced; a number is of ranks that keep pieces.
        mixed_precision: torch's `MixedPrecision` or `MixedPrecisionPolicy`, a mapping of dtype names, or None.
        cpu_offload: whether the resting pieces stay on the CPU.
        backward_prefetch: "pre", "post" or None.
        forward_prefetch: gather the next unit while this one computes.
        limit_all_gathers: bound the number of unsharded units alive.
        bucket_cap_mb: largest all-reduce of a replicate group, in MiB; None for the engine's own.
    """

    strategy: str = "full_shard"
    reshard_after_forward: bool | int | None = None
    mixed_precision: Any = None
    cpu_offload: bool = False
    backward_prefetch: Literal["pre", "post"] | None = "pre"
    forward_prefetch: bool = False
    limit_all_gathers: bool = True
    bucket_cap_mb: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Annotation:
    """One module (or, for a unit of several, a few modules) marked by one call.

    Attributes:
        api: the verb.
        modules: the modules marked; more than one only for `fully_shard([a, b])`.
        by: whether they were named, matched by a policy, or wrapped.
        call: the annotation of the argument of the call that made this one; None when it is that itself.
        ignored_modules: modules the call leaves out, with all below them.
        ignored_params: single parameters the call leaves out.
        options: how the unit runs.
        policy: the policy of the call, on the argument's annotation only.
        settings: what only the engine that runs the call reads (mesh, device, initialiser, ...).
    """

    api: Api
    modules: tuple[nn.Module, ...]
    by: MadeBy = "hand"
    call: Annotation | None = None
    ignored_modules: tuple[nn.Module, ...] = ()
    ignored_params: tuple[nn.Parameter, ...] = ()
    options: UnitOptions = UnitOptions()
    policy: Any = None
    settings: Any = None

    @property
    def origin(self) -> Annotation:
        """The annotation of the call's argument: this one, or the one whose policy made it."""
        return self.call or self

    @property
    def made_by_policy_call(self) -> bool:
        """Whether this unit came from a call with a policy: matched by it, or its argument."""
        return self.origin.policy is not None

    def __repr__(self) -> str:
        classes = ", ".join(type(module).__name__ for module in self.modules)
        return f"Annotation({self.api} on {classes}, by {self.by})"


class Kept:
    """Annotations of a layout before: what says the same again is the same object, so its results can be kept."""

    def __init__(self, annotations: Iterable[Annotation] = ()) -> None:
        self._by_module = {id(each.modules[0]): each for each in annotations}

    def annotation(
        self,
        api: Api,
        modules: tuple[nn.Module, ...],
        *,
        options: UnitOptions,
        by: MadeBy = "hand",
        call: Annotation | None = None,
        ignored_modules: tuple[nn.Module, ...] = (),
        ignored_params: tuple[nn.Parameter, ...] = (),
        policy: Any = None,
        settings: Any = None,
    ) -> Annotation:
        """The one before that says exactly this, or a new one. Objects of the user are compared by identity."""
        known = self._by_module.get(id(modules[0]))
        if (
            known is not None
            and known.call is call
            and known.api == api
            and known.by == by
            and known.policy is policy
            and known.settings is settings
            and (known.options is options or known.options == options)
            and _are(known.modules, modules)
            and _are(known.ignored_modules, ignored_modules)
            and _are(known.ignored_params, ignored_params)
        ):
            return known
        return Annotation(api, modules, by, call, ignored_modules, ignored_params, options, policy, settings)


def _are(these: Sequence[object], those: Sequence[object]) -> bool:
    return these is those or (len(these) == len(those) and all(map(is_, these, those)))


NOTHING_KEPT = Kept()
"""Where there is no layout before."""


@dataclass(frozen=True, eq=False)
class _Record:
    """What hangs on an annotated module."""

    annotation: Annotation

    def __deepcopy__(self, memo: dict[int, Any]) -> _Record:
        raise StateError(self._refusal("copied"))

    def __copy__(self) -> _Record:
        raise StateError(self._refusal("copied"))

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise StateError(self._refusal("pickled"))

    def _refusal(self, verb: str) -> str:
        return (
            f"a module with {self.annotation.api} on it ({type(self.annotation.modules[0]).__name__}) cannot be "
            f"{verb}: it holds one rank's pieces. Take a state_dict() of it, build a fresh model and apply the plan to "
            "that, or call sharding.remove(model) first"
        )


def annotation_of(module: nn.Module) -> Annotation | None:
    """The annotation on this very module object, if any."""
    record = module.__dict__.get(_KEY)
    return None if record is None else record.annotation


def engine_of(annotation: Annotation) -> str | None:
    """The engine an annotation runs on; None for one that does not run."""
    settings = annotation.origin.settings
    return None if settings is None else getattr(settings, "engine", "flat")


def applied_apis(module: nn.Module) -> tuple[str, ...]:
    """The composable calls applied to this module: `()`, `("fully_shard",)` or `("replicate",)`.

    Submodules that belong to a unit because a module above them was marked have none of their own.
    """
    annotation = annotation_of(module)
    return () if annotation is None else (annotation.api,)


def register(annotation: Annotation) -> None:
    """Note the annotation on each of its modules."""
    for module in annotation.modules:
        module.__dict__[_KEY] = _Record(annotation)


def unregister(annotation: Annotation) -> None:
    """Take the annotation off its modules again."""
    for module in annotation.modules:
        module.__dict__.pop(_KEY, None)


def annotations_in(tree: Tree) -> list[Annotation]:
    """All annotations registered in a tree, in pre-order, each once."""
    found: dict[int, Annotation] = {}
    for node in tree.nodes:
        for module in node.modules:
            annotation = annotation_of(module)
            if annotation is not None:
                found.setdefault(id(annotation), annotation)
    return list(found.values())
