"""Bytes of pipes to labelled lines, and the bounded transcript of a run."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sharding.workers.output import MAX_LINE_NBYTES, PAGE_FULL, PAGE_NCHARS, LineAssembler, Transcript


@given(st.text(alphabet="ab\n", max_size=60), st.integers(1, 7))
def test_lines_are_whole_however_the_bytes_are_cut(text: str, cut: int) -> None:
    """No byte is lost, doubled or moved."""
    assembler, data, got = LineAssembler(1), text.encode(), []
    for start in range(0, len(data), cut):
        got += assembler.feed(data[start : start + cut])
    got += assembler.finish()
    expected = text.split("\n")
    expected = expected if expected[-1] else expected[:-1]
    assert got == [f"[rank 1] {line}" for line in expected]


def test_a_redrawn_line_shows_its_last_state() -> None:
    """As progress bars draw it."""
    assert LineAssembler(0).feed(b"10%\r20%\r100%\nnext\r\n") == ["[rank 0] 100%", "[rank 0] next"]


def test_a_line_that_is_being_redrawn_is_a_bar_until_it_ends() -> None:
    """However its bytes are cut; and it never grows."""
    lines = LineAssembler(0)
    seen = [(lines.feed(data), lines.bar) for data in (b"\r10%", b"\r2", b"0%\r", b"\r30%", b"\r\n", b"next")]
    assert [bar for _, bar in seen] == ["10%", "2", "20%", "30%", "", ""]
    assert [got for got, _ in seen][4] == ["[rank 0] 30%"]
    for step in range(10_000):
        assert lines.feed(b"\rstep %d" % step) == []
    assert lines.finish() == ["[rank 0] step 9999"]
    assert lines.bar == ""


def test_a_line_without_end_is_cut_before_it_fills_the_memory() -> None:
    """A rank may print megabytes without a line end."""
    (line,) = LineAssembler(0).feed(b"x" * (MAX_LINE_NBYTES + 1))
    assert len(line) == MAX_LINE_NBYTES + 1 + len("[rank 0] ")


def test_bytes_that_are_no_text_are_shown_all_the_same() -> None:
    """With the replacement character."""
    assert LineAssembler(0).feed(b"\xff\n") == ["[rank 0] \ufffd"]


def test_a_transcript_keeps_everything_and_shows_a_page() -> None:
    """What does not fit on the page is announced once, and kept."""
    transcript, line = Transcript(), "y" * 999 + "\n"
    for _ in range(3 * PAGE_NCHARS // 1000):
        transcript.add("stdout", line)
    shown = transcript.take_page()
    assert [stream for stream, _ in shown] == ["stdout", "notice"]
    assert len(shown[0][1]) < PAGE_NCHARS + 1000
    assert shown[1][1] == PAGE_FULL
    assert transcript.take_page() == []
    assert transcript.text() == line * (3 * PAGE_NCHARS // 1000)


def test_neighbours_of_one_stream_are_shown_in_one_piece() -> None:
    """Fewer messages to the page; the order between streams stays."""
    transcript = Transcript()
    for stream, text in (("stdout", "a\n"), ("stdout", "b\n"), ("stderr", "c\n"), ("stdout", "d\n")):
        transcript.add(stream, text)
    assert transcript.take_page() == [("stdout", "a\nb\n"), ("stderr", "c\n"), ("stdout", "d\n")]
