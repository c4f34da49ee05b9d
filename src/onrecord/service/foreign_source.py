"""What another tool kept, as entries that can be proposed: its claims kept, its standing not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onrecord.capture.formats.foreign import MAX_RECORDS, MAX_TEXT, Foreign, Origin, Skipped
from onrecord.capture.formats.recognition import FORMATS, OURS, READERS, recognise
from onrecord.domain import time, ulid
from onrecord.domain.errors import BadField, BadScope, OnrecordError, SecretName
from onrecord.domain.item import (
    MAX_KEY,
    MAX_LINKS,
    MAX_SUMMARY,
    MAX_TAG,
    MAX_TAGS,
    MAX_TITLE,
    Content,
    split,
)
from onrecord.domain.scope import Place
from onrecord.domain.status import KINDS
from onrecord.policy import shape
from onrecord.policy.redact import shortened
from onrecord.service.entries import Entry
from onrecord.service.naming import parse_scope

__all__ = ["FORMATS", "OURS", "ForeignSource", "Origin", "entry_of", "recognise"]

_MAX_AUTHOR = 100
#: Characters of what a tool claims of a statement.
_MAX_TOLD = 1_000
_MAX_PROMPT = 500


class ForeignSource:
    """A file or folder of another tool, read whole before anything is proposed."""

    def __init__(self, form: str, origin: Origin, name: str, place: Place) -> None:
        """`form` is one of `recognition.READERS`; `name` is what its items rest on."""
        self._form, self._origin, self._place = form, origin, place
        self.name = f"{form}:{name}"
        self._found: list[Foreign] | None = None
        self._skipped: list[Skipped] = []

    def check(self) -> int:
        """Read all of it and say how many statements it has.

        Raises `BadField`, `NotFound` or `UsageError` where it is not of that format, and past
        MAX_RECORDS or MAX_TEXT. What is damaged inside of it is skipped.
        """
        if self._found is None:
            self._found = self._read()
        return len(self._found)

    def _read(self) -> list[Foreign]:
        found: list[Foreign] = []
        size = 0
        for one in READERS[self._form](self._origin):
            if isinstance(one, Skipped):
                self._skipped.append(one)
                continue
            found.append(one)
            size += len(one.text) + len(one.title)
            if len(found) > MAX_RECORDS:
                raise BadField(
                    f"It holds more than {MAX_RECORDS:,} memories. Nothing was imported."
                )
            if size > MAX_TEXT:
                raise BadField(
                    f"It holds more than {MAX_TEXT:,} characters. Nothing was imported."
                )
        return found

    def skipped(self) -> Sequence[Skipped]:
        """What is no statement or cannot be read, in the order of the source."""
        self.check()
        return self._skipped

    def entries(self) -> Iterator[Entry]:
        """The statements, in the order of the source."""
        self.check()
        for one in self._found or []:
            yield entry_of(one, self._place)


def entry_of(one: Foreign, place: Place) -> Entry:
    """A statement of another tool as one of a file: what fits no field is left out."""
    title, body = _title_and_body(one)
    start, end = _moment(one.valid_from), _moment(one.valid_to)
    return Entry(
        line=one.line,
        where=one.where,
        told=shortened(one.told(), _MAX_TOLD),
        id="",
        scope=_scope(one, place),
        kind=one.kind if one.kind in KINDS else "note",
        key=one.key if len(one.key) <= MAX_KEY else "",
        status="proposed",
        content=Content(
            title=title,
            body=body,
            summary=one.summary if len(one.summary) <= MAX_SUMMARY else "",
            tags=_tags(one.tags),
            valid_from=start,
            valid_to=end if start is None or end is None or end > start else None,
            prompted_by=shortened(" ".join(one.prompted_by.split()), _MAX_PROMPT),
        ),
        expires_at=_moment(one.expires_at),
        author=shortened(" ".join(one.author.split()), _MAX_AUTHOR),
        evidence=(),
        said_at=_said(one),
        bare=one.bare,
        shows=one.shows if ulid.is_ulid(one.shows) else "",
        version=one.version,
        links=tuple(link for link in one.links if not shape.links_problem((link,)))[:MAX_LINKS],
    )


def _said(one: Foreign) -> int | None:
    """When its words were written; a day without an hour is taken at its middle."""
    found = _moment(one.said())
    is_day = len(one.said().strip()) == len("2026-01-02")
    return found + 12 * time.HOUR if found is not None and is_day else found


def _title_and_body(one: Foreign) -> tuple[str, str]:
    if not one.title.strip():
        return split(one.text)
    title = " ".join(one.title.split())
    if len(title) <= MAX_TITLE:
        return title, one.text
    short, whole = split(title)
    return short, f"{whole}\n\n{one.text}".rstrip()


def _tags(tags: Sequence[str]) -> tuple[str, ...]:
    fitting = [" ".join(tag.split()) for tag in tags if tag.strip() and len(tag) <= MAX_TAG]
    return tuple(dict.fromkeys(fitting))[:MAX_TAGS]


def _scope(one: Foreign, place: Place) -> str:
    """Where it goes: what the tool says, as far as that is a scope here.

    A project that is called as the repository where the caller stands is that repository.
    """
    given = one.scope
    if not given and one.project:
        here = place.repo or ""
        same = here.rpartition("/")[2].casefold() == one.project.casefold()
        given = here if same else f"project:{one.project}"
    try:
        return parse_scope(given, place) if given else ""
    except (BadScope, SecretName):
        return ""


def _moment(text: str) -> int | None:
    try:
        return time.from_iso(text) if text else None
    except (OnrecordError, OverflowError):
        return None
