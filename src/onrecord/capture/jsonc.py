"""JSON with comments and trailing commas, read so that every value keeps its place in the text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onrecord.domain.errors import ConfigInvalid

#: Deepest nesting that is read.
MAX_DEPTH = 200

#: What may stand between values, comments apart.
WHITE = " \t\r\n"

#: A JSON value as the json module gives it.
Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

_GAP = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_STRING = re.compile(
    r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"', re.ASCII
)
_SCALAR = re.compile(
    r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.])"
)


_COMMENT = re.compile(rf"({_STRING.pattern})|//[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/", re.ASCII)


@dataclass(kw_only=True, slots=True)
class Node:
    """One value in the text."""

    #: `{`, `[` or an empty string for a scalar
    kind: str
    start: int
    end: int
    entries: tuple[Entry, ...] = ()


@dataclass(kw_only=True, slots=True)
class Entry:
    """One member of an object or element of an array."""

    #: empty for an element
    key: str
    #: where the key, or the element, begins
    start: int
    value: Node
    #: where the comma after it stands, or -1
    comma: int


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0

    def skip(self) -> None:
        match = _GAP.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def fail(self) -> ConfigInvalid:
        line = self.text.count("\n", 0, self.at) + 1
        return ConfigInvalid(details={"line": line})

    def token(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self.fail()
        self.at = match.end()
        return match.group()

    def value(self, depth: int) -> Node:
        start = self.at
        opening = self.text[start : start + 1]
        if opening in ("{", "["):
            if depth >= MAX_DEPTH:
                raise self.fail()
            self.at += 1
            entries = self.entries(opening, depth + 1)
            return Node(kind=opening, start=start, end=self.at, entries=entries)
        self.token(_STRING if opening == '"' else _SCALAR)
        return Node(kind="", start=start, end=self.at)

    def entries(self, opening: str, depth: int) -> tuple[Entry, ...]:
        closing = "}" if opening == "{" else "]"
        found: list[Entry] = []
        self.skip()
        while self.text[self.at : self.at + 1] != closing:
            if found and found[-1].comma < 0:
                raise self.fail()
            start = self.at
            key = self.key() if opening == "{" else ""
            value = self.value(depth)
            self.skip()
            comma = self.at if self.text[self.at : self.at + 1] == "," else -1
            self.at += comma >= 0
            self.skip()
            found.append(Entry(key=key, start=start, value=value, comma=comma))
        self.at += 1
        return tuple(found)

    def key(self) -> str:
        key: str = json.loads(self.token(_STRING))
        self.skip()
        if self.text[self.at : self.at + 1] != ":":
            raise self.fail()
        self.at += 1
        self.skip()
        return key


def read(text: str) -> Node | None:
    """The object that the text holds; None for a blank text.

    Comments and trailing commas are allowed. Raises `ConfigInvalid` (`config.invalid`) with
    the line in its details for anything that is not one JSON object.
    """
    if not text.strip(WHITE + "\ufeff"):
        return None
    reader = _Reader(text, at=1 if text.startswith("\ufeff") else 0)
    reader.skip()
    root = reader.value(0)
    reader.skip()
    if reader.at != len(text) or root.kind != "{":
        raise reader.fail()
    return root


def without_comments(text: str) -> str:
    """The text with a space in place of each comment; commas stay as they are."""
    return _COMMENT.sub(lambda found: found[1] or " ", text)


def value_of(text: str, node: Node) -> Json:
    """The node's value; of members with one name the last counts."""
    if node.kind == "{":
        return {entry.key: value_of(text, entry.value) for entry in node.entries}
    if node.kind == "[":
        return [value_of(text, entry.value) for entry in node.entries]
    value: Json = json.loads(text[node.start : node.end])
    return value


def member(node: Node | None, key: str) -> Entry | None:
    """The object's member of that name; the last one where a name stands twice."""
    found = [entry for entry in node.entries if entry.key == key] if node else []
    return found[-1] if found and node and node.kind == "{" else None


def follow(node: Node | None, path: Sequence[str]) -> Node | None:
    """The value at a path of member names, or None."""
    for key in path:
        entry = member(node, key)
        node = entry.value if entry else None
    return node
