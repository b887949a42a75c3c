"""Bytes and messages between Python and the page, which do not grow with the number of modules that repeat."""

from __future__ import annotations

import json
import zlib

import pytest
from ipywidgets.embed import dependency_state
from llm_shapes import shape
from recording_comm import page_sends

from explorer import explore
from sharding import Plan

KIB = 1024
LAYERS = {"gpt2": "transformer.h.*", "llama70b": "model.layers.*", "deepseek_v3_lists": "model.layers.*"}


def shown(name: str):
    """The model with a unit a layer, as a cell shows it."""
    return explore(shape(name), plan=Plan().fully_shard("").fully_shard(LAYERS[name]), view="text")


@pytest.mark.parametrize(
    ("name", "most"), [("llama70b", 4), ("moe12k", 4), ("deepseek_v3_lists", 0.1), ("distinct", 5)]
)
def test_bytes_of_the_tree_a_module(name, most):
    """Repeated blocks are one class; where nothing repeats, a module is still a few bytes, and one when packed."""
    ex = explore(shape(name), view="text")
    text = ex.widget.tree.encode()
    num = len(ex.layout.tree.nodes)
    assert len(text) <= most * num
    assert len(zlib.compress(text, 9)) <= num


@pytest.mark.parametrize("name", LAYERS)
def test_what_a_notebook_saves_of_a_widget(recorded, name):
    """The page's own module is in it: a saved notebook needs no network to be drawn again."""
    state = json.dumps(dependency_state(shown(name).widget, drop_defaults=False), ensure_ascii=False).encode()
    assert len(state) <= 48 * KIB
    assert b"_esm" in state


@pytest.mark.parametrize(("name", "index"), [("gpt2", 3), ("llama70b", 2)])
def test_an_edit_is_two_small_messages_back(recorded, name, index):
    """One plan and one reply, at most a KiB together, for a command of at most 200 bytes; headers apart."""
    ex = shown(name)
    comm = ex.widget.comm
    before = len(comm.messages)
    command = {"id": 1, "cmd": "mark", "verb": "ignore", "indices": [index]}
    page_sends(ex.widget, command)
    ex._session.turns.ask(lambda: None)
    back = [data.get("content") or data["state"] for _, data in comm.messages[before:]]
    assert [sorted(each) for each in back] == [["plan"], ["id", "ok", "rev", "type"]]
    assert len(json.dumps(command)) <= 200
    assert sum(len(json.dumps(each)) for each in back) <= KIB


def test_a_widget_is_announced_in_two_messages(recorded):
    """Its layout and itself: the module, the tree and the plan travel with the announcement."""
    widget = shown("deepseek_v3_lists").widget
    opened = [kind for kind, _ in (*widget.layout.comm.messages, *widget.comm.messages)]
    assert opened == ["comm_open", "comm_open"]
