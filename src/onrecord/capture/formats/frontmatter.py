"""The block of fields above a Markdown text: YAML of plain values, without aliases or types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import yaml  # type: ignore[import-untyped,unused-ignore]

#: Longest block, in characters, and most values in it.
MAX_BLOCK = 16 << 10
_MAX_VALUES = 2_000

_NOTHING = ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fronted:
    """A text without its block, and the block's fields."""

    fields: Mapping[str, object]
    body: str
    #: lines that stand above the body
    above: int
    #: a block was there and could not be read
    broken: bool = False

    def word(self, *names: str) -> str:
        """The first of these fields that holds a value; `a.b` is a field inside of another."""
        for name in names:
            found: object = dict(self.fields)
            for part in name.split("."):
                found = _inside(found, part)
            if isinstance(found, str) and found not in _NOTHING:
                return found
        return ""

    def words(self, name: str) -> tuple[str, ...]:
        """A list of words, also where it is written with commas on one line."""
        found = self.fields.get(name)
        if isinstance(found, str):
            found = [] if found in _NOTHING else found.split(",")
        if not isinstance(found, Sequence):
            return ()
        plain = [one.strip() for one in cast("Sequence[object]", found) if isinstance(one, str)]
        return tuple(one for one in plain if one)


def fronted(text: str) -> Fronted:
    """A text with its block taken off, if it has one."""
    lines = text.split("\n")
    if not lines or lines[0].rstrip() != "---":
        return Fronted(fields={}, body=text, above=0)
    size = 0
    for number, line in enumerate(lines[1:], 1):
        size += len(line) + 1
        if size > MAX_BLOCK:
            break
        if line.rstrip() in ("---", "..."):
            block, body = "\n".join(lines[1:number]), "\n".join(lines[number + 1 :])
            fields = _fields(block)
            return Fronted(fields=fields or {}, body=body, above=number + 1, broken=fields is None)
    return Fronted(fields={}, body=text, above=0, broken=size > MAX_BLOCK)


def _inside(value: object, name: str) -> object:
    return cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None


def _fields(block: str) -> Mapping[str, object] | None:
    try:
        found = yaml.load(block, Loader=_Plain)  # noqa: S506 - makes strings, lists and maps alone
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return None
    if found in (None, ""):
        return {}
    if not isinstance(found, dict):
        return None
    fields = cast("dict[object, object]", found)
    return {key: value for key, value in fields.items() if isinstance(key, str)}


class _Plain(yaml.BaseLoader):  # type: ignore[misc,unused-ignore]
    """Every value a string, a list or a map; a name for a value used again is refused."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._values = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """One value; refuses aliases, whose unfolding has no bound, and very many values."""
        self._values += 1
        alias = cast("Any", self).check_event(yaml.AliasEvent)
        if alias or self._values > _MAX_VALUES:
            raise yaml.YAMLError
        return super().compose_node(parent, index)
