"""A memory as a form for an editor: a small header, a line of dashes, the body."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace

from onrecord.domain.errors import UsageError
from onrecord.domain.item import Content, Item
from onrecord.domain.status import KINDS
from onrecord.doors.cli.rendering import short
from onrecord.doors.cli.text import one_line

#: Lines of the header that start like this are remarks of ours.
_REMARK = "<!-- onrecord: "
_DASHES = "---"
_FIELDS = ("title", "kind", "tags")


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """What a form says a memory is to be."""

    content: Content
    kind: str


def shown(item: Item) -> str:
    """The form of a memory as it is."""
    content = item.content
    lines = [
        f"{_REMARK}m:{short(item.id)}, version {item.version}, in {item.scope} -->",
        f"title: {one_line(content.title)}",
        f"kind: {item.kind}",
        f"tags: {_joined(content.tags)}",
        _DASHES,
        content.body.strip("\n"),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def read(text: str, item: Item) -> Form:
    """What was made of the form of a memory; what stands in no field of it is kept.

    Raises `UsageError` naming the line where it is no such form any more.
    """
    fields: dict[str, str] = {}
    lines = text.lstrip("\ufeff").splitlines()
    for number, line in enumerate(lines, 1):
        if line.rstrip() == _DASHES:
            body = "\n".join(lines[number:]).strip("\n")
            return _form(fields, body, item)
        if line.startswith(_REMARK) or not line.strip():
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if not colon or name not in _FIELDS or name in fields:
            raise _unreadable(f"Line {number} of the form is none of: {', '.join(_FIELDS)}.")
        fields[name] = value.strip()
    raise _unreadable(f"The line of dashes ({_DASHES}) before the body is missing.")


def _form(fields: dict[str, str], body: str, item: Item) -> Form:
    content = item.content
    kind = fields.get("kind", item.kind)
    if kind not in KINDS:
        raise _unreadable(f"There is no such kind; there are {', '.join(KINDS)}.")
    tags = content.tags
    if "tags" in fields and fields["tags"] != _joined(content.tags).strip():
        tags = tuple(tag for part in fields["tags"].split(",") if (tag := part.strip()))
    # an editor may add or take line ends, which is no change of what it says
    same = _even(body) == _even(content.body)
    title = fields.get("title", content.title)
    changed = replace(
        content,
        title=content.title if title == one_line(content.title).strip() else title,
        body=content.body if same else body,
        tags=tags,
    )
    return Form(content=changed, kind=kind)


def _joined(tags: tuple[str, ...]) -> str:
    return ", ".join(map(one_line, tags))


def _even(text: str) -> str:
    """A text with one kind of line end, and none around it."""
    return "\n".join(text.splitlines()).strip("\n")


def _unreadable(what: str) -> UsageError:
    return UsageError(f"{what} Nothing was changed.")


def kept(text: str) -> str:
    """Keep an edited text in a file of the person's own; returns its path."""
    number, path = tempfile.mkstemp(prefix="onrecord-edit-", suffix=".md")
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(text)
    return path
