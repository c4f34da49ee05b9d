"""A file of memories that anybody may have made: what fits is read, all else is an error."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from desk import place
from onrecord.domain.errors import BadField
from onrecord.service import import_lines
from onrecord.service.commands import Claim
from onrecord.service.import_lines import ImportFile

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = {"onrecord": "export", "version": 1}


def of(*lines: object, raw: bytes = b"") -> ImportFile:
    """A file of these lines, objects as JSON."""
    texts = (one if isinstance(one, str) else json.dumps(one) for one in lines)
    whole = "".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass") + raw
    return ImportFile(io.BytesIO(whole), "shop.jsonl", place())


def fault(file: ImportFile) -> BadField:
    """The error that a check of it ends in."""
    with pytest.raises(BadField) as caught:
        file.check()
    return caught.value


WHOLE: dict[str, Any] = {
    "id": "01K00000000000000000000001",
    "scope": "repo:github.com/ACME/shop.git",
    "key": "port",
    "kind": "fact",
    "title": "The gate listens on 5432",
    "body": "Since the move.",
    "summary": "5432",
    "tags": ["gate", "port"],
    "status": "active",
    "verification": "verified",
    "pinned": True,
    "prompted_by": "connection refused",
    "valid_from": "2026-01-01",
    "valid_to": None,
    "expires_at": "2030-01-01T00:00:00Z",
    "author": {"user": "ada", "agent": None, "channel": "terminal"},
    "evidence": [{"kind": "file", "pointer": "a.py:1", "quote": "x", "author": None, "at": "?"}],
    "links": [
        {"kind": "file", "target": "src/a.py"},
        {"kind": "about", "target": "01K00000000000000000000002"},
        {"kind": "url", "target": "https://example.org/a"},
    ],
    "versions": [{"version": 1}],
    "of_a_later_form": {"deep": [1, 2.5, True, None]},
}


def test_what_fits_is_read() -> None:
    """Every field that moves, in the form of this store; what is not known is passed over."""
    file = of({**HEADER, "items": 1}, WHOLE)

    assert file.check() == 1
    (entry,) = file.entries()
    assert (entry.line, entry.id, entry.author) == (2, WHOLE["id"], "ada")
    assert entry.scope == "repo:github.com/acme/shop"
    assert (entry.kind, entry.key, entry.status) == ("fact", "port", "active")
    assert entry.content.title == WHOLE["title"]
    assert entry.content.tags == ("gate", "port")
    assert entry.content.prompted_by == "connection refused"
    assert entry.content.valid_from == 1_767_225_600_000_000
    assert entry.content.valid_to is None
    assert entry.expires_at == 1_893_456_000_000_000
    assert entry.evidence == (Claim(kind="file", pointer="a.py:1", quote="x"),)
    assert entry.links == ("src/a.py", "https://example.org/a")


def test_little_is_needed() -> None:
    """A header and titles, written by hand, with a byte order mark and empty lines."""
    file = ImportFile(
        io.BytesIO(
            b'\xef\xbb\xbf{"onrecord": "export", "version": 1}\r\n'
            b'\n{"title": "One"}\r\n\n{"title": "Two"}'
        ),
        "by-hand.jsonl",
        place(),
    )

    assert file.check() == 2
    assert [(e.line, e.content.title, e.kind, e.status, e.scope) for e in file.entries()] == [
        (3, "One", "note", "proposed", ""),
        (5, "Two", "note", "proposed", ""),
    ]


def test_a_short_scope_means_the_place_of_who_imports() -> None:
    """As everywhere else."""
    file = of(HEADER, {"title": "One", "scope": "repo"})
    file.check()

    assert [entry.scope for entry in file.entries()] == ["repo:github.com/acme/shop"]


@pytest.mark.parametrize(
    "header",
    [
        "",
        "[]",
        "garbage",
        {"title": "One"},
        {"onrecord": "export"},
        {"onrecord": "export", "version": 2},
        {"onrecord": "export", "version": True},
        {"onrecord": "export", "version": "1"},
        {"onrecord": "export", "version": 1, "items": -1},
        {"onrecord": "export", "version": 1, "items": 10**9},
        {"onrecord": "export", "version": 1, "items": "3"},
    ],
)
def test_a_file_that_does_not_begin_as_it_should(header: object) -> None:
    """It is refused at its first line, whatever follows."""
    assert fault(of(header, WHOLE)).details["line"] == 1


def test_an_empty_file() -> None:
    """Nothing is no header."""
    assert fault(of()).details["line"] == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": None}, "title"),
        ({"title": 7}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"title": "nul \x00"}, "title"),
        ({"title": "half \ud800 a pair"}, "title"),
        ({"body": ["x"]}, "body"),
        ({"body": "x" * 65_537}, "body"),
        ({"tags": "gate"}, "tags"),
        ({"tags": [1]}, "tags"),
        ({"tags": ["x"] * 33}, "tags"),
        ({"kind": "gossip"}, "kind"),
        ({"status": "holy"}, "status"),
        ({"scope": "repo::acme/shop"}, "scope"),
        ({"scope": 5}, "scope"),
        ({"key": "x" * 201}, "key"),
        ({"valid_from": "yesterday"}, "valid_from"),
        ({"valid_from": 5}, "valid_from"),
        ({"valid_to": "2025-01-01"}, "valid_to"),
        ({"expires_at": "9" * 50}, "expires_at"),
        ({"author": "ada"}, "author"),
        ({"evidence": [{"kind": "rumour", "pointer": "x"}]}, "evidence"),
        ({"evidence": [{"kind": "file", "pointer": ""}]}, "evidence"),
        ({"evidence": ["x"]}, "evidence"),
        ({"evidence": {}}, "evidence"),
        ({"links": [{"kind": "file", "target": ""}]}, "links"),
    ],
)
def test_a_field_that_does_not_fit(change: dict[str, object], field: str) -> None:
    """Its line and name are told, its text is not; the lines before it do not help."""
    error = fault(of(HEADER, WHOLE, {**WHOLE, **change}))

    assert error.details["line"] == 3
    assert error.details["field"] == field
    assert error.code == "field.invalid"
    assert "Nothing was imported." in error.message
    # a scope is a name, shown so that its right spelling can stand beside it
    texts = [value for name, value in change.items() if name != "scope" and value]
    assert not any(isinstance(text, str) and text in error.message for text in texts)


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[" * 70 + "]" * 70,
        '{"title": "x", "deep": ' + "[" * 64 + "]" * 64 + "}",
        '{"title": "x", "deep": ' + '{"a":' * 1_100 + "1" + "}" * 1_100 + "}",
        '{"title": "x", "deep": ' + "[" * 200_000 + "]" * 200_000 + "}",
        '{"title": "x", "n": ' + "9" * 5_000 + "}",
        '{"title": "x", "n": 1e' + "9" * 50 + "}",
        '{"title": "x", "n": NaN}',
        '{"title": "x", "n": -Infinity}',
        '"text"',
        "null",
        '{"title": "x"} {"title": "y"}',
    ],
)
def test_a_line_that_is_no_plain_object(line: str) -> None:
    """Too deep, too long a number, no JSON, or several."""
    assert fault(of(HEADER, line)).details["line"] == 2


def test_nesting_up_to_the_limit_is_read() -> None:
    """The item itself is the first of 64 levels."""
    line = '{"title": "x", "deep": ' + "[" * 63 + "]" * 63 + "}"

    assert of(HEADER, line).check() == 1


def test_bytes_that_are_no_text() -> None:
    """UTF-16 and Latin-1 are told apart from UTF-8."""
    for raw in ('{"title": "é"}'.encode("latin-1"), '{"title": "x"}'.encode("utf-16")):
        assert fault(of(HEADER, raw=raw)).details["line"] == 2


def test_a_file_that_was_cut_off() -> None:
    """Its first line says how many items there are to be."""
    assert fault(of({**HEADER, "items": 3}, WHOLE, WHOLE)).details["line"] == 3
    assert fault(of({**HEADER, "items": 1}, WHOLE, WHOLE)).details["line"] == 3


class Endless(io.RawIOBase):
    """A file without an end that counts what is read of it."""

    def __init__(self, head: bytes, rest: bytes) -> None:
        super().__init__()
        self._rest = rest
        self._chunks = self._from(head)
        self._left = b""
        self.given = 0

    def _from(self, head: bytes) -> Iterator[bytes]:
        yield head
        while True:
            yield self._rest

    def readable(self) -> bool:
        """It can be read."""
        return True

    def seekable(self) -> bool:
        """Only to where it already is."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Only to the beginning, before anything was read."""
        assert (offset, whence, self.given) == (0, 0, 0)
        return 0

    def readinto(self, into: Any) -> int:
        """Some more bytes."""
        if not self._left:
            self._left = next(self._chunks)
        size = min(len(into), len(self._left))
        into[:size], self._left = self._left[:size], self._left[size:]
        self.given += size
        return size


@pytest.mark.parametrize(
    ("rest", "limit"),
    [(b"x" * 65_536, "bytes"), (b'{"title": "x"}\n' * 1_000, "items")],
)
def test_a_file_without_an_end(monkeypatch: pytest.MonkeyPatch, rest: bytes, limit: str) -> None:
    """Reading stops at the limit, in little memory."""
    monkeypatch.setattr(import_lines, "MAX_ITEMS", 5_000)
    endless = Endless(json.dumps(HEADER).encode() + b"\n", rest)
    file = ImportFile(io.BufferedReader(endless), "bomb.jsonl", place())
    tracemalloc.start()
    try:
        error = fault(file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert limit in error.message
    assert endless.given < 4 << 20
    assert peak < 16 << 20


def test_the_whole_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However short its lines are."""
    monkeypatch.setattr(import_lines, "MAX_BYTES", 1_000)

    assert "over its limit of 1,000 bytes" in fault(of(HEADER, *[WHOLE] * 3)).message


def test_a_file_that_changes_while_it_is_read() -> None:
    """What was checked is what comes in."""
    stream = io.BytesIO(json.dumps(HEADER).encode() + b'\n{"title": "One"}\n{"title": "Two"}\n')
    file = ImportFile(stream, "shop.jsonl", place())
    file.check()
    entries = file.entries()
    assert next(entries).content.title == "One"
    raw = stream.getvalue()
    stream.seek(raw.index(b"Two"))
    stream.write(b"Six")
    stream.seek(raw.index(b'{"title": "Two"}'))

    with pytest.raises(BadField, match="changed while it was read"):
        next(entries)
