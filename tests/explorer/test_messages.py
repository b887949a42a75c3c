"""Whatever a page sends is a command or is refused in words; errors read as a title and what to do."""

from __future__ import annotations

import pytest

from explorer.commands import (
    Boundary,
    CommandError,
    Group,
    Inspect,
    Mark,
    Select,
    Simple,
    StartComparison,
    StartRun,
    read_command,
)
from explorer.messages import error_data
from sharding.errors import ConflictError, PlanError


@pytest.mark.parametrize(
    ("content", "command"),
    [
        ({"cmd": "mark", "verb": "ignore", "indices": [4, 2, 4]}, Mark("ignore", (2, 4))),
        ({"cmd": "mark", "verb": "ignore", "indices": [[1, 2, 1, 3, 3], 0]}, Mark("ignore", (0, 1, 2, 4, 5, 7, 8))),
        ({"cmd": "mark", "verb": "clear", "selector": "h.*"}, Mark("clear", (), "h.*")),
        ({"cmd": "group", "indices": [0, 9]}, Group((0, 9))),
        ({"cmd": "boundary", "way": "up", "indices": [[3, 2, 3]]}, Boundary("up", (3, 6))),
        ({"cmd": "inspect", "index": 3}, Inspect(3)),
        ({"cmd": "inspect", "index": 3, "world_size": 8}, Inspect(3, 8)),
        ({"cmd": "select", "index": 3}, Select(3)),
        ({"cmd": "run"}, StartRun(2, 10)),
        ({"cmd": "run", "nprocs": 4, "steps": 1}, StartRun(4, 1)),
        ({"cmd": "compare"}, StartComparison(2, 5)),
        ({"cmd": "compare", "steps": 2, "engines": ["ddp"]}, StartComparison(2, 2, ("ddp",))),
        ({"cmd": "undo", "unknown": 1}, Simple("undo")),
        ({"cmd": "text"}, Simple("text")),
    ],
)
def test_commands_are_read(content, command):
    """Every command of the wire, with defaults; repeated indices count once."""
    assert read_command(content, 10) == command


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "unknown command None"),
        ({"cmd": "marks"}, "did you mean 'mark'"),
        ({"cmd": "mark", "verb": "shard", "indices": [1]}, "unknown verb 'shard'"),
        ({"cmd": "mark", "verb": "clear"}, "list of module numbers in 'indices', got None"),
        ({"cmd": "mark", "verb": "clear", "indices": []}, "list of module numbers"),
        ({"cmd": "mark", "verb": "clear", "indices": [10]}, "whole number from 0 to 9, got 10"),
        ({"cmd": "mark", "verb": "clear", "indices": [{}]}, "whole number from 0 to 9, got {}"),
        ({"cmd": "mark", "verb": "clear", "indices": [[4, 3, 3]]}, "whole number from 0 to 9, got 10"),
        ({"cmd": "mark", "verb": "clear", "indices": [[4, 3]]}, "[start, times, distance, ...]"),
        ({"cmd": "mark", "verb": "clear", "indices": [[0, "9", 1]]}, "got [0, '9', 1]"),
        ({"cmd": "mark", "verb": "clear", "indices": [[0, 9, 0, 9, 0]]}, "stands for more than the 10 modules"),
        ({"cmd": "mark", "verb": "clear", "selector": ["h"]}, "'selector' must be text, got ['h']"),
        ({"cmd": "inspect", "index": 10}, "whole number from 0 to 9, got 10"),
        ({"cmd": "group", "indices": [True, 1]}, "got True"),
        ({"cmd": "boundary", "way": "left", "indices": [1]}, "moves 'up' or 'down', got 'left'"),
        ({"cmd": "select", "index": "3"}, "got '3'"),
        ({"cmd": "compare", "engines": "flat"}, "'engines' is a list of names, got 'flat'"),
    ],
)
def test_damaged_commands_are_refused_in_words(content, words):
    """Never a KeyError: the page, or whoever wrote to its comm, reads what was wrong."""
    with pytest.raises(CommandError) as caught:
        read_command(content, 10)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"cmd": "run", "nprocs": 0}, "the number of workers must be a whole number from 1 to 64, got 0"),
        ({"cmd": "run", "nprocs": True}, "got True"),
        ({"cmd": "run", "steps": 2.5}, "the number of steps must be a whole number from 1 to 1,000,000, got 2.5"),
    ],
)
def test_numbers_typed_into_the_page_are_refused_as_the_persons_not_the_pages(content, words):
    """The field on the page is called workers; a wrong number in it is not an unreadable message."""
    with pytest.raises(PlanError) as caught:
        read_command(content, 10)
    assert words in str(caught.value)
    assert error_data(caught.value)["title"] == "This cannot be done here"


def test_refusals_have_a_title_of_their_own_and_the_whole_advice():
    """The page shows both."""
    assert error_data(PlanError("no module named 'x'")) == {
        "title": "This cannot be done here",
        "detail": "no module named 'x'",
    }
    assert error_data(ConflictError("a; b"))["title"] == "This mark would make a conflict"


def test_an_error_of_a_rank_has_its_first_line_as_title():
    """The rest, with the user's lines, is the detail."""
    error = ValueError("rank 1 of 2 (pid 7, cpu): ValueError: bad\n  Cell In[3], line 2\n    x = f(y)")
    assert error_data(error) == {
        "title": "rank 1 of 2 (pid 7, cpu): ValueError: bad",
        "detail": "Cell In[3], line 2\n    x = f(y)",
    }
    assert error_data(KeyError("k")) == {"title": "KeyError: 'k'", "detail": "'k'"}
