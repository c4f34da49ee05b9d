"""Whatever column of a memory is edited behind the store's back, an audit finds that memory."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from desk import Desk, id_of
from onrecord.domain.item import Content
from onrecord.domain.status import KINDS, STATUSES, VERIFICATIONS
from onrecord.service.commands import Approve, Forget, Mark, Reject, Revise
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS: Final = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
NUMBERS: Final = st.integers(0, 2**50)
#: (table, column) -> what somebody may write there
COLUMNS: Final[dict[tuple[str, str], st.SearchStrategy[object]]] = {
    ("items", "scope"): WORDS,
    ("items", "kind"): st.sampled_from(KINDS),
    ("items", "status"): st.sampled_from(STATUSES),
    ("items", "verification"): st.sampled_from(VERIFICATIONS),
    ("items", "pinned"): st.integers(0, 1),
    ("items", "tainted"): st.integers(0, 1),
    ("items", "expires_at"): st.none() | NUMBERS,
    ("items", "flags"): st.sampled_from(["[]", '["forget:codex"]', '["similar:x"]']),
    ("items", "salt"): st.binary(min_size=1, max_size=16),
    ("items", "key"): st.text("abc", max_size=5),
    ("versions", "title"): WORDS,
    ("versions", "body"): WORDS,
    ("versions", "summary"): WORDS,
    ("versions", "tags"): st.sampled_from(["[]", '["bus"]', '["x", "y"]']),
    ("versions", "prompted_by"): WORDS,
    ("versions", "valid_from"): st.none() | NUMBERS,
    ("versions", "recorded_at"): NUMBERS,
    ("versions", "writer"): st.sampled_from(["person", "agent", "file", "import"]),
    ("versions", "channel"): st.sampled_from(["terminal", "mcp", "hook"]),
    ("versions", "by_user"): WORDS,
    ("versions", "by_agent"): WORDS,
    ("versions", "by_session"): WORDS,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A store in a file, and its items that were not erased."""
    path = tmp_path_factory.mktemp("audit") / "home" / "memory.db"
    store = open_sqlite(str(path), create=True)
    desk = Desk(store)
    plain = id_of(desk.remember("The gate opens at six", desk.ada, scope="repo", key="gate"))
    edited = id_of(desk.remember("Fares are in cents", desk.ada, scope="repo", tags=("bus",)))
    desk.do(Revise(item=edited, content=Content(title="Fares are in euros")), desk.ada)
    desk.do(Mark(item=edited, action="pin"), desk.ada)
    waiting = id_of(desk.remember("Depots open at nine in the morning", desk.agent()))
    desk.do(Reject(item=waiting, reason="wrong"), desk.ada_typed)
    approved = id_of(desk.remember("Specs need a fake clock", desk.agent(), scope="repo"))
    desk.do(Approve(item=approved), desk.ada_typed)
    replaced = id_of(desk.remember("The queue is in Redis", desk.ada, scope="repo"))
    desk.remember("The queue is in Postgres", desk.ada, scope="repo", replaces=replaced)
    gone = id_of(desk.remember("The harbour office pays in coins only", desk.ada, scope="repo"))
    desk.do(Forget(item=gone), desk.ada_typed)
    assert desk.memory.check(audit=True).sound
    store.close()
    names = {"plain": plain, "edited": edited, "rejected": waiting, "replaced": replaced}
    return path, names | {"approved": approved}


def rows(connection: apsw.Connection, table: str, column: str, item: str) -> Iterator[object]:
    """The values of a column of one item."""
    name = "id" if table == "items" else "item"
    asked = f"SELECT {column} FROM {table} WHERE {name} = ? ORDER BY 1"  # noqa: S608 - names of ours
    return (row[0] for row in connection.execute(asked, (item,)))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_edited_column_is_found(
    made: tuple[Path, dict[str, str]], tmp_path: Path, data: st.DataObject
) -> None:
    """The memory is named and no other; where nothing was changed, nothing is found."""
    source, names = made
    path = tmp_path / "edited" / "memory.db"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    for ending in ("", ".keys"):
        shutil.copy(f"{source}{ending}", f"{path}{ending}")
    item = names[data.draw(st.sampled_from(sorted(names)), label="item")]
    table, column = data.draw(st.sampled_from(sorted(COLUMNS)), label="column")
    value = data.draw(COLUMNS[table, column], label="value")
    with closing(apsw.Connection(str(path))) as file:
        before = list(rows(file, table, column, item))
        assume(all(value != was for was in before))
        triggers = list(file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))
        for name, _ in triggers:
            file.execute(f'DROP TRIGGER "{name}"')
        where = "id" if table == "items" else "item"
        edit = f"UPDATE {table} SET {column} = ? WHERE {where} = ?"  # noqa: S608 - names of ours
        try:
            file.execute(edit, (value, item))
        except apsw.ConstraintError:
            assume(False)
        for _, sql in triggers:
            file.execute(str(sql))
    store = open_sqlite(str(path), create=False)
    try:
        found = Desk(store).memory.check(audit=True).findings
    finally:
        store.close()

    assert {one.target for one in found} == {item}
