"""basic-memory: Markdown notes with fields, `- [category] words` and `- relation [[note]]`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from onrecord.capture.formats.documents import Document, documents
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.frontmatter import Fronted, fronted

_KINDS = {
    "decision": "decision",
    "fact": "fact",
    "preference": "preference",
    "lesson": "lesson",
    "gotcha": "lesson",
    "problem": "lesson",
    "solution": "lesson",
    "todo": "task",
    "task": "task",
}

_MAX_TAG = 64
_MAX_TAGS = 32

#: Marks of a list of tasks, which are no categories.
_TICKS = ("", " ", "x", "X", "-")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Observed:
    category: str
    text: str


def records(origin: Origin) -> Records:
    """Observations and relations of every note, and its prose as one statement."""
    for found in documents(origin.path):
        if isinstance(found, Skipped):
            yield found
            continue
        top = fronted(found.text)
        if top.broken:
            yield Skipped(where=found.name, line=1, why="damaged")
            continue
        count = 0
        for one in _note(found, top):
            count += 1
            yield one
        if not count:
            yield Skipped(where=found.name, why="empty")


def _note(document: Document, top: Fronted) -> Iterator[Record]:
    name = top.word("title") or document.name.rpartition("/")[2].removesuffix(".md")
    tags = top.words("tags")
    claims = (("note", name), ("permalink", top.word("permalink")), ("type", top.word("type")))
    prose: list[str] = []
    fence = ""
    for number, line in enumerate(top.body.split("\n"), top.above + 1):
        fence, inside = _fence(fence, line)
        observed = None if inside else observation(line)
        related = None if inside else relation(line)
        if observed is None and related is None:
            prose.append(line)
            continue
        kind = _KINDS.get(observed.category.casefold(), "note") if observed else "fact"
        own = _tagged(observed.text) if observed else ()
        yield Foreign(
            text=observed.text if observed else f"{name} {related}",
            bare=_bare(observed.text) if observed else (),
            where=f"{document.name}:{number}",
            line=number,
            kind=kind,
            tags=_fitting((*tags, *own)),
            claims=(*claims, ("category", observed.category if observed else "relation")),
        )
    body = _prose(prose, name)
    if body:
        yield Foreign(
            title=name, text=body, where=document.name, line=1, tags=_fitting(tags), claims=claims
        )


def _fence(fence: str, line: str) -> tuple[str, bool]:
    """The fence that is open after this line, and whether the line is code or its edge."""
    start = line.strip()[:3]
    if fence:
        return ("" if start == fence else fence), True
    return (start, True) if start in ("```", "~~~") else ("", False)


def observation(line: str) -> _Observed | None:
    """`- [category] words`, unless it is a link or a box to tick."""
    text = line.strip()
    if not text.startswith("- ["):
        return None
    category, bracket, rest = text[3:].partition("]")
    plain = bracket and category not in _TICKS and "[" not in category
    if not plain or not rest.startswith(" ") or not rest.strip():
        return None
    return _Observed(category=category.strip(), text=rest.strip())


def relation(line: str) -> str | None:
    """`- relation [[Target]]` as words: `requires Target`."""
    text = line.strip()
    if not text.startswith("- ") or "[[" not in text:
        return None
    name, _, rest = text[2:].partition("[[")
    target, closed, after = rest.partition("]]")
    if not closed or not target.strip() or "[" in name:
        return None
    words = [name.strip().replace("_", " ") or "relates to", target.strip(), after.strip()]
    return " ".join(word for word in words if word)


def _tagged(text: str) -> tuple[str, ...]:
    """The words that are marked with #, without the mark."""
    return tuple(word[1:] for word in text.split() if word.startswith("#") and len(word) > 1)


def _bare(text: str) -> tuple[str, ...]:
    """The words without their tags, and without the context in brackets behind them."""
    plain = " ".join(word for word in text.split() if not word.startswith("#"))
    before, opened, context = plain.rpartition(" (")
    without = before if opened and context.endswith(")") else plain
    return tuple(dict.fromkeys(one for one in (plain, without) if one != text))


def _fitting(tags: tuple[str, ...]) -> tuple[str, ...]:
    short = [tag for tag in dict.fromkeys(tags) if len(tag) <= _MAX_TAG]
    return tuple(short[:_MAX_TAGS])


def _prose(lines: list[str], name: str) -> str:
    """What is neither, without the title and headings that have nothing under them left."""
    kept: list[str] = []
    for line in lines:
        heading = line.startswith("#") and line.lstrip("#").startswith(" ")
        if heading and line.lstrip("#").strip() == name:
            continue
        while heading and kept and (kept[-1].startswith("#") or not kept[-1].strip()):
            kept.pop()
        kept.append(line)
    while kept and (kept[-1].startswith("#") or not kept[-1].strip()):
        kept.pop()
    return "\n".join(kept).strip("\n")
