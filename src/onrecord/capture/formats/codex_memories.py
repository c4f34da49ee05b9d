"""What Codex keeps of its own runs: a handbook in task groups, and a summary of it.

The handbook has bullets under headings that say what they are; files of runs, key words and
the index of the summary only lead to it and are passed over. Both forms of the handbook are
read: blocks that begin with `# Task Group:`, and older ones that begin with a list of fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from onrecord.capture.formats.documents import Document, documents
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.sections import Statement, statements

HANDBOOK = "MEMORY.md"
SUMMARY = "memory_summary.md"
GROUP = "# Task Group:"
FIELDS = "rollout_summary_files:"

#: heading -> what stands under it
_KINDS = {
    "user preferences": "preference",
    "reusable knowledge": "fact",
    "failures and how to do differently": "lesson",
}
#: Headings over what only leads to something.
_INDEX = ("rollout_summary_files", "keywords", "what's in memory")
_NAMED = ("scope:", "applies_to:")
_MARKS = ("[Task ", "[ad-hoc note]")
_MAX_TAG = 64


@dataclass(kw_only=True, slots=True)
class _Group:
    """What a block says of all that stands in it."""

    name: str = ""
    folder: str = ""
    days: set[str] = field(default_factory=set[str])


def records(origin: Origin) -> Records:
    """The bullets and paragraphs of the handbook and of its summary."""
    for found in documents(origin.path):
        if isinstance(found, Skipped):
            yield found
        elif found.name not in (HANDBOOK, SUMMARY):
            yield Skipped(where=found.name, why="raw")
        else:
            yield from _of(found)


def is_one(document: Document) -> bool:
    """Whether a text is a handbook or a summary of Codex."""
    if document.name == SUMMARY:
        return document.text.startswith("v1\n") or "## User Profile" in document.text
    return document.name == HANDBOOK and any(
        line.startswith((GROUP, FIELDS)) for line in document.text.split("\n")
    )


def _of(document: Document) -> Iterator[Record]:
    text = _plain(document.text)
    groups = _groups(text)
    count = 0
    for one in statements(text):
        under = one.headings[-1].casefold() if one.headings else ""
        if under in _INDEX:
            continue
        if one.text.startswith(_NAMED) or one.text.strip() == "v1":
            continue
        count += 1
        yield _statement(one, document.name, under, groups.get(_group_of(one), _Group()))
    if not count:
        yield Skipped(where=document.name, why="empty")


def _group_of(one: Statement) -> str:
    return one.headings[0] if one.headings else ""


def _statement(one: Statement, name: str, under: str, group: _Group) -> Record:
    text = _unmarked(one.text)
    if not text:
        return Skipped(where=f"{name}:{one.line}", line=one.line, why="empty")
    project = group.folder.rstrip("/").rpartition("/")[2] if group.folder else ""
    title = group.name.strip()
    return Foreign(
        text=text,
        where=f"{name}:{one.line}",
        line=one.line,
        kind=_KINDS.get(under, "note"),
        project=project,
        scope="" if project else "global",
        tags=(title,) if 0 < len(title) <= _MAX_TAG else (),
        claims=(
            ("under", " › ".join(one.headings)),
            ("updated", next(iter(group.days)) if len(group.days) == 1 else ""),
        ),
    )


def _unmarked(text: str) -> str:
    """A bullet without the tasks that it names at its end."""
    text = text.strip()
    while text.endswith("]"):
        at = text.rfind("[")
        if at < 0 or not text[at:].startswith(_MARKS):
            break
        text = text[:at].rstrip()
    return text


def _groups(text: str) -> dict[str, _Group]:
    """Heading of a block -> what it says of all of it."""
    groups: dict[str, _Group] = {}
    now = _Group()
    for line in text.split("\n"):
        if line.startswith("# "):
            heading = line[2:].strip()
            now = groups.setdefault(heading, _Group())
            now.name = heading.removeprefix(GROUP[2:]).strip()
        elif line.startswith("applies_to:"):
            now.folder = _folder(line.partition("cwd=")[2].partition(";")[0])
        elif "updated_at=" in line:
            now.days.add(line.partition("updated_at=")[2][:10])
            now.folder = now.folder or _folder(line.partition("cwd=")[2].partition(",")[0])
    return groups


def _folder(told: str) -> str:
    """A folder's path; empty for words about several."""
    told = told.strip(" `)")
    return told if told.startswith("/") and not set(told) & set(" *") else ""


def _plain(text: str) -> str:
    """A handbook with the fields of older blocks as headings, on as many lines as before."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        inside = [lines[at].strip(), *lines[at + 1 : at + 2]]
        if inside[0] == "---" and len(inside) > 1 and inside[1].startswith(FIELDS):
            end = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == "---"), at)
            told = lines[at : end + 1]
            lines[at : end + 1] = [f"# {_description(told)}", *map(_as_comment, told[1:])]
            at = end
        at += 1
    return "\n".join(lines)


def _description(lines: list[str]) -> str:
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("description:")]
    return found[0] if found else ""


def _as_comment(line: str) -> str:
    """A field's line as one that is no statement; it still tells where and when."""
    return f"<!-- {line} -->" if "updated_at=" in line else ""
