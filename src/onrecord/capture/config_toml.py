"""Edits to TOML settings that a person keeps: put one table in, take it out again.

A table is added as text at the end, so nothing else in the file moves. Taking it out gives
back the same bytes without any record: a blank line before the table shows that the file
stood there, and a missing line end after it that the file had none.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable

from onrecord.domain.errors import ConfigInvalid

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*|[\[\]{}]|\n|[^\"'#\[\]{}\n]+|.",
    re.DOTALL,
)
_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^="'#\n])+(?==)""")
_BLANK = re.compile(r"[ \t\r\ufeff]*(?:#[^\n]*)?(?:\n|\Z)")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Statement:
    """One header or one key with its value, from the start of its line past its end."""

    path: tuple[str, ...]
    is_header: bool
    start: int
    end: int


def read(text: str | None) -> dict[str, Any]:
    """The settings; raises `ConfigInvalid` with the line where the text is not TOML."""
    try:
        return tomllib.loads((text or "").removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        told = re.search(r"line ([0-9]+)", str(error))
        raise ConfigInvalid(details={"line": int(told[1]) if told else 1}) from None


def table(text: str | None, path: Sequence[str]) -> Mapping[str, Any] | None:
    """The table at a path; None where there is none. Raises `ConfigInvalid` as `read` does."""
    found: Any = read(text)
    for key in path:
        if not isinstance(found, dict):
            raise ConfigInvalid(details={"member": key})
        found = cast("dict[str, Any]", found).get(key)
        if found is None:
            return None
    if not isinstance(found, dict):
        raise ConfigInvalid(details={"member": path[-1]})
    return cast("dict[str, Any]", found)


def put_table(text: str | None, path: Sequence[str], values: Mapping[str, Any]) -> str:
    """The text with a new table of plain values at `path`.

    None stands for a file that does not exist. Raises `ConfigInvalid` where it does not fit.
    """
    table(text, path[:-1])
    parents = {tuple(path[:length]) for length in range(1, len(path))}
    if any(found.path in parents and not found.is_header for found in _scan(text or "")):
        after = _put_inline(text or "", path, values)
    else:
        after = _append(text, path, values)
    read(after)
    return after


def set_value(text: str, path: Sequence[str], key: str, value: str) -> str:
    """The text with another value for one key of the table at `path`."""
    document = _document(text)
    _at(document, path)[key] = value
    return _written(text, document)


def take_table(text: str, path: Sequence[str]) -> str | None:
    """The text without the table at `path` and whatever is below it.

    None when the file was made for it. Comments that follow the table stay.
    """
    target = tuple(path)
    blocks = list(_blocks(text, target))
    made = bool(blocks) and blocks[0][0] == 0
    for start, end, is_table in reversed(blocks):
        text = _without(text, start, end) if is_table else text[:start] + text[end:]
    if table(text, path) is not None:
        document = _document(text)
        _at(document, path[:-1]).remove(path[-1])
        text = _written(text, document)
    return None if made and not text.strip() else text


def _append(text: str | None, path: Sequence[str], values: Mapping[str, Any]) -> str:
    newline = "\r\n" if text and "\r\n" in text else "\n"
    lines = [f"[{'.'.join(path)}]"]
    lines += tomlkit.dumps(values).splitlines()
    body = newline.join(lines)
    if text is None:
        return body + newline
    if not text.removeprefix("\ufeff") or text.endswith("\n"):
        return text + newline + body + newline
    return text + newline + newline + body


def _put_inline(text: str, path: Sequence[str], values: Mapping[str, Any]) -> str:
    inline = tomlkit.inline_table()
    for key, value in values.items():
        inline[key] = value
    document = _document(text)
    _at(document, path[:-1])[path[-1]] = inline
    return _written(text, document)


def _document(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text.removeprefix("\ufeff"))
    except TOMLKitError:
        raise ConfigInvalid from None


def _written(text: str, document: tomlkit.TOMLDocument) -> str:
    """The edited document with the byte order mark that the text had."""
    return text[: text.startswith("\ufeff")] + tomlkit.dumps(document)


def _at(document: tomlkit.TOMLDocument, path: Sequence[str]) -> AbstractTable:
    found: Any = document
    for key in path:
        found = found[key]
    return cast("AbstractTable", found)


def _without(text: str, start: int, end: int) -> str:
    before, after = text[:start], text[end:]
    # A table without a line end was put behind a text without one: two line ends are ours.
    for _ in range(1 if text[:end].endswith("\n") else 2):
        shorter = before.removesuffix("\n").removesuffix("\r")
        is_blank_line = shorter.removeprefix("\ufeff") == "" or shorter.endswith("\n")
        if before.endswith("\n") and (is_blank_line or not text[:end].endswith("\n")):
            before = shorter
    return before + after


def _blocks(text: str, target: tuple[str, ...]) -> list[tuple[int, int, bool]]:
    """(start, end, whether a table) of what belongs to the table at `target`."""
    found: list[tuple[int, int, bool]] = []
    in_table = False
    for statement in _scan(text):
        belongs = statement.path[: len(target)] == target
        if in_table and not statement.is_header:
            found[-1] = (found[-1][0], statement.end, True)
        elif belongs:
            found.append((statement.start, statement.end, statement.is_header))
        if statement.is_header:
            in_table = belongs
    return found


def _scan(text: str) -> Iterator[_Statement]:
    """The statements of a text that is known to be TOML, with full paths."""
    at = 0
    current: tuple[str, ...] = ()
    while at < len(text):
        blank = _BLANK.match(text, at)
        if blank and blank.end() > at:
            at = blank.end()
            continue
        end = _end_of(text, at)
        line = text[at:end].removeprefix("\ufeff").lstrip()
        is_header = line.startswith("[")
        key = None if is_header else _KEY.match(line)
        path = _path(line if is_header else f"{key.group() if key else ''} = 0")
        current = path if is_header else current
        full = path if is_header else current + path
        yield _Statement(path=full, is_header=is_header, start=at, end=end)
        at = end


def _end_of(text: str, at: int) -> int:
    """Where the statement that begins at `at` ends, its line end included."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        word = token.group()
        depth += (word in ("[", "{")) - (word in ("]", "}"))
        if word == "\n" and depth <= 0:
            return token.end()
    return len(text)


def _path(statement: str) -> tuple[str, ...]:
    found: Any = tomllib.loads(statement)
    path: list[str] = []
    while isinstance(found, dict) and found:
        key, found = next(iter(cast("dict[str, Any]", found).items()))
        path.append(key)
    return tuple(path)
