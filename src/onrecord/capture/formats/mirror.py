"""Our own folder of Markdown: one memory a file, its fields above its text."""

from __future__ import annotations

from dataclasses import replace

from onrecord.capture.formats.documents import Document, documents
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.frontmatter import fronted

#: The field that tells such a file, and its newest form.
MARK = "onrecord"
FORM = "1"

_MAX_DIGITS = 9


def records(origin: Origin) -> Records:
    """Every memory of the folder."""
    for found in documents(origin.path):
        yield found if isinstance(found, Skipped) else memory_of(found)


def same_words(one: Foreign, other: Foreign) -> bool:
    """Whether two files say the same: all that an import reads, wherever it came from.

    What says nothing of when it holds leaves that to the other.
    """
    bare = replace(
        one,
        where=other.where,
        author=other.author,
        claims=other.claims,
        shows=other.shows,
        version=other.version,
        valid_from=one.valid_from or other.valid_from,
        valid_to=one.valid_to or other.valid_to,
        expires_at=one.expires_at or other.expires_at,
    )
    return bare == other


def memory_of(document: Document) -> Record:
    """The memory that a file of the folder shows."""
    top = fronted(document.text)
    if top.broken or top.word(MARK) != FORM or not top.body.startswith("# "):
        return Skipped(where=document.name, line=1, why="damaged")
    heading, _, body = top.body.partition("\n")
    return Foreign(
        title=heading[2:].strip(),
        text=body.removeprefix("\n").removesuffix("\n"),
        where=document.name,
        line=1,
        kind=top.word("kind") or "note",
        key=top.word("key"),
        tags=top.words("tags"),
        links=top.words("links"),
        scope=top.word("scope"),
        summary=top.word("summary"),
        prompted_by=top.word("prompted_by"),
        valid_from=top.word("valid_from"),
        valid_to=top.word("valid_to"),
        expires_at=top.word("expires_at"),
        author=top.word("author"),
        claims=(("id", top.word("id")), ("recorded", top.word("recorded_at"))),
        shows=top.word("id"),
        version=_version(top.word("version")),
    )


def _version(word: str) -> int:
    return int(word) if word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS else 0
