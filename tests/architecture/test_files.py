"""Each file says one thing: lengths, names, and what may stand in which room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpora import ROOT
from harness import sourcecode as code

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_LINES: Final = 600
MAX_FUNCTION_LINES: Final = 80
VAGUE: Final = frozenset({"utils", "util", "helpers", "helper", "common", "manager", "misc"})

#: Modules whose patterns read text that is not stored and not an agent's, and why `re` may.
#: Everything that reads stored text matches with RE2, which cannot be made to hang.
MAY_IMPORT_RE: Final = {
    "onrecord.capture.jsonc": "an agent's settings file, which the person wrote or allowed",
    "onrecord.capture.config_toml": "the same",
}

#: Modules outside `onrecord.storage` that hold SQL, and why.
MAY_HOLD_SQL: Final[dict[str, str]] = {
    "onrecord.capture.formats.foreign_database": "questions to a copy of another tool's file",
    "onrecord.capture.transcripts.opencode": "questions to an agent's own file of conversations",
    "onrecord.capture.light_json": "SQLite's JSON functions over one bound text, without a table",
}


def ours() -> list[Path]:
    """Every Python file of the package, the tests, the benchmarks."""
    folders = (ROOT / "src", ROOT / "tests", ROOT / "benchmarks")
    return [path for folder in folders for path in code.python_files(folder)]


def at(path: Path, line: int, what: str) -> str:
    """An offence as an editor can open it."""
    return f"{path.relative_to(ROOT)}:{line}: {what}"


def test_no_file_is_longer_than_one_sitting() -> None:
    """Past 600 lines no sentence says any more what a file owns."""
    long = [
        at(path, count, "the last line")
        for path in ours()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > MAX_FILE_LINES
    ]

    assert long == []


def test_no_function_is_longer_than_a_screen() -> None:
    """Past 80 lines a function does more than its name says."""
    long = [
        at(path, line, f"{name} has {lines} lines")
        for path in ours()
        for name, line, lines in code.function_lengths(code.parse(path))
        if lines > MAX_FUNCTION_LINES
    ]

    assert long == []


def test_names_say_what_is_inside() -> None:
    """No module is called utils, helpers, common or manager."""
    vague = [
        str(path.relative_to(ROOT))
        for path in ours()
        if VAGUE & set(re.split(r"[._/]", str(path.relative_to(ROOT))))
    ]

    assert vague == []


def test_stored_text_is_never_matched_with_re() -> None:
    """Only modules that are named here, with a reason, import `re`; a stale name is an error."""
    importers = {
        code.name_of(path)
        for path in code.python_files(code.SOURCE)
        if any(found.module == "re" for found in code.imports(code.parse(path)))
    }

    assert importers == set(MAY_IMPORT_RE)


def test_sql_stands_in_storage_alone() -> None:
    """No statement of SQL is written outside the storage room, unless named here."""
    holders: dict[str, str] = {}
    for path in code.python_files(code.SOURCE):
        name = code.name_of(path)
        if not name.startswith("onrecord.storage"):
            for line, text in code.sql_texts(code.parse(path)):
                holders[name] = at(path, line, text)

    assert sorted(set(holders) ^ set(MAY_HOLD_SQL)) == [], holders


def test_domain_and_policy_read_no_clock_and_no_environment() -> None:
    """Time, environment and chance come to the domain and the policy as arguments."""
    reads = [
        at(path, line, what)
        for room in ("domain", "policy")
        for path in code.python_files(code.SOURCE / "onrecord" / room)
        for line, what in code.impure_reads(code.parse(path))
    ]

    assert reads == []
