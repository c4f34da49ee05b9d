"""The named queries of `sql/*.sql`, read once per process (light)."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import LiteralString

    from onrecord.storage.dialect import Dialect

#: Every file whose queries both databases share.
FILES = (
    "items",
    "provenance",
    "tombstones",
    "events",
    "sessions",
    "handoffs",
    "deliveries",
    "scopes",
    "documents",
    "shelf",
    "vectors",
)

_FOLDER = os.path.join(os.path.dirname(__file__), "sql")  # noqa: PTH118, PTH120 - light
_NAME = "-- name: "
_PART = "-- part: "
_ESCAPES = {n: f"\\u{n:04x}" for n in range(32)} | {34: '\\"', 92: "\\\\"}

_loaded: dict[tuple[str, str], dict[str, LiteralString]] = {}


def load(files: Iterable[str], dialect: Dialect) -> dict[str, LiteralString]:
    """Query name -> text, as the dialect's driver takes it.

    A query starts at `-- name: its_name`, a part that queries of the same file use as
    `{its_name}` at `-- part: its_name`; other comment lines are for people. The text comes
    from this package's own files alone, which is why it counts as literal.
    """
    found: dict[str, LiteralString] = {}
    for file in files:
        address = (dialect.name, file)
        if address not in _loaded:
            _loaded[address] = _parsed(file, dialect)
        found.update(_loaded[address])
    return found


def _parsed(file: str, dialect: Dialect) -> dict[str, LiteralString]:
    parts: dict[str, str] = {}
    texts: dict[str, str] = {}
    for block in _blocks(file):
        kind, name, text = block
        for part, words in parts.items():
            text = text.replace("{" + part + "}", words)
        if kind == _PART:
            parts[name] = text
        else:
            texts[name] = dialect.spell(text)
    return texts  # type: ignore[return-value, unused-ignore] # pyright: ignore[reportReturnType]


def _blocks(file: str) -> list[tuple[str, str, str]]:
    path = os.path.join(_FOLDER, file + ".sql")  # noqa: PTH118 - light
    with open(path, encoding="utf-8") as source:  # noqa: PTH123 - light
        lines = source.read().split("\n")
    found: list[tuple[str, str, str]] = []
    kind = name = ""
    text: list[str] = []
    for line in [*lines, _NAME]:
        if line.startswith((_NAME, _PART)):
            if name:
                found.append((kind, name, "\n".join(text).strip()))
            kind, name, text = line[: len(_NAME)], line[len(_NAME) :], []
        elif not line.startswith("--"):
            text.append(line)
    return found


def json_list(words: Iterable[str]) -> str:
    """Strings as a JSON list, for `each(:words)`."""
    return "[" + ",".join(['"' + word.translate(_ESCAPES) + '"' for word in words]) + "]"
