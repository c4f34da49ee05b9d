"""The spool: what is written is read, nobody's file is believed, and nothing counts twice."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from desk import Desk
from onrecord.capture import spool
from onrecord.capture.agents.base import is_agent_name
from onrecord.domain.limits import MAX_PROMPT
from onrecord.service import observations
from onrecord.storage.inmemory import InMemoryStore
from onrecord.storage.sqlite_engine import open_sqlite
from spooling import Hooks

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = 1_800_000_000_000_000

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)
names = st.sampled_from(
    [
        *("client", "session", "event", "at", "source", "reason", "prompt", "human", "model"),
        *("cwd", "transcript", "repo", "branch", "head", "tool_use_id", "agent_id", "headless"),
        *("alone", "pid", "pid_started", "occasion", "budget", "tokens", "handoff", "shown"),
        *("withheld", "v", "writer", "kind"),
    ]
)
#: Records as an attacker would write them: the right names, anything behind them.
records = st.dictionaries(names, values, max_size=14)
#: What hooks write: events of a few sessions in any order.
events = st.lists(
    st.tuples(
        st.sampled_from(["session_start", "prompt", "post_tool", "stop", "session_end"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["startup", "resume", "clear", "compact", "fork"]),
        st.booleans(),
    ),
    max_size=14,
)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_records_are_json(value: object) -> None:
    """Written without the json module, read by it as the same value."""
    text = spool.to_json(value).encode("utf-8", "replace").decode()
    clean = json.loads(json.dumps(value, ensure_ascii=True))

    assert json.loads(text) == json.loads(
        json.dumps(clean, ensure_ascii=False).encode("utf-8", "replace").decode()
    )


@given(records)
def test_no_record_is_believed_beyond_its_bounds(record: dict[str, object]) -> None:
    """Whatever stands in it: an observation inside every limit, or none; never an error."""
    seen = observations.read(json.dumps(record), now=NOW)
    if seen is None:
        return

    assert is_agent_name(seen.client)
    assert seen.event in observations.EVENTS
    assert 0 < len(seen.session) <= 200
    assert seen.session.isprintable()
    assert 0 < seen.at <= NOW
    assert len(seen.prompt) <= MAX_PROMPT
    assert seen.repo == "" or seen.repo.startswith("repo:")
    assert seen.branch == "" or seen.branch.startswith("branch:" + seen.repo[5:] + "@")
    assert max(seen.pid, seen.tokens, seen.budget) < 1 << 31
    assert len(seen.shown) <= 200
    assert all(abs(row.score) < 1 << 31 for row in seen.shown)
    for text in (seen.cwd, seen.transcript, seen.model, seen.reason, seen.head):
        assert "\x00" not in text
        text.encode()


@given(st.binary(max_size=400))
def test_no_bytes_make_reading_fail(raw: bytes) -> None:
    """A file of any content is read as text, or is none."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "1.json").write_bytes(raw)
        text = spool.read(folder, "1.json")
        if text is not None:
            observations.read(text, now=NOW)

    assert text is None or text.encode() == raw


@given(st.lists(records, max_size=6))
@settings(max_examples=60)
def test_any_spool_is_taken_in_to_its_end(found: list[dict[str, object]]) -> None:
    """Good records among any others come in, and nothing stays behind to be tried for ever."""
    desk = Desk(InMemoryStore())
    with tempfile.TemporaryDirectory() as folder:
        hooks = Hooks(desk, Path(folder))
        hooks.start("good")
        for number, record in enumerate(found):
            path = Path(hooks.folder, f"{number:020d}-1-x.json")
            path.write_text(json.dumps(record), encoding="utf-8")
        hooks.drain()

        assert spool.names(hooks.folder) == []
        assert hooks.session("good").agent_session == "good"
        assert hooks.drain() == 0
    with desk.store.read() as tx:
        assert tx.items.count(None, ("proposed", "rejected")) == 0
        assert tx.settings.everything() == []


@given(events, st.integers(0, 3))
@settings(max_examples=60)
def test_when_records_are_taken_in_does_not_matter(
    told: list[tuple[str, str, str, bool]], every: int
) -> None:
    """All at the end, or a few at a time: the same sessions come of it."""

    def lived(*, often: int) -> list[object]:
        desk = Desk(InMemoryStore())
        with tempfile.TemporaryDirectory() as folder:
            hooks = Hooks(desk, Path(folder))
            for number, (event, session, source, human) in enumerate(told):
                words = f"words {number}"
                more: dict[str, Any] = {"prompt": words, "human": True} if human else {}
                hooks.tell(event, session, source=source, **more)
                if often and number % often == 0:
                    hooks.intake.drain(close=False)
            hooks.intake.drain(close=False)
            rows = sorted(hooks.sessions(), key=lambda row: row.agent_session)
            return [
                (
                    *(row.agent_session, row.prompts, row.first_prompt, row.last_prompt),
                    *(row.started_at, row.last_event_at, row.ended_at, row.start_reason),
                )
                for row in rows
            ]

    assert lived(often=every) == lived(often=0)


def test_two_drains_at_once_take_each_record_in_once(tmp_path: Path) -> None:
    """Threads stand for processes: each has its own connection to the one file."""
    tmp_path.chmod(0o700)
    path = str(tmp_path / "memory.db")
    first = Desk(open_sqlite(path, create=True))
    hooks = Hooks(first, tmp_path)
    for number in range(60):
        hooks.prompt(f"words {number}", f"s{number % 3}")
    hooks.desk.clock.advance()
    others = [Desk(open_sqlite(path, create=False)) for _ in range(3)]
    taken: list[int] = []
    begin = threading.Barrier(len(others))

    def drain(desk: Desk, count: Callable[[int], None]) -> None:
        desk.clock.at = first.clock.at
        begin.wait()
        count(desk.memory.intake(hooks.folder).drain())

    threads = [threading.Thread(target=drain, args=(desk, taken.append)) for desk in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(taken) == 60
    assert sum(row.prompts for row in hooks.sessions()) == 60
    assert spool.names(hooks.folder) == []
    assert spool.set_aside_count(hooks.folder) == 0
    for desk in (first, *others):
        desk.store.close()


def test_names_sort_by_time_and_never_collide(tmp_path: Path) -> None:
    """Many records of one instant, from one process, of one session."""
    folder = str(tmp_path / "spool")
    record: dict[str, object] = {"client": "codex", "session": "s", "event": "prompt"}
    written = [spool.write(folder, record, at=at) for at in (7, 5, 5, 5, 9)]

    assert len(set(written)) == 5
    assert [int(name[:20]) for name in spool.names(folder)] == [5, 5, 5, 7, 9]
    assert os.stat(folder).st_mode & 0o777 == 0o700  # noqa: PTH116 - as the spool does
    assert all(Path(folder, name).stat().st_mode & 0o777 == 0o600 for name in written)


def test_what_is_too_large_is_not_written(tmp_path: Path) -> None:
    """Neither a record beyond its limit nor one more in a full spool."""
    folder = str(tmp_path / "spool")
    record: dict[str, object] = {"client": "codex", "session": "s", "event": "prompt"}

    assert spool.write(folder, record | {"prompt": "x" * spool.MAX_BYTES}, at=5) == ""
    assert list(Path(folder).iterdir()) == []
    assert spool.tells_end(spool.write(folder, record | {"event": "session_end"}, at=6))
    assert not spool.tells_end(spool.write(folder, record, at=6))
