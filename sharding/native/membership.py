"""Which model a plan was applied to, noted on every module of it that torch's calls were made on."""

from __future__ import annotations

import weakref

from torch import nn

_KEY = "_sharding_applied_to"


def note_model(module: nn.Module, model: nn.Module) -> None:
    """`module` runs as part of `model`."""
    module.__dict__[_KEY] = weakref.ref(model)


def applied_to(module: nn.Module) -> nn.Module | None:
    """The model whose plan this very module runs by; None where it runs by no plan, or the model is gone."""
    reference = module.__dict__.get(_KEY)
    return None if reference is None else reference()


def forget_model(module: nn.Module) -> None:
    """Take the note off."""
    module.__dict__.pop(_KEY, None)
