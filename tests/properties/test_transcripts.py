"""Whatever stands in a client's transcript, reading it ends with messages that can be kept."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw
from hypothesis import example, given, settings
from hypothesis import strategies as st

from onrecord.capture.transcripts import CLIENTS, FORMATS, Message, Transcript, size_of
from onrecord.domain.session import Session
from onrecord.policy import shape
from onrecord.service.summary_answer import Kept
from onrecord.service.summary_parts import parts_of
from onrecord.service.summary_proposals import commands_of

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Texts with what JSON can hold and nothing else: halves of characters, NUL, times of no year.
WORDS: Final = st.text(st.characters(), max_size=12) | st.sampled_from(
    [
        *("user", "assistant", "message", "response_item", "event_msg", "compacted", "system"),
        *("user_message", "item_completed", "UserMessage", "gemini", "user.message", "text"),
        *("compact_boundary", "input_text", "\ud800", "\0", "x" * 300, "9" * 400, "-", "\n"),
        *("2026-11-30T10:00:00Z", "2026-11-30", "99999-01-01", "0001-01-01T00:00:00+23:59"),
        *("9999-12-31T23:59:59-23:59", "2026-13-40", "1e400"),
    ]
)
NAMES: Final = st.sampled_from(
    [
        *("type", "role", "subtype", "uuid", "id", "timestamp", "message", "content", "payload"),
        *("text", "model", "isMeta", "data", "item", "time", "summary", "error", "completed"),
        *("internal_chat_message_metadata_passthrough", "content_item_kinds"),
    ]
)
VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=12,
)
LINES: Final = st.dictionaries(NAMES, VALUES, max_size=7)
#: What any column of a SQLite table may hold, whatever its type is.
CELLS: Final = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.binary(max_size=8)
    | st.sampled_from([0, -1, 253_402_300_799_999, 253_402_300_800_000, 2**63 - 1])
)
DATA: Final = LINES.map(json.dumps) | CELLS


def check(messages: Sequence[Message]) -> None:
    """All that is made of messages can be kept."""
    session = Session(id="0" * 26, agent="codex", agent_session="s", started_at=0, last_event_at=0)
    for message in messages:
        message.text.encode()
        assert message.offset >= 0
    for part in parts_of(messages, max_tokens=100):
        one = Kept(kind="fact", title="t", body="", messages=(1,))
        for command in commands_of([one], part, session, batch="b"):
            for claim in command.evidence:
                assert not shape.evidence_problem(claim.kind, claim.pointer, claim.quote)
            assert command.said_at is None or abs(command.said_at) < 2**62


@settings(deadline=None)
@given(client=st.sampled_from(sorted(FORMATS)), lines=st.lists(LINES, max_size=6))
@example(
    client="claude-code",
    lines=[{"type": "user", "uuid": "x" * 400, "message": {"content": "hello"}}],
)
@example(
    client="copilot-cli",
    lines=[{"type": "user.message", "id": "\ud800", "data": {"content": "hello"}}],
)
@example(client="codex", lines=[{"type": "compacted", "timestamp": 10**400}])
def test_any_lines_are_read_to_their_end(client: str, lines: list[dict[str, Any]]) -> None:
    """Each is a message that can be kept, or none; what was said before and after them stays."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
        transcript = Transcript(client, str(path))

        check(list(transcript))

        assert transcript.offset == size_of(client, str(path), "") == path.stat().st_size


@settings(deadline=None)
@given(rows=st.lists(st.tuples(CELLS, CELLS, DATA, CELLS, DATA), max_size=5))
@example(rows=[("x", 2**63 - 1, '{"role": "user"}', "p", '{"type": "text", "text": "t"}')])
def test_any_rows_are_read_to_their_end(rows: list[tuple[Any, ...]]) -> None:
    """So are those of a database, and a message beside them is read whatever they hold."""
    assert set(CLIENTS) == {*FORMATS, "opencode"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "opencode.db"
        database: Any = apsw.Connection(str(path))
        database.execute("PRAGMA synchronous = OFF; BEGIN")
        database.execute("CREATE TABLE message (id text, session_id, time_created integer, data)")
        database.execute("CREATE TABLE part (id text, message_id, data)")
        part = "INSERT INTO part VALUES (?, ?, ?)"
        message = "INSERT INTO message VALUES (?, 's', ?, ?)"
        for name, at, told, part_name, said in rows:
            database.execute(message, (name, at, told))
            database.execute(part, (part_name, name, said))
        database.execute(message, ("good", 1_796_032_000_000, '{"role": "user"}'))
        database.execute(part, ("of the good", "good", '{"type": "text", "text": "kept"}'))
        database.execute("COMMIT")
        database.close()

        transcript = Transcript("opencode", str(path), session="s")
        found = list(transcript)

        check(found)
        assert "kept" in [one.text for one in found]
        assert transcript.offset <= size_of("opencode", str(path), "s")
        assert all(row[1] != 2**63 - 1 for row in rows) or transcript.damaged
