"""Conversations out of OpenCode's database."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from onrecord.capture.formats.foreign_database import MAX_VALUE
from onrecord.capture.transcripts import CLIENTS, Transcript, opencode, readable, size_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE secret (id text PRIMARY KEY, data text NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
"""
NONCE = 'nonce="0123456789abcdef"'
PACK = f"<onrecord-memory {NONCE}>\n[m:ABC123] Boats\n</onrecord-memory {NONCE}>"


class Kept:
    """A database as OpenCode keeps it, open as it does while it runs."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "share" / "opencode"
        self.root.mkdir(parents=True)
        self.path = self.root / "opencode.db"
        self.connection = apsw.Connection(str(self.path))
        self._do("PRAGMA journal_mode = WAL")
        for statement in SCHEMA.split(";"):
            self._do(statement)
        self._count = 0

    def _do(self, statement: str, values: Sequence[object] = ()) -> None:
        for _ in self.connection.execute(statement, tuple(values)):
            pass

    def message(self, role: str, *parts: dict[str, Any], session: str = "s-1", **data: Any) -> str:
        """One message with its parts; an assistant's is complete unless it says otherwise."""
        self._count += 1
        at = 1_796_032_000_000 + self._count * 1_000
        told = {"role": role, "time": {"created": at, "completed": at + 1}, **data}
        name = f"msg_{self._count:03}"
        self.raw(name, session, at, json.dumps(told))
        for number, part in enumerate(parts):
            self._do(
                "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
                (f"prt_{self._count:03}_{number:03}", name, session, at, at, json.dumps(part)),
            )
        return name

    def raw(self, name: str, session: str, at: int, data: str) -> None:
        """A message's row as it is."""
        self._do("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (name, session, at, at, data))

    def complete(self, name: str) -> None:
        """A message that was being written is whole now."""
        self._do(
            "UPDATE message SET data = json_set(data, '$.time.completed', 1) WHERE id = ?", (name,)
        )

    def read(self, offset: int = 0, session: str = "s-1") -> Transcript:
        """Its transcript, as its client's own folder allows."""
        roots = (str(self.root),)
        return Transcript("opencode", str(self.path), offset=offset, roots=roots, session=session)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """An empty one."""
    return Kept(tmp_path)


def text(words: str, **more: Any) -> dict[str, Any]:
    """A part that is text."""
    return {"type": "text", "text": words, **more}


def said(transcript: Transcript) -> list[tuple[str, str]]:
    """Who said what."""
    return [(message.role, message.text) for message in transcript]


def test_what_was_said_and_nothing_else(kept: Kept) -> None:
    """No tools, no thinking, no files read in, no summaries, no other session's."""
    kept.message("user", text(f"Continuing.\n\n{PACK}\n\nWhy?"), text("cat x", synthetic=True))
    kept.message(
        "assistant",
        {"type": "step-start"},
        {"type": "reasoning", "text": "Hm."},
        {"type": "tool", "tool": "bash", "state": {"output": "API_KEY=x"}},
        text("Seconds are dropped."),
        text("Left out.", ignored=True),
    )
    kept.message("user", {"type": "compaction", "auto": True})
    kept.message("assistant", text("So far we …"), summary=True, mode="compaction")
    kept.message("user", text("And now? 日"), summary={"diffs": []})
    kept.message("assistant", text("half"), error={"name": "MessageAbortedError"})
    kept.message("user", text("Sub task"), session="s-2")

    found = said(kept.read())

    assert found == [
        ("user", "Continuing.\n\n\n\nWhy?"),
        ("assistant", "Seconds are dropped."),
        ("compaction", ""),
        ("user", "And now? 日"),
        ("assistant", "half"),
    ]


def test_reading_goes_on_where_it_ended(kept: Kept) -> None:
    """From a message's own place, and from the end; what is being written is left for then."""
    kept.message("user", text("one"))
    open_one = kept.message("assistant", text("tw"), time={"created": 1})
    first = kept.read()
    assert said(first) == [("user", "one")]
    assert said(kept.read(first.offset)) == []

    kept.complete(open_one)
    again = kept.read(first.offset)
    assert said(again) == [("assistant", "tw")]
    kept.message("user", text("three"))
    whole = list(kept.read())
    assert said(kept.read(again.offset)) == [("user", "three")]
    assert said(kept.read(whole[1].offset)) == [("assistant", "tw"), ("user", "three")]
    assert size_of("opencode", str(kept.path), "s-1", (str(kept.root),)) > whole[-1].offset


def test_one_that_never_ended_does_not_hold_up_the_rest(kept: Kept) -> None:
    """Its client was killed: what came after it is read, and what there is of it."""
    kept.message("assistant", text("tw"), time={"created": 1})
    kept.message("user", text("three"))

    assert said(kept.read()) == [("assistant", "tw"), ("user", "three")]


def test_pages_are_small_and_nothing_is_lost_between_them(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where several messages were made in one millisecond."""
    monkeypatch.setattr(opencode, "PAGE", 3)
    for number in range(10):
        kept.raw(f"msg_{number}", "s-1", 5 + number // 4, '{"role": "user"}')
        kept._do(  # noqa: SLF001
            "INSERT INTO part VALUES (?, ?, 's-1', 1, 1, ?)",
            (f"prt_{number}", f"msg_{number}", json.dumps(text(str(number)))),
        )

    assert [words for _, words in said(kept.read())] == [str(number) for number in range(10)]


def test_what_is_damaged_is_counted(kept: Kept) -> None:
    """One message that is no JSON, one too large to be held; the others are read."""
    kept.message("user", text("one"))
    kept.raw("msg_x", "s-1", 1_796_032_001_500, "{no")
    kept.message("user", text("x" * (MAX_VALUE + 10)), text("small"))
    kept.message("assistant", text("three"))
    transcript = kept.read()

    assert said(transcript) == [("user", "one"), ("user", "small"), ("assistant", "three")]
    assert transcript.damaged == 2


def test_it_is_read_while_it_is_written(kept: Kept) -> None:
    """A transaction of its client's holds nothing up, and nothing is made or changed beside it."""
    kept.message("user", text("one"))
    kept.message("assistant", text("two"))
    before = sorted(kept.root.iterdir())
    kept._do("BEGIN IMMEDIATE")  # noqa: SLF001
    kept.message("user", text("three"))
    assert said(kept.read()) == [("user", "one"), ("assistant", "two")]
    kept._do("COMMIT")  # noqa: SLF001

    assert len(said(kept.read())) == 3
    assert sorted(kept.root.iterdir()) == before


@pytest.mark.parametrize("how", ["link", "outside", "other name", "link above", "no database"])
def test_only_its_clients_own_file_is_read(kept: Kept, tmp_path: Path, how: str) -> None:
    """Not what a link leads to, not one elsewhere, not anything else in its folder."""
    kept.message("user", text("one"))
    path, roots = kept.path, (str(kept.root),)
    if how == "link":
        path = kept.root / "opencode-x.db"
        path.symlink_to(kept.path)
    elif how == "outside":
        roots = (str(tmp_path / "other"),)
    elif how == "other name":
        path = kept.root / "auth.db"
        kept.connection.execute("VACUUM INTO ?", (str(path),))
    elif how == "link above":
        path = kept.root / "x" / "opencode.db"
        (kept.root / "x").symlink_to(kept.root)
    else:
        path = kept.root / "opencode-x.db"
        path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4_096)
    transcript = Transcript("opencode", str(path), roots=roots, session="s-1")

    assert said(transcript) == []
    assert how == "no database" or not readable("opencode", str(path), roots)
    assert size_of("opencode", str(path), "s-1", roots) == 0
    assert readable("opencode", str(kept.path), (str(kept.root),))


@pytest.mark.parametrize(
    "hostile",
    [
        "CREATE VIEW message AS SELECT id, 's-1' session_id, 1 time_created, data FROM secret",
        "CREATE TABLE message (id, session_id, time_created, data AS (zeroblob(1000000000)))",
    ],
)
def test_a_schema_that_is_another_gives_nothing(kept: Kept, hostile: str) -> None:
    """Only plain tables are asked, whatever stands under their names."""
    kept.message("user", text("one"))
    kept._do("INSERT INTO secret VALUES ('a', '{\"role\": \"user\"}')")  # noqa: SLF001
    kept._do("DROP TABLE message")  # noqa: SLF001
    kept._do(hostile)  # noqa: SLF001

    assert said(kept.read()) == []


def test_it_is_among_the_clients_that_can_be_read() -> None:
    """As the four with lines; any other raises."""
    assert set(CLIENTS) == {"claude-code", "codex", "gemini-cli", "copilot-cli", "opencode"}
    with pytest.raises(ValueError, match="zed"):
        Transcript("zed", "/x")


@pytest.mark.parametrize(
    "at", [2**63 - 1, -(2**63), 253_402_300_800_000, -1, "soon", 1.5, b"\x00", float("inf")]
)
def test_a_message_of_no_time_is_counted_and_the_others_are_read(kept: Kept, at: Any) -> None:
    """Whatever stands where its time does; those that come later are read as well."""
    kept.message("user", text("one"))
    kept.raw("msg_x", "s-1", at, '{"role": "user"}')
    transcript = kept.read()

    assert said(transcript) == [("user", "one")]
    assert transcript.damaged == 1
    size = size_of("opencode", str(kept.path), "s-1", (str(kept.root),))
    assert size == transcript.offset
    kept.message("assistant", text("two"))
    assert said(kept.read(transcript.offset)) == [("assistant", "two")]
    assert size_of("opencode", str(kept.path), "s-1", (str(kept.root),)) > size
