"""What a measurement of recall is made of: documents to keep, and questions with answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.domain.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: A file of a corpus may have so many bytes: it is read whole.
MAX_BYTES = 200_000_000


_FORMATS = (
    "Formats: typed (a folder with items.jsonl and queries.jsonl), locomo, precisionmembench."
)


def not_a_corpus(**details: object) -> UsageError:
    """The error for a file that cannot be read as a corpus; it shows nothing of the file."""
    said = "That is not a corpus in a format that is known. Nothing was measured."
    return UsageError(said, hint=_FORMATS, details=details)


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """One statement of a corpus."""

    id: str
    #: canonical scope that it is kept in
    scope: str
    title: str
    body: str = ""
    kind: str = "note"
    tags: tuple[str, ...] = ()
    author: str = "author"
    #: session that it was said in; empty for a statement that stands alone
    session: str = ""
    #: UTC microseconds
    at: int = 0
    valid_from: int | None = None
    valid_to: int | None = None
    archived: bool = False
    pinned: bool = False
    #: id of the document that this one takes the place of
    replaces: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One query, and what is right."""

    id: str
    #: class or category that it is counted in
    kind: str
    text: str
    #: canonical scopes that it is asked in
    scopes: tuple[str, ...]
    #: UTC microseconds: the day on which it is asked
    now: int
    as_of: int | None = None
    valid_at: int | None = None
    #: id -> grade (2 answers, 1 helps); empty: nothing answers it
    relevant: Mapping[str, int] = field(default_factory=dict[str, int])
    #: whatever of these is found is a fault
    forbidden: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Corpus:
    """Documents and questions, with what a reader should know of them."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    #: whether a question without an answer is one: then saying nothing is right
    abstains: bool = True
    #: document -> larger unit (a conversation's session), where units are counted too
    units: Mapping[str, str] = field(default_factory=dict[str, str])


def read_json(path: Path) -> Any:
    """What a JSON file holds; raises `UsageError` where it is none or too large."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise not_a_corpus(file=path.name, limit_bytes=MAX_BYTES)
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise not_a_corpus(file=path.name) from error


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file; raises `UsageError` as `read_json` does."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise not_a_corpus(file=path.name, limit_bytes=MAX_BYTES)
        lines = path.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise not_a_corpus(file=path.name) from error


def read(where: str, form: str = "") -> Corpus:
    """The corpus at a path, in the named format or the one that it looks like."""
    from onrecord.evals import locomo, precisionmembench, typed  # noqa: PLC0415 - only one is used

    path = Path(where)
    readers = {"typed": typed, "locomo": locomo, "precisionmembench": precisionmembench}
    if form and form not in readers:
        raise not_a_corpus()
    if not path.exists():
        raise UsageError("There is no such path. Nothing was measured.", details={"path": where})
    for name, reader in readers.items():
        if form == name or (not form and reader.fits(path)):
            try:
                found: Corpus = reader.read(path)
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise not_a_corpus(format=name) from error
            if not (found.documents and found.questions):
                raise not_a_corpus(format=name)
            return found
    raise not_a_corpus()
