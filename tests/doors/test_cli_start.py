"""A command loads what it needs: what it must do without is not there when it ends."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

_RUN: Final = """
import sys
from onrecord.doors.cli.main import run
status = run(sys.argv[1:])
sys.stderr.write("\\n".join(["", str(status), *sys.modules]))
"""

#: What nothing but its own command needs.
OTHERS: Final = ("onrecord.doors.mcp", "onrecord.doors.hook", "onrecord.doors.cli.demo")
#: Words -> (modules that it does without, a module that shows that it did its work).
DOES_WITHOUT: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "--version": (
        ("argparse", "json", "re", "dataclasses", "typing", "apsw", "onrecord.domain"),
        "onrecord.doors.cli.main",
    ),
    "": (("json", "dataclasses", "apsw", "onrecord.domain"), "onrecord.doors.cli.helping"),
    "path": (
        ("json", "dataclasses", "apsw", "onrecord.storage", "onrecord.policy", "onrecord.service"),
        "onrecord.config",
    ),
    "recall gate": (
        (
            *("subprocess", "onrecord.policy.dates", "onrecord.policy.redact"),
            *("onrecord.service.gateway", "onrecord.service.intake", "onrecord.capture.git_state"),
            *("onrecord.service.identity", "onrecord.capture.connection"),
        ),
        "onrecord.retrieval.recall",
    ),
    "list": (
        ("onrecord.retrieval.recall", "onrecord.service.gateway", "onrecord.capture.git_state"),
        "onrecord.storage.sqlite_engine",
    ),
    "remember gate": (
        (
            *("onrecord.retrieval.recall", "onrecord.capture.git_state", "onrecord.service.packs"),
            *("onrecord.service.identity", "onrecord.capture.connection"),
        ),
        "onrecord.service.gateway",
    ),
}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A place with a memory on record."""
    made = CommandLine(tmp_path_factory.mktemp("start"))
    made.remember("The gate opens at six")
    return made


@pytest.mark.parametrize("words", DOES_WITHOUT)
def test_a_command_loads_only_what_it_needs(lines: CommandLine, words: str) -> None:
    """Modules that are not needed are not loaded; the one that does the work is."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *words.split()],
        cwd=lines.repo,
        env=lines.people.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    status, *loaded = done.stderr.strip().splitlines()
    without, worked = DOES_WITHOUT[words]
    there = [
        module
        for name in (*without, *OTHERS)
        for module in loaded
        if module == name or module.startswith(f"{name}.")
    ]

    assert status == "0"
    assert worked in loaded
    assert there == []


def test_finding_a_command_costs_few_modules(tmp_path: Path) -> None:
    """What every command loads before its own file is counted in tens."""
    code = "import sys; import onrecord.doors.cli.main; print(len(sys.modules))"
    bare = "import sys; print(len(sys.modules))"

    def count(source: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", source], cwd=tmp_path, capture_output=True, check=True
        )
        return int(done.stdout)

    assert count(code) - count(bare) <= 8
