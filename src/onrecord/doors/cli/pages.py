"""An export as a page for people: nothing in a memory acts as Markdown of the page."""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.domain.plural import counted
from onrecord.domain.status import REMINDER
from onrecord.doors.cli.reminder_lines import occasion
from onrecord.doors.cli.rendering import short, when, who
from onrecord.doors.cli.text import printable
from onrecord.service.exports import Export, Exported
from onrecord.service.reminders import shown

#: Characters that mean something in Markdown or HTML.
_MARKUP = "\\`*_[]<>#|~&"


def memories(export: Export) -> Iterator[str]:
    """The page, piece by piece, one scope after another."""
    places = ", ".join(export.scopes) if export.scopes is not None else "everywhere"
    yield f"# Memories\n\nExported {when(export.at)} UTC: {counted(export.total, 'memory')},"
    yield f" {' and '.join(export.statuses)}, from {escaped(places)}.\n"
    if export.as_of is not None:
        yield f"\nAs believed on {when(export.as_of)} UTC; {export.erased} were erased since.\n"
    if export.valid_at is not None:
        yield f"\nAs true on {when(export.valid_at)} UTC.\n"
    by_scope: dict[str, list[str]] = {}
    for one in export.items:
        by_scope.setdefault(one.item.scope, []).append(_memory(one, export.at))
    for scope, texts in sorted(by_scope.items()):
        yield f"\n## {escaped(scope)}\n"
        yield from texts


def _memory(of: Exported, now: int) -> str:
    item, content = of.item, of.item.content
    marks = [item.kind, item.status, item.verification]
    if item.pinned:
        marks.append("pinned")
    if item.key:
        marks.append(f"key {escaped(item.key)}")
    by = f"{escaped(who(item.head.author))}, {when(item.head.recorded_at)} UTC"
    lines = [
        f"\n### {escaped(content.title)}\n",
        f"m:{short(item.id)}: {', '.join(marks)}; version {item.version} by {by}",
    ]
    if item.kind == REMINDER:
        paths = sorted(shown(link.target) for link in of.links if link.kind == "file")
        comes = occasion(content.valid_from, paths, now)
        lines.append(f"\ncomes up: {escaped(comes)}")
    if content.tags:
        lines.append(f"\ntags: {escaped(', '.join(content.tags))}")
    if content.summary:
        lines.append(f"\nsummary: {escaped(content.summary)}")
    if content.body:
        lines.append(f"\n{fenced(content.body)}")
    if of.evidence:
        rests = "; ".join(f"{row.kind} {row.pointer}" for row in of.evidence)
        lines.append(f"\nrests on: {escaped(rests)}")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """A text on one line that Markdown and HTML show as it is."""
    line = printable(" ".join(text.split()))
    return "".join(f"\\{char}" if char in _MARKUP else char for char in line)


def fenced(text: str) -> str:
    """A text in a block that shows it letter for letter; its fence is longer than any in it."""
    longest, run = 0, 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{printable(text)}\n{fence}"
