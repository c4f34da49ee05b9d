"""A row that was edited behind the store's back is found by replaying the log, with a code."""

# ruff: noqa: S608 - statements of a test on its own file
from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import apsw
import pytest

from desk import Desk, id_of
from onrecord.domain.item import Content
from onrecord.service import auditing
from onrecord.service.commands import Approve, Forget, Mark, MoveScope, Reject, Revise, Set, Undo
from onrecord.service.findings import CODES
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """A store in a file with something in each state."""

    desk: Desk
    path: str
    plain: str
    edited: str
    rejected: str
    forgotten: str
    replaced: str

    def found(self) -> list[tuple[str, str]]:
        """(code, target) of everything that is found."""
        with self.desk.store.read() as tx:
            return [(one.code, one.target) for one in auditing.findings(tx)]

    def behind(self, *statements: str) -> None:
        """Statements as somebody with the file gives them, no trigger in the way."""
        with closing(apsw.Connection(self.path)) as file:
            triggers = list(
                file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            )
            for name, _ in triggers:
                file.execute(f'DROP TRIGGER "{name}"')
            for statement in statements:
                file.execute(statement)
            for _, sql in triggers:
                file.execute(str(sql))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """All of the ways that an item goes."""
    path = tmp_path / "home" / "memory.db"
    store = open_sqlite(str(path), create=True)
    desk = Desk(store)
    plain = id_of(desk.remember("The gate opens at six", desk.ada, scope="repo", key="gate"))
    edited = id_of(desk.remember("Fares are in cents", desk.ada, scope="repo", tags=("fare",)))
    desk.do(Revise(item=edited, content=Content(title="Fares are in euros")), desk.ada)
    waiting = id_of(desk.remember("Depots open at nine in the morning", desk.agent()))
    desk.do(Reject(item=waiting, reason="wrong"), desk.ada_typed)
    gone = id_of(desk.remember("The harbour office pays in coins only", desk.ada, scope="repo"))
    desk.do(Forget(item=gone), desk.ada_typed)
    replaced = id_of(desk.remember("The queue is in Redis", desk.ada, scope="repo"))
    desk.remember("The queue is in Postgres", desk.ada, scope="repo", replaces=replaced)
    desk.do(Set(name="review", value="none"), desk.ada_typed)
    yield Bench(
        desk=desk,
        path=str(path),
        plain=plain,
        edited=edited,
        rejected=waiting,
        forgotten=gone,
        replaced=replaced,
    )
    store.close()


#: One print of an item's tombstone.
FIRST: Final = (
    "value = (SELECT min(p.value) FROM tombstone_prints AS p"
    " JOIN tombstones AS t ON t.id = p.tombstone WHERE t.item = '{it}')"
)

#: what is done -> (the statement, whose it is, the code)
EDITS: Final[dict[str, tuple[str, str, str]]] = {
    "believed": (
        "UPDATE items SET verification='disputed' WHERE id='{it}'",
        "plain",
        "item.belief",
    ),
    "pinned": ("UPDATE items SET pinned=1 WHERE id='{it}'", "plain", "item.pin"),
    "moved": ("UPDATE items SET scope='global' WHERE id='{it}'", "plain", "item.scope"),
    "made a rule": ("UPDATE items SET kind='rule' WHERE id='{it}'", "plain", "item.kind"),
    "lapsing": ("UPDATE items SET expires_at=99 WHERE id='{it}'", "plain", "item.expiry"),
    "washed": ("UPDATE items SET tainted=1 WHERE id='{it}'", "plain", "item.taint"),
    "flagged": ("UPDATE items SET flags='[\"x\"]' WHERE id='{it}'", "plain", "item.flags"),
    "let in": ("UPDATE items SET status='active' WHERE id='{it}'", "rejected", "item.status"),
    "not forgotten": (
        "UPDATE items SET status='archived' WHERE id='{it}'",
        "forgotten",
        "item.status",
    ),
    "set back": ("UPDATE items SET head=1 WHERE id='{it}'", "edited", "item.version"),
    "reworded": ("UPDATE versions SET body='evil' WHERE item='{it}'", "plain", "version.content"),
    "reworded before": (
        "UPDATE versions SET title='evil' WHERE item='{it}' AND n=1",
        "edited",
        "version.content",
    ),
    "reworded once replaced": (
        "UPDATE versions SET valid_to=NULL WHERE item='{it}' AND n=2",
        "replaced",
        "version.content",
    ),
    "under another key": (
        "UPDATE items SET key='door' WHERE id='{it}'",
        "plain",
        "version.content",
    ),
    "by another": (
        "UPDATE versions SET writer='person', by_user='ada' WHERE item='{it}'",
        "rejected",
        "version.author",
    ),
    "unsalted": ("UPDATE items SET salt=x'' WHERE id='{it}'", "plain", "item.salt"),
    "written again": (
        "UPDATE versions SET title='evil' WHERE item='{it}'",
        "forgotten",
        "version.kept",
    ),
    "without a past": (
        "DELETE FROM versions WHERE item='{it}' AND n=1",
        "edited",
        "version.missing",
    ),
    "without prints": (
        "DELETE FROM tombstones WHERE item='{it}'",
        "rejected",
        "tombstone.missing",
    ),
    "without prints of the erased": (
        "DELETE FROM tombstones WHERE item='{it}'",
        "forgotten",
        "tombstone.missing",
    ),
    "stood otherwise": (
        "UPDATE item_states SET status='archived' WHERE item='{it}'",
        "plain",
        "item.stood",
    ),
    "without one print": (
        f"DELETE FROM tombstone_prints WHERE {FIRST}",
        "rejected",
        "tombstone.changed",
    ),
    "with a print of another value": (
        f"UPDATE tombstone_prints SET value=x'00' WHERE {FIRST}",
        "rejected",
        "tombstone.changed",
    ),
    "with a print of another part": (
        f"UPDATE tombstone_prints SET part='key' WHERE {FIRST}",
        "rejected",
        "tombstone.changed",
    ),
    "without its sketch": (
        "UPDATE tombstones SET sketch=x'' WHERE item='{it}'",
        "rejected",
        "tombstone.changed",
    ),
    "reaching elsewhere": (
        "UPDATE tombstones SET scope='agent:codex' WHERE item='{it}'",
        "rejected",
        "tombstone.changed",
    ),
    "for another reason": (
        "UPDATE tombstones SET reason='unwanted', by_user='eve' WHERE item='{it}'",
        "rejected",
        "tombstone.changed",
    ),
    "lifted for a scope": (
        (
            "INSERT INTO tombstone_lifts (tenant, tombstone, scope, at, by)"
            " SELECT tenant, id, scope, at, 'ada' FROM tombstones WHERE item='{it}'"
        ),
        "rejected",
        "tombstone.lifted",
    ),
    "lifted": (
        "UPDATE tombstones SET lifted_at=1 WHERE item='{it}'",
        "rejected",
        "tombstone.lifted",
    ),
}


def test_what_the_gateway_did_stands_as_the_log_says(bench: Bench) -> None:
    """The control: every way that an item goes, undone ones too, replays to its rows."""
    desk = bench.desk
    desk.do(Set(name="review", value="all"), desk.ada_typed)
    waiting = id_of(desk.remember("Specs need a fake clock", desk.agent(), scope="repo"))
    for command in (
        Approve(item=waiting, scope="global"),
        Mark(item=bench.plain, action="pin"),
        Mark(item=bench.plain, action="archive"),
        Undo(),
        Undo(),
        Reject(item=bench.edited, reason="unwanted"),
        Undo(),
        MoveScope(old="repo:github.com/acme/shop", new="repo:github.com/acme/store"),
        Undo(),
    ):
        desk.do(command, desk.ada_typed)

    assert bench.found() == []


@pytest.mark.parametrize("edit", sorted(EDITS))
def test_an_edited_row_is_found(bench: Bench, edit: str) -> None:
    """By its code and its item; nothing else is accused but what the edit touches."""
    statement, whose, code = EDITS[edit]
    item = getattr(bench, whose)
    assert bench.found() == []
    bench.behind("PRAGMA foreign_keys=off", statement.format(it=item))
    found = bench.found()

    assert (code, item) in found
    assert {target for _, target in found} == {item}
    assert {one for one, _ in found} <= CODES.keys()


def test_a_row_that_no_line_made_is_found(bench: Bench) -> None:
    """An item that was copied in under another id."""
    columns = [row[1] for row in apsw.Connection(bench.path).execute("PRAGMA table_info(items)")]
    named = ", ".join(columns)
    copied = named.replace("id,", "'01ZZZZZZZZZZZZZZZZZZZZZZZZ',", 1).replace(" key,", " '',", 1)
    bench.behind(
        f"INSERT INTO items ({named}) SELECT {copied} FROM items WHERE id='{bench.plain}'",
        "INSERT INTO versions SELECT tenant, '01ZZZZZZZZZZZZZZZZZZZZZZZZ', n, title, body,"
        " summary, tags, prompted_by, valid_from, valid_to, recorded_at, superseded_at, writer,"
        " channel, by_user, by_agent, by_model, by_session, by_org, by_role, headless, confirmed,"
        " proof, cwd, repo, branch, commit_id, reason, digest, same, erased_at"
        f" FROM versions WHERE item='{bench.plain}'",
    )

    assert bench.found() == [("item.unlogged", "01ZZZZZZZZZZZZZZZZZZZZZZZZ")]


def test_a_row_that_is_gone_is_found(bench: Bench) -> None:
    """What the log made cannot vanish."""
    bench.behind(
        "PRAGMA foreign_keys=off",
        *(
            f"DELETE FROM {table} WHERE item='{bench.plain}'"
            for table in ("versions", "item_states", "evidence", "sightings")
        ),
        f"DELETE FROM items WHERE id='{bench.plain}'",
    )

    assert bench.found() == [("item.missing", bench.plain)]


def test_a_policy_that_was_set_behind_the_log_is_found(bench: Bench) -> None:
    """Switches are replayed too."""
    bench.behind("UPDATE settings SET value='all' WHERE name='review'")
    changed = bench.found()
    bench.behind(
        "UPDATE settings SET value='none' WHERE name='review'",
        "INSERT INTO settings VALUES ('local', 'saving', 'global', 'off', 1, 'eve')",
    )

    assert changed == [("setting.value", "review@global")]
    assert bench.found() == [("setting.value", "saving@global")]


def test_a_line_that_cannot_be_understood_is_told_and_not_raised(bench: Bench) -> None:
    """A forged line does not stop the check."""
    bench.behind(
        "UPDATE events SET change="
        "json_set(change, '$.\"replaced.commitment\"', json('[null, \"q\"]'))"
        " WHERE change LIKE '%replaced.status%'"
    )
    found = bench.found()

    assert "audit.line" in {code for code, _ in found}


def test_a_check_without_an_audit_looks_at_no_row(bench: Bench) -> None:
    """The quick check says what it did: chain and digests alone."""
    bench.behind(f"UPDATE items SET pinned=1 WHERE id='{bench.plain}'")
    quick, whole = bench.desk.memory.check(), bench.desk.memory.check(audit=True)

    assert (quick.audited, quick.sound) == (False, True)
    assert (whole.audited, whole.sound) == (True, False)


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE documents SET title='x', body='y' WHERE item='{it}'",
        "UPDATE documents SET place='s9a' WHERE item='{it}'",
        "DELETE FROM documents WHERE item='{it}'",
    ],
)
def test_what_recall_reads_otherwise_is_found_by_any_check(bench: Bench, edit: str) -> None:
    """A memory that whoever has the file hid from recall."""
    before = bench.desk.memory.check()
    bench.behind(edit.format(it=bench.plain))
    after = bench.desk.memory.check()

    assert before.findings == ()
    assert [(found.code, found.target) for found in after.findings] == [
        ("item.unfound", bench.plain)
    ]
