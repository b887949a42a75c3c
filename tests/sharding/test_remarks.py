"""What runs, but not as people think."""

from __future__ import annotations

from parts import Part, finding, lin
from torch import nn

from sharding import Plan


def test_no_common_root():
    """Local roots side by side are told, with what to mark."""
    layout = Plan().fully_shard("a").fully_shard("b").resolve(Part(a=lin(), b=lin()))
    found = finding(layout, "no_common_root")
    assert found.fqns == ("a", "b")
    assert found.message.startswith(
        "2 local roots ('a', 'b') and nothing above them: each is gathered from its forward"
    )
    assert found.advice == "mark the module above them as fully_shard as well"


def test_root_inside_replicate():
    """A local root inside a replicated subtree is told."""
    found = finding(Plan().fully_shard("r.x").replicate("r").resolve(Part(r=Part(x=lin()))), "root_inside_replicate")
    assert found.message.startswith("'r.x' lies inside the replicated 'r' and is its own local root")


def test_giant_unit():
    """One unit with nearly everything is told, with the repeated class worth marking."""

    class Blk(Part):
        pass

    model = Part(layers=nn.ModuleList([Blk(fc=lin(16)) for _ in range(3)]), out=lin())
    found = finding(Plan().fully_shard("").resolve(model), "giant_unit")
    assert found.message.startswith("the root unit holds 822 of 822 sharded elements (100 %): nearly everything is")
    assert found.advice == "make units of the 3 Blk modules: policy=by_class('Blk')"


def test_empty_units():
    """Units left without parameters are told; a root without any of its own is ordinary."""
    layout = Plan().fully_shard("a").fully_shard("a.x").fully_shard("").resolve(Part(a=Part(x=lin())))
    assert finding(layout, "empty_unit").message == ("1 units have no parameters of their own ('a') and get no handle")
