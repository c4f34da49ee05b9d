"""Relative dates in languages other than English: found, so that their author is asked."""

from __future__ import annotations

from onrecord.policy.dates.context import Context
from onrecord.policy.dates.guards import Span
from onrecord.policy.dates.scripts import KEPT_SCRIPTS, SCRIPTS
from onrecord.policy.dates.tongues import LATIN, Tongue
from onrecord.policy.dates.words import word_set
from onrecord.policy.regex import Pattern

_ENGLISH = word_set(
    "the of and to is are was were in on at for with that this it we by be has have had not from "
    "as an will its their our uses never a an i you they"
)
#: a single word of up to this many letters may be a name in an English sentence
_SHORT = 4


def foreign(context: Context) -> list[Span]:
    """Every phrase that another language tells a date with, in order, overlaps left out."""
    found = _written(context)
    for tongue in LATIN.values():
        found += _told(context, tongue)
    clear: list[Span] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if not clear or span.start >= clear[-1].end:
            clear.append(span)
    return clear


def _written(context: Context) -> list[Span]:
    """Scripts that betray their language by themselves."""
    text = context.text
    if text.isascii():
        return []
    kept = _marked(text, KEPT_SCRIPTS, 0)
    spans = [Span(m.start(1), m.end(1)) for script in SCRIPTS for m in script.finditer(text)]
    return [
        span
        for span in spans
        if kept.find(1, *span) < 0 and not context.guards.touch(*span) and not _filed(text, span)
    ]


def _filed(text: str, span: Span) -> bool:
    """Whether the words are part of a file's name or of an identifier."""
    before, after = text[max(0, span.start - 2) : span.start], text[span.end : span.end + 2]
    named = len(after) > 1 and after[0] in "._-/" and after[1].isascii() and after[1].isalnum()
    return named or before[-1:] in ("_", "/", "\\")


def _marked(text: str, kept: Pattern | None, group: int) -> bytearray:
    """A byte for each code point: 1 where a habit or another sense stands."""
    marks = bytearray(len(text))
    for match in kept.finditer(text) if kept else ():
        marks[match.start(group) : match.end(group)] = b"\1" * len(match.group(group))
    return marks


def _told(context: Context, tongue: Tongue) -> list[Span]:
    text = context.text
    hits = [(m, False) for m in tongue.plain.finditer(text)]
    if tongue.shared:
        hits += [(m, True) for m in tongue.shared.finditer(text)]
    if not hits:
        return []
    kept = _marked(text, tongue.kept, 1)
    return [
        span
        for match, shared in hits
        if kept.find(1, *(span := Span(match.start(1), match.end(1)))) < 0
        and not _untouchable(context, span)
        and _spoken(context, span, tongue.common, shared=shared)
    ]


def _untouchable(context: Context, span: Span) -> bool:
    guards, words = context.guards, context.text[span.start : span.end]
    if guards.touch(*span) or guards.bind(*span):
        return True
    single = not any(char.isspace() for char in words)
    return single and words[0].isupper() and not context.leads(span.start)


def _spoken(context: Context, span: Span, common: frozenset[str], *, shared: bool) -> bool:
    """Whether the sentence is in that language; short words need that evidence, too."""
    words = context.told(span.start).words
    own, english = len(words & common), len(words & _ENGLISH)
    if shared:
        return own > english
    told = context.text[span.start : span.end]
    return own >= english or " " in told or len(told) > _SHORT
