"""What ChatGPT remembered, out of the export of a person's data.

The export has no list of memories: the newest one that a conversation was begun with stands in
that conversation, what was remembered after it in calls of the tool for it, and the person's
own instructions beside both. The conversations themselves are not read in.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from onrecord.capture.formats import values
from onrecord.capture.formats.documents import whole_file
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.strict_json import value_of
from onrecord.domain.errors import BadField, NotFound

#: Bounds: bytes of one file, files of one export, levels of nesting.
MAX_FILE = 128 << 20
MAX_FILES = 500
_MAX_DEPTH = 64
#: Bytes of a file that are looked at.
_LOOKED_AT = 256 << 10

_Json = Mapping[str, object]

#: Seconds from 1970 that are taken for a time.
_LATEST = 1e11

#: content type of a message -> what it holds
_LIST = "model_editable_context"
_OWN = "user_editable_context"
#: The tool that remembers.
_TOOL = "bio"

#: field of a person's own instructions -> its kind, and what it is called
_FIELDS = {
    "user_profile": ("note", "about you"),
    "user_instructions": ("preference", "how to answer"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """One message that tells what is remembered."""

    at: float
    content: _Json
    sort: str
    #: file and number of the conversation
    where: str
    line: int


def records(origin: Origin) -> Records:
    """The newest list, what was remembered after it, and the newest own instructions."""
    found: list[_Found] = []
    for path, name in _files(origin.path):
        for number, row in _conversations(path):
            where = f"{name}#{number}"
            if row is None or not isinstance(row.get("mapping"), dict):
                yield Skipped(where=where, line=number, why="damaged")
                continue
            found += _told(row, where, number)
    yield from _of(sorted(found, key=lambda one: one.at))


def is_one(value: object) -> bool:
    """Whether the value of a file is a list of conversations."""
    rows = cast("list[object]", value) if isinstance(value, list) else []
    first = _fields(rows[0] if rows else None)
    return "mapping" in first and "current_node" in first


def files_of(folder: str) -> list[str]:
    """The files of conversations in an unpacked export, by name."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - plain strings
    except OSError:
        return []
    return sorted(
        name for name in names if name.startswith("conversations") and name.endswith(".json")
    )[:MAX_FILES]


def is_export(folder: str) -> bool:
    """Whether a folder is an unpacked export; its files are looked into, not read whole."""
    for name in files_of(folder)[:1]:
        path = os.path.join(folder, name)  # noqa: PTH118
        try:
            number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            plain = stat.S_ISREG(os.fstat(number).st_mode)
            return plain and b'"mapping"' in os.read(number, _LOOKED_AT)
        finally:
            os.close(number)
    return False


def _files(path: str) -> Iterator[tuple[str, str]]:
    if not os.path.isdir(path):  # noqa: PTH112 - plain strings
        yield path, os.path.basename(path)  # noqa: PTH119
        return
    names = files_of(path)
    if not names:
        raise NotFound("There is no conversations.json in that folder.", details={"path": path})
    for name in names:
        yield os.path.join(path, name), name  # noqa: PTH118


def _conversations(path: str) -> Iterator[tuple[int, _Json | None]]:
    try:
        whole = value_of(whole_file(path, MAX_FILE), max_depth=_MAX_DEPTH)
    except ValueError:
        raise BadField("A file of conversations is no JSON. Nothing was imported.") from None
    return values.objects(whole)


def _told(row: _Json, where: str, line: int) -> Iterator[_Found]:
    """The messages of a conversation that tell what is remembered, on all of its branches."""
    begun = _number(row.get("update_time")) or _number(row.get("create_time"))
    for node in _values(row.get("mapping")):
        message = _fields(node.get("message"))
        content = _fields(message.get("content"))
        at = _number(message.get("create_time")) or begun
        sort = str(content.get("content_type", ""))
        if sort in (_LIST, _OWN):
            yield _Found(at=begun, content=content, sort=sort, where=where, line=line)
        elif message.get("recipient") == _TOOL:
            yield _Found(at=at, content=content, sort=_TOOL, where=where, line=line)


def _of(found: list[_Found]) -> Iterator[Record]:
    lists = [one for one in found if one.sort == _LIST and _text(one, "model_set_context")]
    newest = lists[-1] if lists else None
    seen: set[str] = set()
    for text, day, one in [*_listed(newest), *_remembered(found, newest)]:
        if text not in seen:
            seen.add(text)
            yield Foreign(
                text=text,
                where=one.where,
                line=one.line,
                kind="fact",
                scope="global",
                claims=(("created", day),),
            )
    own = [one for one in found if one.sort == _OWN]
    for name, (kind, label) in _FIELDS.items() if own else ():
        text = _unfenced(_text(own[-1], name))
        if text:
            yield Foreign(
                text=text,
                where=own[-1].where,
                line=own[-1].line,
                kind=kind,
                scope="global",
                claims=(("instructions", label),),
            )


def _listed(found: _Found | None) -> Iterator[tuple[str, str, _Found]]:
    """The entries of a list, `1. [2026-01-02]. Words`, with the day that each names."""
    if found is None:
        return
    entries: list[list[str]] = []
    for line in _text(found, "model_set_context").split("\n"):
        number, _, rest = line.strip().partition(".")
        if number == str(len(entries) + 1):
            entries.append([rest])
        elif entries:
            entries[-1].append(line)
    for lines in entries:
        text, day = _entry("\n".join(lines))
        if text:
            yield text, day, found


def _entry(text: str) -> tuple[str, str]:
    text = text.strip()
    day, closed, rest = text.partition("]")
    if not (closed and day.startswith("[")):
        return text, ""
    return rest.lstrip(" .").strip(), day[1:].strip()


def _remembered(found: list[_Found], newest: _Found | None) -> Iterator[tuple[str, str, _Found]]:
    """What was remembered by call since the newest list."""
    for one in found:
        if one.sort != _TOOL or (newest is not None and one.at <= newest.at):
            continue
        parts = one.content.get("parts")
        texts = cast("list[object]", parts) if isinstance(parts, list) else [_text(one, "text")]
        for text in (part for part in texts if isinstance(part, str)):
            for line in text.split("\n"):
                if line.strip():
                    yield line.strip(), values.moment_of_ms(int(one.at * 1000)), one


def _unfenced(text: str) -> str:
    """A person's own words without what ChatGPT puts around them."""
    _, opened, rest = text.partition("```")
    inside, closed, _ = rest.partition("```")
    return (inside if opened and closed else text).strip()


def _text(found: _Found, name: str) -> str:
    value = found.content.get(name)
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < _LATEST else 0.0


def _fields(value: object) -> _Json:
    return cast("_Json", value) if isinstance(value, dict) else {}


def _values(value: object) -> Iterator[_Json]:
    for one in _fields(value).values():
        yield _fields(one)
