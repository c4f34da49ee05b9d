"""Sections of a Markdown file: what stands under each heading, without comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt

#: Headings of these depths begin a section; deeper ones belong to the section they are in.
_DEPTHS = ("h1", "h2")
#: A heading that stands alone says something from so many words on.
_SAYS_WORDS = 4

#: Words of an ADR's status that take it out of force, or that it never was in force.
_NOT_IN_FORCE = (
    "superseded",
    "rejected",
    "deprecated",
    "proposed",
    "draft",
    "withdrawn",
    "replaced",
)
_STATUS_LINES = 400


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """One section of a file."""

    #: the heading's text as it is written, empty for what stands before the first
    heading: str
    #: headings above it, outermost first
    above: tuple[str, ...]
    #: what stands under it, without comments
    text: str
    #: first line, from 1
    line: int


def sections(text: str, *, whole: bool = False) -> list[Section]:
    """The sections in order; with `whole` the file is one, under its first heading.

    Headings in code are none. A section without a text counts where its heading says
    something by itself.
    """
    lines = _without_front_matter(text.split("\n"))
    heads, code = _outline("\n".join(lines))
    shown = _without_comments(lines, code)
    if whole:
        return _whole(heads, shown)
    found: list[Section] = []
    above: list[tuple[int, str]] = []
    starts = [head for head in heads if head.depth in _DEPTHS]
    before = starts[0].start if starts else len(shown)
    found += _made("", (), shown[:before], 1)
    for head, after in zip(starts, [*starts, None][1:], strict=True):
        end = after.start if after else len(shown)
        level = int(head.depth[1])
        above = [one for one in above if one[0] < level]
        name = _without_comment(head.text)
        found += _made(name, [name for _, name in above], shown[head.end : end], head.start + 1)
        above.append((level, name))
    return found


def in_force(text: str) -> bool:
    """Whether a decision record stands: none of what its status says takes it out of force.

    The status is the first word after `Status:`, or of the text under a heading `Status`.
    """
    lines = [line.strip().strip("*_#>- ").lower() for line in text.split("\n")[:_STATUS_LINES]]
    for at, line in enumerate(lines):
        if line == "status":
            said = next((one for one in lines[at + 1 :] if one), "")
        elif line.startswith(("status:", "status**:")):
            said = line.partition(":")[2]
        else:
            continue
        word = said.strip("*_ `\"'").partition(" ")[0].strip(".,:;*_`")
        return word not in _NOT_IN_FORCE
    return True


@dataclass(frozen=True, kw_only=True, slots=True)
class _Head:
    depth: str
    text: str
    #: its lines, from 0, half-open
    start: int
    end: int


def _outline(text: str) -> tuple[list[_Head], set[int]]:
    """The headings, and the lines that are code."""
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    tokens = parser.parse(text)
    heads: list[_Head] = []
    code: set[int] = set()
    for at, token in enumerate(tokens):
        if token.map is None:
            continue
        start, end = token.map
        if token.type in ("fence", "code_block"):
            code.update(range(start, end))
        elif token.type == "heading_open" and not token.level:
            name = " ".join(tokens[at + 1].content.split())
            heads.append(_Head(depth=token.tag, text=name, start=start, end=end))
    return heads, code


def _without_front_matter(lines: list[str]) -> list[str]:
    """Lines with the block of fields at their start blanked, so that all keep their numbers."""
    if not lines or lines[0].rstrip() != "---":
        return lines
    for at, line in enumerate(lines[1:200], start=1):
        if line.rstrip() in ("---", "..."):
            return [""] * (at + 1) + lines[at + 1 :]
    return lines


def _without_comments(lines: Sequence[str], code: set[int]) -> list[str]:
    """Lines without HTML comments, which may go over many; code keeps what it shows."""
    shown: list[str] = []
    inside = False
    for at, line in enumerate(lines):
        if at in code and not inside:
            shown.append(line)
            continue
        kept, inside = _line_without(line, inside=inside)
        shown.append(kept)
    return shown


def _line_without(line: str, *, inside: bool) -> tuple[str, bool]:
    kept, rest = "", line
    while True:
        if inside:
            _, ended, rest = rest.partition("-->")
            if not ended:
                return kept.rstrip(), True
            inside = False
        before, begun, after = rest.partition("<!--")
        kept += before
        if not begun:
            return kept if kept == line else kept.rstrip(), False
        if kept.count("`") % 2:
            kept, rest = kept + begun, after
        else:
            inside, rest = True, after


def _without_comment(heading: str) -> str:
    return _line_without(heading, inside=False)[0].strip()


def _made(
    heading: str, above: Sequence[str], lines: Sequence[str], line: int
) -> Iterator[Section]:
    text = "\n".join(lines).strip("\n").rstrip()
    says = text.strip() or (heading and len(heading.split()) >= _SAYS_WORDS)
    if says:
        yield Section(heading=heading, above=tuple(above), text=text, line=line)


def _whole(heads: Sequence[_Head], shown: Sequence[str]) -> list[Section]:
    first = heads[0] if heads else None
    name = _without_comment(first.text) if first else ""
    rest = list(shown) if first is None else [*shown[: first.start], *shown[first.end :]]
    return list(_made(name, (), rest, first.start + 1 if first else 1))
