"""Markdown that people and agents keep for agents: CLAUDE.md, AGENTS.md, GEMINI.md, MEMORY.md.

A folder is read whole, with the topic files of an agent's own memory. A file with a block of
fields that names and describes it is one statement; any other gives one for each item of a list
and each paragraph.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from onrecord.capture.formats.documents import Document, documents
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.frontmatter import Fronted, fronted
from onrecord.capture.formats.sections import Statement, statements

#: What an agent's own memory calls its files, and what they are here.
_KINDS = {
    "user": "preference",
    "feedback": "preference",
    "project": "fact",
    "reference": "note",
    "decision": "decision",
    "lesson": "lesson",
}

#: Folders in a user's own folder that hold what agents read everywhere.
_EVERYWHERE = (".claude", ".codex", ".gemini", ".config/opencode", ".copilot")

_MAX_TAG = 64

#: What may follow a link on a line that says nothing else, and what code stands between.
_ENDS = " .,:;"
_FENCES = ("```", "~~~")

#: Folders of Codex' memory that hold what it was made from.
_RAW = ("rollout_summaries/", "raw_memories", "skills/")


def records(origin: Origin) -> Records:
    """What the file or the folder says."""
    scope = _scope(origin)
    for found in documents(origin.path):
        if isinstance(found, Skipped):
            yield found
        elif found.name.startswith(_RAW):
            yield Skipped(where=found.name, why="raw")
        else:
            yield from _of(found, scope)


def _scope(origin: Origin) -> str:
    """Global for the files of a user's own folder, which agents read everywhere."""
    folder = os.path.dirname(os.path.abspath(origin.path))  # noqa: PTH100,PTH120 - plain strings
    everywhere = [os.path.join(origin.home, name) for name in _EVERYWHERE]  # noqa: PTH118
    return "global" if origin.home and folder in everywhere else ""


def _of(document: Document, scope: str) -> Iterator[Record]:
    top = fronted(document.text)
    if top.broken:
        yield Skipped(where=document.name, line=1, why="damaged")
        return
    if top.word("name", "title") and top.word("description", "type", "metadata.type"):
        yield _topic(document, top, scope)
        return
    count = 0
    for one in statements(top.body):
        count += 1
        yield from _parts(one, document.name, one.line + top.above, scope)
    if not count:
        yield Skipped(where=document.name, why="empty")


def _topic(document: Document, top: Fronted, scope: str) -> Record:
    """A file of an agent's own memory: one statement, described by its fields."""
    body = top.body.strip()
    if not body:
        return Skipped(where=document.name, line=1, why="empty")
    title = top.word("description", "name", "title")
    return Foreign(
        title=title,
        text="" if body == title else body,
        where=document.name,
        line=1,
        kind=_KINDS.get(top.word("metadata.type", "type"), "note"),
        tags=top.words("tags"),
        scope=scope,
        claims=(
            ("name", top.word("name")),
            ("session", top.word("metadata.originSessionId", "originSessionId")),
        ),
    )


def _parts(one: Statement, name: str, line: int, scope: str) -> Iterator[Record]:
    """A statement without the lines that only name another file, and these lines."""
    if _is_index(one.text):
        yield Skipped(where=f"{name}:{line}", line=line, why="pointer")
        return
    kept: list[str] = []
    first, in_code = line, False
    for at, text in enumerate(one.text.split("\n"), line):
        in_code ^= text.lstrip().startswith(_FENCES)
        if not in_code and _is_pointer(text.strip()):
            yield Skipped(where=f"{name}:{at}", line=at, why="pointer")
            first = at + 1 if not kept else first
        elif text.strip() or kept:
            kept.append(text)
    if kept:
        yield _statement("\n".join(kept).strip(), one.headings, name, first, scope)


def _statement(text: str, headings: tuple[str, ...], name: str, line: int, scope: str) -> Foreign:
    under = headings[-1:]
    return Foreign(
        text=text,
        where=f"{name}:{line}",
        line=line,
        tags=tuple(heading for heading in under if len(heading) <= _MAX_TAG),
        scope=scope,
        claims=(("under", " › ".join(headings)),),
    )


def _is_pointer(line: str) -> bool:
    """Whether a line is no more than the name of another file: an `@path`, or a link to one."""
    if line.startswith("@") and len(line) > 1 and len(line.split()) == 1:
        return True
    label, target, after = _link(line)
    return bool(label) and _is_local(target) and not after.strip(_ENDS)


def _is_index(text: str) -> bool:
    """Whether a text is a line of an index: a link to another file, and what that is about."""
    label, target, after = _link(text)
    begins = after.partition("\n")[0]
    return bool(label) and _is_local(target) and bool(begins.strip(_ENDS))


def _link(text: str) -> tuple[str, str, str]:
    """(words, target, what follows) of a link that a text begins with; empty where it does not."""
    label, bracket, rest = text.partition("](")
    target, closed, after = rest.partition(")")
    is_one = bracket and closed and label.startswith("[") and "\n" not in label + target
    return (label, target, after) if is_one else ("", "", "")


def _is_local(target: str) -> bool:
    return "://" not in target and target.partition("#")[0].endswith(".md")
