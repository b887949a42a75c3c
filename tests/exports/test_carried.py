"""What scripts carry along from a notebook: cells as they are compiled there, and scripts that must mean the same."""

from __future__ import annotations

import functools
import itertools
import linecache
import math
import textwrap
from collections.abc import Iterator
from typing import Any

import exported_models
import pytest
import torch
from exported_models import Decoder, tokens
from torch import nn

from sharding import PlanError
from sharding.exports.carried import MAX_TENSOR_NBYTES, Carried


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Run text as a notebook cell does: in `__main__`, its lines kept for tracebacks only. Returns the namespace."""
    names: dict[str, Any] = {"__name__": "__main__", "torch": torch, "nn": nn}
    numbers = itertools.count(1)
    made: list[str] = []

    def run(text: str) -> dict[str, Any]:
        filename = f"<cell {next(numbers)}>"
        made.append(filename)
        lines = textwrap.dedent(text).lstrip("\n").splitlines(keepends=True)
        linecache.cache[filename] = (len(text), None, lines, filename)
        exec(compile("".join(lines), filename, "exec"), names)
        return names

    yield run
    for filename in made:
        linecache.cache.pop(filename)


def script_of(value: Any, **reserved: Any) -> tuple[str, str]:
    """The whole script that carries `value`, and the expression for it."""
    carried = Carried(reserved)
    expression = carried.expression(value, "the builder")
    return "\n".join(["from __future__ import annotations", *carried.imports, *carried.definitions]), expression


def carried_over(value: Any) -> Any:
    """`value` as a fresh interpreter would have it."""
    text, expression = script_of(value)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "script.py", "exec"), names)
    return eval(expression, names)


def test_a_builder_comes_with_all_it_uses(cell):
    """Base classes, constants, functions, modules under other names, decorators; only what is used."""
    names = cell(
        """
        import math as m
        import functools
        WIDTH, DEPTH, UNUSED = 4, 3, object()
        DTYPE = torch.float64
        """
    )
    cell(
        """
        class Base(nn.Module):
            def width(self):
                return int(m.sqrt(WIDTH * WIDTH))

        class Net(Base):
            scale = 2.0

            def __init__(self, depth):
                super().__init__()
                self.layers = nn.ModuleList(nn.Linear(self.width(), WIDTH, dtype=DTYPE) for _ in range(depth))

            @property
            def size(self):
                return helper(self)

        def helper(net):
            return len(net.layers)

        @functools.lru_cache
        def depth():
            return DEPTH
        """
    )
    cell(
        """
        def build(kind=Net):
            return kind(depth())
        """
    )
    net = carried_over(names["build"])()
    assert (net.size, net.layers[0].weight.dtype, net.scale) == (3, torch.float64, 2.0)
    assert "UNUSED" not in script_of(names["build"])[0]


def test_classes_without_methods_come_along(cell):
    """Settings as notebooks keep them: a dataclass and an instance of it, a class of attributes, an empty one."""
    cell("class Settings:\n    other = 1")
    names = cell(
        """
        from dataclasses import dataclass, field
        @dataclass
        class Config:
            width: int = 4
            dtype: object = torch.float32
            area: int = field(init=False)
            def __post_init__(self):
                self.area = self.width ** 2
        @dataclass(frozen=True)
        class Plain:
            width: int
        class Settings:
            depth = 2
        class Stack(nn.Sequential):
            pass
        config, plain = Config(5, torch.float64), Plain(3)
        def build():
            width, dtype = config.width, config.dtype
            layers = [nn.Linear(width, width, dtype=dtype) for _ in range(Settings.depth)]
            return Stack(*layers, nn.Linear(width, plain.width, dtype=dtype))
        """
    )
    net = carried_over(names["build"])()
    assert (type(net).__name__, len(net), net[2].weight.shape) == ("Stack", 3, (3, 5))
    assert net[0].weight.dtype is torch.float64
    assert carried_over(names["config"]).area == 25


def test_a_function_wrapped_by_a_call_is_refused(cell):
    """Its source alone would be another function."""
    names = cell(
        """
        import functools
        def build():
            return 1
        cached = functools.lru_cache(build)
        """
    )
    with pytest.raises(
        PlanError, match="the builder needs 'build' wrapped by a call; write the wrapper as a decorator"
    ):
        script_of(names["cached"])


def test_what_can_be_imported_is_imported():
    """Functions and classes of modules, also through `partial`."""
    assert script_of(tokens) == ("from __future__ import annotations\nfrom exported_models import tokens", "tokens")
    text, expression = script_of(functools.partial(Decoder, 3, tied=True))
    assert "from exported_models import Decoder" in text
    assert expression == "functools.partial(Decoder, 3, tied=True)"
    assert len(carried_over(functools.partial(Decoder, 3)).func(1).layers) == 1


def test_what_a_function_closes_over_comes_along(cell):
    """Values of the function it was made in, a lambda among them."""
    names = cell(
        """
        def make(width):
            double = lambda x: 2 * x
            def build():
                return nn.Linear(double(width), width)
            return build
        build = make(5)
        """
    )
    assert carried_over(names["build"])().weight.shape == (5, 10)


def test_lambdas_are_told_apart_in_their_line(cell):
    """By their arguments, and by where their code lies."""
    names = cell("one, two, three = (lambda: 1), (lambda: 2), (lambda x: 3)")
    assert carried_over(names["two"])() == 2
    assert carried_over(names["one"])() == 1
    assert carried_over(names["three"])(0) == 3


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        "a'b\n",
        b"\0",
        1e-300,
        math.inf,
        (1,),
        [(), {"a": {1, 2}}, set()],
        torch.bfloat16,
        torch.Size([2, 3]),
        math.sqrt,
        nn.functional.relu,
        torch.add,
        nn,
    ],
    ids=repr,
)
def test_plain_values_mean_the_same(value):
    """Numbers that are no literals, containers, dtypes, functions of C."""
    if value is nn:
        carried = Carried({})
        carried._define("nn", nn, "it")
        assert list(carried.imports) == ["import torch.nn as nn"]
        return
    assert carried_over(value) == value


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.complex64])
def test_small_tensors_come_along_bit_for_bit(dtype):
    """Also empty ones, scalars and those that are not contiguous."""
    for tensor in (torch.randn(3, 4).to(dtype), torch.zeros((0, 2), dtype=dtype), torch.ones((), dtype=dtype)):
        found = carried_over(tensor)
        assert (found.dtype, found.shape) == (tensor.dtype, tensor.shape)
        assert torch.equal(found, tensor)
    turned = torch.randn(3, 4).to(dtype).t()
    assert torch.equal(carried_over({"x": (turned,)})["x"][0], turned)


def test_a_nan_keeps_being_one():
    """`nan` is no literal."""
    assert math.isnan(carried_over(math.nan))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (nn.Linear(1, 1), r"the builder needs a live module \(Linear\), which cannot be written into a script"),
        (object(), "the builder needs a object, which cannot be written into a script; put it into a module"),
        (torch.zeros(MAX_TENSOR_NBYTES), r"a tensor of 1,048,576 bytes, and a script carries at most 262,144; give a"),
        (torch.ones(2, device="meta"), "holds a Tensor on meta, which cannot be written into a script"),
        (torch.ones(2, 2).to_sparse(), "holds a Tensor on cpu, which cannot be written into a script"),
        (nn.Parameter(torch.ones(1)), "holds a Parameter on cpu"),
    ],
    ids=["module", "object", "big", "meta", "sparse", "parameter"],
)
def test_what_has_no_text_is_refused(value, text):
    """With who needs it and what to do."""
    with pytest.raises(PlanError, match=text):
        script_of(value)


def test_a_global_that_has_no_text_is_refused(cell):
    """Named by what it is, wherever in the chain it is used."""
    names = cell(
        """
        STREAM = open.__self__ and object()
        def inner():
            return STREAM
        def build():
            return inner()
        """
    )
    with pytest.raises(PlanError, match="the builder needs a object, which cannot be written into a script"):
        script_of(names["build"])


def test_two_things_of_one_name_are_refused(cell):
    """One of a cell and one of the script itself, or of two scopes."""
    names = cell(
        """
        def main():
            return 1
        def build():
            return main()
        """
    )
    with pytest.raises(PlanError, match="the script would need two different things called 'main'; rename one"):
        script_of(names["build"], main=None)


def test_source_that_is_gone_is_said(cell):
    """A cell whose text nobody kept."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cell("class Net:\n    other = 1")
    exec(compile("def build():\n    return 1\nclass Net:\n    pass\n", "<gone>", "exec"), names)
    for name in ("build", "Net"):
        with pytest.raises(PlanError, match=f"the builder needs '{name}', whose source cannot be found; put it into"):
            script_of(names[name])
    same = cell("pair = [lambda: 1 + 1 for _ in '  '], [lambda: 1 + 1]")
    assert carried_over(same["pair"][1][0])() == 2


def test_modules_that_must_be_there_are_known():
    """Not torch's and not Python's own."""
    carried = Carried({})
    carried.expression((tokens, math.sqrt, nn.Linear, exported_models.Block), "it")
    assert list(carried.modules) == ["exported_models"]
