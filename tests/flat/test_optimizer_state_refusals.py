"""Optimizer state that is refused: torch's words, alike on every rank, and nothing was changed."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch.distributed as dist
from checkpoint_steps import adamw, built, by_policy, grouped, same, trained
from parity import BATCH
from small_models import WIDTH, TwoBlocks
from torch import nn

import sharding
from sharding import PlanError, RankMismatchError, StateError


def refusals() -> list[tuple[str, bool]]:
    model, optimizer = trained(TwoBlocks, by_policy, grouped)
    before = copy.deepcopy(sharding.optimizer_state_dict(model, optimizer))
    seen = []
    for change in (drop_entry, add_name, misshape, drop_name, mix_groups):
        for kind in ("full", "sharded"):
            given = sharding.optimizer_state_dict(model, optimizer, kind=kind)
            change(given)
            with pytest.raises(RuntimeError) as caught:
                sharding.load_optimizer_state_dict(model, optimizer, given)
            seen.append((str(caught.value), same(sharding.optimizer_state_dict(model, optimizer), before)))
    return seen


def drop_entry(given: dict[str, Any]) -> None:
    del given["state"]["p"]["exp_avg_sq"]


def add_name(given: dict[str, Any]) -> None:
    given["state"]["q"] = given["state"]["p"]


def misshape(given: dict[str, Any]) -> None:
    given["state"]["p"]["exp_avg"] = given["state"]["l.bias"]["exp_avg"]


def drop_name(given: dict[str, Any]) -> None:
    given["param_groups"][0]["params"].remove("l.bias")
    del given["state"]["l.bias"]


def mix_groups(given: dict[str, Any]) -> None:
    first, second = given["param_groups"]
    second["params"].append(first["params"].pop())


def test_a_refused_load_changes_nothing(ranks):
    """Missing, extra, misshaped and regrouped state: torch's words, alike on every rank, for either kind."""
    for got in ranks.run(refusals):
        assert all(unchanged for _, unchanged in got)
        texts = [text for text, _ in got]
        assert texts[::2] == texts[1::2]
        missing_entry, extra, misshaped, missing, mixed = texts[::2]
        assert all(text.startswith("Error(s) in loading state_dict for AdamW:") for text in texts)
        assert 'Missing key(s) in state_dict: "p.exp_avg_sq"' in missing_entry
        assert 'Unexpected key(s) in state_dict: "q"' in extra
        assert "size mismatch for p.exp_avg: copying a param with shape torch.Size([5]) from checkpoint" in misshaped
        assert "the shape in current model is torch.Size([5, 5])" in misshaped
        assert 'Missing key(s) in state_dict: "l.bias"' in missing
        assert "parameter group 0: 'betas' was (0.9, 0.999) for 'l.bias' and (0.8, 0.9) for 'u2.seq.2.bias'" in mixed


def different_by_rank() -> tuple[str, bool]:
    model, optimizer = trained(TwoBlocks, by_policy, adamw)
    before = copy.deepcopy(sharding.optimizer_state_dict(model, optimizer))
    given = sharding.optimizer_state_dict(model, optimizer, kind="sharded")
    if dist.get_rank() == 1:
        del given["state"]["u1.lin.weight"]
    with pytest.raises(RankMismatchError) as caught:
        sharding.load_optimizer_state_dict(model, optimizer, given)
    return str(caught.value), same(sharding.optimizer_state_dict(model, optimizer), before)


def test_ranks_that_were_given_different_state_all_refuse(ranks):
    """No hang: what differs is named on every rank."""
    for message, unchanged in ranks.run(different_by_rank):
        assert "different optimizer state to load" in message
        assert "u1.lin.weight.step" in message
        assert unchanged


def other_misuses() -> list[str]:
    model, optimizer = trained(TwoBlocks, by_policy, adamw)
    other = built(TwoBlocks, by_policy, seed=0)
    messages = []

    def note(error: type[Exception], call: Any) -> None:
        with pytest.raises(error) as caught:
            call()
        messages.append(str(caught.value))

    note(StateError, lambda: sharding.optimizer_state_dict(other, optimizer))
    note(PlanError, lambda: sharding.optimizer_state_dict(model, optimizer, kind="odd"))
    note(StateError, lambda: sharding.load_optimizer_state_dict(model, optimizer, {"weights": 1}))
    note(
        StateError,
        lambda: sharding.optimizer_state_dict(model.u1.seq, torch.optim.SGD(model.u1.seq.parameters())),
    )
    optimizer.state[model.p]["odd"] = torch.ones(2, 7)
    note(StateError, lambda: sharding.optimizer_state_dict(model, optimizer))
    loss = model(torch.ones(BATCH, WIDTH)).sum()
    handle = model.l.register_full_backward_hook(lambda *_: sharding.optimizer_state_dict(model, optimizer))
    del loss
    model.zero_grad()
    note(StateError, lambda: model(torch.ones(BATCH, WIDTH)).sum().backward())
    handle.remove()
    return messages


def test_misuse_is_named(ranks):
    """A foreign optimizer, an unknown kind or form, a unit further up, state that cannot be cut, a running step."""
    for foreign, kind, form, above, odd, running in ranks.run(other_misuses):
        assert "holds a parameter of shape (" in foreign
        assert "give the model that the optimizer was made for" in foreign
        assert "known are 'full', 'sharded'" in kind
        assert "'weights' is no entry of optimizer state" in form
        assert "'0.weight' belongs to a unit above Sequential" in above
        assert "keeps 'odd' of parameter 'p' as a tensor of shape (2, 7)" in odd
        assert "inside a backward" in running


def refused_on_one_rank() -> list[str]:
    model, optimizer = trained(TwoBlocks, by_policy, adamw)
    state = sharding.optimizer_state_dict(model, optimizer)
    before = copy.deepcopy(state)
    other = adamw(built(TwoBlocks, by_policy, seed=0))
    second = dist.get_rank() == 1
    messages = []
    for call in (
        lambda: sharding.optimizer_state_dict(model, other if second else optimizer),
        lambda: sharding.load_optimizer_state_dict(model, other if second else optimizer, state),
        lambda: sharding.load_optimizer_state_dict(model, optimizer, optimizer.state_dict() if second else state),
        lambda: sharding.load_optimizer_state_dict(model, optimizer, {"weights": 1} if second else state),
    ):
        with pytest.raises(StateError if second else RankMismatchError) as caught:
            call()
        messages.append(str(caught.value))
    assert same(sharding.optimizer_state_dict(model, optimizer), before)
    return messages


def test_a_refusal_on_one_rank_reaches_all(ranks):
    """Nobody waits for a rank that was refused: the others say why it was."""
    first, second = ranks.run(refused_on_one_rank)
    assert first == [f"rank 1 was refused: {message}" for message in second]
    assert "keyed by number" in second[2]


def copied(m: nn.Module) -> None:
    sharding.fully_shard(m, strategy="no_shard")


def of_other_kinds() -> list[bool]:
    checks = []
    for mark, make in (
        (by_policy, lambda ps: torch.optim.Adam(ps, lr=torch.tensor(1e-2), foreach=False)),
        (by_policy, lambda ps: torch.optim.NAdam(ps, lr=1e-2)),
        (by_policy, lambda ps: torch.optim.Adagrad(ps, lr=1e-2)),
        (by_policy, lambda ps: torch.optim.RMSprop(ps, lr=1e-2, momentum=0.5, centered=True)),
        (copied, lambda ps: torch.optim.Adafactor(ps, lr=1e-2)),
    ):
        model, optimizer = trained(TwoBlocks, mark, lambda m, make=make: make(m.parameters()))
        state = sharding.optimizer_state_dict(model, optimizer, kind="sharded")
        other = built(TwoBlocks, mark, seed=1)
        fresh = make(other.parameters())
        sharding.load_optimizer_state_dict(other, fresh, state)
        want = sharding.optimizer_state_dict(model, optimizer)
        checks.append(same(sharding.optimizer_state_dict(other, fresh), want))
    return checks


def test_other_optimizers_are_not_refused(ranks):
    """Whatever keeps numbers and tensors shaped like its parameter; where nothing is cut, rows and columns too."""
    assert ranks.run(of_other_kinds) == [[True] * 5] * 2
