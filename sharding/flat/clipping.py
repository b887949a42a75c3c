"""Clipping gradients by their norm over all ranks, whoever looks after the parameter.

Pieces of sharded gradients are summed over the ranks that share them; replicated gradients are the same
everywhere and counted once; ignored and unmanaged ones differ by rank and enter with the largest rank's norm,
so that every rank clips by the same factor."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import nn
from torch.nn.utils import clip_grads_with_norm_, get_total_norm

from sharding.errors import StateError
from sharding.flat.collectives import Collectives, OneRank
from sharding.flat.walking import all_replicas, all_states
from sharding.traversal import tree_of


@torch.no_grad()
def clip_grad_norm_(
    module: nn.Module,
    max_norm: float,
    *,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> torch.Tensor:
    """Scale the gradients of a model in place so that their norm over all ranks is at most `max_norm`.

    Args:
        module: the whole model: sharded, replicated, ignored and unmanaged parameters, each counted once.
        max_norm: the largest norm.
        norm_type: which norm; `float("inf")` for the largest absolute value.
        error_if_nonfinite: raise instead of scaling by a norm that is NaN or infinite.
        foreach: as in torch.

    Returns:
        The norm before clipping, the same on every rank.

    Collective: every rank must call it, after backward.

    Raises:
        StateError: the norm is not finite and `error_if_nonfinite` is set; names the ranks that have such
            gradients, and this rank's own.
    """
    owners = _Owners(module)
    powers = [_combined(owners.split[key], ranks, norm_type, owners.device) for key, ranks in owners.ranks.items()]
    powers.append(_norm(owners.whole, norm_type))
    if owners.world.world_size > 1 and owners.has_own:
        own = _norm(owners.own, norm_type).to(owners.device)
        owners.world.all_reduce(own, "max").wait()
        powers.append(own)
    else:
        powers.append(_norm(owners.own, norm_type))
    device = next((each.device for each in powers if each.device.type != "cpu"), torch.device("cpu"))
    norms = torch.stack([each.to(device, torch.float32) for each in powers])
    total = torch.linalg.vector_norm(norms, norm_type)
    if error_if_nonfinite and not math.isfinite(float(total)):
        raise StateError(owners.nonfinite(module, float(total)))
    clip_grads_with_norm_(list(module.parameters()), max_norm, total, foreach)
    return total


class _Owners:
    """The gradients of a model by who looks after them."""

    def __init__(self, module: nn.Module) -> None:
        tree = tree_of(module)
        self.ranks: dict[int, Collectives] = {}
        self.split: dict[int, list[torch.Tensor]] = {}
        self.whole: list[torch.Tensor] = []
        self.world: Collectives = OneRank()
        self.device: torch.device | None = None
        seen: set[int] = set()
        for _, state in all_states(tree):
            state.tree.require_rest("clip_grad_norm_")
            self.world = state.axes.world
            if state.handle is not None:
                self.device = state.handle.device
            for slot in state.handle.slots if state.handle is not None else ():
                seen.add(id(slot.param))
            self._add_unit(state.axes.shard, [] if state.handle is None else [s.param for s in state.handle.slots])
        for _, replica in all_replicas(tree):
            self.world = replica.axes.world
            params = [slot.param for slot in replica.slots]
            self.device = params[0].device if params else self.device
            seen.update(map(id, params))
            self.whole += _grads(params)
        own = [param for param in module.parameters() if id(param) not in seen]
        self.has_own = any(param.requires_grad for param in own)
        self.own = _grads(own)

    def _add_unit(self, ranks: Collectives, params: list[nn.Parameter]) -> None:
        if ranks.world_size == 1:
            self.whole += _grads(params)
            return
        key = id(getattr(ranks, "group", ranks))
        self.ranks.setdefault(key, ranks)
        self.split.setdefault(key, []).extend(_grads(params))

    def nonfinite(self, module: nn.Module, total: float) -> str:
        """Which gradients are not finite, in words: on which ranks, and this rank's names. Collective."""
        bad = [
            name
            for name, param in module.named_parameters()
            if param.grad is not None and not bool(torch.isfinite(param.grad).all())
        ]
        ranks = self._ranks_where(bool(bad))
        where = (
            f"rank {', '.join(map(str, ranks))}" if ranks else "no rank alone (each is finite, their norm overflows)"
        )
        names = f"; on this rank in {', '.join(map(repr, bad[:5]))}" if bad else ""
        return (
            f"the norm of the gradients is {total}: not finite on {where}{names}. Skip this step, or clip with "
            "error_if_nonfinite=False"
        )

    def _ranks_where(self, here: bool) -> list[int]:
        """The ranks that say so."""
        said = torch.zeros(self.world.world_size, device=self.device)
        said[self.world.rank] = float(here)
        self.world.all_reduce(said).wait()
        return said.nonzero().flatten().tolist()


def _grads(params: Iterable[nn.Parameter]) -> list[torch.Tensor]:
    return [param.grad for param in params if param.grad is not None]


def _norm(grads: list[torch.Tensor], norm_type: float) -> torch.Tensor:
    filled = [grad for grad in grads if grad.numel()]
    return get_total_norm(filled, norm_type) if filled else torch.zeros(())


def _combined(
    grads: list[torch.Tensor], ranks: Collectives, norm_type: float, device: torch.device | None
) -> torch.Tensor:
    """The norm of gradients whose pieces lie on several ranks, which talk on `device`."""
    norm = _norm(grads, norm_type).to(device, torch.float64)
    if math.isinf(norm_type):
        ranks.all_reduce(norm, "max").wait()
        return norm
    power = norm**norm_type
    ranks.all_reduce(power).wait()
    return power ** (1.0 / norm_type)
