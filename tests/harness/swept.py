"""After the whole run: no store, spool or log of any test holds a canary.

A canary is a token that redaction knows by its prefix, with a mark inside that occurs nowhere
else. Tests plant canaries through the doors; whatever onrecord keeps of them, anywhere below
the run's temporary folder, has the mark in it. Files that tests themselves write as input are
not looked at: only what has the name of something that onrecord keeps.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

#: What every canary has inside.
MARK: Final = "zQ7vK9wX3pLm"

#: Parts of the names of what onrecord keeps: stores with their logs and copies, spools, faults.
KEPT: Final = (".db", ".spool", ".hook-faults", ".log", ".jsonl.gz", ".backups")

#: Larger files are of tests about size; of those the beginning is read.
MOST: Final = 64 * 1024 * 1024


def canary(rest: str) -> str:
    """A token with the mark; `rest` are 24 letters or digits."""
    return f"ghp_{MARK}{rest}"


def kept_files(base: Path) -> Iterator[Path]:
    """What onrecord kept below a folder."""
    for path in base.rglob("*"):
        inside = str(path.relative_to(base))
        if any(part in inside for part in KEPT) and path.is_file() and not path.is_symlink():
            yield path


def leaks(base: Path) -> list[Path]:
    """Kept files with the mark in them, in any case, one or two bytes a letter."""
    needles = (MARK.lower().encode(), MARK.lower().encode("utf-16-le"))
    found: list[Path] = []
    for path in kept_files(base):
        try:
            with path.open("rb") as file:
                data = file.read(MOST).lower()
        except OSError:
            continue
        if any(needle in data for needle in needles):
            found.append(path)
    return found


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run, in its first process alone, where something leaked."""
    factory = getattr(session.config, "_tmp_path_factory", None)
    if hasattr(session.config, "workerinput") or factory is None:
        return
    base: Path | None = getattr(factory, "_basetemp", None)  # none where no test wanted one
    found = leaks(base) if base is not None and base.is_dir() else []
    if found:
        session.exitstatus = 1
        report = session.config.pluginmanager.get_plugin("terminalreporter")
        for path in found:
            if report is not None:
                report.write_line(f"\na planted secret was kept in {path}", red=True)
