"""Whatever a file of another tool holds, its reader ends with records or an error of ours."""

from __future__ import annotations

import json
import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreign_files import CLAUDE_MD, NOTE
from foreign_tools import TOOLS
from onrecord.capture.formats.foreign import Foreign, Origin, Skipped
from onrecord.capture.formats.frontmatter import fronted
from onrecord.capture.formats.recognition import READERS, recognise
from onrecord.capture.formats.sections import statements
from onrecord.domain.errors import OnrecordError
from onrecord.domain.scope import Place
from onrecord.policy import shape
from onrecord.service.foreign_source import entry_of

HERE: Final = Place(cwd="/src/shop", repo="repo:github.com/acme/shop")

JSON: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from([2**63, -(10**39), 253_402_300_800, 1e308, "9999-12-31T23:59:59-23:59"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("type", "name", "observations", "memory", "results", "scope", "key"),
                    *("value", "created_at", "updated_at", "create_time", "update_time"),
                    *("mapping", "message", "content", "parts", "timestamp", "id"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
LINES: Final = st.lists(
    st.sampled_from(
        [
            "---",
            "# A",
            "- [fact] b #c (d)",
            "- needs [[E]]",
            "```",
            "> f",
            "1. g",
            "   h",
            "",
            "| a | b |",
            "|---|---|",
            "title: t",
            "key: k",
            "scope: global",
            "tags: [x, *y]",
            "<!-- i -->",
            "onrecord: 1",
            "\t- j",
            "@k.md",
        ]
    )
    | st.text(max_size=30),
    max_size=25,
).map("\n".join)


def read(form: str, raw: bytes, ending: str) -> list[Foreign | Skipped]:
    """The records of a file with these bytes, or none where it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"source{ending}"
        path.write_bytes(raw)
        with suppress(OnrecordError):
            assert recognise(str(path))
        try:
            return list(READERS[form](Origin(path=str(path))))
        except OnrecordError:
            return []


def check(records: list[Foreign | Skipped]) -> None:
    """Each is a skipped one with a reason, or becomes an entry of the right types and sizes."""
    for one in records:
        if isinstance(one, Skipped):
            assert one.why
            continue
        entry = entry_of(one, HERE)
        problem = shape.problem_in(entry.content)
        # what has no words, or too many, is refused by the gateway, and named by its place
        assert problem is None or problem.field in ("title", "body", "prompted_by", "tags")
        assert one.where


@pytest.mark.parametrize("form", READERS)
@given(raw=st.binary(max_size=400))
@settings(max_examples=60, deadline=None)
def test_any_bytes_are_read_or_refused(form: str, raw: bytes) -> None:
    """Neither a traceback nor a record without a place."""
    check(read(form, raw, ".md"))
    check(read(form, raw, ".json"))


@pytest.mark.parametrize("form", READERS)
@given(text=LINES)
@settings(max_examples=120, deadline=None)
def test_any_lines_are_read_or_refused(form: str, text: str) -> None:
    """Markdown and fields in every order."""
    check(read(form, text.encode("utf-8", "surrogatepass"), ".md"))


@pytest.mark.parametrize("form", ["server-memory", "mem0", "lorekit"])
@given(found=JSON)
@settings(max_examples=150, deadline=None)
def test_any_json_is_read_or_refused(form: str, found: object) -> None:
    """Values of every type where others are expected."""
    check(read(form, json.dumps(found).encode(), ".json"))


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool[1] in ("history", "database")])
def test_a_damaged_database_is_read_as_far_as_it_can_be(
    tmp_path: Path, tool: tuple[str, str]
) -> None:
    """Bytes flipped anywhere, files cut anywhere: records or an error of ours."""
    path = TOOLS[tool].make(tmp_path)
    log = Path(f"{path}-wal")
    whole = path.read_bytes()
    logged = log.read_bytes() if log.exists() else b""
    folder = tmp_path / "damaged"
    folder.mkdir()
    came = 0
    for seed in range(60):
        dice = random.Random(seed)  # noqa: S311 - a seed to repeat
        raw = bytearray(whole)
        for _ in range(dice.randrange(1, 30)):
            raw[dice.randrange(100, len(raw))] = dice.randrange(256)
        cut = bytes(raw[: dice.randrange(512, len(raw))]) if seed % 3 == 0 else bytes(raw)
        copy = folder / f"{seed}.db"
        copy.write_bytes(cut)
        if logged:
            Path(f"{copy}-wal").write_bytes(logged)
        try:
            found = list(READERS[tool[0]](Origin(path=str(copy))))
        except OnrecordError:
            continue
        check(found)
        came += len(found)
    assert came


@given(
    rows=st.lists(
        st.tuples(*[st.none() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.binary()] * 4),
        max_size=6,
    )
)
@settings(max_examples=60, deadline=None)
def test_rows_of_any_type_are_read_or_skipped(rows: list[tuple[object, ...]]) -> None:
    """A column holds what its writer put there, whatever its type says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.db"
        db = apsw.Connection(str(path))
        db.execute("CREATE TABLE history (memory_id, new_memory, event, is_deleted)")
        for row in rows:
            try:
                db.execute("INSERT INTO history VALUES (?, ?, ?, ?)", row)
            except UnicodeEncodeError:
                continue
        db.close()
        check(list(READERS["mem0"](Origin(path=str(path)))))


@given(text=LINES)
@settings(max_examples=200, deadline=None)
def test_statements_keep_their_place(text: str) -> None:
    """Each has words, and stands on a line of the text, in order."""
    found = list(statements(text))
    lines = [one.line for one in found]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
    assert all(one.text.strip() for one in found)


def test_fields_are_plain_words_without_aliases() -> None:
    """Nothing is built of them, and nothing is unfolded; an ordinary block is read."""
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"
    for block in (bomb, "a: !!python/object/apply:os.system [id]\nb: *z", "[" * 5_000, "a: b: c"):
        top = fronted(f"---\n{block}\n---\nbody")
        assert top.broken
        assert top.body == "body"
    plain = fronted("---\ntitle: 2026-01-01\non: yes\ntags: a, b\nx: !!int 7\n---\nbody")
    assert plain.word("title") == "2026-01-01"
    assert plain.words("tags") == ("a", "b")
    assert (plain.body, plain.broken) == ("body", False)


def test_the_fixtures_hold_what_they_are_for() -> None:
    """The same readers give statements where a file is sound."""
    assert len(list(statements(CLAUDE_MD))) == 5
    assert len(read("basic-memory", NOTE.encode(), ".md")) == 5
