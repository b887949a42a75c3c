"""A model of `transformers`, not ours: planned by keys, run on two workers, equal to the model that is not sharded."""

from __future__ import annotations

import importlib.util
import json

import pytest
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        importlib.util.find_spec("transformers") is None, reason="no transformers; the extra `models` has it"
    ),
]

GPT2 = """
import torch
from transformers import GPT2Config, GPT2LMHeadModel
from explorer import explore

def build():
    small = GPT2Config(vocab_size=128, n_positions=32, n_embd=32, n_layer=3, n_head=2, bos_token_id=0, eos_token_id=0)
    return GPT2LMHeadModel(small)

def batch(rank, step):
    ids = torch.randint(128, (2, 16), generator=torch.Generator().manual_seed(100 * step + rank))
    return {"input_ids": ids, "labels": ids}

ex = explore(build, example_inputs=batch)
ex
"""


def test_gpt2_is_planned_by_keys_and_trains_as_the_unsharded_model_does(notebook):
    """Its loss is found in its output, its tied head stays in the root's unit, dropout is the reference's."""
    made = notebook(GPT2)
    made.run_all()
    widget = made.panel.locator(".shx")
    expect(widget).to_have_attribute("data-ready", "1")
    blocks = widget.locator('.row[data-fqn="transformer.h.0–2"]:visible')
    widget.locator('.row[data-fqn=""]:visible [data-cell=name]').click()
    widget.page.keyboard.press("f")
    blocks.locator("[data-cell=name]").click()
    widget.page.keyboard.press("f")
    expect(blocks).to_have_attribute("data-status", "F")
    assert made.ask("print(ex.plan.code())") == "Plan().fully_shard('').fully_shard('transformer.h.*')"
    made.ask("run = ex.run(nprocs=2, steps=2, reference=True)")
    status = widget.locator("[data-role=status]")
    expect(status).to_have_text("The run has started.")
    expect(status).to_contain_text("Done on 2 workers", timeout=60_000)
    losses, reference = json.loads(made.ask("import json; print(json.dumps([run.losses, run.reference]))"))
    assert [step for step, *_ in losses] == [1, 2]
    assert [(one + other) / 2 for _, one, other in losses] == pytest.approx(reference, rel=1e-5)
    assert losses[0][1] != losses[0][2], "the ranks saw different batches"
