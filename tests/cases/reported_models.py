"""Small models after things people ran into while sharding theirs. Each builder is one situation, nothing more."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper


class Part(nn.Module):
    """A module with the children and parameters it is given, in that order."""

    def __init__(self, **parts) -> None:
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x):
        return x


class Blk(Part):
    """Two linear layers."""

    def __init__(self, size: int = 4) -> None:
        super().__init__(fc1=nn.Linear(size, size), fc2=nn.Linear(size, size))


class NB(Part):
    """A block that may hold blocks."""

    def __init__(self, inner: nn.Module | None = None) -> None:
        super().__init__(fc=nn.Linear(2, 2), inner=inner)


class LlamaBlock(Part):
    pass


class EncBlk(Part):
    pass


class DecBlk(Part):
    pass


class CallableDict(nn.ModuleDict):
    """A container with a forward of its own."""

    def forward(self, x):
        return x


class Holder(nn.Module):
    """Holds a layer that others call past it."""

    def __init__(self) -> None:
        super().__init__()
        self.l = nn.Linear(2, 2)


class Hidden(Part):
    """Its own listing of parameters is empty."""

    def named_parameters(self, *args, **kwargs):
        return iter(())


class Broken(Part):
    """Cannot be shown."""

    def extra_repr(self):
        raise AssertionError("extra_repr was called")

    @property
    def danger(self):
        raise AssertionError("a property was read")


def lin(rows: int = 4, columns: int | None = None, bias: bool = True) -> nn.Linear:
    return nn.Linear(columns or rows, rows, bias=bias)


def vector(*shape: int, **options) -> nn.Parameter:
    return nn.Parameter(torch.ones(*shape), **options)


def replicated_branch() -> nn.Module:
    return Part(pre=lin(), a=Blk(), b=Blk(), out=lin(2, 4))


def sharded_branch() -> nn.Module:
    return nn.Sequential(lin(), Blk(), Blk(), lin(2, 4))


def three_levels() -> nn.Module:
    return nn.Sequential(lin(), nn.Sequential(lin(), lin()), lin(2, 4))


def tied_language_model(body: bool = True) -> nn.Module:
    parts = {"body": lin()} if body else {}
    model = Part(emb=nn.Embedding(10, 4), **parts, head=lin(10, 4, bias=False))
    model.head.weight = model.emb.weight
    return model


def one_child_of_two_parents() -> nn.Module:
    shared = lin(2)
    return Part(a=Part(own=lin(2), sh=shared), b=Part(own=lin(2), sh=shared))


def one_layer_three_times() -> nn.Module:
    layer = lin(2)
    return nn.Sequential(layer, nn.ReLU(), layer, nn.Tanh(), layer)


def child_that_keeps_its_parent() -> nn.Module:
    model = Part(sub=nn.Sequential(lin(2)))
    model.sub.up = model
    return model


def list_of_blocks() -> nn.Module:
    return Part(blocks=nn.ModuleList([lin(2), lin(2)]))


def callable_container() -> nn.Module:
    return nn.Sequential(lin(2), CallableDict({"a": lin(2), "b": lin(2)}))


def holder_called_past() -> nn.Module:
    return Part(h=Holder(), o=lin(2))


def attention() -> nn.Module:
    return Part(mha=nn.MultiheadAttention(4, 2, batch_first=True), ff=lin())


def learned_scale() -> nn.Module:
    return Part(lin=lin(2), scale=nn.Parameter(torch.tensor(1.0)))


def few_rows() -> nn.Module:
    return Part(t=vector(2, 8))


def two_dtypes() -> nn.Module:
    return Part(a=lin(bias=False).to(torch.bfloat16), n=nn.LayerNorm(4), b=lin(2, 4, bias=False))


def complex_weight() -> nn.Module:
    return Part(w=nn.Parameter(torch.ones(4, 2, dtype=torch.complex64)), l=lin(2))


def adapters() -> nn.Module:
    blocks = []
    for _ in range(2):
        block = Part(base=lin(8, bias=False), A=lin(2, 8, bias=False), B=lin(8, 2, bias=False))
        block.base.weight.requires_grad_(False)
        blocks.append(block)
    return nn.Sequential(*blocks)


def block_with_ignored_child() -> nn.Module:
    return Part(a=lin(2), b=Blk(2))


def ignored_block_with_unit() -> nn.Module:
    return nn.Sequential(Blk(), lin(2, 4))


def batch_norm() -> nn.Module:
    return Part(l=lin(), bn=nn.BatchNorm1d(4), o=lin(2, 4))


def buffer_outside_the_state_dict() -> nn.Module:
    with torch.device("meta"):
        model = Part(l=lin())
        model.register_buffer("inv", torch.ones(4), persistent=False)
        model.register_buffer("kept", torch.ones(2))
    return model


def hooked_weight_norm() -> nn.Module:
    layer = lin()
    weight = layer._parameters.pop("weight")
    layer.weight_g = nn.Parameter(weight.norm(dim=1, keepdim=True).detach())
    layer.weight_v = nn.Parameter(weight.detach())
    layer.weight = layer.weight_v * layer.weight_g  # a computed tensor with a graph, as the hook leaves it
    return Part(c=layer, o=lin(2, 4))


def parametrised_weight_norm() -> nn.Module:
    return Part(c=torch.nn.utils.parametrizations.weight_norm(lin()), o=lin(2, 4))


def mixed_parameter_containers() -> nn.Module:
    entries = nn.ParameterList([vector(2), torch.ones(3)])
    entries.append("note")
    entries.append(torch.zeros(1))
    return Part(ps=entries, pd=nn.ParameterDict({"w": vector(2), "n": 3}), lin=lin(2))


def unregistered_layers() -> nn.Module:
    return Part(hidden=[lin(2), lin(2)], table=torch.arange(3.0), lin=lin(2))


CLASHING = ("output", "module", "state", "path", "parent", "status", "_status", "index")


def clashing_names() -> nn.Module:
    model = Part()
    for name in CLASHING:
        model.add_module(name, lin(1))
    return model


def replaced_and_missing_children() -> nn.Module:
    d = Part(a=lin(1), b=lin(1), c=lin(1))
    d.a = lin(1)
    del d.b
    d.b = lin(1)
    d.c = None
    return Part(keys=nn.ModuleDict({name: lin(1) for name in ("10", "2", "1")}), d=d)


def hidden_parameters() -> nn.Module:
    return nn.Sequential(Hidden(l=lin(2)), lin(2))


def tied_on_meta() -> nn.Module:
    with torch.device("meta"):
        return tied_language_model(body=False)


def grouped_layers() -> nn.Module:
    return Part(norm=nn.LayerNorm(8), mid=lin(8), head=lin(4, 8, bias=False))


def checkpointed(inner: nn.Module) -> nn.Module:
    return nn.Sequential(lin(), checkpoint_wrapper(inner), lin(2, 4))


def unused_branch() -> nn.Module:
    return Part(u=lin(2), v=lin(2))


def markup_names() -> nn.Module:
    model = Part()
    for name in MARKUP:
        model.add_module(name, lin(1))
    return model


MARKUP = ("<b>bold</b>", "<img src=x onerror=alert(1)>", "a&amp;b", 'x" onclick="y', "'q'")


def classes_of_a_function() -> nn.Module:
    class Inner(nn.Linear):
        pass

    class Outer(Part):
        pass

    model = nn.Sequential(Outer(i=Inner(2, 2)), lin(2))
    model[0].register_forward_hook(lambda module, args, output: output)
    return model


def cannot_be_shown() -> nn.Module:
    return nn.Sequential(Broken(l=lin(1)), lin(1))


def large_buffers() -> nn.Module:
    model = Part(l=lin(2))
    model.register_buffer("big", torch.zeros(1000))
    return model


def forty_gigabytes() -> nn.Module:
    with torch.device("meta"):
        return nn.Sequential(lin(100_000, bias=False), nn.Linear(100_000, 1))


def llama_like() -> nn.Module:
    return nn.Sequential(LlamaBlock(fc=lin()), LlamaBlock(fc=lin()), lin(2, 4))


def nested_blocks() -> nn.Module:
    return NB(nn.Sequential(NB(NB()), NB()))


def composite() -> nn.Module:
    encoder = nn.Sequential(*[EncBlk(fc=lin(16)) for _ in range(3)])
    decoder = nn.Sequential(*[DecBlk(fc=lin()) for _ in range(2)])
    return Part(enc=encoder, mid=lin(4, 16), dec=decoder)
