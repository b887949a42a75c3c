"""Random module graphs and random wishes about them, for every property test of the core.

A graph is a tree with further edges: shared modules, children that keep an ancestor, tied parameters, containers,
modules nobody can call, wrappers of activation checkpointing and compilation. Everything is on the meta device.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import nn

SHAPES = ((3,), (2, 2), (5, 1), (0,), (1,), (4, 3, 2))
DTYPES = (torch.float32, torch.bfloat16, torch.float64)


class Base(nn.Module):
    """Has a forward; what it computes is never asked."""

    def forward(self, x):
        return x


class Block(Base):
    pass


class SubBlock(Block):
    pass


class Layer(Base):
    pass


class Holder(nn.Module):
    """Has no forward of its own: accepted, with a warning."""


class CheckpointShell(Base):
    """What activation checkpointing leaves in the tree."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self._checkpoint_wrapped_module = inner


class CompiledShell(Base):
    """What compilation leaves in the tree."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self._orig_mod = inner


KINDS = {
    "block": Block,
    "subblock": SubBlock,
    "layer": Layer,
    "holder": Holder,
    "list": nn.ModuleList,
    "dict": nn.ModuleDict,
    "params": nn.ParameterList,
}
SHELLS = {"checkpoint": CheckpointShell, "compiled": CompiledShell}


@dataclass(frozen=True)
class ParamSpec:
    shape: tuple[int, ...]
    dtype: torch.dtype
    trainable: bool
    tied_to: tuple[int, int] | None = None  # (node, place) of an earlier parameter


@dataclass(frozen=True)
class GraphSpec:
    """A graph as data, so that a failing example prints something a person can read."""

    kinds: tuple[str, ...]
    shells: tuple[str | None, ...]
    edges: tuple[tuple[int, int], ...]  # (holder, held), in registration order
    params: tuple[tuple[ParamSpec, ...], ...]

    def build(self) -> nn.Module:
        """The root module."""
        inner = [KINDS[kind]() for kind in self.kinds]
        outer = [SHELLS[shell](module) if shell else module for module, shell in zip(inner, self.shells, strict=True)]
        made: dict[tuple[int, int], nn.Parameter] = {}
        for number, specs in enumerate(self.params):
            for place, spec in enumerate(specs):
                param = made[spec.tied_to] if spec.tied_to else _param(spec)
                made[number, place] = param
                _add_param(inner[number], f"p{place}", param)
        for holder, held in self.edges:
            _add_child(inner[holder], f"m{held}", outer[held])
        return outer[0]


def _param(spec: ParamSpec) -> nn.Parameter:
    return nn.Parameter(torch.empty(spec.shape, dtype=spec.dtype, device="meta"), requires_grad=spec.trainable)


def _add_param(module: nn.Module, attr: str, param: nn.Parameter) -> None:
    if isinstance(module, nn.ParameterList):
        module.append(param)
    else:
        module.register_parameter(attr, param)


def _add_child(holder: nn.Module, attr: str, child: nn.Module) -> None:
    if isinstance(holder, nn.ModuleList):
        holder.append(child)
        return
    while attr in holder._modules:
        attr += "_"
    holder.add_module(attr, child)


@st.composite
def graph_specs(draw: st.DrawFn, *, max_modules: int = 9, sharing: bool = True) -> GraphSpec:
    """Graphs of up to `max_modules` modules; without `sharing` a plain tree with parameters of their own."""
    count = draw(st.integers(1, max_modules))
    kinds = ["block"]
    edges: list[tuple[int, int]] = []
    for number in range(1, count):
        holder = draw(st.sampled_from([n for n in range(number) if kinds[n] != "params"]))
        edges.append((holder, number))
        kinds.append(draw(st.sampled_from(["block", "block", "subblock", "layer", "layer", *KINDS])))
    if sharing and count > 2:
        holders = [n for n in range(count) if kinds[n] != "params"]
        extra = st.tuples(st.sampled_from(holders), st.integers(1, count - 1))
        edges += draw(st.lists(extra, max_size=2))
        if draw(st.integers(0, 3)) == 0:
            edges.append((draw(st.sampled_from(holders)), 0))
        edges = draw(st.permutations(edges))
    shells = [draw(st.sampled_from([None] * 6 + list(SHELLS))) for _ in range(count)]
    return GraphSpec(tuple(kinds), tuple(shells), tuple(edges), draw(_params(kinds, sharing)))


@st.composite
def _params(draw: st.DrawFn, kinds: list[str], sharing: bool) -> tuple[tuple[ParamSpec, ...], ...]:
    specs: list[tuple[ParamSpec, ...]] = []
    slots: list[tuple[int, int]] = []
    for number, kind in enumerate(kinds):
        own: list[ParamSpec] = []
        for place in range(0 if kind in ("list", "dict") else draw(st.integers(0, 2))):
            tied = draw(st.sampled_from(slots)) if sharing and slots and draw(st.integers(0, 4)) == 0 else None
            trainable = draw(st.booleans())
            own.append(ParamSpec(draw(st.sampled_from(SHAPES)), draw(st.sampled_from(DTYPES)), trainable, tied))
            slots.append((number, place))
        specs.append(tuple(own))
    return tuple(specs)


@dataclass(frozen=True)
class Wish:
    """One mark: the modules by their number in pre-order, and which of their names to use."""

    api: str  # "fully_shard" | "replicate" | "ignore" | "ignore_param"
    targets: tuple[int, ...]
    spelling: int = 0
    policy: tuple[type[nn.Module], ...] | None = None


POLICIES = ((Block,), (Layer,), (SubBlock,), (Block, Layer))


@st.composite
def wishes(draw: st.DrawFn, callable_ones: list[int], bare: list[int], params: int) -> tuple[Wish, ...]:
    """Marks on a model, its modules given by number; no module is named by two of them."""
    order = draw(st.permutations(callable_ones))
    if bare and draw(st.integers(0, 9)) == 0:
        order.insert(0, draw(st.sampled_from(bare)))
    found: list[Wish] = []
    if draw(st.booleans()):
        order = [n for n in order if n != 0]
        found.append(Wish("fully_shard", (0,), 0, draw(st.sampled_from([None, *POLICIES]))))
    for _ in range(draw(st.integers(0, 4))):
        if not order:
            break
        api = draw(st.sampled_from(["fully_shard"] * 4 + ["replicate", "ignore"]))
        size = draw(st.sampled_from([1, 1, 1, 1, 1, 2])) if api == "fully_shard" else 1
        targets, order = tuple(order[:size]), order[size:]
        policy = draw(st.sampled_from([None, None, *POLICIES])) if api == "fully_shard" and len(targets) == 1 else None
        found.append(Wish(api, targets, draw(st.integers(0, 3)), policy))
    if params and draw(st.integers(0, 5)) == 0:
        found.append(Wish("ignore_param", (draw(st.integers(0, params - 1)),), draw(st.integers(0, 3))))
    return tuple(draw(st.permutations(found)))


NAMES = st.sampled_from(["", "a", "a.b", "layers.0", "layers.*", "**.fc", "head", "<b>", "x y", "it's"])
ALL_DTYPES = ("float32", "bfloat16", "float16", "float64")
