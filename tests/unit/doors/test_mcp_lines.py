"""Lines between two descriptors: whole, bounded, in order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.doors.mcp import lines as module
from onrecord.doors.mcp.lines import ENDED, MAX_LINE, TOO_LONG, WAITED, Lines

if TYPE_CHECKING:
    from collections.abc import Iterator


class Pipe:
    """A client's two ends."""

    def __init__(self) -> None:
        self.there, self.in_ = os.pipe()
        self.out, self.here = os.pipe()
        self.lines = Lines(self.there, self.here)

    def say(self, data: bytes) -> None:
        """Write what a client writes, and hang up."""
        os.write(self.in_, data)
        os.close(self.in_)
        self.in_ = -1

    def all(self) -> list[bytes | str]:
        """Every line to the end."""
        found: list[bytes | str] = []
        while (line := self.lines.take()) != ENDED:
            found.append(line)
        return found

    def close(self) -> None:
        """Close whatever is open."""
        for descriptor in (self.there, self.in_, self.out, self.here):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """A connection."""
    made = Pipe()
    yield made
    made.close()


def test_lines_come_whole_and_in_order(pipe: Pipe) -> None:
    """Empty lines are lines; the last needs no line break."""
    pipe.say(b"one\n\ntwo\nthree")

    assert pipe.all() == [b"one", b"", b"two", b"three"]


def test_nothing_is_the_end(pipe: Pipe) -> None:
    """A client that says nothing and hangs up."""
    pipe.say(b"")

    assert pipe.lines.take() == ENDED
    assert pipe.lines.take() == ENDED


def test_a_line_is_waited_for_as_long_as_wanted(pipe: Pipe) -> None:
    """Half a line is no line yet."""
    os.write(pipe.in_, b"half")
    assert pipe.lines.take(0.0) == WAITED
    os.write(pipe.in_, b" and half\n")

    assert pipe.lines.take(10.0) == b"half and half"


def test_a_line_that_is_too_long_is_said_once_and_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line after it is read as if nothing had been; memory does not grow with it."""
    monkeypatch.setattr(module, "MAX_LINE", 100)
    monkeypatch.setattr(module, "_PART", 30)
    for data, expected in [
        (b"x" * 100 + b"\nnext\n", [b"x" * 100, b"next"]),
        (b"x" * 101 + b"\nnext\n", [TOO_LONG, b"next"]),
        (b"x" * 5_000 + b"\nnext\n", [TOO_LONG, b"next"]),
        (b"x" * 5_000, [TOO_LONG]),
        (b"a\n" + b"x" * 500 + b"\n" + b"y" * 500 + b"\nb", [b"a", TOO_LONG, TOO_LONG, b"b"]),
    ]:
        pipe = Pipe()
        pipe.say(data)
        assert pipe.all() == expected
        pipe.close()


def test_the_limit_holds_whole_memories() -> None:
    """The longest body, escaped as wastefully as JSON allows, fits into a line."""
    assert MAX_LINE > 64 * 1024 * 6 * 2


def test_a_client_that_does_not_block_is_waited_for(pipe: Pipe) -> None:
    """Descriptors that never block, as some clients hand out, work the same."""
    for descriptor in (pipe.there, pipe.here):
        os.set_blocking(descriptor, False)
    os.write(pipe.in_, b"one\n")
    assert pipe.lines.take() == b"one"
    assert pipe.lines.take(0.0) == WAITED
    pipe.lines.put(b"answer")

    assert os.read(pipe.out, 100) == b"answer\n"


def test_writing_to_nobody_is_an_error(pipe: Pipe) -> None:
    """The client has gone: the one error that ends a connection."""
    os.close(pipe.out)
    pipe.out = -1
    with pytest.raises(OSError, match="Broken pipe"):
        pipe.lines.put(b"answer")


@given(
    data=st.lists(st.binary(max_size=40).map(lambda part: part.replace(b"\n", b"")), max_size=20),
    part=st.integers(1, 64),
)
def test_any_bytes_come_as_the_lines_they_are(data: list[bytes], part: int) -> None:
    """However the bytes arrive, the lines are the same."""
    pipe = Pipe()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PART", part)
        pipe.say(b"".join(line + b"\n" for line in data))
        found = pipe.all()
    pipe.close()

    assert found == data
