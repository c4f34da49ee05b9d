"""A file that is made to choke whoever reads it ends in an error, and nothing of it comes in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEADER: Final = json.dumps({"onrecord": "export", "version": 1}).encode() + b"\n"

#: Kilobytes of addresses, which are more than what is held in memory; seconds of processor.
LIMITS: Final = "ulimit -v 409600; ulimit -t 10"

BOMBS: Final[dict[str, Callable[[], bytes]]] = {
    "one endless line": lambda: HEADER + b"x" * (64 << 20),
    "deep": lambda: HEADER + b'{"title": "x", "a": ' + b"[" * 500_000 + b"]" * 500_000 + b"}\n",
    "many": lambda: HEADER + b'{"title": "x"}\n' * 100_001,
    "long numbers": lambda: HEADER + b'{"title": "x", "a": ' + b"9" * 1_000_000 + b"}\n",
    "compressed": lambda: b"\x1f\x8b\x08\x00" + b"\x00" * 1_000_000,
    "half": lambda: HEADER + b'{"title": "x"}\n' * 5_000 + b'{"title": 7}\n',
}
#: What is only odd is passed over.
WIDE: Final = HEADER + b'{"title": "x", "a": [' + b"[]," * 340_000 + b"[]]}\n"


def brought(lines: CommandLine, raw: bytes) -> int:
    """The exit status of importing a file within the limits; it never ends in a fault of ours."""
    path = lines.home / "bomb.jsonl"
    path.write_bytes(raw)
    command = f"{LIMITS}; exec onrecord import jsonl {path} --json"
    ended = lines.people.run(["sh", "-c", command], timeout_s=60)
    assert "Traceback" not in ended.text
    assert "internal" not in ended.text
    return ended.exit_code


@pytest.mark.parametrize("name", BOMBS)
def test_safety_import_bombs(tmp_path: Path, name: str) -> None:
    """In less than 200 MiB and ten seconds; no store is made for it."""
    lines = CommandLine(tmp_path)

    assert brought(lines, BOMBS[name]()) == 2
    assert not lines.store.exists()


def test_safety_import_bombs_are_told_from_what_is_odd(tmp_path: Path) -> None:
    """The same limits let a wide line and an ordinary file pass."""
    lines = CommandLine(tmp_path)

    assert brought(lines, WIDE) == 0
    assert brought(lines, HEADER + b'{"title": "The gate opens at six"}\n') == 0
    found = lines.run("list", "--all", "--json").json["items"]
    assert {item["title"] for item in found} == {"x", "The gate opens at six"}
