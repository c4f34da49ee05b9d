"""One item of a file of memories: every field that is known has to be what it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from onrecord.capture.formats.strict_json import Json
from onrecord.domain import time, ulid
from onrecord.domain.errors import BadScope, OnrecordError, SecretName
from onrecord.domain.item import MAX_LINKS, Content
from onrecord.domain.scope import Place
from onrecord.domain.status import STATUSES
from onrecord.policy import shape
from onrecord.policy.redact import shortened
from onrecord.policy.shape import Problem
from onrecord.service.commands import Claim
from onrecord.service.naming import parse_scope, require_plain

_MAX_TIME = 40
_MAX_AUTHOR = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One item of a file, as it says it is."""

    #: where it stands in the file, 2 for the first
    line: int
    #: its id where it comes from; here it gets another one
    id: str
    scope: str
    kind: str
    key: str
    status: str
    content: Content
    expires_at: int | None
    #: who wrote it there
    author: str
    evidence: tuple[Claim, ...]
    #: files and URLs that it is about
    links: tuple[str, ...]
    #: where it stands in a source of another tool, and what that tool claims of it
    where: str = ""
    told: str = ""
    #: when its words were written; None where that is not known
    said_at: int | None = None
    #: its words without what their source put around them
    bare: tuple[str, ...] = ()
    #: id of the memory of ours that its file shows, and which version of it
    shows: str = ""
    version: int = 0


class WrongFieldError(Exception):
    """A field that is missing, of another type or outside its limit; it holds no text of it."""

    def __init__(self, field: str, say: str = "") -> None:
        super().__init__(field)
        self.field = field
        self.say = say or f"`{field}` is missing or not what it should be."


def entry_of(line: Json, number: int, place: Place) -> Entry:
    """The item of a line; raises `WrongFieldError` for the first field that does not fit."""
    try:
        entry = _read(line, number, place)
    except (BadScope, SecretName) as error:
        raise WrongFieldError(str(error.details.get("field", "scope")), error.message) from None
    problem = _problem_in(entry)
    if problem is not None:
        raise WrongFieldError(problem.field, problem.say)
    return entry


def _read(line: Json, number: int, place: Place) -> Entry:
    status = _text(line, "status", "proposed")
    if status not in STATUSES:
        raise WrongFieldError("status")
    return Entry(
        line=number,
        id=_id(line),
        scope=parse_scope(_text(line, "scope"), place) if line.get("scope") else "",
        kind=_text(line, "kind", "note"),
        key=require_plain(_text(line, "key"), "key"),
        status=status,
        content=Content(
            title=_text(line, "title"),
            body=_text(line, "body"),
            summary=_text(line, "summary"),
            tags=tuple(_words(line, "tags")),
            valid_from=_moment(line, "valid_from"),
            valid_to=_moment(line, "valid_to"),
            prompted_by=_text(line, "prompted_by"),
        ),
        expires_at=_moment(line, "expires_at"),
        author=_author(line),
        evidence=tuple(_claims(line)),
        links=tuple(_links(line))[:MAX_LINKS],
        said_at=_moment(line, "recorded_at"),
    )


def _text(line: Json, field: str, default: str = "") -> str:
    found = line.get(field)
    if found is None:
        return default
    if not isinstance(found, str):
        raise WrongFieldError(field)
    return found


def _words(line: Json, field: str) -> list[str]:
    found = _list(line, field)
    if not all(isinstance(one, str) for one in found):
        raise WrongFieldError(field)
    return cast("list[str]", found)


def _list(line: Json, field: str) -> list[object]:
    found = line.get(field)
    if found is None:
        return []
    if not isinstance(found, list):
        raise WrongFieldError(field)
    return cast("list[object]", found)


def _objects(line: Json, field: str) -> list[Json]:
    found = _list(line, field)
    if not all(isinstance(one, dict) for one in found):
        raise WrongFieldError(field)
    return cast("list[Json]", found)


def _moment(line: Json, field: str) -> int | None:
    found = _text(line, field)
    if not found:
        return None
    if len(found) > _MAX_TIME:
        raise WrongFieldError(field)
    try:
        return time.from_iso(found)
    except (OnrecordError, OverflowError):
        raise WrongFieldError(field) from None


def _id(line: Json) -> str:
    found = _text(line, "id")
    return found if ulid.is_ulid(found) else ""


def _author(line: Json) -> str:
    by = line.get("author")
    if by is None:
        return ""
    if not isinstance(by, dict):
        raise WrongFieldError("author")
    told = cast("Json", by)
    return shortened(_text(told, "agent") or _text(told, "user"), _MAX_AUTHOR)


def _claims(line: Json) -> Iterator[Claim]:
    for one in _objects(line, "evidence"):
        yield Claim(
            kind=_text(one, "kind"),
            pointer=_text(one, "pointer"),
            quote=_text(one, "quote"),
            author=_text(one, "author"),
        )


def _links(line: Json) -> Iterator[str]:
    """Files and URLs; ids of items mean nothing outside of the store that they come from."""
    for one in _objects(line, "links"):
        if _text(one, "kind") in ("file", "url"):
            yield _text(one, "target")


def _problem_in(entry: Entry) -> Problem | None:
    for claim in entry.evidence:
        problem = shape.evidence_problem(claim.kind, claim.pointer, claim.quote, claim.author)
        if problem is not None:
            return problem
    return (
        shape.problem_in(entry.content)
        or shape.kind_problem(entry.kind)
        or shape.key_problem(entry.key)
        or shape.links_problem(entry.links)
        or shape.author_problem(entry.author)
    )
