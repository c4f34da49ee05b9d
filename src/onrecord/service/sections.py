"""Sections of a project's files as statements: their addresses, titles, and how much is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from onrecord.capture import file_sections
from onrecord.capture.file_sections import Section
from onrecord.capture.project_files import Found
from onrecord.domain.item import MAX_TITLE, Content
from onrecord.domain.limits import FILE_KEY
from onrecord.policy import redact, screen
from onrecord.service.commands import Claim, TakeSection

#: Characters of a section that are kept; the rest stands in the file.
MAX_TEXT = 4_000

#: Characters of an address's parts; longer ones end in a digest.
_PATH, _SLUG = 110, 70


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One section as it is put to the gateway."""

    command: TakeSection
    #: its first line in the file
    line: int


def address(path: str) -> str:
    """The part of an address that names a file; a path that holds a secret is not shown."""
    named = FILE_KEY + _fitted(path.replace("%", "%25").replace("#", "%23"), _PATH)
    clean = redact.redact(named).text
    return named if clean == named else f"{FILE_KEY}~{_digest(path)}"


def file_part(key: str) -> str:
    """The part of a whole address that names its file."""
    return key.partition("#")[0]


def path_in(part: str) -> str:
    """The path that an address names, as far as it holds it."""
    return part.removeprefix(FILE_KEY).replace("%23", "#").replace("%25", "%")


def parts_of(found: Found, text: str, *, commit: str) -> list[Part]:
    """What a file says, in order; nothing for a decision record that is not in force."""
    if found.whole and not file_sections.in_force(text):
        return []
    taken: set[str] = set()
    parts: list[Part] = []
    for section in file_sections.sections(text, whole=found.whole):
        slug = "" if found.whole else _slug(section)
        key = next(k for k in _keys(address(found.path), slug) if k not in taken)
        taken.add(key)
        command = TakeSection(
            key=key,
            content=_content(found, section),
            kind=found.kind,
            evidence=(Claim(kind="file", pointer=_pointer(found.path, section.line, commit)),),
        )
        parts.append(Part(command=command, line=section.line))
    return parts


def _keys(file: str, slug: str) -> Iterator[str]:
    """The address of a section, and those of further ones under the same heading, in order."""
    for number in count(1):
        key = f"{file}#{slug}" if number == 1 else f"{file}#{slug}-{number}"
        # what a redaction would change later could not be found again
        yield key if redact.redact(key).text == key else f"{file}#~{_digest(key)}"


def _pointer(path: str, line: int, commit: str) -> str:
    return f"{path}@{commit}:{line}" if commit else f"{path}:{line}"


def _slug(section: Section) -> str:
    """A section's name in its address; secrets never stand in one."""
    names = [*section.above[1:], section.heading] if section.above else [section.heading]
    made = "/".join(_words(redact.redact(name).text) for name in names if name)
    return _fitted(made, _SLUG)


def _words(heading: str) -> str:
    kept = "".join(char if char.isalnum() else " " for char in heading.casefold())
    return "-".join(kept.split())


def _fitted(text: str, limit: int) -> str:
    """A text, or its beginning and a digest of the whole; in bytes, as an index counts."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= limit:
        return text
    return f"{raw[: limit - 13].decode('utf-8', 'ignore')}~{_digest(text)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def _content(found: Found, section: Section) -> Content:
    name = found.path.rpartition("/")[2]
    shown = section.heading
    title = shown or f"{name}, line {section.line}"
    lead: Sequence[str] = ()
    if screen.title_problem(title) is not None:
        # what it hides is shown in the body, where a person reviews it
        title, lead = f"{name}, line {section.line}", (shown,)
    elif len(title) > MAX_TITLE:
        title, lead = f"{redact.shortened(title, MAX_TITLE - 1)}…", (shown,)
    body = "\n\n".join([*lead, section.text]) if section.text else "\n".join(lead)
    return Content(title=title, body=_cut(body, found.path, section.line))


def _cut(body: str, path: str, line: int) -> str:
    if len(body) <= MAX_TEXT:
        return body
    kept, more = redact.within(body, MAX_TEXT)
    whole = len(kept) + more
    kept = kept[: kept.rfind("\n")] if kept.rfind("\n") > MAX_TEXT // 2 else kept
    fence = "\n```" if kept.count("\n```") % 2 else ""
    return f"{kept}{fence}\n\n[cut: {whole - len(kept)} more characters in {path}:{line}]"
