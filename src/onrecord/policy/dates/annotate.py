"""Relative dates: the absolute date is put beside the words, or the author is asked.

Text is never rewritten: a date is added in brackets behind the words it explains. Code,
quotations, names, recurring days and lengths of time come back as they were.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from onrecord.domain.errors import BadField
from onrecord.policy.dates import counts, days, periods, vague, weekdays
from onrecord.policy.dates.asides import Folded, fold, stands_beside
from onrecord.policy.dates.calendar import Now
from onrecord.policy.dates.context import Context
from onrecord.policy.dates.foreign import foreign
from onrecord.policy.dates.guards import Span
from onrecord.policy.dates.kept_words import KeptWords
from onrecord.policy.dates.names import Names
from onrecord.policy.dates.rule import KEPT, Kept, Meaning, Open, Rule
from onrecord.policy.dates.words import WEEKDAYS

_RULES: tuple[Rule, ...] = (
    *vague.LOOKALIKES,
    *counts.RULES,
    *days.RULES,
    *weekdays.RULES,
    *periods.RULES,
    *vague.RULES,
)
#: the westernmost and easternmost clocks that a text without a zone is taken to come from
_CLOCKS = (timedelta(hours=-8), timedelta(0), timedelta(hours=9))
_UNKNOWN = "date unknown"
_LONGEST = 60
_ASKED = {
    "vague": 'About when is "{said}"?',
    "event": 'When is "{said}"?',
    "calendar": 'Which dates does "{said}" mean?',
    "language": 'Which date does "{said}" mean? Only English phrases are worked out here.',
}


@dataclass(frozen=True, kw_only=True)
class Unchanged:
    """The text says nothing that needs a date, or says the date already."""


@dataclass(frozen=True, kw_only=True)
class Annotated:
    """The text with dates set beside its words; take them out and the old text is left."""

    #: the whole text
    text: str
    #: each phrase and what was put beside it, in order
    added: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Only the author knows the date; nothing was changed."""

    #: what to ask, with the readings where there are a few, and how to write the answer
    question: str
    #: where the words stand in the text, in code points
    span: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """What a text was before somebody reworded it."""

    text: str
    #: when; None where that is not known
    recorded: datetime | None


@dataclass(frozen=True, kw_only=True)
class _Phrase:
    """Words that tell a time, where they stand in the folded text, and what they tell."""

    span: Span
    found: Meaning | Open


def annotate(
    text: str, recorded: datetime | None, tz: tzinfo | None, earlier: Earlier | None = None
) -> Annotated | Ask | Unchanged:
    """Put the absolute date beside each relative one, as seen from the day it was recorded.

    English phrases with one reading are dated. Vague words, events, two readings, phrases in
    other languages, a missing `recorded` and a missing `tz` near midnight are asked about; one
    question keeps the whole text as it was. Annotating an annotated text changes nothing, nor
    does one whose author wrote a date, or `(date unknown)`, beside the words. Words that stood
    in an earlier form of the text are seen from the day that was recorded.

    Raises:
        BadField: `recorded` has no zone (`field.invalid`).
    """
    if recorded is not None and recorded.tzinfo is None:
        raise BadField("A time needs a zone.", hint="use a datetime with tzinfo")
    folded = fold(text)
    phrases = _phrases(folded)
    if not phrases:
        return Unchanged()
    new = _nows(recorded, tz)
    kept = KeptWords(fold(earlier.text).text, folded.text) if earlier is not None else None
    old = _nows(earlier.recorded, tz) if earlier is not None else new
    added: dict[int, str] = {}
    told: list[tuple[str, str]] = []
    for phrase in phrases:
        words = folded.text[phrase.span.start : phrase.span.end]
        nows = old if kept is not None and kept.holds(phrase.span) else new
        try:
            values = _values(phrase.found, nows)
        except (OverflowError, ValueError):
            continue  # beyond the calendar: a figure of speech, not a date
        if len(values) != 1:
            question = _question(phrase.found, words, values, nows)
            return Ask(question=question, span=folded.original(*phrase.span))
        added[phrase.span.end] = f" ({values[0]})"
        told.append((words, values[0]))
    if not added:
        return Unchanged()
    return Annotated(text=folded.unfold(added), added=tuple(told))


def _phrases(folded: Folded) -> list[_Phrase]:
    """The phrases that still need a date, in order."""
    context, claimed = Context(folded.text), bytearray(len(folded.text))
    names = Names(context)
    phrases: list[_Phrase] = []
    for rule in _RULES:
        for match in rule.pattern.finditer(folded.text):
            span = Span(match.start(), match.end())
            if claimed.find(1, *span) >= 0 or folded.crosses(*span):
                continue
            if context.guards.hold(*span):
                continue
            found = KEPT if names.name(span) else rule.read(match, context)
            if found is None:
                continue
            claimed[span.start : span.end] = b"\1" * (span.end - span.start)
            if not isinstance(found, Kept) and not stands_beside(folded, *span):
                phrases.append(_Phrase(span=span, found=found))
    phrases += [
        _Phrase(span=span, found=Open(why="language"))
        for span in foreign(context)
        if claimed.find(1, *span) < 0
        and not folded.crosses(*span)
        and not stands_beside(folded, *span)
    ]
    return sorted(phrases, key=lambda phrase: phrase.span)


def _nows(recorded: datetime | None, tz: tzinfo | None) -> tuple[Now, ...]:
    """The local days that the text may have been recorded on; none if that is not known."""
    if recorded is None:
        return ()
    if tz is not None or recorded.utcoffset():
        local = recorded.astimezone(tz) if tz is not None else recorded
        return (Now(day=local.date(), moment=local),)
    utc = recorded.astimezone(UTC)
    days = dict.fromkeys((utc + away).date() for away in _CLOCKS)
    return tuple(Now(day=day, moment=utc) for day in days)


def _values(found: Meaning | Open, nows: tuple[Now, ...]) -> tuple[str, ...]:
    if isinstance(found, Open):
        return ()
    return tuple(dict.fromkeys(value for now in nows for value in found.reading(now)))


def _question(
    found: Meaning | Open, words: str, values: tuple[str, ...], nows: tuple[Now, ...]
) -> str:
    """A question that its author can answer by sending the text again."""
    said = " ".join(words.split())[:_LONGEST]
    example = values[0] if values else "YYYY-MM-DD"
    answer = (
        f'Write the date behind the words, as in "{said} ({example})", or "({_UNKNOWN})" if '
        "nobody knows, and send the text again."
    )
    if isinstance(found, Open):
        asked = _ASKED[found.why].format(said=said)
    elif not nows:
        asked = f'Which date does "{said}" mean? It is not known when this was written.'
    elif len(nows) > 1 and len(found.reading(nows[0])) == 1:
        asked = f'Which date does "{said}" mean: {_listed(values)}? The time zone is not known.'
    else:
        asked = f'Which date does "{said}" mean: {_listed(values)}?'
    return f"{asked} {_recorded(nows)}{answer}"


def _listed(values: tuple[str, ...]) -> str:
    return " or ".join(values)


def _recorded(nows: tuple[Now, ...]) -> str:
    if len(nows) != 1:
        return ""
    return f"It was recorded on {WEEKDAYS[nows[0].day.weekday()].capitalize()}, {nows[0].day}. "
