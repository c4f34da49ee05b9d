"""Named queries: how they are read, that each is used, and that none walks a table."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from onrecord.storage import queries, sqlite
from onrecord.storage.dialect import SQLITE
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Generator

    import apsw

_ROOM: Final = Path(queries.__file__).parent
_SQL: Final = sorted((_ROOM / "sql").glob("*.sql"))

#: Queries that may look at every row of a tenant: whole-store answers and rare joins.
WHOLE: Final = {
    "aliases",
    "deliveries_blank",
    "deliveries_queries",
    "documents_clear",
    "evidence_citing",
    "evidence_quoting",
    "handoffs_mentioning",
    "handoffs_recent",
    "items_with_short_end",
    "link_calls",
    "link_feedback",
    "link_processes",
    "link_sightings",
    "link_sightings_done",
    "page",
    "page_stood",
    "refusals_drop",
    "refusals_due",
    "scope_counts",
    "scope_names",
    "scope_number",
    "sessions_mentioning",
    "settings_all",
    "shelf_settings",
    "spaces",
    "spaces_drop_others",
    "stood_erased",
    "tombstones_with_sketches",
    "vectors_drop_others",
    "written_in",
}
#: Walks along an index in the order that was asked for, which end at their limit.
ORDERED: Final = {
    "deliveries_recent",
    "events_head",
    "sessions_recent",
}


def names(path: Path) -> list[str]:
    """The queries of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.partition(": ")[2] for line in lines if line.startswith("-- name: ")]


def texts() -> dict[str, str]:
    """Every query as SQLite takes it."""
    return dict(queries.load((*queries.FILES, SQLITE.lexical), SQLITE))


def test_every_file_is_loaded() -> None:
    """A file of queries belongs to both databases or is a lexical one."""
    shared = {path.stem for path in _SQL if not path.stem.startswith("lexical_")}

    assert shared == set(queries.FILES)


def test_names_are_unique_and_each_says_what_it_is() -> None:
    """No query hides another, and a line of words follows every name."""
    found = [name for path in _SQL for name in names(path) if path.stem != "lexical_postgres"]
    bare = [
        line
        for path in _SQL
        for line, after in pairwise(path.read_text(encoding="utf-8").splitlines())
        if line.startswith("-- name: ") and not after.startswith("-- ")
    ]

    assert sorted(found) == sorted(set(found))
    assert bare == []


def test_every_query_is_used() -> None:
    """A query that no module names is gone; parts of names count for erasing and linking."""
    code = "".join(path.read_text(encoding="utf-8") for path in _ROOM.glob("*.py"))
    unused = [
        name
        for name in texts()
        if f'"{name}"' not in code
        and not (name.startswith(("erase_", "link_")) and f'"{name.partition("_")[2]}"' in code)
    ]

    assert unused == []


def test_nothing_is_left_to_fill_in() -> None:
    """Parts and macros are expanded, comments are gone."""
    for name, text in texts().items():
        assert "{" not in text.replace("'{}'", ""), name
        assert "each(" not in text.replace("json_each(", ""), name
        assert "--" not in text, name


def test_a_list_is_json() -> None:
    """Strings of any kind come back as they were."""
    words = ["", "plain", 'qu"ote', "back\\slash", "new\nline\x00\x1f", "é東👩‍👧", "\u2028", "%"]

    assert json.loads(queries.json_list(words)) == words
    assert queries.json_list([]) == "[]"


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Generator[apsw.Connection]:
    """A connection to a fresh store that all tests here share."""
    path = str(tmp_path_factory.mktemp("plans") / "home" / "onrecord.db")
    open_sqlite(path, create=True).close()
    connection = sqlite.connect(path)
    yield connection
    connection.close()


@pytest.mark.parametrize("name", sorted(texts()))
def test_no_query_walks_a_table(name: str, connection: apsw.Connection) -> None:
    """Every query finds its rows by an index on more than the tenant, but for those above."""
    plan = _plan(connection, texts()[name])
    # rows that the query makes itself, of which it says how many
    made = {step.split()[1] for step in plan if step.startswith(("CO-ROUTINE", "MATERIALIZE"))}
    walks = [step for step in plan if _walks(step, made)]

    assert bool(walks) == (name in WHOLE | ORDERED), plan


@pytest.mark.parametrize(
    ("index", "rows"),
    [
        ("items_expiring", "items WHERE tenant = 'a' AND expires_at <= 5 AND status = 'active'"),
        ("items_flagged", "items WHERE tenant = 'a' AND status = 'active' AND flags <> '[]'"),
        ("items_waiting", "items WHERE tenant = 'a' AND status = 'proposed' AND created_at < 5"),
        (
            "items_reminding",
            "items WHERE tenant = 'a' AND scope = 's' AND kind = 'reminder' AND status = 'active'",
        ),
        ("evidence_by_session", "evidence WHERE tenant = 'a' AND session = 's'"),
        ("sessions_by_parent", "sessions WHERE tenant = 'a' AND parent = 's' AND parent <> ''"),
        ("handoffs_by_session", "handoffs WHERE tenant = 'a' AND session = 's'"),
        ("handoffs_by_claim", "handoffs WHERE tenant = 'a' AND claimed_by = 's'"),
        ("handoffs_by_lapse", "handoffs WHERE tenant = 'a' AND status = 'open' AND lapses_at < 5"),
        ("answers_by_item", "answers WHERE tenant = 'a' AND item = 'i'"),
    ],
)
def test_what_is_due_or_joined_is_found_by_an_index(
    index: str, rows: str, connection: apsw.Connection
) -> None:
    """Sweeps, lapses, lines of sessions and erasures ask so, whatever else a store holds."""
    (step,) = _plan(connection, f"SELECT * FROM {rows}")  # noqa: S608 - of the list above

    assert f"USING INDEX {index} " in step


def _plan(connection: apsw.Connection, text: str) -> list[str]:
    lists = dict.fromkeys(("ids", "docs", "places", "scopes", "kinds", "statuses", "values"), "[]")
    given = {**dict.fromkeys(_parameters(text), 1), **lists, "match": '"a"'}
    return [row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + text, given)]


def _parameters(text: str) -> set[str]:
    found = {part for part in text.replace(",", " ").replace(")", " ").split() if ":" in part}
    return {part.partition(":")[2].strip("(") for part in found}


def _walks(step: str, made: set[str]) -> bool:
    """Whether a step of a plan looks at a whole table, or at all of a tenant."""
    if "json_each" in step or step.startswith("SCAN CONSTANT"):
        return False
    if "VIRTUAL TABLE" in step:
        # a list of the query's own, or what matches in the index of words
        return step.endswith((" 0:", " 1:")) and not step.startswith("SCAN e ")
    if step.startswith("SCAN") and step.split()[1] in made:
        return False
    only_tenant = "(tenant=?)" in step
    return step.startswith("SCAN") or (step.startswith("SEARCH") and only_tenant)
