"""Code, quotations, addresses and identifiers: what stands in them is not ours to change."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from onrecord.policy.regex import Pattern

_BLOCKS = (
    # fenced code; an open fence runs to the end of the text
    Pattern(r"(?ms)^[ \t]*```.*?(?:^[ \t]*```[ \t]*$|\z)|^[ \t]*~~~.*?(?:^[ \t]*~~~[ \t]*$|\z)"),
    Pattern(r"(?s)<(?:code|pre|kbd|samp)\b[^>]*>.*?</(?:code|pre|kbd|samp)>|<!--.*?-->"),
    Pattern(r"</?[a-zA-Z][^<>\n]*>"),
    Pattern(r"``[^\n]+?``|`[^`]+`|\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{%[^{}]*%\}"),
    Pattern(r"(?m)^[ \t]*>.*$|^[ \t]*\[[^\[\]]+\]:|\[[^\[\]]*\]\[[^\[\]]*\]"),
    Pattern(r"\w+://\S+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    Pattern(r"“[^“”]*”|„[^„“”]*[“”]|‘[^‘’\n]*’|‚[^‚‘’\n]*[‘’]|«[^«»]*»|»[^«»\n]*«|‹[^‹›]*›"),
    Pattern(r"「[^「」]*」|『[^『』]*』|《[^《》]*》|〈[^〈〉]*〉|【[^【】]*】"),
)
_INDENTED = Pattern(r"(?:\A|\n[ \t]*\n)((?:(?: {4}|\t)[^\n]*(?:\n|\z))+)")
_LIST_ABOVE = Pattern(r"(?m)^\s*(?:[-*+]|\d+[.)])\s")
_QUOTE = Pattern(r"[\"']")
_BEFORE_QUOTE = " \t\n([{—–:=/-,"
_LONGEST_QUOTE = {'"': 600, "'": 200}
_BINDS_LEFT = "_=/\\@#$%&+~<{^.:-"
_BINDS_RIGHT = "_=/\\@#$%&+~>}^("


class Span(NamedTuple):
    """A half-open range of code points."""

    #: the first one
    start: int
    #: one behind the last
    end: int


class Guards:
    """The ranges of a text that must come back as they were."""

    def __init__(self, text: str) -> None:
        """Find them all at once."""
        self._text = text
        spans = [Span(m.start(), m.end()) for p in _BLOCKS for m in p.finditer(text)]
        self._spans = _merge([*spans, *_indented(text), *_quotations(text)])
        self._starts = [span.start for span in self._spans]

    def hold(self, start: int, end: int) -> bool:
        """Whether a range is guarded or part of a longer name."""
        return self.touch(start, end) or self.bind(start, end)

    def touch(self, start: int, end: int) -> bool:
        """Whether any part of a range is guarded."""
        at = bisect_right(self._starts, end - 1) - 1
        return at >= 0 and self._spans[at].end > start

    def bind(self, start: int, end: int) -> bool:
        """Whether a range is part of a longer name: a file, a call, an option, a placeholder."""
        text = self._text
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        if before and (before.isalnum() or before in _BINDS_LEFT):
            return True
        if before == "," and text[start - 2 : start - 1].isdigit() and text[start].isdigit():
            return True
        if after and (after.isalnum() or after in _BINDS_RIGHT):
            return True
        follows = text[end + 1 : end + 2]
        if after and after in ".-:–'’" and (follows.isalnum() or follows == "_"):
            return True
        if before == "[" and after == "]":
            return follows != "("
        return self._option_value(start)

    def _option_value(self, start: int) -> bool:
        """Whether the word before is an option, as in `--since yesterday`."""
        head = self._text[max(0, start - 40) : start].rstrip(" ")
        word = head.rsplit(None, 1)[-1] if head.strip() else ""
        return (
            len(word) > 1 and word[0] == "-" and (word[1].isalpha() or word[1:3].strip("-") != "")
        )


def _merge(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged


def _indented(text: str) -> list[Span]:
    """Code blocks by indentation; under a list the same indentation is prose."""
    found: list[Span] = []
    for block in _INDENTED.finditer(text):
        above = text[max(0, block.start() - 400) : block.start()]
        if not _LIST_ABOVE.search(above.rsplit("\n\n", 1)[-1]):
            found.append(Span(block.start(), block.end()))
    return found


def _quotations(text: str) -> list[Span]:
    """Straight quotation marks in pairs; an apostrophe neither opens nor closes."""
    found: list[Span] = []
    opened: dict[str, int] = {}
    for mark in _QUOTE.finditer(text):
        at, kind = mark.start(), mark.group() or ""
        before, after = text[at - 1 : at] if at else " ", text[at + 1 : at + 2]
        start = opened.get(kind, -1)
        if start >= 0 and not before.isspace() and not after.isalnum():
            if at - start <= _LONGEST_QUOTE[kind] and "\n\n" not in text[start:at]:
                found.append(Span(start, at + 1))
            del opened[kind]
        elif before in _BEFORE_QUOTE and after.strip():
            opened[kind] = at
    return found
