"""Our own folder of Markdown: one memory a file, its fields above its text."""

from __future__ import annotations

from onrecord.capture.formats.documents import Document, documents
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.frontmatter import fronted

#: The field that tells such a file, and its newest form.
MARK = "onrecord"
FORM = "1"


def records(origin: Origin) -> Records:
    """Every memory of the folder."""
    for found in documents(origin.path):
        yield found if isinstance(found, Skipped) else _memory(found)


def _memory(document: Document) -> Record:
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
    )
