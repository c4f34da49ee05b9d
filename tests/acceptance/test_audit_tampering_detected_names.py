"""audit.tampering_detected: names of scopes, ends of versions, and who wrote, edited in the file.

Each edit is made in the store's own file behind our back and taken back again; the store is
sound before and after it.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import apsw
import pytest

from commandline import SCRIPT, CommandLine

if TYPE_CHECKING:
    from pathlib import Path

OTHER: Final = "repo:github.com/acme/private"
SHOP: Final = "repo:github.com/acme/shop"
NAMES: Final = "INSERT INTO scope_aliases VALUES ('local', ?, ?, 1)"

#: What is edited, and the codes that tell it.
EDITS: Final[dict[str, tuple[str, tuple[object, ...], str]]] = {
    "a name that leads to another repository": (NAMES, (SHOP, OTHER), "scope.name"),
    "a circle of names": (NAMES, ("repo:a.example/one", "repo:a.example/one"), "scope.name"),
    "a name that leads nowhere": ("DELETE FROM scope_aliases", (), "scope.name"),
    "a name that leads elsewhere": ("UPDATE scope_aliases SET new = ?", (OTHER,), "scope.name"),
    "when a version ended": (
        "UPDATE versions SET superseded_at = superseded_at + 5",
        (),
        "version.end",
    ),
    "a key that nobody typed": ("UPDATE versions SET confirmed = 1", (), "version.author"),
    "that somebody sat there": ("UPDATE versions SET headless = 0", (), "version.author"),
    "the model": ("UPDATE versions SET by_model = 'gpt-9'", (), "version.author"),
    "the role": ("UPDATE versions SET by_role = 'owner'", (), "version.author"),
    "the organisation": ("UPDATE versions SET by_org = 'acme'", (), "version.author"),
    "the role of who rejected": (
        "UPDATE tombstones SET by_role = 'owner'",
        (),
        "tombstone.changed",
    ),
    "a key that nobody typed for it": (
        "UPDATE tombstones SET confirmed = 1 - confirmed",
        (),
        "tombstone.changed",
    ),
    "when it was first put on record": (
        "UPDATE items SET created_at = created_at + 5",
        (),
        "item.time",
    ),
    "until when a handoff is open": (
        "UPDATE handoffs SET lapses_at = lapses_at + 5",
        (),
        "handoff.missing",
    ),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A day with a renamed workstream, a change, a rejection and a handoff."""
    lines = CommandLine(tmp_path_factory.mktemp("names"))
    lines.remember("The gate opens at six", "--scope", "repo", "--key", "gate")
    lines.remember("The gate opens at seven", "--scope", "repo", "--key", "gate")
    lines.remember("Signs are blue", "--scope", "workstream:signs")
    wrong = lines.remember("The office pays in coins", "--scope", "repo", around=SCRIPT)
    assert lines.run("reject", wrong, "--reason", "wrong").status == 0
    assert lines.run("handoff", "--next", "Oil the gate").status == 0
    assert lines.run("scopes", "rename", "workstream:signs", "workstream:boards").status == 0
    return lines


def codes(shop: CommandLine) -> list[str]:
    """What the audit tells; empty where the store is sound."""
    told = shop.run("check", "--audit", "--json")
    assert told.status in (0, 5), told
    return [one["code"] for one in told.json["findings"]]


def edit(store: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """Change the file as somebody with another tool would: its triggers do not stop that."""
    with closing(apsw.Connection(str(store))) as file:
        made = list(file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))
        for name, _ in made:
            file.execute(f'DROP TRIGGER "{name}"')
        for statement, given in statements:
            file.execute(statement, given)
        for _, sql in made:
            file.execute(str(sql))


@pytest.mark.parametrize("name", EDITS)
def test_audit_tampering_detected_in_what_decides_who_and_where(
    shop: CommandLine, name: str
) -> None:
    """The store is sound, the edit is told by its code, and undone it is sound again."""
    statement, given, code = EDITS[name]
    assert codes(shop) == []
    kept = shop.store.read_bytes()
    edit(shop.store, (statement, given))
    found = codes(shop)
    for end in ("-wal", "-shm"):
        shop.store.with_name(shop.store.name + end).unlink(missing_ok=True)
    shop.store.write_bytes(kept)

    assert code in found
    assert codes(shop) == []


def test_audit_tampering_detected_renamings_and_their_undo_are_sound(tmp_path: Path) -> None:
    """Renamed, renamed again, merged back and undone: each step is as the log says."""
    lines = CommandLine(tmp_path)
    lines.remember("Signs are blue", "--scope", "workstream:signs")
    for words in (
        ("scopes", "rename", "workstream:signs", "workstream:boards"),
        ("scopes", "rename", "workstream:boards", "workstream:plates"),
        ("scopes", "alias", "workstream:shields", "workstream:plates"),
        ("undo",),
    ):
        assert lines.run(*words).status == 0, words
        assert codes(lines) == [], words
